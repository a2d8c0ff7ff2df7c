"""Saved papers, opinions and answers that a reader imports from the archive of an account.

What the reader has said here stays as it is, so importing an archive again changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.transfer.archived_records import (
    MAX_ANSWERS,
    MAX_OPINIONS,
    ArchivedAnswer,
    ArchivedOpinion,
    ArchivedRecord,
    ArchivedRecords,
    RecordOutcome,
    RecordPlan,
)
from digest.jobs import person_edits
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.matching.matches import find_queries
from digest.store.papers.papers import find_root_numbers
from digest.store.people import BylineRef
from digest.store.subscribers import opinions, own_digests
from digest.store.subscribers.opinions import OpinionRecord
from digest.store.subscribers.transfer.restored_digests import list_active_names


class _Subject(NamedTuple):
    """What a digest's reader can say one thing about: whether to save a paper, its rating, or one of its authors.

    Attributes:
        digest: the name of the digest.
        paper: the number of the root of the paper.
        is_saving: whether it is about saving the paper.
        byline: the present byline of the author; None if it is about the paper.
    """

    digest: str
    paper: int
    is_saving: bool = False
    byline: BylineRef | None = None


class _Candidate(NamedTuple):
    """A record of an archive.

    Attributes:
        record: the record.
        subject: what it is about; None if that is not here.
        absence: why it is not here, if so.
    """

    record: ArchivedRecord
    subject: _Subject | None
    absence: RecordOutcome = RecordOutcome.UNKNOWN_PAPER


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRestorer:
    """Imports what one reader saved and said.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
        now: the current time, UTC.
    """

    store: Store
    subscriber: int
    now: datetime

    def plan(self, records: ArchivedRecords, added_digests: Collection[str]) -> RecordPlan:
        """Return what ``restore`` would do.

        Args:
            records: the records of an archive.
            added_digests: the names of the digests that are imported before.
        """
        with self.store.begin_read() as tx:
            names = {*list_active_names(tx, self.subscriber), *added_digests}
            sorted_candidates = self._sort(tx, records, names)
        return {
            outcome: _collect_records(candidates)
            for outcome in RecordOutcome
            if (candidates := sorted_candidates.get(outcome))
        }

    def restore(self, records: ArchivedRecords) -> None:
        """Add what the reader has not said here, as far as its digests, papers and authors are here."""
        with self.store.begin_write() as tx:
            names = list_active_names(tx, self.subscriber)
            own = own_digests.list_names(tx, self.subscriber)
            digest_ids = {name: digest_id for digest_id, name in own.items() if name in names}
            for digest_id in sorted(digest_ids.values()):
                opinions.lock_digest(tx, digest_id)
            added = self._sort(tx, records, names).get(RecordOutcome.ADDED, ())
            opinions.add_opinions(tx, self._make_opinions(tx, added, digest_ids))
            self._save_answers(tx, added, digest_ids)

    def _sort(
        self, tx: Transaction, records: ArchivedRecords, names: Collection[str]
    ) -> Mapping[RecordOutcome, Sequence[_Candidate]]:
        """Return what happens with each record; of several about the same, the last one counts."""
        present = self._load_present(tx)
        answer_count = sum(subject.byline is not None for subject in present)
        room = {
            ArchivedOpinion: MAX_OPINIONS - (len(present) - answer_count),
            ArchivedAnswer: MAX_ANSWERS - answer_count,
        }
        sorted_candidates: dict[RecordOutcome, list[_Candidate]] = defaultdict(list)
        for candidate in _find_candidates(tx, records):
            kind = type(candidate.record)
            outcome = _choose_outcome(candidate, names, present, room[kind])
            sorted_candidates[outcome].append(candidate)
            if outcome is RecordOutcome.ADDED and candidate.subject is not None:
                present.add(candidate.subject)
                room[kind] -= 1
        return sorted_candidates

    def _load_present(self, tx: Transaction) -> set[_Subject]:
        """Return what the reader has said something about, also in digests that have ended."""
        names = own_digests.list_names(tx, self.subscriber)
        present = {
            _Subject(names[entry.digest], entry.paper, entry.opinion is Opinion.SAVED)
            for entry in opinions.list_given(tx, list(names))
        }
        present.update(
            _Subject(name, verdict.byline.paper, byline=verdict.byline)
            for digest_id, name in names.items()
            for verdict in person_edits.list_verdicts(tx, digest_id)
        )
        return present

    def _make_opinions(
        self, tx: Transaction, added: Sequence[_Candidate], digest_ids: Mapping[str, int]
    ) -> list[OpinionRecord]:
        entries = [
            (record, subject.paper)
            for record, subject, _ in added
            if isinstance(record, ArchivedOpinion) and subject is not None
        ]
        queries = find_queries(tx, chain.from_iterable(record.follows for record, _ in entries))
        return [
            OpinionRecord(
                digest=digest_ids[record.digest],
                paper=paper,
                opinion=record.opinion,
                at=min(record.at, self.now),
                queries=tuple(queries[text] for text in record.follows if text in queries),
            )
            for record, paper in entries
        ]

    def _save_answers(
        self, tx: Transaction, added: Sequence[_Candidate], digest_ids: Mapping[str, int]
    ) -> None:
        answers: dict[int, list[tuple[BylineRef, bool, datetime]]] = defaultdict(list)
        for record, subject, _ in added:
            if isinstance(record, ArchivedAnswer) and subject is not None and subject.byline is not None:
                answer = subject.byline, record.is_person, min(record.at, self.now)
                answers[digest_ids[record.digest]].append(answer)
        for digest_id, given in answers.items():
            people.save_feedback(tx, digest_id, given)


def _find_candidates(tx: Transaction, records: ArchivedRecords) -> list[_Candidate]:
    """Return all records with what they are about here, latest first."""
    roots = find_root_numbers(tx, {record.paper for record in records.all})
    candidates = [
        *(_make_opinion_candidate(opinion, roots) for opinion in records.opinions),
        *_make_answer_candidates(tx, records.answers, roots),
    ]
    return sorted(candidates, key=lambda candidate: candidate.record.at, reverse=True)


def _make_opinion_candidate(opinion: ArchivedOpinion, roots: Mapping[PaperKey, int]) -> _Candidate:
    if opinion.paper not in roots:
        return _Candidate(opinion, None)
    is_saving = opinion.opinion is Opinion.SAVED
    return _Candidate(opinion, _Subject(opinion.digest, roots[opinion.paper], is_saving))


def _make_answer_candidates(
    tx: Transaction, answers: Sequence[ArchivedAnswer], roots: Mapping[PaperKey, int]
) -> Iterator[_Candidate]:
    references = {
        answer: BylineRef(roots[answer.paper], answer.position, answer.name)
        for answer in answers
        if answer.paper in roots
    }
    bylines = person_edits.find_imported_bylines(tx, references.values())
    for answer in answers:
        reference = references.get(answer)
        byline = bylines.get(reference) if reference else None
        if byline is not None:
            yield _Candidate(answer, _Subject(answer.digest, byline.paper, byline=byline))
        else:
            absence = RecordOutcome.UNKNOWN_AUTHOR if reference else RecordOutcome.UNKNOWN_PAPER
            yield _Candidate(answer, None, absence)


def _choose_outcome(
    candidate: _Candidate, names: Collection[str], present: Collection[_Subject], room: int
) -> RecordOutcome:
    if candidate.record.digest not in names:
        return RecordOutcome.NO_DIGEST
    if candidate.subject is None:
        return candidate.absence
    if candidate.subject in present:
        return RecordOutcome.PRESENT
    return RecordOutcome.ADDED if room > 0 else RecordOutcome.NO_ROOM


def _collect_records(candidates: Sequence[_Candidate]) -> ArchivedRecords:
    records = [candidate.record for candidate in candidates]
    return ArchivedRecords(
        opinions=tuple(record for record in records if isinstance(record, ArchivedOpinion)),
        answers=tuple(record for record in records if isinstance(record, ArchivedAnswer)),
    )
