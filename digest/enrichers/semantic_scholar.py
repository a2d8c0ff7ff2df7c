"""Semantic Scholar: citations and IDs of papers; works, citations and h-index of persons.

    [[enricher]]
    use = "semantic_scholar"

https://api.semanticscholar.org/api-docs/graph: ``/paper/batch`` of up to 500 IDs, ``/author/batch`` of up to
1,000.
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
from digest.core.fetching.formats.json_fields import make_signals, parse_answer, to_line, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import EnricherOptions
from digest.core.papers.identity.person_ids import PersonId, parse_person_id
from digest.core.papers.services.semantic_scholar import (
    FIELDS,
    REFERENCES,
    build_paper,
    describe_unread_record,
    extract_signals,
)
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response

_MAX_SUBJECTS = {SubjectKind.PAPER: 200, SubjectKind.PERSON: 1000}
"""Maximum number of subjects in a batch; 200 papers with their references are about 2 MB of the 10 MB allowed."""
_AUTHOR_FIELDS = ("externalIds", "paperCount", "citationCount", "hIndex")
_SIGNAL_KINDS = {"paperCount": "papers", "citationCount": "citations", "hIndex": "h-index"}
_NO_VALID_IDS = re.compile(rb"no valid (?:paper|author) ids given", re.IGNORECASE)
_ID_PREFIXES = {"s2": "", "arxiv": "ARXIV:", "doi": "DOI:", "pmid": "PMID:", "acl": "ACL:"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(EnricherOptions, ports.Enricher):
    """Semantic Scholar.

    Attributes:
        key: the API key; all users without one share one limit.
    """

    key: str = field(default="", repr=False)
    quota: int = 500
    url: str = "https://api.semanticscholar.org/"
    name: str = "semantic_scholar"
    pace: float = 1.1

    @property
    def title(self) -> str:
        """The name for readers."""
        return "Semantic Scholar"

    @property
    def has_references(self) -> bool:
        """Always true; it returns references by arXiv ID and DOI."""
        return True

    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return the maximum number of subjects in a batch."""
        return _MAX_SUBJECTS[kind]

    def is_supported(self, subject: Subject) -> bool:
        """Return True for papers with most kinds of IDs, and persons with a Semantic Scholar ID."""
        return _find_lookup_id(subject) is not None

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Return the request for one batch."""
        is_paper = subjects[0].kind is SubjectKind.PAPER
        fields = {"fields": ",".join((*FIELDS, REFERENCES) if is_paper else _AUTHOR_FIELDS)}
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
            content=json.dumps({"ids": [_find_lookup_id(subject) for subject in subjects]}).encode(),
        )

    def read(
        self,
        request: Request,
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> EnricherPage:
        """Parse a response: a row for each subject in the same order, null for unknown ones.

        If all are unknown, as new papers often are, the service refuses the batch with a message.

        Raises:
            SourceError: the request was refused, or the response is not such a list.
        """
        answer_name = f"{self.title}'s list of {request.section}s"
        if response.status == 400 and _NO_VALID_IDS.search(response.body):
            return EnricherPage()
        rows = parse_answer(response, answer_name)
        if not isinstance(rows, list) or len(rows) != len(subjects):
            raise SourceError(f"{answer_name} was expected, but something else arrived.")
        known_rows = [(subject, row) for subject, row in zip(subjects, rows, strict=True) if row is not None]
        return (
            self._read_papers(known_rows, day)
            if request.section == "paper"
            else self._read_persons(known_rows, day)
        )

    def _read_papers(self, rows: Sequence[tuple[Subject, object]], day: date) -> EnricherPage:
        parsed_rows, unread = read_each(
            rows,
            partial(self._read_paper, day),
            title=self.title,
            describe=lambda row: describe_unread_record(to_table(row[1])),
        )
        return EnricherPage(
            known_keys=frozenset(paper.key for paper, _ in parsed_rows),
            records=tuple(paper for paper, _ in parsed_rows),
            signals=tuple(signal for _, signals in parsed_rows for signal in signals),
            unread=tuple(unread),
        )

    def _read_paper(self, day: date, row: tuple[Subject, object]) -> tuple[Paper, list[Signal]] | None:
        subject, raw_record = row[0], to_table(row[1])
        paper = build_paper(raw_record)
        if paper is None:
            return None
        record = replace(paper, key=PaperKey(subject.key))
        return record, list(extract_signals(raw_record, record, self.name, day))

    def _read_persons(self, rows: Sequence[tuple[Subject, object]], day: date) -> EnricherPage:
        parsed_rows, unread = read_each(
            rows,
            partial(self._read_person, day),
            title=self.title,
            describe=lambda pair: f"{self.title}'s record of {pair[0].key} does not describe a person.",
        )
        return EnricherPage(
            known_keys=frozenset(subject.key for subject, _, _ in parsed_rows),
            signals=tuple(signal for _, signals, _ in parsed_rows for signal in signals),
            same_person_ids=tuple(pair for _, _, pairs in parsed_rows for pair in pairs),
            unread=tuple(unread),
        )

    def _read_person(
        self, day: date, row: tuple[Subject, object]
    ) -> tuple[Subject, list[Signal], list[tuple[PersonId, PersonId]]] | None:
        subject, raw_record = row
        if not isinstance(raw_record, dict):
            return None
        return (
            subject,
            list(self._make_signals(subject.key, raw_record, day)),
            list(_iter_id_pairs(subject, raw_record)),
        )

    def _make_signals(self, key: str, row: Mapping[str, Any], day: date) -> Iterator[Signal]:
        counts = {kind: row.get(name) for name, kind in _SIGNAL_KINDS.items()}
        return make_signals(counts, subject=key, source=self.name, day=day)


def _find_lookup_id(subject: Subject) -> str | None:
    """Return the ID by which a subject is requested; None if it has no suitable ID."""
    ids = dict(reversed(subject.ids))
    if subject.kind is SubjectKind.PERSON:
        return ids.get("s2")
    scheme = next((scheme for scheme in _ID_PREFIXES if scheme in ids), None)
    return f"{_ID_PREFIXES[scheme]}{ids[scheme]}" if scheme else None


def _iter_id_pairs(subject: Subject, row: Mapping[str, Any]) -> Iterator[tuple[PersonId, PersonId]]:
    orcid_text = to_line(to_table(row.get("externalIds")).get("ORCID"))
    if orcid_id := parse_person_id("orcid", orcid_text):
        yield subject.ids[0], ("orcid", orcid_id)
