"""What Crossref's record of a work says of a paper.

https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md, and answers as they were recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import as_line, as_rows, as_table
from digest.core.papers.identity.ids import arxiv_id, doi, doi_address
from digest.core.papers.identity.person_ids import person_id, ror_id
from digest.core.papers.journals import journal_reference
from digest.core.text.html import text_of_html
from digest.model import Author, Paper, PaperKey

FIELDS = (
    *("DOI", "type", "title", "subtitle", "abstract", "author", "container-title", "volume", "issue", "page"),
    *("article-number", "created", "published", "license", "link", "relation", "update-to"),
    *("updated-by", "is-referenced-by-count"),
)
"""Those that are read; references alone make an answer ten times as long."""
_TAKEN_BACK = frozenset({"retraction", "withdrawal", "removal"})
_NO_PAPERS = frozenset(
    {"retraction", "withdrawal", "removal", "correction", "corrigendum", "erratum", "addendum"}
)
"""What changes another paper is none of its own."""
_PREPRINT = "posted-content"
_NAMED_BY = frozenset({"doi", "arxiv", "uri"})
"""The kinds of ids of related works that are read."""
_JATS = re.compile(r"<(/?)jats:(?:title|p|sec|list|list-item|label)\b[^<>]*>")
"""What begins or ends a paragraph: to the cleaner these are unknown words in the middle of a line."""


def describe_unread_work(work: Mapping[str, Any]) -> str:
    """Say what a work lacks of which no paper can be read; "" for one that lacks nothing."""
    if paper_of_work(work):
        return ""
    named = as_line(work.get("DOI"))[:100]
    return f"A work of Crossref has no title: {named!r}." if named else "A work of Crossref has no DOI."


def paper_of_work(work: Mapping[str, Any]) -> Paper | None:
    """The paper of a work; None for one without a DOI or a title.

    The DOI of a publication is known by its preprint's record, and the preprint's by that of the publication, where
    either says so: https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/relationships/.
    """
    number, title = doi(as_line(work.get("DOI"))), _title(work)
    if not (number and title):
        return None
    is_preprint = work.get("type") == _PREPRINT
    return Paper(
        key=PaperKey(f"doi:{number}"),
        title=title,
        abstract=_abstract(work.get("abstract")),
        authors=tuple(_authors(work.get("author"))),
        version=0,
        url=doi_address(number),
        pdf_url=_pdf(work.get("link")),
        doi=_publication(work) if is_preprint else number,
        journal_ref="" if is_preprint else _journal(work),
        license_url=_license(work.get("license")),
        ids=tuple(one for one in _related(work, "has-preprint", "is-version-of") if one != ("doi", number)),
        institutions=tuple(dict.fromkeys(_rors(work.get("author")))),
        withdrawn=any(
            as_line(as_table(one).get("type")).lower() in _TAKEN_BACK
            for one in as_rows(work.get("updated-by"))
        ),
    )


def is_about_another(work: Mapping[str, Any]) -> bool:
    """Whether a work only corrects or takes back another one."""
    return any(
        as_line(as_table(one).get("type")).lower() in _NO_PAPERS for one in as_rows(work.get("update-to"))
    )


def created_at(work: Mapping[str, Any]) -> datetime | None:
    """When the DOI was registered, UTC; None if it is not said."""
    try:
        return datetime.fromisoformat(as_line(as_table(work.get("created")).get("date-time"))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# --- fields ---------------------------------------------------------------------------------------


def _first(value: object) -> str:
    return next((text for one in as_rows(value) if (text := _plain(one))), "")


def _plain(value: object) -> str:
    """Titles have markup: ``<i>Escherichia coli</i>``, and MathML."""
    if not isinstance(value, str):
        return ""
    return text_of_html(value) if "<" in value or "&" in value else as_line(value)


def _title(work: Mapping[str, Any]) -> str:
    title, more = _first(work.get("title")), _first(work.get("subtitle"))
    return f"{title}: {more}" if title and more and more.casefold() not in title.casefold() else title


def _abstract(value: object) -> str:
    """JATS, often with a heading that says nothing (``Abstract``)."""
    text = _plain(_JATS.sub(r"<\1p>", value) if isinstance(value, str) else "")
    head, _, rest = text.partition(" ")
    return rest if head.rstrip(":.").casefold() == "abstract" else text


def _authors(value: object) -> Iterator[Author]:
    for one in map(as_table, as_rows(value)):
        given, family = as_line(one.get("given")), as_line(one.get("family"))
        name = " ".join(filter(None, (given, family, as_line(one.get("suffix"))))) or as_line(one.get("name"))
        if not name:
            continue
        places = tuple(
            dict.fromkeys(
                filter(None, (as_line(as_table(p).get("name")) for p in as_rows(one.get("affiliation"))))
            )
        )
        orcid = person_id("orcid", as_line(one.get("ORCID")))
        yield Author(name, places, (("orcid", orcid),) if orcid else ())


def _rors(value: object) -> Iterator[str]:
    for author in map(as_table, as_rows(value)):
        for place in map(as_table, as_rows(author.get("affiliation"))):
            for one in map(as_table, as_rows(place.get("id"))):
                if as_line(one.get("id-type")).upper() == "ROR" and (found := ror_id(as_line(one.get("id")))):
                    yield found


def _journal(work: Mapping[str, Any]) -> str:
    year = next(
        iter(as_rows(next(iter(as_rows(as_table(work.get("published")).get("date-parts"))), ()))), None
    )
    return journal_reference(
        _first(work.get("container-title")),
        volume=as_line(work.get("volume")),
        issue=as_line(work.get("issue")),
        pages=as_line(work.get("page")) or as_line(work.get("article-number")),
        year=str(year) if type(year) is int else "",
    )


def _license(value: object) -> str:
    """The licence of the published version before those of others."""
    found = [as_table(one) for one in as_rows(value)]
    found.sort(key=lambda one: one.get("content-version") != "vor")
    return next((address for one in found if (address := web_address(one.get("URL")))), "")


def _pdf(value: object) -> str:
    pdfs = (as_table(one) for one in as_rows(value))
    return next(
        (
            a
            for one in pdfs
            if one.get("content-type") == "application/pdf" and (a := web_address(one.get("URL")))
        ),
        "",
    )


def _publication(work: Mapping[str, Any]) -> str:
    """The DOI under which a preprint was published; "" if none is told."""
    return next((value for scheme, value in _related(work, "is-preprint-of") if scheme == "doi"), "")


def _related(work: Mapping[str, Any], *kinds: str) -> tuple[tuple[str, str], ...]:
    """The arXiv ids and DOIs of what a work says it is related to, each once.

    Publishers name one preprint by its DOI, its arXiv id or the address of its page:
    https://www.crossref.org/documentation/schema-library/markup-guide-metadata-segments/relationships/.
    """
    relations = as_table(work.get("relation"))
    told = (as_table(one) for kind in kinds for one in as_rows(relations.get(kind)))
    written = [as_line(one.get("id")) for one in told if as_line(one.get("id-type")).lower() in _NAMED_BY]
    return tuple(dict.fromkeys(found for one in written if (found := _number(one))))


def _number(written: str) -> tuple[str, str] | None:
    if preprint := arxiv_id(written):
        return "arxiv", preprint[0]
    return ("doi", found) if (found := doi(written)) else None
