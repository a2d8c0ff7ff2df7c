"""Parser for the works of Crossref.

https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md, and recorded answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import to_line, to_rows, to_table
from digest.core.papers.identity.ids import build_doi_address, parse_arxiv_id, parse_doi
from digest.core.papers.identity.person_ids import parse_person_id, parse_ror_id
from digest.core.papers.journals import format_journal_reference
from digest.core.text.html import convert_html_to_text
from digest.model import Author, Paper, PaperKey

FIELDS = (
    *("DOI", "type", "title", "subtitle", "abstract", "author", "container-title", "volume", "issue", "page"),
    *("article-number", "created", "published", "license", "link", "relation", "update-to"),
    *("updated-by", "is-referenced-by-count"),
)
"""The requested fields; references alone would make an answer ten times as long."""
_WITHDRAWAL_TYPES = frozenset({"retraction", "withdrawal", "removal"})
_UPDATE_TYPES = frozenset(
    {"retraction", "withdrawal", "removal", "correction", "corrigendum", "erratum", "addendum"}
)
"""Types of updates whose work is not a paper of its own, but changes another one."""
_PREPRINT = "posted-content"
_RELATED_ID_TYPES = frozenset({"doi", "arxiv", "uri"})
"""Types of IDs of related works that are read."""
_JATS = re.compile(r"<(/?)jats:(?:title|p|sec|list|list-item|label)\b[^<>]*>")
"""JATS tags that delimit paragraphs; the HTML converter would treat them as unknown inline elements."""


def describe_unread_work(work: Mapping[str, Any]) -> str:
    """Return a message about the missing field that makes a work unreadable; "" if it is readable."""
    if build_paper(work):
        return ""
    identifier = to_line(work.get("DOI"))[:100]
    return (
        f"A work of Crossref has no title: {identifier!r}."
        if identifier
        else "A work of Crossref has no DOI."
    )


def build_paper(work: Mapping[str, Any]) -> Paper | None:
    """Return the paper of a work; None if it has no DOI or no title.

    The record of a preprint may name the DOI of its publication, and vice versa:
    https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/relationships/.
    """
    doi_value, title = parse_doi(to_line(work.get("DOI"))), _read_title(work)
    if not (doi_value and title):
        return None
    is_preprint = work.get("type") == _PREPRINT
    return Paper(
        key=PaperKey(f"doi:{doi_value}"),
        title=title,
        abstract=_read_abstract(work.get("abstract")),
        authors=tuple(_read_authors(work.get("author"))),
        version=0,
        url=build_doi_address(doi_value),
        pdf_url=_read_pdf_address(work.get("link")),
        doi=_read_published_doi(work) if is_preprint else doi_value,
        journal_ref="" if is_preprint else _read_journal(work),
        license_url=_read_license(work.get("license")),
        ids=tuple(
            related_id
            for related_id in _read_related_ids(work, "has-preprint", "is-version-of")
            if related_id != ("doi", doi_value)
        ),
        institutions=tuple(dict.fromkeys(_read_ror_ids(work.get("author")))),
        withdrawn=any(
            to_line(to_table(related_id).get("type")).lower() in _WITHDRAWAL_TYPES
            for related_id in to_rows(work.get("updated-by"))
        ),
    )


def is_about_another(work: Mapping[str, Any]) -> bool:
    """Return True if a work only corrects or retracts another one."""
    return any(
        to_line(to_table(update_row).get("type")).lower() in _UPDATE_TYPES
        for update_row in to_rows(work.get("update-to"))
    )


def read_creation_time(work: Mapping[str, Any]) -> datetime | None:
    """Return when the DOI was registered, UTC; None if the record does not say."""
    try:
        return datetime.fromisoformat(to_line(to_table(work.get("created")).get("date-time"))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# --- fields ---------------------------------------------------------------------------------------


def _read_first(value: object) -> str:
    return next((text for entry in to_rows(value) if (text := _read_plain_text(entry))), "")


def _read_plain_text(value: object) -> str:
    """Convert a title or abstract to plain text; it may contain HTML (``<i>Escherichia coli</i>``) and MathML."""
    if not isinstance(value, str):
        return ""
    return convert_html_to_text(value) if "<" in value or "&" in value else to_line(value)


def _read_title(work: Mapping[str, Any]) -> str:
    title, subtitle = _read_first(work.get("title")), _read_first(work.get("subtitle"))
    return (
        f"{title}: {subtitle}"
        if title and subtitle and subtitle.casefold() not in title.casefold()
        else title
    )


def _read_abstract(value: object) -> str:
    """Convert an abstract in JATS to plain text, without the heading ``Abstract``."""
    text = _read_plain_text(_JATS.sub(r"<\1p>", value) if isinstance(value, str) else "")
    first_word, _, remainder = text.partition(" ")
    return remainder if first_word.rstrip(":.").casefold() == "abstract" else text


def _read_authors(value: object) -> Iterator[Author]:
    for author in map(to_table, to_rows(value)):
        given_name, family_name = to_line(author.get("given")), to_line(author.get("family"))
        name = " ".join(filter(None, (given_name, family_name, to_line(author.get("suffix"))))) or to_line(
            author.get("name")
        )
        if not name:
            continue
        affiliations = tuple(
            dict.fromkeys(
                filter(
                    None,
                    (
                        to_line(to_table(affiliation).get("name"))
                        for affiliation in to_rows(author.get("affiliation"))
                    ),
                )
            )
        )
        orcid = parse_person_id("orcid", to_line(author.get("ORCID")))
        yield Author(name, affiliations, (("orcid", orcid),) if orcid else ())


def _read_ror_ids(value: object) -> Iterator[str]:
    for author in map(to_table, to_rows(value)):
        for affiliation in map(to_table, to_rows(author.get("affiliation"))):
            for identifier in map(to_table, to_rows(affiliation.get("id"))):
                if to_line(identifier.get("id-type")).upper() == "ROR" and (
                    ror := parse_ror_id(to_line(identifier.get("id")))
                ):
                    yield ror


def _read_journal(work: Mapping[str, Any]) -> str:
    year = next(
        iter(to_rows(next(iter(to_rows(to_table(work.get("published")).get("date-parts"))), ()))), None
    )
    return format_journal_reference(
        _read_first(work.get("container-title")),
        volume=to_line(work.get("volume")),
        issue=to_line(work.get("issue")),
        pages=to_line(work.get("page")) or to_line(work.get("article-number")),
        year=str(year) if type(year) is int else "",
    )


def _read_license(value: object) -> str:
    """Return the address of the licence, preferably that of the published version."""
    licenses = [to_table(license_row) for license_row in to_rows(value)]
    licenses.sort(key=lambda license_row: license_row.get("content-version") != "vor")
    return next(
        (address for license_row in licenses if (address := resolve_web_address(license_row.get("URL")))), ""
    )


def _read_pdf_address(value: object) -> str:
    links = (to_table(link) for link in to_rows(value))
    return next(
        (
            address
            for link in links
            if link.get("content-type") == "application/pdf"
            and (address := resolve_web_address(link.get("URL")))
        ),
        "",
    )


def _read_published_doi(work: Mapping[str, Any]) -> str:
    """Return the DOI under which a preprint was published, or ""."""
    return next((value for scheme, value in _read_related_ids(work, "is-preprint-of") if scheme == "doi"), "")


def _read_related_ids(work: Mapping[str, Any], *kinds: str) -> tuple[tuple[str, str], ...]:
    """Return the arXiv IDs and DOIs of related works, each once.

    Publishers identify a preprint by its DOI, its arXiv ID or the address of its page:
    https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/relationships/.
    """
    relations = to_table(work.get("relation"))
    relation_rows = (to_table(relation) for kind in kinds for relation in to_rows(relations.get(kind)))
    identifiers = [
        to_line(relation.get("id"))
        for relation in relation_rows
        if to_line(relation.get("id-type")).lower() in _RELATED_ID_TYPES
    ]
    return tuple(
        dict.fromkeys(related_id for relation in identifiers if (related_id := _parse_related_id(relation)))
    )


def _parse_related_id(text: str) -> tuple[str, str] | None:
    if arxiv_paper := parse_arxiv_id(text):
        return "arxiv", arxiv_paper[0]
    return ("doi", doi_value) if (doi_value := parse_doi(text)) else None
