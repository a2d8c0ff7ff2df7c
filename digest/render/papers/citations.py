"""Papers as RIS and CSL JSON, for reference managers that do not read BibTeX.

Names are given as printed, because nobody can tell from them which words belong to the family name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from digest.core.papers.identity.ids import build_doi_address
from digest.core.text.accents import decode_tex_accents
from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.environment import remove_unprintable
from digest.render.papers.bibtex import find_year
from digest.render.papers.links import filter_web_address


def format_ris(paper: Paper) -> str:
    """Format a paper as RIS (https://en.wikipedia.org/wiki/RIS_(file_format)), with lines that end in CR LF."""
    is_article = bool(paper.journal_ref)
    fields = [
        ("TY", "JOUR" if is_article else "GEN"),
        ("TI", clean_text(paper.title)),
        *(("AU", clean_name(author.name)) for author in paper.authors),
        ("PY", find_year(paper)),
        ("JO", clean_text(paper.journal_ref)),
        ("DO", clean_line(paper.doi)),
        ("UR", clean_line(filter_web_address(paper.url))),
        ("AB", clean_text(paper.abstract)),
        *(("KW", clean_line(category)) for category in paper.categories),
    ]
    lines = [f"{tag}  - {text}" for tag, text in fields if text]
    return "\r\n".join((*lines, "ER  - ", ""))


def format_ris_file(papers: Iterable[Paper]) -> str:
    """Format papers as one RIS file, in their order."""
    return "".join(map(format_ris, papers))


def format_csl_json(paper: Paper) -> str:
    """Format a paper as CSL JSON (https://docs.citationstyles.org/en/stable/specification.html)."""
    year = find_year(paper)
    entry: dict[str, Any] = {
        "id": paper.key,
        "type": "article-journal" if paper.journal_ref else "article",
        "title": clean_text(paper.title),
        "author": [{"literal": clean_name(author.name)} for author in paper.authors],
        "issued": {"date-parts": [[int(year)]]} if year else None,
        "container-title": clean_text(paper.journal_ref),
        "DOI": clean_line(paper.doi),
        "URL": clean_line(filter_web_address(paper.url))
        or (build_doi_address(paper.doi) if paper.doi else ""),
        "abstract": clean_text(paper.abstract),
    }
    return json.dumps([{name: value for name, value in entry.items() if value}], ensure_ascii=False, indent=1)


def clean_text(text: str) -> str:
    """Return a title or an abstract as one line, with TeX as Unicode."""
    return clean_line(tex_to_unicode(text))


def clean_name(name: str) -> str:
    """Return a printed name as one line, with TeX accents as Unicode."""
    return clean_line(decode_tex_accents(name))


def clean_line(text: str) -> str:
    """Return a text as one line of characters that can be printed."""
    return remove_unprintable(" ".join(text.split()))
