"""What somebody said of persons, and what readers answered to their digests: with who said it, and when.

It names a byline by the paper, the position and the name as they were then. Which byline of today that is, is
looked up when it is read (``resolved``): a list of authors changes, papers become one and part again, and what
was said is rewritten by none of that. What is taken back stays, with the time at which it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Column, Row, Table, delete, insert, or_, select, update

from digest.core.names.fitting import NameFit, folded, name_fit
from digest.store.database.dialect import chunks, put
from digest.store.database.digest_tables import digests, feedback
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import person_ids, same_person
from digest.store.papers.authorships import Byline, bylines_of
from digest.store.papers.papers import members_of, roots_of


class Named(NamedTuple):
    """A byline, as it was when something was said of it."""

    paper: int
    position: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What somebody said of a byline.

    Attributes:
        number: of the row.
        one: the byline that it is about.
        by: who said it.
        at: when.
        withdrawn_at: when it was taken back; None if it stands.
    """

    number: int
    one: Named
    by: str
    at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidSame(Saying):
    """That it is, or is not, by the same person as another one."""

    other: Named
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidId(Saying):
    """That its person is known by an id."""

    scheme: str
    value: str


class Judged(NamedTuple):
    """What a digest's reader answered: that a byline is, or is not, by the person who is followed.

    Attributes:
        digest: its number.
        by: its name.
    """

    digest: int
    by: str
    one: Named
    yes: bool
    at: datetime


# --- saying ---------------------------------------------------------------------------------------


def say_same(
    tx: Transaction, pairs: Iterable[tuple[Named, Named]], *, same: bool, by: str, at: datetime
) -> None:
    """Keep that somebody said that bylines are, or are not, by one person."""
    rows = [
        _place(one) | _place(other, "other_") | {"same": same, "said_by": by, "said_at": at}
        for one, other in pairs
    ]
    if rows:
        tx.execute(insert(same_person), rows)


def say_ids(tx: Transaction, one: Named, ids: Iterable[tuple[str, str]], *, by: str, at: datetime) -> None:
    """Keep that somebody said by which ids the person of a byline is known."""
    rows = [
        _place(one) | {"scheme": scheme, "value": value, "said_by": by, "said_at": at}
        for scheme, value in ids
    ]
    if rows:
        tx.execute(insert(person_ids), rows)


def withdraw(tx: Transaction, sayings: Iterable[Saying], at: datetime) -> None:
    """Take back what was said; it stays known who had said it."""
    numbers: dict[bool, list[int]] = defaultdict(list)
    for one in sayings:
        numbers[isinstance(one, SaidSame)].append(one.number)
    for is_same, those in numbers.items():
        table = same_person if is_same else person_ids
        for chunk in chunks(sorted(those)):
            tx.execute(update(table).where(table.c.id.in_(chunk)).values(withdrawn_at=at))


def judge(tx: Transaction, digest: int, one: Named, *, yes: bool, at: datetime) -> None:
    """Keep what a digest's reader answered about a byline; the last answer counts."""
    row = _place(one) | {"digest_id": digest, "yes": yes, "at": at}
    put(tx, feedback, [row], key=("digest_id", "paper_id", "position", "name"))


def forget(tx: Transaction, answers: Iterable[Judged]) -> None:
    """Forget what a digest's reader answered."""
    for answer in answers:
        mine = [feedback.c[name] == value for name, value in _place(answer.one).items()]
        tx.execute(delete(feedback).where(feedback.c.digest_id == answer.digest, *mine))


def _place(one: Named, prefix: str = "") -> dict[str, Any]:
    return {f"{prefix}paper_id": one.paper, f"{prefix}position": one.position, f"{prefix}name": one.name}


# --- reading --------------------------------------------------------------------------------------


def said_same(tx: Transaction, papers: Collection[int]) -> list[SaidSame]:
    """What was said, also what was taken back, of who signed papers or others that are one with them."""
    if _nothing_in(tx, same_person):
        return []
    found: dict[int, SaidSame] = {}
    for chunk in chunks(sorted(members_of(tx, papers))):
        mine = or_(same_person.c.paper_id.in_(chunk), same_person.c.other_paper_id.in_(chunk))
        for row in tx.execute(select(same_person).where(mine)):
            other = Named(row.other_paper_id, row.other_position, row.other_name)
            found[row.id] = SaidSame(**_saying(row), other=other, same=row.same)
    return [found[number] for number in sorted(found)]


def _nothing_in(tx: Transaction, table: Table) -> bool:
    """Whether nobody has said anything: then tens of thousands of papers need not be asked for."""
    return tx.execute(select(table.c.id).limit(1)).first() is None


