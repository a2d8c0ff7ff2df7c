"""OpenAlex: citations, affiliations and ids of papers; ids, works and citations of persons.

    [[enricher]]
    use = "openalex"

https://developers.openalex.org: ``/works`` and ``/authors`` with a filter of up to fifty ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table, counted
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_web_address
from digest.core.papers.identity.ids import arxiv_id, doi
from digest.core.papers.identity.person_ids import PersonId, person_id
from digest.core.papers.services.openalex import (
    FIELDS,
    REFERENCES,
    describe_unread_work,
    paper_of_work,
    signals_of_work,
    topics,
    work_id,
)
from digest.errors import OptionError, SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import Findings, Request, Response

AT_ONCE = 50
"""Ids in one filter."""
_COUNTS = {"works_count": "papers", "cited_by_count": "citations"}
_PERSONS = ("openalex", "orcid")
_OF_AUTHORS = ("id", "orcid", "works_count", "cited_by_count", "summary_stats", "topics")


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ports.Enricher):
    """OpenAlex.

    Attributes:
        key: of an account; without one a tenth of the requests of a day is to be had.
        quota: requests a day; 0 for as many as there are with a key, or without.
        url: where the API is.
        name: of this enricher in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    key: str = field(default="", repr=False)
    quota: int = 0
    url: str = "https://api.openalex.org/"
    name: str = "openalex"
    pace: float = 1.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        if self.quota < 0:
            raise OptionError("quota is at least 0 requests a day", "quota")
        # Lists cost a ten thousandth of a dollar each, of the dollar, or ten cents, that a day has.
        object.__setattr__(self, "quota", self.quota or (9_000 if self.key else 900))

    @property
    def title(self) -> str:
        """The name that people know."""
        return "OpenAlex"

    @property
    def tells_references(self) -> bool:
        """It does, by its own ids."""
        return True

    def most(self, kind: SubjectKind) -> int:
        """As many ids as a filter takes."""
        return AT_ONCE if kind in SubjectKind else 0

    def knows(self, subject: Subject) -> bool:
        """Papers by DOI, arXiv id or its own, persons by its own id or ORCID iD."""
        return _term(subject) is not None

    def ask(self, subjects: Sequence[Subject]) -> Request:
        """One kind of id after another: a filter takes one."""
        return self._request(subjects, _schemes(subjects)[0])

    def read(self, request: Request, subjects: Sequence[Subject], response: Response, day: date) -> Findings:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list.
        """
        what = "works" if subjects[0].kind is SubjectKind.PAPER else "authors"
        subject = f"{self.title}'s list of {what}"
        results = as_table(answered(response, subject)).get("results")
        if not isinstance(results, list):
            raise SourceError(f"{subject} was expected, and something else came.")
        mine = [one for one in subjects if (term := _term(one)) and term[0] == request.section]
        records = list(map(as_table, as_rows(results)))
        found = self._works(mine, records, day) if what == "works" else self._authors(mine, records, day)
        later = _schemes(subjects)[_schemes(subjects).index(request.section) + 1 :]
        return replace(found, next=self._request(subjects, later[0]) if later else None)

    def _request(self, subjects: Sequence[Subject], scheme: str) -> Request:
        values = [term[1] for one in subjects if (term := _term(one)) and term[0] == scheme]
        is_paper = subjects[0].kind is SubjectKind.PAPER
        told = {
            "filter": f"{scheme}:{'|'.join(values)}",
            "select": ",".join((*FIELDS, REFERENCES) if is_paper else _OF_AUTHORS),
            "per_page": 100,
        }
        return Request(
            section=scheme,
            route="enrich",
            url=f"{self.url.rstrip('/')}/{'works' if is_paper else 'authors'}?{urlencode(told)}",
            accept="application/json",
            parameters=(("api_key", self.key),) if self.key else (),
        )

    def _works(self, subjects: Sequence[Subject], works: list[Mapping[str, Any]], day: date) -> Findings:
        asked = {term[1]: one for one in subjects if (term := _term(one))}
        read, unread = read_each(
            works, partial(self._read_work, asked, day), title=self.title, describe=describe_unread_work
        )
        found = {paper.key: (paper, signals) for paper, signals in read}
        return Findings(
            found=frozenset(found),
            records=tuple(paper for paper, _ in found.values()),
            signals=tuple(signal for _, signals in found.values() for signal in signals),
            unread=tuple(unread),
        )

    def _read_work(
        self, asked: Mapping[str, Subject], day: date, work: Mapping[str, Any]
    ) -> tuple[Paper, list[Signal]] | None:
        """The record and the signals of a work that was asked for."""
        one = next((asked[term] for term in _terms_of(work) if term in asked), None)
        paper = paper_of_work(work)
        if one is None or paper is None:
            return None
        # Under the key that it was asked for by: what OpenAlex believes to be one work may be two papers.
        record = replace(paper, key=PaperKey(one.key), categories=())
        return record, list(signals_of_work(work, record, self.name, day))

    def _authors(self, subjects: Sequence[Subject], authors: list[Mapping[str, Any]], day: date) -> Findings:
        asked = {term[1]: one for one in subjects if (term := _term(one))}
        read, unread = read_each(
            authors, partial(self._read_author, asked, day), title=self.title, describe=_describe_author
        )
        found = {key: (pairs, signals) for key, pairs, signals in read}
        return Findings(
            found=frozenset(found),
            signals=tuple(signal for _, signals in found.values() for signal in signals),
            same=tuple(pair for pairs, _ in found.values() for pair in pairs),
            unread=tuple(unread),
        )

    def _read_author(
        self, asked: Mapping[str, Subject], day: date, author: Mapping[str, Any]
    ) -> tuple[str, list[tuple[PersonId, PersonId]], list[Signal]] | None:
        """The key, the pair of ids and the signals of an author who was asked for."""
        own, orcid = _ids_of(author)
        one = asked.get(own or "") or asked.get(orcid or "")
        if one is None:
            return None
        same = [(("openalex", own), ("orcid", orcid))] if own and orcid else []
        return one.key, same, list(self._numbers(one.key, author, day))

    def _numbers(self, key: str, author: Mapping[str, Any], day: date) -> Iterator[Signal]:
        told = {kind: author.get(name) for name, kind in _COUNTS.items()}
        told["h-index"] = as_table(author.get("summary_stats")).get("h_index")
        yield from counted(told, subject=key, source=self.name, day=day)
        yield from topics(author.get("topics"), "count", subject=key, source=self.name, day=day)


def _term(subject: Subject) -> tuple[str, str] | None:
    """By what it is asked for: the name of a filter and a value; None if by nothing."""
    ids = dict(reversed(subject.ids))
    if subject.kind is SubjectKind.PERSON:
        scheme = next((scheme for scheme in _PERSONS if scheme in ids), None)
        return ({"openalex": "id", "orcid": "orcid"}[scheme], ids[scheme]) if scheme else None
    if number := ids.get("doi") or (f"10.48550/arxiv.{ids['arxiv']}" if "arxiv" in ids else ""):
        return ("doi", number) if "|" not in number and "," not in number else None
    return ("openalex", ids["openalex"]) if work_id(ids.get("openalex", "")) else None


def _ids_of(author: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """An author's own id and ORCID iD."""
    own = person_id("openalex", as_line(author.get("id")))
    return own, person_id("orcid", as_line(author.get("orcid")))


def _describe_author(author: Mapping[str, Any]) -> str:
    """What an author lacks; "" for one whom nobody asked for."""
    return "" if any(_ids_of(author)) else "An author of OpenAlex has no id."


def _schemes(subjects: Sequence[Subject]) -> list[str]:
    return sorted({term[0] for one in subjects if (term := _term(one))})


def _terms_of(work: Mapping[str, Any]) -> Iterator[str]:
    """All that a work may have been asked for by."""
    places = (as_table(place) for place in as_rows(work.get("locations")))
    written = [as_line(work.get("doi")), *(as_line(place.get("landing_page_url")) for place in places)]
    for one in written:
        if known := arxiv_id(one):
            yield f"10.48550/arxiv.{known[0]}"
        elif number := doi(one):
            yield number
    if own := work_id(as_line(work.get("id"))):
        yield own
