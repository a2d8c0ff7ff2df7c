"""Parser for the works of OpenAlex.

https://developers.openalex.org/api-entities/works/work-object, and recorded answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import make_signals, to_line, to_rows, to_table
from digest.core.papers.identity.ids import build_doi_address, choose_key, parse_arxiv_id, parse_doi
from digest.core.papers.identity.person_ids import parse_person_id, parse_ror_id
from digest.core.papers.journals import format_journal_reference
from digest.model import Author, Paper, PaperKey, Signal

FIELDS = (
    *("id", "doi", "title", "type", "publication_date", "created_date", "primary_location", "locations"),
    *("authorships", "abstract_inverted_index", "biblio", "topics", "is_retracted", "cited_by_count"),
)
"""The requested fields."""
REFERENCES = "referenced_works"
"""The field with the references of a work, requested only if needed: it doubles the length of an answer."""
_MAX_REFERENCES = 2_000
_MAX_WORDS = 20_000
_MAX_AUTHORS = 5_000
_MAX_TOPICS = 3
_WORK = re.compile(r"(?:https?://(?:www\.|api\.)?openalex\.org/(?:works/)?)?(W[1-9]\d{3,12})", re.ASCII)
_CREATIVE_COMMONS = re.compile(r"cc-(by(?:-n[cd]|-sa)*)", re.ASCII)
_PUBLICATION_TYPES = frozenset({"journal", "conference", "book series"})


def describe_unread_work(work: Mapping[str, Any]) -> str:
    """Return a message about the missing field that makes a work unreadable; "" if it is readable."""
    if build_paper(work):
        return ""
    identifier = parse_work_id(to_line(work.get("id")))
    return (
        f"A work of OpenAlex has no title: {identifier}."
        if identifier
        else "A work of OpenAlex has neither id nor DOI."
    )


def parse_work_id(text: str) -> str | None:
    """Return the bare ID of a work, ``W1982728624``, or None."""
    match = _WORK.fullmatch(text.strip())
    return match[1] if match else None


def build_paper(work: Mapping[str, Any]) -> Paper | None:
    """Return the paper of a work; None if it has no title or no ID.

    A work of OpenAlex includes all its locations, preprint and publication, so the paper gets the IDs of
    both.
    """
    title, openalex_id = to_line(work.get("title")), parse_work_id(to_line(work.get("id")))
    dois, arxiv_number, published_doi = _read_paper_ids(work)
    if not title or not (openalex_id or dois):
        return None
    page = _choose_page(arxiv_number, dois, openalex_id)
    location = to_table(work.get("primary_location"))
    return Paper(
        key=choose_key(arxiv=arxiv_number, doi_value=next(iter(dois), ""), page=page),
        title=title,
        abstract=restore_abstract(work.get("abstract_inverted_index")),
        authors=tuple(_read_authors(work.get("authorships"))),
        # A paper of arXiv has its own categories; the topics that OpenAlex computed are not mixed with them.
        categories=()
        if arxiv_number
        else tuple(
            filter(
                None, [to_line(to_table(next(iter(to_rows(work.get("topics"))), None)).get("display_name"))]
            )
        ),
        version=0,
        url=page,
        pdf_url=resolve_web_address(location.get("pdf_url")),
        doi=published_doi,
        journal_ref=_read_journal(work, location) if published_doi else "",
        license_url=_make_license_address(to_line(location.get("license"))),
        ids=(
            *((("openalex", openalex_id),) if openalex_id else ()),
            *(("doi", doi_value) for doi_value in dois),
        ),
        institutions=tuple(dict.fromkeys(_read_ror_ids(work.get("authorships")))),
        references=tuple(dict.fromkeys(_read_references(work.get(REFERENCES)))),
        withdrawn=work.get("is_retracted") is True,
    )


def extract_signals(work: Mapping[str, Any], paper: Paper, source: str, day: date) -> Iterator[Signal]:
    """Yield the citation count of a work, and the scores of its topics, according to OpenAlex."""
    citation_counts = {"citations": work.get("cited_by_count")}
    yield from make_signals(citation_counts, subject=paper.key, source=source, day=day)
    yield from extract_topic_signals(work.get("topics"), "score", subject=paper.key, source=source, day=day)


def extract_topic_signals(
    topic_rows: object, weight_key: str, *, subject: str, source: str, day: date
) -> Iterator[Signal]:
    """Yield a signal for each of the first topics of a work or a person: ``topic: Neural networks``.

    Args:
        topic_rows: the topics as OpenAlex lists them, the most relevant first.
        weight_key: the key of their number: ``score`` for a work, ``count`` (of works) for a person.
        subject: the paper or person.
        source: the source of the signals.
        day: the day of the numbers.
    """
    for topic in map(to_table, to_rows(topic_rows)[:_MAX_TOPICS]):
        name, value = to_line(topic.get("display_name")), topic.get(weight_key)
        if name and isinstance(value, int | float) and 0 < value < 10**9:
            yield Signal(subject=subject, kind=f"topic: {name}", source=source, day=day, value=float(value))


def restore_abstract(inverted_index: object) -> str:
    """Return the text of an inverted index, which has the positions of each word."""
    words: dict[int, str] = {}
    for word, word_positions in to_table(inverted_index).items():
        for position in to_rows(word_positions):
            if type(position) is int and 0 <= position < _MAX_WORDS:
                words[position] = word
    return to_line(" ".join(words[position] for position in sorted(words)))


# --- fields ---------------------------------------------------------------------------------------


def _read_paper_ids(work: Mapping[str, Any]) -> tuple[list[str], str, str]:
    """Return the DOIs of all locations, the primary one first, the arXiv ID, and the publication's DOI; or ""."""
    locations = [to_table(work.get("primary_location")), *map(to_table, to_rows(work.get("locations")))]
    addresses = [
        to_line(work.get("doi")),
        *(to_line(location.get("landing_page_url")) for location in locations),
    ]
    dois = list(dict.fromkeys(doi_value for address in addresses if (doi_value := parse_doi(address))))
    arxiv_number = next(
        (arxiv_paper[0] for address in addresses if (arxiv_paper := parse_arxiv_id(address))), ""
    )
    published_doi = next(
        (
            doi_value
            for location in locations
            if _is_published(location) and (doi_value := parse_doi(to_line(location.get("landing_page_url"))))
        ),
        "",
    )
    return dois, arxiv_number, published_doi


