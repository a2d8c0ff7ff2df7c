"""What Semantic Scholar's record of a paper says.

https://api.semanticscholar.org/api-docs/graph, and answers as they were recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import as_count, as_line, as_rows, as_table, counted
from digest.core.papers.identity.ids import arxiv_id, best_key, bounded_key, doi, doi_address
from digest.core.papers.identity.person_ids import person_id
from digest.core.papers.journals import journal_reference
from digest.model import Author, Paper, PaperKey, Signal

FIELDS = (
    *("externalIds", "url", "title", "abstract", "venue", "journal", "year", "publicationDate"),
    *("openAccessPdf", "authors", "citationCount", "influentialCitationCount"),
)
"""Those that are read."""
REFERENCES = "references.externalIds"
"""The field of what a paper cites, for those who ask for it: it makes an answer several times as long."""
_MOST_REFERENCES = 2_000
_COUNTS = {"citationCount": "citations", "influentialCitationCount": "influential citations"}
_ARXIV = "arxiv"


def describe_unread_record(record: Mapping[str, Any]) -> str:
    """Say what a record lacks of which no paper can be read."""
    named = as_line(record.get("paperId"))[:50]
    lacks = f"no title: {named}" if named else "no id"
    return f"A paper of Semantic Scholar has {lacks}."


def paper_of_record(record: Mapping[str, Any]) -> Paper | None:
    """The paper of a record; None for one without a title, or without any id.

    The DOI of a paper that is on arXiv too is that of its publication, unless it is arXiv's own.
    """
    title, own = as_line(record.get("title")), as_line(record.get("paperId"))
    ids = as_table(record.get("externalIds"))
    preprint, number = _numbers(ids)
    if not title or not (preprint or number or own):
        return None
    page = _page(preprint, number, own)
    journal = _journal(record)
    return Paper(
        key=best_key(arxiv=preprint, published=number, page=page),
        title=title,
        abstract=as_line(record.get("abstract")),
        authors=tuple(_authors(record.get("authors"))),
        version=0,
        url=page,
        pdf_url=web_address(as_table(record.get("openAccessPdf")).get("url")),
        doi=number if journal or preprint else "",
        journal_ref=journal,
        ids=tuple(_ids(ids, own, number)),
        references=tuple(dict.fromkeys(_references(record.get("references")))),
    )


def signals_of_record(record: Mapping[str, Any], paper: Paper, source: str, day: date) -> Iterator[Signal]:
    """How often a paper was cited, as Semantic Scholar counts."""
    told = {kind: record.get(name) for name, kind in _COUNTS.items()}
    yield from counted(told, subject=paper.key, source=source, day=day)


def asked_as(key: PaperKey) -> str:
    """How Semantic Scholar is asked for a paper: ``ARXIV:2312.07559``, ``DOI:10.1000/…``, ``URL:…``."""
    scheme, _, value = key.partition(":")
    return f"{scheme.upper()}:{value}"


# --- fields ---------------------------------------------------------------------------------------


def _numbers(ids: Mapping[str, Any]) -> tuple[str, str]:
    """The arXiv id and the DOI of a paper, "" for none; many records have the former only as a DOI of arXiv's."""
    written = as_line(ids.get("ArXiv")), as_line(ids.get("DOI"))
    preprint = next((found[0] for one in written if (found := arxiv_id(one))), "")
    return preprint, doi(written[1]) or ""


def _ids(ids: Mapping[str, Any], own: str, number: str) -> Iterator[tuple[str, str]]:
    if own:
        yield "s2", own
    if number:
        yield "doi", number
    for scheme, name in (("pmid", "PubMed"), ("dblp", "DBLP"), ("acl", "ACL")):
        if value := as_line(ids.get(name)):
            yield scheme, value


def _references(value: object) -> Iterator[PaperKey]:
    """The keys of what a paper cites: preprint and publication, where a cited paper has both."""
    for one in map(as_table, as_rows(value)[:_MOST_REFERENCES]):
        preprint, number = _numbers(as_table(one.get("externalIds")))
        if preprint:
            yield PaperKey(f"arxiv:{preprint}")
        if number:
            yield bounded_key(f"doi:{number}")


def _page(preprint: str, number: str, own: str) -> str:
    if preprint:
        return f"https://arxiv.org/abs/{preprint}"
    if number:
        return doi_address(number)
    return f"https://www.semanticscholar.org/paper/{own}"


def _authors(value: object) -> Iterator[Author]:
    for one in map(as_table, as_rows(value)):
        if name := as_line(one.get("name")):
            places = tuple(dict.fromkeys(filter(None, map(as_line, as_rows(one.get("affiliations"))))))
            known = person_id("s2", as_line(one.get("authorId")))
            yield Author(name, places, (("s2", known),) if known else ())


def _journal(record: Mapping[str, Any]) -> str:
    """Where it was published; "" for what is only on a preprint server."""
    told = as_table(record.get("journal"))
    name = as_line(told.get("name")) or as_line(record.get("venue"))
    if _ARXIV in name.casefold() or name.casefold() in {"biorxiv", "medrxiv"}:
        return ""
    year = as_line(record.get("publicationDate"))[:4] or as_count(record.get("year")) or ""
    return journal_reference(
        name, volume=as_line(told.get("volume")), pages=as_line(told.get("pages")), year=str(year)
    )
