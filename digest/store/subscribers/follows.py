"""Follows as their readers declare them: what is as it was costs one statement for all of a digest's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from digest.config import FollowSettings
from digest.store.database.dialect import add_missing, chunks
from digest.store.database.digest_tables import follows, queries
from digest.store.database.engine import Transaction
from digest.store.matching import matches
from digest.store.subscribers import opinions

_Key = tuple[str, str]
"""A query, and the one from whose follow alone it takes papers out; canonical texts, the second "" for none."""


def declare_follows(
    tx: Transaction, digest: int, declared: Sequence[FollowSettings], started_seq: int, now: datetime
) -> None:
    """Make the follows of a digest those that are declared; what is not declared any more ends.

    Args:
        tx: a writing transaction.
        digest: its number.
        declared: all of them.
        started_seq: those that are new tell of what came after it.
        now: when those that left have ended.
    """
    wanted: dict[_Key, FollowSettings] = {(one.query, one.only): one for one in declared}
    active = _active(tx, digest)
    _change(tx, [(row, wanted[key]) for key, row in active.items() if key in wanted])
    fresh = [one for key, one in wanted.items() if key not in active]
    if fresh:
        numbers = {text: row.query_id for (text, _), row in active.items()}
        numbers |= matches.want(tx, {one.query: started_seq for one in fresh})
        rows = [
            _values(one)
            | {
                "digest_id": digest,
                "query_id": numbers[one.query],
                "only_query_id": numbers[one.only] if one.only else 0,
                "started_seq": started_seq,
            }
            for one in fresh
        ]
        add_missing(tx, follows, rows)
        opinions.learn(tx, digest)  # of one that was there before, its reader may have said something
    _end(tx, [row for key, row in active.items() if key not in wanted], now)


def end_follows(tx: Transaction, digests: Sequence[int], now: datetime) -> None:
    """End all follows of digests."""
    for chunk in chunks(digests):
        mine = select(follows.c.id, follows.c.query_id).where(follows.c.digest_id.in_(chunk))
        _end(tx, tx.execute(mine.where(follows.c.ended_at.is_(None))).all(), now)


def _active(tx: Transaction, digest: int) -> dict[_Key, Any]:
    narrowed = queries.alias("narrowed")
    columns = (
        follows.c.id,
        follows.c.query_id,
        follows.c.text,
        follows.c.weight,
        follows.c.exclude,
        follows.c.alert,
    )
    statement = (
        select(*columns, queries.c.text.label("query"), narrowed.c.text.label("only"))
        .join(queries, queries.c.id == follows.c.query_id)
        .outerjoin(narrowed, narrowed.c.id == follows.c.only_query_id)
        .where(follows.c.digest_id == digest, follows.c.ended_at.is_(None))
    )
    return {(row.query, row.only or ""): row for row in tx.execute(statement)}


def _values(one: FollowSettings) -> dict[str, Any]:
    return {"text": one.text, "weight": one.weight, "exclude": one.exclude, "alert": one.alert}


def _change(tx: Transaction, known: Sequence[tuple[Any, FollowSettings]]) -> None:
    changed = [
        _values(one) | {"number": row.id}
        for row, one in known
        if any(getattr(row, name) != value for name, value in _values(one).items())
    ]
    if changed:
        tx.execute(update(follows).where(follows.c.id == bindparam("number")), changed)


def _end(tx: Transaction, rows: Sequence[Any], now: datetime) -> None:
    for chunk in chunks([row.id for row in rows]):
        tx.execute(update(follows).where(follows.c.id.in_(chunk)).values(ended_at=now))
    if rows:
        matches.unwanted(tx, [row.query_id for row in rows])