def _is_published(location: Mapping[str, Any]) -> bool:
    source = to_table(location.get("source"))
    return location.get("version") == "publishedVersion" and to_line(source.get("type")) in _PUBLICATION_TYPES


def _choose_page(arxiv_number: str, dois: list[str], openalex_id: str | None) -> str:
    if arxiv_number:
        return f"https://arxiv.org/abs/{arxiv_number}"
    return build_doi_address(dois[0]) if dois else f"https://openalex.org/{openalex_id}"


def _read_authors(value: object) -> Iterator[Author]:
    """Yield the authors as printed, with the IDs that OpenAlex assigned."""
    for authorship in map(to_table, to_rows(value)[:_MAX_AUTHORS]):
        author = to_table(authorship.get("author"))
        name = to_line(authorship.get("raw_author_name")) or to_line(author.get("display_name"))
        if not name:
            continue
        raw_affiliations = [
            to_line(affiliation) for affiliation in to_rows(authorship.get("raw_affiliation_strings"))
        ]
        institution_names = [
            to_line(to_table(affiliation).get("display_name"))
            for affiliation in to_rows(authorship.get("institutions"))
        ]
        ids = [
            (scheme, author_id)
            for scheme, text in (("openalex", author.get("id")), ("orcid", author.get("orcid")))
            if (author_id := parse_person_id(scheme, to_line(text)))
        ]
        yield Author(
            name, tuple(dict.fromkeys(filter(None, raw_affiliations or institution_names))), tuple(ids)
        )


def _read_references(value: object) -> Iterator[PaperKey]:
    """Yield the keys of the cited works; OpenAlex identifies them by its own IDs only."""
    for reference in to_rows(value)[:_MAX_REFERENCES]:
        if cited_id := parse_work_id(to_line(reference)):
            yield PaperKey(f"openalex:{cited_id}")


def _read_ror_ids(value: object) -> Iterator[str]:
    for authorship in map(to_table, to_rows(value)[:_MAX_AUTHORS]):
        for institution in map(to_table, to_rows(authorship.get("institutions"))):
            if ror := parse_ror_id(to_line(institution.get("ror"))):
                yield ror


def _read_journal(work: Mapping[str, Any], primary_location: Mapping[str, Any]) -> str:
    locations = [primary_location, *map(to_table, to_rows(work.get("locations")))]
    name = next(
        (
            to_line(to_table(location.get("source")).get("display_name"))
            for location in locations
            if _is_published(location)
        ),
        "",
    )
    biblio = to_table(work.get("biblio"))
    first_page, last_page = to_line(biblio.get("first_page")), to_line(biblio.get("last_page"))
    pages = f"{first_page}-{last_page}" if last_page and last_page != first_page else first_page
    return format_journal_reference(
        name,
        volume=to_line(biblio.get("volume")),
        issue=to_line(biblio.get("issue")),
        pages=pages,
        year=to_line(work.get("publication_date"))[:4],
    )


def _make_license_address(code: str) -> str:
    if code in {"public-domain", "cc0"}:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    match = _CREATIVE_COMMONS.fullmatch(code)
    return f"https://creativecommons.org/licenses/{match[1]}/4.0/" if match else ""
