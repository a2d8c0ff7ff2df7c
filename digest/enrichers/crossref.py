"""Crossref: where papers were published, their licence, whether they were retracted, and how often they were cited.

    [[enricher]]
    use = "crossref"

https://www.crossref.org/documentation/retrieve-metadata/rest-api/: ``/works`` with a filter of several DOIs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table, counted
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_quota, demand_web_address
from digest.core.papers.identity.ids import doi
from digest.core.papers.services.crossref import FIELDS, describe_unread_work, paper_of_work
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import Findings, Request, Response

AT_ONCE = 40
"""DOIs in one address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ports.Enricher):
    """Crossref.

    Attributes:
        mailto: an address of yours: who tells one is served from another pool, with wider limits.
        quota: requests a day.
        url: where the API is.
        name: of this enricher in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    mailto: str = ""
    quota: int = 1000
    url: str = "https://api.crossref.org/"
    name: str = "crossref"
    pace: float = 1.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        demand_quota(self.quota)

    @property
    def title(self) -> str:
        """The name that people know."""
        return "Crossref"

    def most(self, kind: SubjectKind) -> int:
        """It knows of papers alone."""
        return AT_ONCE if kind is SubjectKind.PAPER else 0

    def knows(self, subject: Subject) -> bool:
        """Papers with a DOI that is not arXiv's."""
        return subject.kind is SubjectKind.PAPER and bool(_numbers(subject))

    def ask(self, subjects: Sequence[Subject]) -> Request:
        """All of their DOIs in one filter: preprint and publication can have one each."""
        numbers = [number for one in subjects for number in _numbers(one)]
        told = {
            "filter": ",".join(f"doi:{number}" for number in numbers),
            "select": ",".join(FIELDS),
            "rows": len(numbers),
        }
        return Request(
            section="works",
            route="enrich",
            url=f"{self.url.rstrip('/')}/works?{urlencode(told)}",
            accept="application/json",
            parameters=(("mailto", self.mailto),) if self.mailto else (),
        )

    def read(
        self,
        request: Request,  # noqa: ARG002 - there is one kind
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> Findings:
        """Read an answer.

        Raises:
            SourceError: the answer says no, or is no list of works.
        """
        subject = f"{self.title}'s list of works"
        message = as_table(as_table(answered(response, subject)).get("message"))
        if not isinstance(message.get("items"), list):
            raise SourceError(f"{subject} was expected, and something else came.")
        asked = {number: one for one in subjects for number in _numbers(one)}
        works = map(as_table, as_rows(message.get("items")))
        read, unread = read_each(
            works, partial(self._read_work, asked, day), title=self.title, describe=describe_unread_work
        )
        return Findings(
            found=frozenset(paper.key for paper, _ in read),
            records=tuple(paper for paper, _ in read),
            signals=tuple(signal for _, signals in read for signal in signals),
            unread=tuple(unread),
        )

    def _read_work(
        self, asked: Mapping[str, Subject], day: date, work: Mapping[str, Any]
    ) -> tuple[Paper, list[Signal]] | None:
        """The record and the signals of a work that was asked for."""
        one, paper = asked.get(doi(as_line(work.get("DOI"))) or ""), paper_of_work(work)
        if one is None or paper is None:
            return None
        record = replace(paper, key=PaperKey(one.key), ids=(("doi", paper.key[4:]), *paper.ids))
        cited = {"citations": work.get("is-referenced-by-count")}
        return record, list(counted(cited, subject=one.key, source=self.name, day=day))


def _numbers(subject: Subject) -> list[str]:
    return [value for scheme, value in subject.ids if scheme == "doi" and "," not in value]
