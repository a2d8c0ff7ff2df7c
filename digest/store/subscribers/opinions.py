"""What readers said of papers, and what their follows learned from it.

A paper that is one with others is named by the one that it was then. Whichever of them it is now is found when it is
read: what was said last of any of them is what was said of the paper.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, bindparam, delete, select, update

from digest.core.subscribers.opinions import LIKINGS, Opinion, learned
from digest.store.database.dialect import add_missing
from digest.store.database.digest_tables import digests, follows, opinions
from digest.store.database.engine import Transaction
from digest.store.papers.papers import members_of, roots_of


class Saved(NamedTuple):
    """A paper that a reader saved.

    Attributes:
        digest: the name of the digest that had brought it.
        paper: its number; of papers that are one, the root's.
        at: when.
    """

    digest: str
    paper: int
    at: datetime


# --- saying ---------------------------------------------------------------------------------------


def hold(tx: Transaction, digest: int) -> None:
    """Let nobody else say anything of papers to a digest before this transaction ends."""
    # Who keeps an edition of it meanwhile need not wait: its number stays.
    tx.execute(select(digests.c.id).where(digests.c.id == digest).with_for_update(key_share=True))


def say(
    tx: Transaction, digest: int, paper: int, opinion: Opinion, *, queries: Collection[int], at: datetime
) -> None:
    """Keep what a reader says of a paper; what was said already stays as it was.

    Args:
        tx: a writing transaction that holds the digest.
        digest: its number.
        paper: the root of those that are one with it.
        opinion: ``MORE`` takes the place of ``LESS``, and the other way round.
        queries: those of the follows that brought it.
        at: when.
    """
    if opinion in _known(tx, digest, paper):
        return
    if opinion in LIKINGS:
        take_back(tx, digest, paper, LIKINGS)
    row = {"digest_id": digest, "paper_id": paper, "opinion": opinion.value}
    add_missing(tx, opinions, [row | {"queries": sorted(queries), "at": at}])


def take_back(tx: Transaction, digest: int, paper: int, what: Iterable[Opinion]) -> None:
    """Forget what a reader said of a paper, and of all that are one with it."""
    theirs = opinions.c.paper_id.in_(sorted(members_of(tx, [paper])))
    kinds = opinions.c.opinion.in_([one.value for one in what])
    tx.execute(delete(opinions).where(opinions.c.digest_id == digest, theirs, kinds))


def learn(tx: Transaction, digest: int) -> None:
    """Let the follows of a digest count as much as what was said of their papers makes of them."""
    likings = _likings(tx, digest)
    mine = (follows.c.digest_id == digest) & follows.c.ended_at.is_(None) & ~follows.c.exclude
    changed = [
        {"number": row.id, "counts": counts}
        for row in tx.execute(select(follows.c.id, follows.c.query_id, follows.c.learned).where(mine))
        if (counts := learned(likings.get(row.query_id, ()))) != row.learned
    ]
    if changed:
        statement = update(follows).where(follows.c.id == bindparam("number"))
        tx.execute(statement.values(learned=bindparam("counts")), changed)


def _likings(tx: Transaction, digest: int) -> dict[int, list[Opinion]]:
    """What was said of the papers that each query brought, in order."""
    found: dict[int, list[Opinion]] = defaultdict(list)
    for row in _last(tx, _rows(tx, digest, LIKINGS)):
        for query in row.queries:
            found[query].append(Opinion(row.opinion))
    return found


# --- reading --------------------------------------------------------------------------------------


def said_of(tx: Transaction, digest: int, paper: int) -> frozenset[Opinion]:
    """What stands of what a reader said of a paper.

    Args:
        tx: a transaction.
        digest: its number.
        paper: the root of those that are one with it.
    """
    return frozenset(_known(tx, digest, paper))


def saved(tx: Transaction, digest: int | None = None) -> list[Saved]:
    """What readers saved, the last first; from one digest, or from all, also from those that have ended."""
    found = _last(tx, _rows(tx, digest, (Opinion.SAVED,)))
    root = roots_of(tx, {row.paper_id for row in found})
    return [Saved(row.name, root[row.paper_id], row.at) for row in reversed(found)]


def _known(tx: Transaction, digest: int, paper: int) -> set[Opinion]:
    theirs = opinions.c.paper_id.in_(sorted(members_of(tx, [paper])))
    rows = list(tx.execute(select(opinions).where(opinions.c.digest_id == digest, theirs)))
    likings = sorted((row for row in rows if row.opinion in LIKINGS), key=_turn)
    return {Opinion(row.opinion) for row in (*likings[-1:], *(row for row in rows if row not in likings))}


def _rows(tx: Transaction, digest: int | None, what: Iterable[Opinion]) -> list[Row[Any]]:
    statement = select(opinions, digests.c.name).join(digests, digests.c.id == opinions.c.digest_id)
    mine: list[ColumnElement[bool]] = [opinions.c.opinion.in_([one.value for one in what])]
    if digest is not None:
        mine.append(opinions.c.digest_id == digest)
    return list(tx.execute(statement.where(*mine)))


def _last(tx: Transaction, rows: Iterable[Row[Any]]) -> list[Row[Any]]:
    """What was said last of each paper, in order."""
    in_turn = sorted(rows, key=_turn)
    root = roots_of(tx, {row.paper_id for row in in_turn})
    last = {(row.digest_id, root[row.paper_id]): row for row in in_turn}
    return sorted(last.values(), key=_turn)


def _turn(row: Row[Any]) -> tuple[Any, ...]:
    return row.at, row.paper_id, row.opinion
