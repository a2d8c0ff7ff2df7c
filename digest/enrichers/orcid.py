"""ORCID: which papers a person says to have written, and under which names.

    [[enricher]]
    use = "orcid"

https://info.orcid.org/documentation/api-tutorials/api-tutorial-read-data-on-a-record/: ``/person``, then ``/works``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from digest import ports
from digest.core.fetching.formats.json_fields import answered, as_line, as_rows, as_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import demand_limits, demand_quota, demand_web_address
from digest.core.papers.identity.ids import arxiv_key, doi
from digest.errors import SourceError
from digest.model import PaperKey, Signal, Subject, SubjectKind
from digest.ports import Findings, Request, Response, Signed

_PERSON, _WORKS = "person", "works"
_MOST_NAMES = 20
_APART = "\n"
"""Between names in a cursor: no name has a line break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ports.Enricher):
    """ORCID's public records.

    Attributes:
        quota: requests a day; a person takes two.
        url: where the API is.
        name: of this enricher in tables and messages.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    quota: int = 5000
    url: str = "https://pub.orcid.org/v3.0/"
    name: str = "orcid"
    pace: float = 0.5
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        demand_quota(self.quota)

    @property
    def title(self) -> str:
        """The name that people know."""
        return "ORCID"

    def most(self, kind: SubjectKind) -> int:
        """One person at a time."""
        return 1 if kind is SubjectKind.PERSON else 0

    def knows(self, subject: Subject) -> bool:
        """Persons by their ORCID iD."""
        return subject.kind is SubjectKind.PERSON and "orcid" in dict(subject.ids)

    def ask(self, subjects: Sequence[Subject]) -> Request:
        """The person; the works follow."""
        return self._request(_PERSON, dict(subjects[0].ids)["orcid"], "")

    def read(self, request: Request, subjects: Sequence[Subject], response: Response, day: date) -> Findings:
        """Read an answer: names first, then works.

        Raises:
            SourceError: the answer says no, or is something else.
        """
        if response.status == 404:
            return Findings()  # the person has taken the record away
        number, key = dict(subjects[0].ids)["orcid"], subjects[0].key
        told = as_table(answered(response, f"{self.title}'s record of {number}"))
        if request.section == _PERSON:
            names = list(dict.fromkeys(_names(told)))[:_MOST_NAMES]
            if not names:
                return Findings(found=frozenset([key]))  # all of it is private
            return Findings(next=self._request(_WORKS, number, _APART.join(names)))
        if not isinstance(told.get("group"), list):
            raise SourceError(
                f"{self.title}'s list of works of {number} was expected, and something else came."
            )
        works, unread = read_each(
            as_rows(told.get("group")),
            _keys_of_work,
            title=self.title,
            describe=lambda _: f"A work in {self.title}'s record of {number} is none.",
        )
        papers = Signal(subject=key, kind="papers", source=self.name, day=day, value=float(len(works)))
        signed = Signed(
            id=("orcid", number),
            names=tuple(request.cursor.split(_APART)),
            papers=tuple(dict.fromkeys(key for keys in works for key in keys)),
        )
        return Findings(found=frozenset([key]), signals=(papers,), signed=(signed,), unread=tuple(unread))

    def _request(self, what: str, number: str, names: str) -> Request:
        asked = Request(section=what, route="enrich", url="", accept="application/json", cursor=names)
        return replace(asked, url=f"{self.url.rstrip('/')}/{number}/{what}")


def _names(told: Mapping[str, Any]) -> Iterator[str]:
    """All names that a person goes by; a family name alone says nothing."""
    name = as_table(told.get("name"))
    given, family = _value(name.get("given-names")), _value(name.get("family-name"))
    others = as_rows(as_table(told.get("other-names")).get("other-name"))
    written = [f"{given} {family}" if given and family else "", _value(name.get("credit-name"))]
    for one in [*written, *(as_line(as_table(other).get("content")) for other in others)]:
        if len(one.split()) > 1:
            yield one


def _value(written: object) -> str:
    return as_line(as_table(written).get("value"))


def _keys_of_work(group: object) -> list[PaperKey] | None:
    """The keys of a work, which may have none; None for what is no work."""
    return list(_keys(group)) if isinstance(group, dict) else None


def _keys(group: Mapping[str, Any]) -> Iterator[PaperKey]:
    """The keys of a work, by all its ids that are its own."""
    ids = as_rows(as_table(group.get("external-ids")).get("external-id"))
    for one in map(as_table, ids):
        kind, value = as_line(one.get("external-id-type")), as_line(one.get("external-id-value"))
        if as_line(one.get("external-id-relationship")) not in {"", "self", "version-of"}:
            continue
        if kind in {"doi", "arxiv"} and (key := arxiv_key(value)):
            yield key
        elif kind == "doi" and (number := doi(value)):
            yield PaperKey(f"doi:{number}")
