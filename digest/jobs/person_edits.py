"""Corrections of persons by the operator and by readers; each is stored with its author, and can be undone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.core.people.persons import BylinePlace, Person
from digest.errors import ConfigError
from digest.jobs.editions.explain import find_digest
from digest.jobs.people.persons import find_byline, find_paper_number, find_person
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.papers import authorships
from digest.store.papers.authorships import BylineRecord
from digest.store.papers.papers import load_roots
from digest.store.people import BylineRef, PersonFeedback, PersonIdStatement, SamePersonStatement

OPERATOR = "operator"
"""Author of the statements made by commands."""


def merge(store: Store, reference: str, other_reference: str, now: datetime) -> bool:
    """State that two persons are the same; statements to the contrary are withdrawn.

    Returns:
        Whether the statement is new.

    Raises:
        ConfigError: one of the references names no byline, or both name the same one.
    """
    with store.begin_write() as tx:
        first_byline, second_byline = find_byline(tx, reference), find_byline(tx, other_reference)
        if first_byline == second_byline:
            raise ConfigError(
                f"{reference} and {other_reference} are the same byline; name a paper of the other person"
            )
        first_places, second_places = (
            _collect_places(find_person(tx, first_byline)),
            _collect_places(find_person(tx, second_byline)),
        )
        valid_links = _list_valid_links(tx, first_places | second_places)
        people.withdraw_statements(
            tx,
            [
                row
                for row, ends in valid_links
                if not row.same and _is_between(ends, first_places, second_places)
            ],
            now,
        )
        if any(
            row.same and set(ends) == {first_byline.place, second_byline.place} for row, ends in valid_links
        ):
            return False
        people.save_same_person(
            tx,
            [(_make_named_byline(first_byline), _make_named_byline(second_byline))],
            same=True,
            by=OPERATOR,
            at=now,
        )
    return True


def undo_merge(store: Store, reference: str, other_reference: str, now: datetime) -> bool:
    """Undo a merge of two bylines, and restore the split that it replaced.

    Returns:
        Whether there was such a merge.
    """
    with store.begin_write() as tx:
        first_byline, second_byline = find_byline(tx, reference), find_byline(tx, other_reference)
        pair = {first_byline.place, second_byline.place}
        rows = [row for row, ends in _list_valid_links(tx, pair) if row.same and set(ends) == pair]
        _withdraw_and_restore(
            tx,
            rows,
            _collect_places(find_person(tx, first_byline)) | _collect_places(find_person(tx, second_byline)),
            now,
        )
    return bool(rows)


def split(store: Store, reference: str, removed_references: Sequence[str], now: datetime) -> bool:
    """State that papers are not by a person; statements to the contrary are withdrawn.

    Args:
        store: the store.
        reference: a byline that remains with the person.
        removed_references: papers, or bylines on them.
        now: the current time, UTC.

    Returns:
        Whether any of the statements is new.

    Raises:
        ConfigError: a reference is unknown, is not a paper of that person, or is the byline that is to
            remain.
    """
    with store.begin_write() as tx:
        kept_byline = find_byline(tx, reference)
        own_places = _collect_places(find_person(tx, kept_byline))
        valid_links = _list_valid_links(tx, own_places)
        separated = {
            place
            for row, ends in valid_links
            if not row.same and not own_places.isdisjoint(ends)
            for place in ends
        }
        removed_bylines = [
            member
            for removed in removed_references
            if (member := _find_member(tx, reference, removed, own_places, separated - own_places))
        ]
        if kept_byline in removed_bylines:
            raise ConfigError(
                f"{reference} cannot be split off from itself; name the person by a paper that remains theirs"
            )
        places = {removed.place for removed in removed_bylines}
        rows = [
            row for row, ends in valid_links if row.same and _is_between(ends, places, own_places - places)
        ]
        people.withdraw_statements(tx, rows, now)
        pairs = [
            (_make_named_byline(removed), _make_named_byline(kept_byline))
            for removed in dict.fromkeys(removed_bylines)
        ]
        people.save_same_person(tx, pairs, same=False, by=OPERATOR, at=now)
    return bool(pairs)


def undo_split(store: Store, reference: str, removed_references: Sequence[str], now: datetime) -> bool:
    """Undo a split of papers from a person, and restore the merge that it replaced.

    Returns:
        Whether there was such a split.
    """
    with store.begin_write() as tx:
        person_places = _collect_places(find_person(tx, find_byline(tx, reference)))
        removed_places = {
            removed_byline.place
            for removed_reference in removed_references
            for removed_byline in _list_bylines(tx, removed_reference)
        }
        rows = [
            row
            for row, ends in _list_valid_links(tx, removed_places)
            if not row.same and _is_between(ends, removed_places, person_places)
        ]
        _withdraw_and_restore(tx, rows, removed_places, now)
    return bool(rows)


def add_ids(store: Store, reference: str, ids: Iterable[tuple[str, str]], now: datetime) -> bool:
    """State IDs of a person; return whether any of the statements is new."""
    with store.begin_write() as tx:
        named_byline = find_byline(tx, reference)
        existing_ids = {(row.scheme, row.value) for row in _list_valid_ids(tx, {named_byline.place})}
        new_ids = [id_ for id_ in dict.fromkeys(ids) if id_ not in existing_ids]
        people.save_person_ids(tx, _make_named_byline(named_byline), new_ids, by=OPERATOR, at=now)
    return bool(new_ids)


def withdraw_ids(store: Store, reference: str, ids: Iterable[tuple[str, str]], now: datetime) -> bool:
    """Withdraw IDs of a person from all of its bylines; return whether there were any."""
    withdrawn_ids = set(ids)
    with store.begin_write() as tx:
        valid_ids = _list_valid_ids(tx, _collect_places(find_person(tx, find_byline(tx, reference))))
        rows = [row for row in valid_ids if (row.scheme, row.value) in withdrawn_ids]
        people.withdraw_statements(tx, rows, now)
    return bool(rows)


def record_answer(store: Store, name: str, reference: str, now: datetime, *, yes: bool) -> bool:
    """Store the answer of a digest's reader: this is, or is not, the followed person.

    Returns:
        Whether the answer differs from the previous one.

    Raises:
        ConfigError: there is no such digest or byline.
    """
    with store.begin_write() as tx:
        return record_verdict(tx, find_digest(tx, name).id, find_byline(tx, reference), now, yes=yes)


def forget_answer(store: Store, name: str, reference: str) -> bool:
    """Remove the answers of a digest's reader about a byline; return whether there were any."""
    with store.begin_write() as tx:
        return forget_verdict(tx, find_digest(tx, name).id, find_byline(tx, reference))


