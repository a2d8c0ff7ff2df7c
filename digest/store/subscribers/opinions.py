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

from digest.core.subscribers.opinions import RATINGS, Opinion, compute_weight_factor
from digest.store.database.dialect import add_missing
from digest.store.database.digest_tables import digests, follows, opinions
from digest.store.database.engine import Transaction
from digest.store.papers.papers import load_members, load_roots


class SavedPaperRecord(NamedTuple):
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


def lock_digest(tx: Transaction, digest: int) -> None:
    """Let nobody else say anything of papers to a digest before this transaction ends."""
    # Who keeps an edition of it meanwhile need not wait: its number stays.
    tx.execute(select(digests.c.id).where(digests.c.id == digest).with_for_update(key_share=True))


def save_opinion(
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
    if opinion in _load_current(tx, digest, paper):
        return
    if opinion in RATINGS:
        withdraw_opinions(tx, digest, paper, RATINGS)
    row = {"digest_id": digest, "paper_id": paper, "opinion": opinion.value}
    add_missing(tx, opinions, [row | {"queries": sorted(queries), "at": at}])


def withdraw_opinions(tx: Transaction, digest: int, paper: int, withdrawn: Iterable[Opinion]) -> None:
    """Forget what a reader said of a paper, and of all that are one with it."""
    is_of_paper = opinions.c.paper_id.in_(sorted(load_members(tx, [paper])))
    kinds = opinions.c.opinion.in_([opinion.value for opinion in withdrawn])
    tx.execute(delete(opinions).where(opinions.c.digest_id == digest, is_of_paper, kinds))


def update_learned_weights(tx: Transaction, digest: int) -> None:
    """Let the follows of a digest count as much as what was said of their papers makes of them."""
    likings = _load_likings(tx, digest)
    condition = (follows.c.digest_id == digest) & follows.c.ended_at.is_(None) & ~follows.c.exclude
    changed_rows = [
        {"number": row.id, "counts": counts}
        for row in tx.execute(select(follows.c.id, follows.c.query_id, follows.c.learned).where(condition))
        if (counts := compute_weight_factor(likings.get(row.query_id, ()))) != row.learned
    ]
    if changed_rows:
        statement = update(follows).where(follows.c.id == bindparam("number"))
        tx.execute(statement.values(learned=bindparam("counts")), changed_rows)


def _load_likings(tx: Transaction, digest: int) -> dict[int, list[Opinion]]:
    """What was said of the papers that each query brought, in order."""
    likings_by_query: dict[int, list[Opinion]] = defaultdict(list)
    for row in _select_last(tx, _fetch_rows(tx, digest, RATINGS)):
        for query in row.queries:
            likings_by_query[query].append(Opinion(row.opinion))
    return likings_by_query


# --- reading --------------------------------------------------------------------------------------


def load_opinions(tx: Transaction, digest: int, paper: int) -> frozenset[Opinion]:
    """What stands of what a reader said of a paper.

    Args:
        tx: a transaction.
        digest: its number.
        paper: the root of those that are one with it.
    """
    return frozenset(_load_current(tx, digest, paper))


def list_saved(tx: Transaction, digest: int | None = None) -> list[SavedPaperRecord]:
    """What readers saved, the last first; from one digest, or from all, also from those that have ended."""
    rows = _select_last(tx, _fetch_rows(tx, digest, (Opinion.SAVED,)))
    roots = load_roots(tx, {row.paper_id for row in rows})
    return [SavedPaperRecord(row.name, roots[row.paper_id], row.at) for row in reversed(rows)]


def _load_current(tx: Transaction, digest: int, paper: int) -> set[Opinion]:
    is_of_paper = opinions.c.paper_id.in_(sorted(load_members(tx, [paper])))
    rows = list(tx.execute(select(opinions).where(opinions.c.digest_id == digest, is_of_paper)))
    likings = sorted((row for row in rows if row.opinion in RATINGS), key=_get_sort_key)
    return {Opinion(row.opinion) for row in (*likings[-1:], *(row for row in rows if row not in likings))}


def _fetch_rows(tx: Transaction, digest: int | None, kinds: Iterable[Opinion]) -> list[Row[Any]]:
    statement = select(opinions, digests.c.name).join(digests, digests.c.id == opinions.c.digest_id)
    conditions: list[ColumnElement[bool]] = [opinions.c.opinion.in_([opinion.value for opinion in kinds])]
    if digest is not None:
        conditions.append(opinions.c.digest_id == digest)
    return list(tx.execute(statement.where(*conditions)))


def _select_last(tx: Transaction, rows: Iterable[Row[Any]]) -> list[Row[Any]]:
    """What was said last of each paper, in order."""
    sorted_rows = sorted(rows, key=_get_sort_key)
    roots = load_roots(tx, {row.paper_id for row in sorted_rows})
    last_rows = {(row.digest_id, roots[row.paper_id]): row for row in sorted_rows}
    return sorted(last_rows.values(), key=_get_sort_key)


def _get_sort_key(row: Row[Any]) -> tuple[Any, ...]:
    return row.at, row.paper_id, row.opinion