def said_ids(tx: Transaction, papers: Collection[int]) -> list[SaidId]:
    """What was said, also what was taken back, of the ids of who signed papers or others that are one with them."""
    if _nothing_in(tx, person_ids):
        return []
    return [
        SaidId(**_saying(row), scheme=row.scheme, value=row.value)
        for row in _rows(tx, person_ids, sorted(members_of(tx, papers)))
    ]


def said_with(tx: Transaction, ids: Collection[tuple[str, str]]) -> list[SaidId]:
    """What was said of persons and stands that gives one of them one of some ids."""
    values: dict[str, list[str]] = defaultdict(list)
    for scheme, value in sorted(ids):
        values[scheme].append(value)
    found = []
    for scheme, those in values.items():
        for chunk in chunks(those):
            mine = select(person_ids).where(person_ids.c.scheme == scheme, person_ids.c.value.in_(chunk))
            rows = tx.execute(mine.where(person_ids.c.withdrawn_at.is_(None)).order_by(person_ids.c.id))
            found += [SaidId(**_saying(row), scheme=row.scheme, value=row.value) for row in rows]
    return found


def spoken_of(tx: Transaction) -> set[int]:
    """The roots of all papers of which somebody said something that stands about who signed them."""
    found: set[int] = set()
    for table, column in (
        (person_ids, person_ids.c.paper_id),
        (same_person, same_person.c.paper_id),
        (same_person, same_person.c.other_paper_id),
    ):
        found.update(tx.execute(select(column).where(table.c.withdrawn_at.is_(None)).distinct()).scalars())
    return set(roots_of(tx, found).values())


def named_alike(tx: Transaction) -> list[tuple[str, str]]:
    """All names that somebody said, and did not take back, to be one person's."""
    standing = select(same_person.c.name, same_person.c.other_name)
    rows = tx.execute(standing.where(same_person.c.same, same_person.c.withdrawn_at.is_(None)).distinct())
    return [(row.name, row.other_name) for row in rows]


def answers_of(tx: Transaction, numbers: Collection[int]) -> list[Judged]:
    """What the readers of digests answered, the last answer last."""
    return _answers(tx, feedback.c.digest_id, sorted(numbers))


def answers_about(tx: Transaction, numbers: Collection[int]) -> list[Judged]:
    """What readers answered about who signed papers or others that are one with them, the last answer last."""
    return _answers(tx, feedback.c.paper_id, sorted(members_of(tx, numbers)))


def _answers(tx: Transaction, column: Column[int], numbers: Sequence[int]) -> list[Judged]:
    named = select(feedback, digests.c.name.label("by")).join(digests, digests.c.id == feedback.c.digest_id)
    found: list[Judged] = []
    for chunk in chunks(numbers):
        for row in tx.execute(named.where(column.in_(chunk))):
            one = Named(row.paper_id, row.position, row.name)
            found.append(Judged(row.digest_id, row.by, one, row.yes, row.at))
    return sorted(found, key=lambda answer: (answer.at, answer))


def _rows(tx: Transaction, table: Table, papers: Sequence[int]) -> list[Row[Any]]:
    return [
        row
        for chunk in chunks(papers)
        for row in tx.execute(select(table).where(table.c.paper_id.in_(chunk)).order_by(table.c.id))
    ]


def _saying(row: Row[Any]) -> dict[str, Any]:
    one = Named(row.paper_id, row.position, row.name)
    return {
        "number": row.id,
        "one": one,
        "by": row.said_by,
        "at": row.said_at,
        "withdrawn_at": row.withdrawn_at,
    }


# --- which byline of today ------------------------------------------------------------------------


def resolved(tx: Transaction, named: Iterable[Named]) -> dict[Named, Byline]:
    """The bylines of today that were meant.

    Of the paper as it is now, it is the one of the same name, next to the old position if several have it; else
    the one whose name fits best. One that is no longer there is left out.
    """
    wanted = set(named)
    root_of = roots_of(tx, {one.paper for one in wanted})
    signed: Mapping[int, Sequence[Byline]] = bylines_of(tx, set(root_of.values()))
    found = {one: _meant(one, signed.get(root_of[one.paper], ())) for one in wanted}
    return {one: byline for one, byline in found.items() if byline is not None}


def _meant(one: Named, there: Sequence[Byline]) -> Byline | None:
    same = [byline for byline in there if folded(byline.name) == folded(one.name)]
    if not same:
        fits = [(name_fit(one.name, byline.name), byline) for byline in there]
        best = max((fit for fit, _ in fits), default=NameFit.NOT)
        same = [byline for fit, byline in fits if fit is best and best is not NameFit.NOT]
    return min(same, key=lambda byline: abs(byline.place[1] - one.position), default=None)
