"""What programs read in the head of a paper's page: reference managers, search engines, messengers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from digest.core.text.accents import decode_tex_accents
from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.environment import remove_unprintable
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import filter_web_address
from digest.render.papers.paper_view import join_lines

_MAX_AUTHORS = 50
"""Maximum number of authors; a paper can have thousands."""
_MAX_DESCRIPTION = 300


def clean_lines(texts: Iterable[str]) -> list[str]:
    """Return printed texts in Unicode, each on one line, without repetitions."""
    return [remove_unprintable(join_lines(decode_tex_accents(text))) for text in dict.fromkeys(texts)]


def get_id(paper: Paper, scheme: str) -> str:
    """Return the ID of a paper in a scheme; "" if it has none."""
    own_scheme, _, value = paper.key.partition(":")
    return value if own_scheme == scheme else dict(paper.ids).get(scheme, "")


def list_metadata(paper: Paper, day: date | None) -> Iterator[tuple[str, str]]:
    """Yield the fields that reference managers read (Highwire Press tags).

    Args:
        paper: the paper.
        day: when it was announced; None if it never was.
    """
    yield "citation_title", remove_unprintable(join_lines(tex_to_unicode(paper.title)))
    for name in clean_lines(author.name for author in paper.authors[:_MAX_AUTHORS]):
        yield "citation_author", name
    if day:
        yield "citation_publication_date", f"{day:%Y/%m/%d}"
    for name, value in (
        ("citation_doi", paper.doi),
        ("citation_journal_title", join_lines(paper.journal_ref)),
        ("citation_arxiv_id", get_id(paper, "arxiv")),
        ("citation_pdf_url", filter_web_address(paper.pdf_url)),
    ):
        if value:
            yield name, remove_unprintable(value)


def make_structured_data(paper: Paper, day: date | None, url: str) -> dict[str, object]:
    """Describe a paper for search engines (https://schema.org/ScholarlyArticle), as JSON-LD.

    Args:
        paper: the paper.
        day: when it was announced; None if it never was.
        url: the whole address of its page.
    """
    arxiv_id = get_id(paper, "arxiv")
    links = (
        f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else "",
        f"https://doi.org/{paper.doi}" if paper.doi else "",
        paper.url,
    )
    fields: dict[str, object] = {
        "headline": _clean_text(paper.title),
        "abstract": shorten_line(_clean_text(paper.abstract), _MAX_DESCRIPTION),
        "author": [
            {"@type": "Person", "name": name}
            for name in clean_lines(author.name for author in paper.authors[:_MAX_AUTHORS])
        ],
        "datePublished": day.isoformat() if day else "",
        "isPartOf": {"@type": "Periodical", "name": _clean_text(paper.journal_ref)}
        if paper.journal_ref
        else "",
        "sameAs": [link for link in dict.fromkeys(map(filter_web_address, links)) if link],
        "license": filter_web_address(paper.license_url),
    }
    return {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "url": url,
        **{name: value for name, value in fields.items() if value},
    }


def _clean_text(text: str) -> str:
    return remove_unprintable(join_lines(tex_to_unicode(decode_tex_accents(text))))
