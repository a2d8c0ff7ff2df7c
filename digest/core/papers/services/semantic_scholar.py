"""Parser for the papers of Semantic Scholar.

https://api.semanticscholar.org/api-docs/graph, and recorded answers.
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
"""The requested fields."""
REFERENCES = "references.externalIds"
"""The field with the references of a paper, requested only if needed: answers with it are several times as long."""
_MAX_REFERENCES = 2_000
_COUNTS = {"citationCount": "citations", "influentialCitationCount": "influential citations"}
_ARXIV = "arxiv"


def describe_unread_record(record: Mapping[str, Any]) -> str:
    """Return a message about the missing field that makes a record unreadable."""
    identifier = to_line(record.get("paperId"))[:50]
    missing_fields = f"no title: {identifier}" if identifier else "no id"
    return f"A paper of Semantic Scholar has {missing_fields}."


def build_paper(record: Mapping[str, Any]) -> Paper | None:
    """Return the paper of a record; None if it has no title or no ID.

    If the paper is on arXiv, any DOI other than arXiv's own is that of its publication.
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
    """Yield the citation counts of a paper, according to Semantic Scholar."""
    citation_counts = {kind: record.get(name) for name, kind in _COUNTS.items()}
    yield from make_signals(citation_counts, subject=paper.key, source=source, day=day)


def format_request_id(key: PaperKey) -> str:
    """Return the ID by which a paper is requested: ``ARXIV:2312.07559``, ``DOI:10.1000/…``, ``URL:…``."""
    scheme, _, value = key.partition(":")
    return f"{scheme.upper()}:{value}"


# --- fields ---------------------------------------------------------------------------------------


def _read_paper_ids(ids: Mapping[str, Any]) -> tuple[str, str]:
    """Return the arXiv ID and the DOI of a paper, or ""; many records have the former only as a DOI of arXiv."""
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
    """Yield the keys of the cited papers; a paper that has both an arXiv ID and a DOI has two."""
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
    """Return the journal reference; "" if the paper is only on a preprint server."""
    journal = to_table(record.get("journal"))
    name = to_line(journal.get("name")) or to_line(record.get("venue"))
    if _ARXIV in name.casefold() or name.casefold() in {"biorxiv", "medrxiv"}:
        return ""
    year = to_line(record.get("publicationDate"))[:4] or to_count(record.get("year")) or ""
    return format_journal_reference(
        name, volume=to_line(journal.get("volume")), pages=to_line(journal.get("pages")), year=str(year)
    )