def record_verdict(
    tx: Transaction, digest: int, judged_byline: BylineRecord, now: datetime, *, yes: bool
) -> bool:
    """Store the answer of a digest's reader about a byline; return whether it differs from the previous one."""
    answers = _list_answers(tx, digest, judged_byline)
    if answers and answers[-1].yes == yes:
        return False
    people.forget_feedback(tx, answers)  # they are about the same byline, perhaps with another printed name
    people.save_feedback(tx, digest, [(_make_named_byline(judged_byline), yes, now)])
    return True


def forget_verdict(tx: Transaction, digest: int, judged_byline: BylineRecord) -> bool:
    """Remove the answers of a digest's reader about a byline; return whether there were any."""
    answers = _list_answers(tx, digest, judged_byline)
    people.forget_feedback(tx, answers)
    return bool(answers)


def get_verdict(tx: Transaction, digest: int, judged_byline: BylineRecord) -> bool | None:
    """Return the last answer of a digest's reader about a byline; None if there is none."""
    answers = _list_answers(tx, digest, judged_byline)
    return answers[-1].yes if answers else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the reader of a digest says about a byline at present.

    Attributes:
        byline: the present byline, on the root of its paper; the one of then if the paper no longer has it.
        answers: the answers about it, the valid one last.
    """

    byline: BylineRef
    answers: tuple[PersonFeedback, ...]


def find_imported_bylines(tx: Transaction, references: Iterable[BylineRef]) -> dict[BylineRef, BylineRef]:
    """Return the present byline that each reference from outside means; references without one are left out."""
    resolved = people.resolve_imported_bylines(tx, references)
    return {reference: _make_named_byline(byline) for reference, byline in resolved.items()}


def list_verdicts(tx: Transaction, digest: int) -> list[Verdict]:
    """Return what the reader of a digest says about bylines, latest first."""
    rows = people.load_feedback_of_digests(tx, [digest])
    present = people.resolve_bylines(tx, [row.byline for row in rows])
    roots = load_roots(tx, {row.byline.paper for row in rows})
    answers: dict[BylineRef, list[PersonFeedback]] = defaultdict(list)
    for row in rows:
        if row.byline in present:
            byline = _make_named_byline(present[row.byline])
        else:
            byline = row.byline._replace(paper=roots[row.byline.paper])
        answers[byline].append(row)
    verdicts = [Verdict(byline=byline, answers=tuple(given)) for byline, given in answers.items()]
    return sorted(verdicts, key=lambda verdict: verdict.answers[-1].at, reverse=True)


# --- stored statements ----------------------------------------------------------------------------


def _make_named_byline(source_byline: BylineRecord) -> BylineRef:
    return BylineRef(*source_byline.place, source_byline.name)


def _collect_places(person: Person) -> set[BylinePlace]:
    return {member.place for member in person.members}


def _is_between(
    ends: tuple[BylinePlace, BylinePlace], first_places: set[BylinePlace], second_places: set[BylinePlace]
) -> bool:
    first_place, second_place = ends
    return (first_place in first_places and second_place in second_places) or (
        second_place in first_places and first_place in second_places
    )


def _withdraw_and_restore(
    tx: Transaction, rows: Sequence[SamePersonStatement], places: set[BylinePlace], now: datetime
) -> None:
    """Withdraw statements, and restore the statements about some bylines that they had replaced.

    A statement counts as replaced by another if it was withdrawn at the same instant as the other was made. It
    is restored with its author, unless it was made again later and is still valid.
    """
    if not rows:
        return
    people.withdraw_statements(tx, rows, now)
    times = {row.at for row in rows}
    links = [(row, ends) for row, ends in _list_all_links(tx, places) if not places.isdisjoint(ends)]
    if any(row.same == rows[0].same and not row.withdrawn_at and row.at > min(times) for row, _ in links):
        return
    for row, _ in links:
        if row.withdrawn_at in times and row.same != rows[0].same:
            people.save_same_person(tx, [(row.one, row.other)], same=row.same, by=row.by, at=now)


def _list_valid_links(
    tx: Transaction, places: set[BylinePlace]
) -> list[tuple[SamePersonStatement, tuple[BylinePlace, BylinePlace]]]:
    """List valid statements about who is the same person, with the current places of both bylines."""
    return [(row, ends) for row, ends in _list_all_links(tx, places) if not row.withdrawn_at]


def _list_all_links(
    tx: Transaction, places: set[BylinePlace]
) -> list[tuple[SamePersonStatement, tuple[BylinePlace, BylinePlace]]]:
    """List all such statements, including withdrawn ones."""
    rows = people.load_same_person(tx, {paper for paper, _ in places})
    resolved_bylines = people.resolve_bylines(
        tx, [named_byline for row in rows for named_byline in (row.one, row.other)]
    )
    return [
        (row, (resolved_bylines[row.one].place, resolved_bylines[row.other].place))
        for row in rows
        if row.one in resolved_bylines and row.other in resolved_bylines
    ]


def _list_valid_ids(tx: Transaction, places: set[BylinePlace]) -> list[PersonIdStatement]:
    rows = [row for row in people.load_person_ids(tx, {paper for paper, _ in places}) if not row.withdrawn_at]
    resolved_bylines = people.resolve_bylines(tx, [row.one for row in rows])
    return [row for row in rows if row.one in resolved_bylines and resolved_bylines[row.one].place in places]


def _list_answers(tx: Transaction, digest: int, judged_byline: BylineRecord) -> list[PersonFeedback]:
    rows = [
        row for row in people.load_feedback_about_papers(tx, [judged_byline.place[0]]) if row.digest == digest
    ]
    resolved_bylines = people.resolve_bylines(tx, [row.byline for row in rows])
    return [
        row
        for row in rows
        if row.byline in resolved_bylines and resolved_bylines[row.byline].place == judged_byline.place
    ]


def _find_member(
    tx: Transaction, reference: str, paper: str, own_places: set[BylinePlace], separated: set[BylinePlace]
) -> BylineRecord | None:
    """Return the byline of a person on a paper; None if the paper is already separated from the person."""
    bylines = _list_bylines(tx, paper)
    member = next((paper_byline for paper_byline in bylines if paper_byline.place in own_places), None)
    if member is None and not any(paper_byline.place in separated for paper_byline in bylines):
        raise ConfigError(
            f"{paper} is not a paper of {reference}; `digest people show {reference}` lists their papers"
        )
    return member


def _list_bylines(tx: Transaction, paper: str) -> list[BylineRecord]:
    """Return all bylines of a paper, or the one that a reference names."""
    if "#" in paper:
        return [find_byline(tx, paper)]
    number = find_paper_number(tx, paper)
    return authorships.load_bylines(tx, [number]).get(number, [])
