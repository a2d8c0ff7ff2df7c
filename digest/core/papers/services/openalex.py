"""What OpenAlex's record of a work says of a paper.

https://developers.openalex.org/api-entities/works/work-object, and answers as they were recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import as_line, as_rows, as_table, counted
from digest.core.papers.identity.ids import arxiv_id, best_key, doi, doi_address
from digest.core.papers.identity.person_ids import person_id, ror_id
from digest.core.papers.journals import journal_reference
from digest.model import Author, Paper, PaperKey, Signal

FIELDS = (
    *("id", "doi", "title", "type", "publication_date", "created_date", "primary_location", "locations"),
    *("authorships", "abstract_inverted_index", "biblio", "topics", "is_retracted", "cited_by_count"),
)
"""Those that are read."""
REFERENCES = "referenced_works"
"""The field of what a work cites, for those who ask for it: it makes an answer twice as long."""
_MOST_REFERENCES = 2_000
_MOST_WORDS = 20_000
_MOST_AUTHORS = 5_000
_MOST_TOPICS = 3
_WORK = re.compile(r"(?:https?://(?:www\.|api\.)?openalex\.org/(?:works/)?)?(W[1-9]\d{3,12})", re.ASCII)
_CREATIVE = re.compile(r"cc-(by(?:-n[cd]|-sa)*)", re.ASCII)
_JOURNALS = frozenset({"journal", "conference", "book series"})


def describe_unread_work(work: Mapping[str, Any]) -> str:
    """Say what a work lacks of which no paper can be read; "" for one that lacks nothing."""
    if paper_of_work(work):
        return ""
    named = work_id(as_line(work.get("id")))
    return (
        f"A work of OpenAlex has no title: {named}."
        if named
        else "A work of OpenAlex has neither id nor DOI."
    )


def work_id(written: str) -> str | None:
    """The bare id of a work, ``W1982728624``, or None."""
    found = _WORK.fullmatch(written.strip())
    return found[1] if found else None


def paper_of_work(work: Mapping[str, Any]) -> Paper | None:
    """The paper of a work; None for one without a title, or without any id.

    A work of OpenAlex is all its places, preprint and publication: so both ids are the paper's.
    """
    title, own = as_line(work.get("title")), work_id(as_line(work.get("id")))
    numbers, preprint, published = _numbers(work)
    if not title or not (own or numbers):
        return None
    page = _page(preprint, numbers, own)
    place = as_table(work.get("primary_location"))
    return Paper(
        key=best_key(arxiv=preprint, published=next(iter(numbers), ""), page=page),
        title=title,
        abstract=abstract(work.get("abstract_inverted_index")),
        authors=tuple(_authors(work.get("authorships"))),
        # arXiv's categories are the paper's own; those that a machine found are none of them.
        categories=()
        if preprint
        else tuple(
            filter(
                None, [as_line(as_table(next(iter(as_rows(work.get("topics"))), None)).get("display_name"))]
            )
        ),
        version=0,
        url=page,
        pdf_url=web_address(place.get("pdf_url")),
        doi=published,
        journal_ref=_journal(work, place) if published else "",
        license_url=_license(as_line(place.get("license"))),
        ids=(*((("openalex", own),) if own else ()), *(("doi", number) for number in numbers)),
        institutions=tuple(dict.fromkeys(_rors(work.get("authorships")))),
        references=tuple(dict.fromkeys(_references(work.get(REFERENCES)))),
        withdrawn=work.get("is_retracted") is True,
    )


def signals_of_work(work: Mapping[str, Any], paper: Paper, source: str, day: date) -> Iterator[Signal]:
    """How often a work was cited, and how much it is about its topics, as OpenAlex has it."""
    cited = {"citations": work.get("cited_by_count")}
    yield from counted(cited, subject=paper.key, source=source, day=day)
    yield from topics(work.get("topics"), "score", subject=paper.key, source=source, day=day)


def topics(written: object, weight: str, *, subject: str, source: str, day: date) -> Iterator[Signal]:
    """The first topics of a work or a person, each as a number of its own: ``topic: Neural networks``.

    Args:
        written: as OpenAlex lists them, the first at the front.
        weight: the key of their number: the ``score`` of a work, the ``count`` of a person's works.
        subject: of whom.
        source: as which it counts.
        day: of the numbers.
    """
    for one in map(as_table, as_rows(written)[:_MOST_TOPICS]):
        name, value = as_line(one.get("display_name")), one.get(weight)
        if name and isinstance(value, int | float) and 0 < value < 10**9:
            yield Signal(subject=subject, kind=f"topic: {name}", source=source, day=day, value=float(value))


def abstract(index: object) -> str:
    """The text of an inverted index: the places of each word."""
    words: dict[int, str] = {}
    for word, places in as_table(index).items():
        for place in as_rows(places):
            if type(place) is int and 0 <= place < _MOST_WORDS:
                words[place] = word
    return as_line(" ".join(words[place] for place in sorted(words)))


# --- fields ---------------------------------------------------------------------------------------


def _numbers(work: Mapping[str, Any]) -> tuple[list[str], str, str]:
    """The DOIs of all its places, the first one's at the front; its arXiv id; and the DOI of a publication, or ""."""
    places = [as_table(work.get("primary_location")), *map(as_table, as_rows(work.get("locations")))]
    written = [as_line(work.get("doi")), *(as_line(place.get("landing_page_url")) for place in places)]
    numbers = list(dict.fromkeys(found for one in written if (found := doi(one))))
    preprint = next((known[0] for one in written if (known := arxiv_id(one))), "")
    published = next(
        (
            found
            for place in places
            if _is_published(place) and (found := doi(as_line(place.get("landing_page_url"))))
        ),
        "",
    )
    return numbers, preprint, published


