"""Follows of digests, synced with their declarations; a digest without changes costs one statement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from digest.config import FollowSettings
from digest.store.database.dialect import add_missing, split_into_chunks
from digest.store.database.digest_tables import follows, queries
from digest.store.database.engine import Transaction
from digest.store.matching import matches
from digest.store.subscribers import opinions

_Key = tuple[str, str]
"""Canonical texts of a follow's query and, for an exclusion from one follow, of that follow's query ("" otherwise)."""


def declare_follows(
    tx: Transaction, digest_id: int, declared: Sequence[FollowSettings], started_seq: int, now: datetime
) -> None:
    """Create, update or end the follows of a digest as they are declared.

    Args:
        tx: a writing transaction.
        digest_id: the number of the digest.
        declared: all of its follows.
        started_seq: new follows begin after this event.
        now: when follows end that are no longer declared.
    """
    declared_by_key: dict[_Key, FollowSettings] = {(follow.query, follow.only): follow for follow in declared}
    active = _load_active(tx, digest_id)
    _update_changed(
        tx, [(row, declared_by_key[key]) for key, row in active.items() if key in declared_by_key]
    )
    new_follows = [follow for key, follow in declared_by_key.items() if key not in active]
    if new_follows:
        query_ids = {text: row.query_id for (text, _), row in active.items()}
        query_ids |= matches.require_queries(tx, {follow.query: started_seq for follow in new_follows})
        rows = [
            _to_row(follow)
            | {
                "digest_id": digest_id,
                "query_id": query_ids[follow.query],
                "only_query_id": query_ids[follow.only] if follow.only else 0,
                "started_seq": started_seq,
            }
            for follow in new_follows
        ]
        add_missing(tx, follows, rows)
        # A new follow may have existed before, and its reader may have rated its papers.
        opinions.update_learned_weights(tx, digest_id)
    _end_rows(tx, [row for key, row in active.items() if key not in declared_by_key], now)


def end_follows(tx: Transaction, digest_ids: Sequence[int], now: datetime) -> None:
    """End all follows of digests."""
    for chunk in split_into_chunks(digest_ids):
        statement = select(follows.c.id, follows.c.query_id).where(follows.c.digest_id.in_(chunk))
        _end_rows(tx, tx.execute(statement.where(follows.c.ended_at.is_(None))).all(), now)


def _load_active(tx: Transaction, digest: int) -> dict[_Key, Any]:
    only_queries = queries.alias("narrowed")
    columns = (
        follows.c.id,
        follows.c.query_id,
        follows.c.text,
        follows.c.weight,
        follows.c.exclude,
        follows.c.alert,
    )
    statement = (
        select(*columns, queries.c.text.label("query"), only_queries.c.text.label("only"))
        .join(queries, queries.c.id == follows.c.query_id)
        .outerjoin(only_queries, only_queries.c.id == follows.c.only_query_id)
        .where(follows.c.digest_id == digest, follows.c.ended_at.is_(None))
    )
    return {(row.query, row.only or ""): row for row in tx.execute(statement)}


def _to_row(follow: FollowSettings) -> dict[str, Any]:
    return {"text": follow.text, "weight": follow.weight, "exclude": follow.exclude, "alert": follow.alert}


def _update_changed(tx: Transaction, pairs: Sequence[tuple[Any, FollowSettings]]) -> None:
    changed_rows = [
        _to_row(follow) | {"number": row.id}
        for row, follow in pairs
        if any(getattr(row, name) != value for name, value in _to_row(follow).items())
    ]
    if changed_rows:
        tx.execute(update(follows).where(follows.c.id == bindparam("number")), changed_rows)


def _end_rows(tx: Transaction, rows: Sequence[Any], now: datetime) -> None:
    for chunk in split_into_chunks([row.id for row in rows]):
        tx.execute(update(follows).where(follows.c.id.in_(chunk)).values(ended_at=now))
    if rows:
        matches.release_queries(tx, [row.query_id for row in rows])
