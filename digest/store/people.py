"""Statements about persons, and answers of readers to their digests, with author and time.

A statement names a byline by paper, position and name as they were when it was made. The present byline is
looked up when the statement is read (``resolve_bylines``), so it need not be rewritten when a list of authors
changes or when papers are merged or separated. A statement that is withdrawn stays, with the time of its
withdrawal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Column, Row, Table, delete, insert, or_, select, update

from digest.core.names.fitting import NameMatch, fold_name, make_block_key, match_names
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, feedback
from digest.store.database.tables.papers import person_ids, same_person
from digest.store.papers.authorships import BylineRecord, load_bylines
from digest.store.papers.papers import load_members, load_roots


class BylineRef(NamedTuple):
    """Byline as it was when a statement about it was made."""

    paper: int
    position: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BylineStatement:
    """Statement about a byline.

    Attributes:
        number: the number of its row.
        one: the byline that it is about.
        by: who made it.
        at: when it was made.
        withdrawn_at: when it was withdrawn; None if it is valid.
    """

    number: int
    one: BylineRef
    by: str
    at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SamePersonStatement(BylineStatement):
    """Statement that two bylines are, or are not, by the same person."""

    other: BylineRef
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonIdStatement(BylineStatement):
    """Statement that the person of a byline has an id."""

    scheme: str
    value: str


class PersonFeedback(NamedTuple):
    """Answer of a digest's reader: whether a byline is by the person who is followed.

    Attributes:
        digest: the number of the digest.
        by: the name of the digest.
    """

    digest: int
    by: str
    byline: BylineRef
    yes: bool
    at: datetime


# --- writing --------------------------------------------------------------------------------------


def save_same_person(
    tx: Transaction, pairs: Iterable[tuple[BylineRef, BylineRef]], *, same: bool, by: str, at: datetime
) -> None:
    """Store statements that pairs of bylines are, or are not, by the same person."""
    rows = [
        _to_columns(byline)
        | _to_columns(other_byline, "other_")
        | {"same": same, "said_by": by, "said_at": at}
        for byline, other_byline in pairs
    ]
    if rows:
        tx.execute(insert(same_person), rows)
        note_content_change(tx)


def save_person_ids(
    tx: Transaction, byline: BylineRef, ids: Iterable[tuple[str, str]], *, by: str, at: datetime
) -> None:
    """Store statements that the person of a byline has some ids."""
    rows = [
        _to_columns(byline) | {"scheme": scheme, "value": value, "said_by": by, "said_at": at}
        for scheme, value in ids
    ]
    if rows:
        tx.execute(insert(person_ids), rows)
        note_content_change(tx)


def withdraw_statements(tx: Transaction, person_statements: Iterable[BylineStatement], at: datetime) -> None:
    """Mark statements as withdrawn; their authors stay on record."""
    row_ids: dict[bool, list[int]] = defaultdict(list)
    for statement in person_statements:
        row_ids[isinstance(statement, SamePersonStatement)].append(statement.number)
    for is_same, ids in row_ids.items():
        table = same_person if is_same else person_ids
        for chunk in split_into_chunks(sorted(ids)):
            tx.execute(update(table).where(table.c.id.in_(chunk)).values(withdrawn_at=at))
    if row_ids:
        note_content_change(tx)


def save_feedback(tx: Transaction, digest: int, answers: Iterable[tuple[BylineRef, bool, datetime]]) -> None:
    """Store answers of a digest's reader; the last answer about a byline counts.

    Args:
        tx: a writing transaction.
        digest: the number of the digest.
        answers: bylines, whether each is by the person who is followed, and when this was said.
    """
    rows = [_to_columns(byline) | {"digest_id": digest, "yes": yes, "at": at} for byline, yes, at in answers]
    insert_or_update(tx, feedback, rows, key=("digest_id", "paper_id", "position", "name"))


def forget_feedback(tx: Transaction, answers: Iterable[PersonFeedback]) -> None:
    """Delete answers of readers."""
    for answer in answers:
        conditions = [feedback.c[name] == value for name, value in _to_columns(answer.byline).items()]
        tx.execute(delete(feedback).where(feedback.c.digest_id == answer.digest, *conditions))


def _to_columns(byline: BylineRef, prefix: str = "") -> dict[str, Any]:
    return {
        f"{prefix}paper_id": byline.paper,
        f"{prefix}position": byline.position,
        f"{prefix}name": byline.name,
    }


# --- reading --------------------------------------------------------------------------------------


def load_same_person(tx: Transaction, papers: Collection[int]) -> list[SamePersonStatement]:
    """Return all statements, including withdrawn ones, that bylines of some papers are or are not by the same person.

    Papers that are merged with these are included.
    """
    if _is_empty(tx, same_person):
        return []
    statements: dict[int, SamePersonStatement] = {}
    for chunk in split_into_chunks(sorted(load_members(tx, papers))):
        condition = or_(same_person.c.paper_id.in_(chunk), same_person.c.other_paper_id.in_(chunk))
        for row in tx.execute(select(same_person).where(condition)):
            other = BylineRef(row.other_paper_id, row.other_position, row.other_name)
            statements[row.id] = SamePersonStatement(**_read_statement(row), other=other, same=row.same)
    return [statements[number] for number in sorted(statements)]


def _is_empty(tx: Transaction, table: Table) -> bool:
    """Whether a table has no rows, so that tens of thousands of papers need not be looked up in it."""
    return tx.execute(select(table.c.id).limit(1)).first() is None


def load_person_ids(tx: Transaction, papers: Collection[int]) -> list[PersonIdStatement]:
    """Return all statements, including withdrawn ones, about ids of the authors of papers.

    Papers that are merged with these are included.
    """
    if _is_empty(tx, person_ids):
        return []
    return [
        PersonIdStatement(**_read_statement(row), scheme=row.scheme, value=row.value)
        for row in _fetch_rows(tx, person_ids, sorted(load_members(tx, papers)))
    ]


def load_person_ids_by_id(tx: Transaction, ids: Collection[tuple[str, str]]) -> list[PersonIdStatement]:
    """Return the valid statements that give a person one of some ids."""
    values: dict[str, list[str]] = defaultdict(list)
    for scheme, value in sorted(ids):
        values[scheme].append(value)
    statements = []
    for scheme, scheme_values in values.items():
        for chunk in split_into_chunks(scheme_values):
            statement = select(person_ids).where(person_ids.c.scheme == scheme, person_ids.c.value.in_(chunk))
            rows = tx.execute(statement.where(person_ids.c.withdrawn_at.is_(None)).order_by(person_ids.c.id))
            statements += [
                PersonIdStatement(**_read_statement(row), scheme=row.scheme, value=row.value) for row in rows
            ]
    return statements


def list_papers_with_statements(tx: Transaction) -> set[int]:
    """Return the roots of all papers with valid statements about their bylines."""
    paper_ids: set[int] = set()
    for table, column in (
        (person_ids, person_ids.c.paper_id),
        (same_person, same_person.c.paper_id),
        (same_person, same_person.c.other_paper_id),
    ):
        paper_ids.update(
            tx.execute(select(column).where(table.c.withdrawn_at.is_(None)).distinct()).scalars()
        )
    return set(load_roots(tx, paper_ids).values())


def list_same_names(tx: Transaction) -> list[tuple[str, str]]:
    """Return all pairs of names that valid statements assign to the same person."""
    columns = select(same_person.c.name, same_person.c.other_name)
    rows = tx.execute(columns.where(same_person.c.same, same_person.c.withdrawn_at.is_(None)).distinct())
    return [(row.name, row.other_name) for row in rows]


def load_feedback_of_digests(tx: Transaction, digest_ids: Collection[int]) -> list[PersonFeedback]:
    """Return the answers of the readers of digests, latest last."""
    return _load_feedback(tx, feedback.c.digest_id, sorted(digest_ids))


def load_feedback_about_papers(tx: Transaction, paper_ids: Collection[int]) -> list[PersonFeedback]:
    """Return the answers of readers about bylines of papers and of those merged with them, latest last."""
    return _load_feedback(tx, feedback.c.paper_id, sorted(load_members(tx, paper_ids)))


def _load_feedback(tx: Transaction, column: Column[int], ids: Sequence[int]) -> list[PersonFeedback]:
    columns = select(feedback, digests.c.name.label("by")).join(digests, digests.c.id == feedback.c.digest_id)
    answers: list[PersonFeedback] = []
    for chunk in split_into_chunks(ids):
        for row in tx.execute(columns.where(column.in_(chunk))):
            byline = BylineRef(row.paper_id, row.position, row.name)
            answers.append(PersonFeedback(row.digest_id, row.by, byline, row.yes, row.at))
    return sorted(answers, key=lambda answer: (answer.at, answer))


def _fetch_rows(tx: Transaction, table: Table, papers: Sequence[int]) -> list[Row[Any]]:
    return [
        row
        for chunk in split_into_chunks(papers)
        for row in tx.execute(select(table).where(table.c.paper_id.in_(chunk)).order_by(table.c.id))
    ]


def _read_statement(row: Row[Any]) -> dict[str, Any]:
    byline = BylineRef(row.paper_id, row.position, row.name)
    return {
        "number": row.id,
        "one": byline,
        "by": row.said_by,
        "at": row.said_at,
        "withdrawn_at": row.withdrawn_at,
    }


# --- present bylines ------------------------------------------------------------------------------


def resolve_bylines(tx: Transaction, references: Iterable[BylineRef]) -> dict[BylineRef, BylineRecord]:
    """Find the present byline that each reference means.

    It is the byline with the same name in the present list of authors, at the position closest to the old one
    if there are several; otherwise the byline whose name matches best. References without a match are
    omitted.
    """
    unique = set(references)
    # A collaboration has thousands of authors. Almost always, the one that is meant still has the same name.
    matches = {
        reference: byline
        for reference, candidates in _load_of_same_block(tx, unique).items()
        if (byline := _find_same_name(reference, candidates)) is not None
    }
    renamed = unique - matches.keys()
    root_of = load_roots(tx, {reference.paper for reference in renamed})
    all_bylines = load_bylines(tx, set(root_of.values()))
    for reference in renamed:
        byline = _find_best_match(reference, all_bylines.get(root_of[reference.paper], ()))
        if byline is not None:
            matches[reference] = byline
    return matches


def resolve_imported_bylines(
    tx: Transaction, references: Iterable[BylineRef]
) -> dict[BylineRef, BylineRecord]:
    """Find the present byline that each reference means, as ``resolve_bylines``, but only in the block of its name.

    References from outside can be many and wrong, and all authors of collaborations would be loaded for each.
    """
    return {
        reference: byline
        for reference, candidates in _load_of_same_block(tx, set(references)).items()
        if (byline := _find_best_match(reference, candidates)) is not None
    }


def _load_of_same_block(
    tx: Transaction, references: Collection[BylineRef]
) -> dict[BylineRef, Sequence[BylineRecord]]:
    """Return, for each reference, the present bylines of its paper that share a block with one of the references."""
    root_of = load_roots(tx, {reference.paper for reference in references})
    blocks = {make_block_key(reference.name) for reference in references}
    bylines = load_bylines(tx, set(root_of.values()), blocks)
    return {reference: bylines.get(root_of[reference.paper], ()) for reference in references}


def _find_same_name(reference: BylineRef, bylines: Iterable[BylineRecord]) -> BylineRecord | None:
    name = fold_name(reference.name)
    return _find_nearest(reference, [byline for byline in bylines if fold_name(byline.name) == name])


def _find_best_match(reference: BylineRef, bylines: Sequence[BylineRecord]) -> BylineRecord | None:
    if (same_named := _find_same_name(reference, bylines)) is not None:
        return same_named
    rated = [(match_names(reference.name, byline.name), byline) for byline in bylines]
    best = max((fit for fit, _ in rated), default=NameMatch.NOT)
    return _find_nearest(
        reference, [byline for fit, byline in rated if fit is best and best is not NameMatch.NOT]
    )


def _find_nearest(reference: BylineRef, bylines: Sequence[BylineRecord]) -> BylineRecord | None:
    return min(bylines, key=lambda byline: abs(byline.place[1] - reference.position), default=None)