def _is_published(place: Mapping[str, Any]) -> bool:
    source = as_table(place.get("source"))
    return place.get("version") == "publishedVersion" and as_line(source.get("type")) in _JOURNALS


def _page(preprint: str, numbers: list[str], own: str | None) -> str:
    if preprint:
        return f"https://arxiv.org/abs/{preprint}"
    return doi_address(numbers[0]) if numbers else f"https://openalex.org/{own}"


def _authors(value: object) -> Iterator[Author]:
    """The byline as printed; who OpenAlex believes that is are ids."""
    for one in map(as_table, as_rows(value)[:_MOST_AUTHORS]):
        who = as_table(one.get("author"))
        name = as_line(one.get("raw_author_name")) or as_line(who.get("display_name"))
        if not name:
            continue
        written = [as_line(place) for place in as_rows(one.get("raw_affiliation_strings"))]
        named = [as_line(as_table(place).get("display_name")) for place in as_rows(one.get("institutions"))]
        ids = [
            (scheme, found)
            for scheme, text in (("openalex", who.get("id")), ("orcid", who.get("orcid")))
            if (found := person_id(scheme, as_line(text)))
        ]
        yield Author(name, tuple(dict.fromkeys(filter(None, written or named))), tuple(ids))


def _references(value: object) -> Iterator[PaperKey]:
    """OpenAlex tells its own ids alone of what a work cites."""
    for written in as_rows(value)[:_MOST_REFERENCES]:
        if cited := work_id(as_line(written)):
            yield PaperKey(f"openalex:{cited}")


def _rors(value: object) -> Iterator[str]:
    for author in map(as_table, as_rows(value)[:_MOST_AUTHORS]):
        for place in map(as_table, as_rows(author.get("institutions"))):
            if found := ror_id(as_line(place.get("ror"))):
                yield found


def _journal(work: Mapping[str, Any], place: Mapping[str, Any]) -> str:
    places = [place, *map(as_table, as_rows(work.get("locations")))]
    name = next(
        (as_line(as_table(one.get("source")).get("display_name")) for one in places if _is_published(one)), ""
    )
    numbers = as_table(work.get("biblio"))
    first, last = as_line(numbers.get("first_page")), as_line(numbers.get("last_page"))
    pages = f"{first}-{last}" if last and last != first else first
    return journal_reference(
        name,
        volume=as_line(numbers.get("volume")),
        issue=as_line(numbers.get("issue")),
        pages=pages,
        year=as_line(work.get("publication_date"))[:4],
    )


def _license(code: str) -> str:
    if code in {"public-domain", "cc0"}:
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    found = _CREATIVE.fullmatch(code)
    return f"https://creativecommons.org/licenses/{found[1]}/4.0/" if found else ""
