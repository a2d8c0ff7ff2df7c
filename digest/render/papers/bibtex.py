"""Papers as BibTeX, for reference managers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote

from digest.core.text.accents import decode_tex_accents
from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.environment import remove_unprintable
from digest.render.papers.links import filter_web_address

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",  # BibTeX counts braces, even those after a backslash
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&%#_"},
    }
)
_ARXIV = re.compile(r"(?:[A-Za-z.-]+/)?(\d\d)(?:\d\d)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NAME_SEPARATOR = re.compile(r",|\band\b", re.IGNORECASE)
"""Text that BibTeX would take for a separator between or within names."""
_MIN_WORD_LENGTH = 4
_CENTURY_CUTOFF = 90


def format_bibtex(papers: Iterable[Paper]) -> str:
    """Format papers as BibTeX entries, in their order; the same papers get the same keys."""
    used_keys: set[str] = set()
    return "\n".join([_format_entry(paper, _make_unique(_make_key(paper), used_keys)) for paper in papers])


def _format_entry(paper: Paper, key: str) -> str:
    scheme, _, identifier = paper.key.partition(":")
    arxiv_id = identifier if scheme == "arxiv" else dict(paper.ids).get("arxiv", "")
    journal = _clean_line(paper.journal_ref)
    field_texts = {
        "title": f"{{{_escape_tex(tex_to_unicode(paper.title))}}}",  # the inner braces preserve capitals
        "author": " and ".join(map(_format_author, (author.name for author in paper.authors))),
        "year": find_year(paper),
        "journal": _escape_tex(journal),
        "doi": _escape_address(paper.doi),
        "eprint": _escape_address(arxiv_id),
        "archivePrefix": "arXiv" if arxiv_id else "",
        "primaryClass": _escape_tex(paper.categories[0]) if arxiv_id and paper.categories else "",
        "url": _escape_address(filter_web_address(paper.url)),
        "abstract": _escape_tex(tex_to_unicode(paper.abstract)),
    }
    fields = "".join(f"  {name} = {{{text}}},\n" for name, text in field_texts.items() if text)
    return f"@{'article' if journal else 'misc'}{{{key},\n{fields}}}\n"


def _clean_line(text: str) -> str:
    return remove_unprintable(" ".join(text.split()))


def _escape_tex(text: str) -> str:
    return _clean_line(text).translate(_SPECIAL)


def _escape_address(text: str) -> str:
    """Percent-encode braces and other special characters of an address or id, because a brace would end the field."""
    return quote(_clean_line(text), safe="!#$%&'()*+,/:;=?@[]~-._")


def _format_author(name: str) -> str:
    plain = _clean_line(decode_tex_accents(name))
    escaped = plain.translate(_SPECIAL)
    return f"{{{escaped}}}" if _NAME_SEPARATOR.search(plain) else escaped


def find_year(paper: Paper) -> str:
    """Return the year in the journal reference, or else the one in the arXiv id; "" if neither has one."""
    if match := _YEAR.search(paper.journal_ref):
        return match[0]
    scheme, _, identifier = paper.key.partition(":")
    if scheme != "arxiv" or not (match := _ARXIV.match(identifier)):
        return ""
    return f"{'19' if int(match[1]) > _CENTURY_CUTOFF else '20'}{match[1]}"


def _make_key(paper: Paper) -> str:
    """Make the key of an entry from last name of the first author, year, and first longer word: ``guo2026splitzip``."""
    last_name = decode_tex_accents(paper.authors[0].name).split()[-1:] if paper.authors else []
    words = re.findall(r"\w+", tex_to_unicode(paper.title))
    word = next((candidate for candidate in words if len(candidate) >= _MIN_WORD_LENGTH), "")
    return _normalize_to_ascii("".join(last_name)) + find_year(paper) + _normalize_to_ascii(word) or "paper"


def _normalize_to_ascii(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]", "", folded.lower())


def _make_unique(key: str, used_keys: set[str]) -> str:
    unique_key, number = key, 1
    while unique_key in used_keys:
        number += 1
        unique_key = f"{key}-{number}"
    used_keys.add(unique_key)
    return unique_key
