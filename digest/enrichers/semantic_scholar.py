"""Semantic Scholar: citations and ids of papers; works, citations and h-index of persons.

    [[enricher]]
    use = "semantic_scholar"

https://api.semanticscholar.org/api-docs/graph: ``/paper/batch`` of up to 500 ids, ``/author/batch`` of up to 1,000.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_table, counted
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_quota, demand_web_address
from digest.core.papers.identity.person_ids import PersonId, person_id
from digest.core.papers.services.semantic_scholar import (
    FIELDS,
    REFERENCES,
    describe_unread_record,
    paper_of_record,
    signals_of_record,
)
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import Findings, Request, Response

_MOST = {SubjectKind.PAPER: 200, SubjectKind.PERSON: 1000}
"""Of 500 papers and a thousand persons allowed: with what they cite, 200 papers are some 2 MB of the 10 MB allowed."""
_OF_AUTHORS = ("externalIds", "paperCount", "citationCount", "hIndex")
_COUNTS = {"paperCount": "papers", "citationCount": "citations", "hIndex": "h-index"}
_NONE_KNOWN = re.compile(rb"no valid (?:paper|author) ids given", re.IGNORECASE)
_ASKED_BY = {"s2": "", "arxiv": "ARXIV:", "doi": "DOI:", "pmid": "PMID:", "acl": "ACL:"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ports.Enricher):
    """Semantic Scholar.

    Attributes:
        key: for the API; without one, all who have none share one limit.
        quota: requests a day.
        url: where the API is.
        name: of this enricher in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    key: str = field(default="", repr=False)
    quota: int = 500
    url: str = "https://api.semanticscholar.org/"
    name: str = "semantic_scholar"
    pace: float = 1.1
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        demand_quota(self.quota)

    @property
    def title(self) -> str:
        """The name that people know."""
        return "Semantic Scholar"

    @property
    def tells_references(self) -> bool:
        """It does, by arXiv id and DOI."""
        return True

    def most(self, kind: SubjectKind) -> int:
        """As many as an answer has room for."""
        return _MOST[kind]

    def knows(self, subject: Subject) -> bool:
        """Papers by most ids, persons by its own."""
        return _term(subject) is not None

    def ask(self, subjects: Sequence[Subject]) -> Request:
        """One batch."""
        is_paper = subjects[0].kind is SubjectKind.PAPER
        fields = {"fields": ",".join((*FIELDS, REFERENCES) if is_paper else _OF_AUTHORS)}
        kind = "paper" if is_paper else "author"
        return Request(
            section=kind,
            route="enrich",
            url=f"{self.url.rstrip('/')}/graph/v1/{kind}/batch?{urlencode(fields)}",
            method="POST",
            accept="application/json",
            headers=(
                ("Content-Type", "application/json"),
                *((("x-api-key", self.key),) if self.key else ()),
            ),
            content=json.dumps({"ids": [_term(one) for one in subjects]}).encode(),
        )

    def read(
        self,
        request: Request,
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> Findings:
        """Read an answer: a row for each that was asked for, in that order; null for those unknown.

        Where all are unknown, as the papers of a morning are, it refuses the batch and says so.

        Raises:
            SourceError: the answer says no, or is no such list.
        """
        subject = f"{self.title}'s list of {request.section}s"
        if response.status == 400 and _NONE_KNOWN.search(response.body):
            return Findings()
        rows = answered(response, subject)
        if not isinstance(rows, list) or len(rows) != len(subjects):
            raise SourceError(f"{subject} was expected, and something else came.")
        known = [(one, row) for one, row in zip(subjects, rows, strict=True) if row is not None]
        return self._papers(known, day) if request.section == "paper" else self._persons(known, day)

    def _papers(self, known: Sequence[tuple[Subject, object]], day: date) -> Findings:
        read, unread = read_each(
            known,
            partial(self._read_paper, day),
            title=self.title,
            describe=lambda pair: describe_unread_record(as_table(pair[1])),
        )
        return Findings(
            found=frozenset(paper.key for paper, _ in read),
            records=tuple(paper for paper, _ in read),
            signals=tuple(signal for _, signals in read for signal in signals),
            unread=tuple(unread),
        )

    def _read_paper(self, day: date, row: tuple[Subject, object]) -> tuple[Paper, list[Signal]] | None:
        one, written = row[0], as_table(row[1])
        paper = paper_of_record(written)
        if paper is None:
            return None
        record = replace(paper, key=PaperKey(one.key))
        return record, list(signals_of_record(written, record, self.name, day))

    def _persons(self, known: Sequence[tuple[Subject, object]], day: date) -> Findings:
        read, unread = read_each(
            known,
            partial(self._read_person, day),
            title=self.title,
            describe=lambda pair: f"The record of {self.title} of {pair[0].key} is none of a person.",
        )
        return Findings(
            found=frozenset(one.key for one, _, _ in read),
            signals=tuple(signal for _, signals, _ in read for signal in signals),
            same=tuple(pair for _, _, pairs in read for pair in pairs),
            unread=tuple(unread),
        )

    def _read_person(
        self, day: date, row: tuple[Subject, object]
    ) -> tuple[Subject, list[Signal], list[tuple[PersonId, PersonId]]] | None:
        one, written = row
        if not isinstance(written, dict):
            return None
        return one, list(self._numbers(one.key, written, day)), list(_same(one, written))

    def _numbers(self, key: str, row: Mapping[str, Any], day: date) -> Iterator[Signal]:
        told = {kind: row.get(name) for name, kind in _COUNTS.items()}
        return counted(told, subject=key, source=self.name, day=day)


def _term(subject: Subject) -> str | None:
    """By what it is asked for; None if by nothing."""
    ids = dict(reversed(subject.ids))
    if subject.kind is SubjectKind.PERSON:
        return ids.get("s2")
    scheme = next((scheme for scheme in _ASKED_BY if scheme in ids), None)
    return f"{_ASKED_BY[scheme]}{ids[scheme]}" if scheme else None


def _same(one: Subject, row: Mapping[str, Any]) -> Iterator[tuple[PersonId, PersonId]]:
    orcid = as_line(as_table(row.get("externalIds")).get("ORCID"))
    if known := person_id("orcid", orcid):
        yield one.ids[0], ("orcid", known)
