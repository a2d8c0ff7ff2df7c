"""ORCID: the papers that a person claims, and the person's names.

    [[enricher]]
    use = "orcid"

https://info.orcid.org/documentation/api-tutorials/api-tutorial-read-data-on-a-record/: ``/person``, then
``/works``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from digest import ports
from digest.core.fetching.formats.json_fields import parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import EnricherOptions
from digest.core.papers.identity.ids import parse_arxiv_key, parse_doi
from digest.errors import SourceError
from digest.model import PaperKey, Signal, Subject, SubjectKind
from digest.ports import EnricherPage, PersonPapers, Request, Response

_PERSON, _WORKS = "person", "works"
_MAX_NAMES = 20
_NAME_SEPARATOR = "\n"
"""Separator of names in a cursor; no name contains a line break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(EnricherOptions, ports.Enricher):
    """ORCID's public records.

    Attributes:
        quota: maximum number of requests a day; a person takes two.
    """

    quota: int = 5000
    url: str = "https://pub.orcid.org/v3.0/"
    name: str = "orcid"
    pace: float = 0.5

    @property
    def title(self) -> str:
        """The name for readers."""
        return "ORCID"

    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return 1 for persons, and 0 for papers."""
        return 1 if kind is SubjectKind.PERSON else 0

    def is_supported(self, subject: Subject) -> bool:
        """Return True for persons with an ORCID iD."""
        return subject.kind is SubjectKind.PERSON and "orcid" in dict(subject.ids)

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Return the request for the person; that for the works follows."""
        return self._build_request(_PERSON, dict(subjects[0].ids)["orcid"], "")

    def read(
        self, request: Request, subjects: Sequence[Subject], response: Response, day: date
    ) -> EnricherPage:
        """Parse a response: first names, then works.

        Raises:
            SourceError: the request was refused, or the response is something else.
        """
        if response.status == 404:
            return EnricherPage()  # the person has removed the record
        orcid, key = dict(subjects[0].ids)["orcid"], subjects[0].key
        record = to_table(parse_answer(response, f"{self.title}'s record of {orcid}"))
        if request.section == _PERSON:
            names = list(dict.fromkeys(_iter_names(record)))[:_MAX_NAMES]
            if not names:
                return EnricherPage(known_keys=frozenset([key]))  # the whole record is private
            return EnricherPage(next=self._build_request(_WORKS, orcid, _NAME_SEPARATOR.join(names)))
        if not isinstance(record.get("group"), list):
            raise SourceError(
                f"{self.title}'s list of works of {orcid} was expected, but something else arrived."
            )
        work_keys, unread = read_each(
            to_rows(record.get("group")),
            _read_work_keys,
            title=self.title,
            describe=lambda _: f"A work in {self.title}'s record of {orcid} cannot be read.",
        )
        paper_count = Signal(
            subject=key, kind="papers", source=self.name, day=day, value=float(len(work_keys))
        )
        signed_papers = PersonPapers(
            id=("orcid", orcid),
            names=tuple(request.cursor.split(_NAME_SEPARATOR)),
            papers=tuple(dict.fromkeys(key for keys in work_keys for key in keys)),
        )
        return EnricherPage(
            known_keys=frozenset([key]),
            signals=(paper_count,),
            person_papers=(signed_papers,),
            unread=tuple(unread),
        )

    def _build_request(self, section: str, orcid: str, names: str) -> Request:
        request = Request(section=section, route="enrich", url="", accept="application/json", cursor=names)
        return replace(request, url=f"{self.url.rstrip('/')}/{orcid}/{section}")


def _iter_names(person: Mapping[str, Any]) -> Iterator[str]:
    """Yield all names of a person that have at least two words; a family name alone is useless."""
    name_table = to_table(person.get("name"))
    given_name, family_name = (
        _get_value(name_table.get("given-names")),
        _get_value(name_table.get("family-name")),
    )
    other_names = to_rows(to_table(person.get("other-names")).get("other-name"))
    main_names = [
        f"{given_name} {family_name}" if given_name and family_name else "",
        _get_value(name_table.get("credit-name")),
    ]
    for name in [*main_names, *(to_line(to_table(other_name).get("content")) for other_name in other_names)]:
        if len(name.split()) > 1:
            yield name


def _get_value(raw: object) -> str:
    return to_line(to_table(raw).get("value"))


def _read_work_keys(group: object) -> list[PaperKey] | None:
    """Return the keys of a work, which may have none; None if it is not a work."""
    return list(_iter_keys(group)) if isinstance(group, dict) else None


def _iter_keys(group: Mapping[str, Any]) -> Iterator[PaperKey]:
    """Yield the keys of a work from those of its IDs that identify the work itself."""
    ids = to_rows(to_table(group.get("external-ids")).get("external-id"))
    for external_id in map(to_table, ids):
        kind, value = (
            to_line(external_id.get("external-id-type")),
            to_line(external_id.get("external-id-value")),
        )
        if to_line(external_id.get("external-id-relationship")) not in {"", "self", "version-of"}:
            continue
        if kind in {"doi", "arxiv"} and (key := parse_arxiv_key(value)):
            yield key
        elif kind == "doi" and (doi_name := parse_doi(value)):
            yield PaperKey(f"doi:{doi_name}")
