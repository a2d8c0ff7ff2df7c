"""What Semantic Scholar's record of a paper says.

https://api.semanticscholar.org/api-docs/graph, and answers as they were recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import make_signals, to_count, to_line, to_rows, to_table
from digest.core.papers.identity.ids import (
    build_doi_address,
    choose_key,
    limit_key,
    parse_arxiv_id,
    parse_doi,
)
from digest.core.papers.identity.person_ids import parse_person_id
from digest.core.papers.journals import format_journal_reference
from digest.model import Author, Paper, PaperKey, Signal

FIELDS = (
    *("externalIds", "url", "title", "abstract", "venue", "journal", "year", "publicationDate"),
    *("openAccessPdf", "authors", "citationCount", "influentialCitationCount"),
)
"""Those that are read."""
REFERENCES = "references.externalIds"
"""The field of what a paper cites, for those who ask for it: it makes an answer several times as long."""
_MAX_REFERENCES = 2_000
_COUNTS = {"citationCount": "citations", "influentialCitationCount": "influential citations"}
_ARXIV = "arxiv"


def describe_unread_record(record: Mapping[str, Any]) -> str:
    """Say what a record lacks of which no paper can be read."""
    identifier = to_line(record.get("paperId"))[:50]
    missing_fields = f"no title: {identifier}" if identifier else "no id"
    return f"A paper of Semantic Scholar has {missing_fields}."


def build_paper(record: Mapping[str, Any]) -> Paper | None:
    """The paper of a record; None for one without a title, or without any id.

    The DOI of a paper that is on arXiv too is that of its publication, unless it is arXiv's own.
    """
    title, record_id = to_line(record.get("title")), to_line(record.get("paperId"))
    ids = to_table(record.get("externalIds"))
    arxiv_number, doi_value = _read_paper_ids(ids)
    if not title or not (arxiv_number or doi_value or record_id):
        return None
    page = _choose_page(arxiv_number, doi_value, record_id)
    journal = _read_journal(record)
    return Paper(
        key=choose_key(arxiv=arxiv_number, doi_value=doi_value, page=page),
        title=title,
        abstract=to_line(record.get("abstract")),
        authors=tuple(_read_authors(record.get("authors"))),
        version=0,
        url=page,
        pdf_url=resolve_web_address(to_table(record.get("openAccessPdf")).get("url")),
        doi=doi_value if journal or arxiv_number else "",
        journal_ref=journal,
        ids=tuple(_iter_ids(ids, record_id, doi_value)),
        references=tuple(dict.fromkeys(_read_references(record.get("references")))),
    )


def extract_signals(record: Mapping[str, Any], paper: Paper, source: str, day: date) -> Iterator[Signal]:
    """How often a paper was cited, as Semantic Scholar counts."""
    citation_counts = {kind: record.get(name) for name, kind in _COUNTS.items()}
    yield from make_signals(citation_counts, subject=paper.key, source=source, day=day)


def format_request_id(key: PaperKey) -> str:
    """How Semantic Scholar is asked for a paper: ``ARXIV:2312.07559``, ``DOI:10.1000/…``, ``URL:…``."""
    scheme, _, value = key.partition(":")
    return f"{scheme.upper()}:{value}"


# --- fields ---------------------------------------------------------------------------------------


def _read_paper_ids(ids: Mapping[str, Any]) -> tuple[str, str]:
    """The arXiv id and the DOI of a paper, "" for none; many records have the former only as a DOI of arXiv's."""
    candidates = to_line(ids.get("ArXiv")), to_line(ids.get("DOI"))
    arxiv_number = next(
        (arxiv_paper[0] for candidate in candidates if (arxiv_paper := parse_arxiv_id(candidate))), ""
    )
    return arxiv_number, parse_doi(candidates[1]) or ""


def _iter_ids(ids: Mapping[str, Any], record_id: str, doi_value: str) -> Iterator[tuple[str, str]]:
    if record_id:
        yield "s2", record_id
    if doi_value:
        yield "doi", doi_value
    for scheme, name in (("pmid", "PubMed"), ("dblp", "DBLP"), ("acl", "ACL")):
        if value := to_line(ids.get(name)):
            yield scheme, value


def _read_references(value: object) -> Iterator[PaperKey]:
    """The keys of what a paper cites: preprint and publication, where a cited paper has both."""
    for reference in map(to_table, to_rows(value)[:_MAX_REFERENCES]):
        arxiv_number, doi_value = _read_paper_ids(to_table(reference.get("externalIds")))
        if arxiv_number:
            yield PaperKey(f"arxiv:{arxiv_number}")
        if doi_value:
            yield limit_key(f"doi:{doi_value}")


def _choose_page(arxiv_number: str, doi_value: str, record_id: str) -> str:
    if arxiv_number:
        return f"https://arxiv.org/abs/{arxiv_number}"
    if doi_value:
        return build_doi_address(doi_value)
    return f"https://www.semanticscholar.org/paper/{record_id}"


def _read_authors(value: object) -> Iterator[Author]:
    for author in map(to_table, to_rows(value)):
        if name := to_line(author.get("name")):
            affiliations = tuple(
                dict.fromkeys(filter(None, map(to_line, to_rows(author.get("affiliations")))))
            )
            author_id = parse_person_id("s2", to_line(author.get("authorId")))
            yield Author(name, affiliations, (("s2", author_id),) if author_id else ())


def _read_journal(record: Mapping[str, Any]) -> str:
    """Where it was published; "" for what is only on a preprint server."""
    journal = to_table(record.get("journal"))
    name = to_line(journal.get("name")) or to_line(record.get("venue"))
    if _ARXIV in name.casefold() or name.casefold() in {"biorxiv", "medrxiv"}:
        return ""
    year = to_line(record.get("publicationDate"))[:4] or to_count(record.get("year")) or ""
    return format_journal_reference(
        name, volume=to_line(journal.get("volume")), pages=to_line(journal.get("pages")), year=str(year)
    )
