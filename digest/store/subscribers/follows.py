"""Follows of digests, synced with their declarations; a digest without changes costs one statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, true, update

from digest.config import FollowSettings
from digest.store.database.bulk import insert_bulk, insert_missing_bulk
from digest.store.database.dialect import has_row_locks, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, follows, queries
from digest.store.matching import matches
from digest.store.subscribers import opinions

_Key = tuple[str, str]
"""Canonical texts of a follow's query and, for an exclusion from one follow, of that follow's query ("" otherwise)."""
ActiveFollows = Mapping[int, Mapping[_Key, Any]]
"""Active follows of digests by number and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowChanges:
    """What a declaration changed in the follows of a digest, with the texts as written.

    Attributes:
        added: follows that are new.
        removed: follows that ended.
        added_exclusions: exclusions that are new.
        removed_exclusions: exclusions that ended.
        columns: ``weight`` and ``alert``, each if it changed in a follow that stays.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    added_exclusions: tuple[str, ...] = ()
    removed_exclusions: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def declare_follows(
    tx: Transaction,
    digest_id: int,
    declared: Sequence[FollowSettings],
    started_seq: int,
    now: datetime,
    *,
    active: ActiveFollows | None = None,
) -> None:
    """Create, update or end the follows of a digest as they are declared.

    Args:
        tx: a writing transaction that has locked the digest.
        digest_id: the number of the digest.
        declared: all of its follows.
        started_seq: new follows begin after this event.
        now: when follows end that are no longer declared.
        active: the result of ``lock_changed_queries``, which comes before several calls in one transaction.
    """
    declare_shared_follows(tx, {digest_id: started_seq}, declared, now, active=active)


def declare_shared_follows(
    tx: Transaction,
    started_seqs: Mapping[int, int],
    declared: Sequence[FollowSettings],
    now: datetime,
    *,
    active: ActiveFollows | None = None,
) -> dict[int, FollowChanges]:
    """Create, update or end the follows of digests that share a declaration.

    Args:
        tx: a writing transaction that has locked the digests.
        started_seqs: by the number of each digest, the seq after which its new follows begin.
        declared: all follows of each.
        now: when follows end that are no longer declared.
        active: as for ``declare_follows``.

    Returns:
        What changed, by digest; digests without a change are left out.
    """
    declared_by_key: dict[_Key, FollowSettings] = {(follow.query, follow.only): follow for follow in declared}
    are_queries_locked = active is not None
    if active is None:
        active = _load_active(tx, list(started_seqs))
    else:
        active = {digest_id: active.get(digest_id, {}) for digest_id in started_seqs}
    query_ids = {text: row.query_id for rows in active.values() for (text, _), row in rows.items()}
    new_follows = {
        digest_id: [follow for key, follow in declared_by_key.items() if key not in active[digest_id]]
        for digest_id in started_seqs
    }
    ended = [row for rows in active.values() for key, row in rows.items() if key not in declared_by_key]
    new_texts = {follow.query for added in new_follows.values() for follow in added}
    if ended and new_texts and not are_queries_locked:
        matches.lock_queries(tx, new_texts, [row.query_id for row in ended])
        are_queries_locked = True
    query_ids |= _require_new(tx, new_follows, started_seqs, are_locked=are_queries_locked)
    changed = [
        (row, declared_by_key[key])
        for rows in active.values()
        for key, row in rows.items()
        if key in declared_by_key and _is_changed(row, declared_by_key[key])
    ]
    _update_rows(tx, changed)
    insert_bulk(tx, follows, _COLUMNS, _make_rows(new_follows, started_seqs, query_ids))
    # A new follow may have existed before, and its reader may have rated its papers.
    for digest_id in opinions.list_rated(
        tx, [digest_id for digest_id, added in new_follows.items() if added]
    ):
        opinions.update_learned_weights(tx, digest_id)
    _end_rows(tx, ended, now, are_queries_locked=are_queries_locked)
    return _list_changes(new_follows, changed, ended)


def insert_follows(
    tx: Transaction,
    new_follows: Mapping[int, Sequence[FollowSettings]],
    started_seq: int,
    *,
    are_queries_locked: bool = False,
) -> None:
    """Create the follows of new digests.

    Args:
        tx: the transaction that has inserted the digests.
        new_follows: all follows of each digest, by its number; of several with the same key, the first one
            gives the place and the last one the rest.
        started_seq: they begin after this event.
        are_queries_locked: whether the transaction has locked their queries (``lock_changed_queries``).
    """
    by_digest = {digest_id: _unite_by_key(declared) for digest_id, declared in new_follows.items()}
    starts = {follow.query: started_seq for added in by_digest.values() for follow in added}
    query_ids = matches.require_queries(tx, starts, are_locked=are_queries_locked) if starts else {}
    insert_bulk(
        tx, follows, _COLUMNS, _make_rows(by_digest, dict.fromkeys(by_digest, started_seq), query_ids)
    )


def _unite_by_key(declared: Sequence[FollowSettings]) -> list[FollowSettings]:
    by_key: dict[_Key, FollowSettings] = {(follow.query, follow.only): follow for follow in declared}
    return list(by_key.values())


def insert_shared_follows(
    tx: Transaction, digest_ids: Sequence[int], declared: Sequence[FollowSettings], started_seq: int
) -> None:
    """Create the follows of new digests that share a declaration.

    Args:
        tx: a writing transaction.
        digest_ids: the numbers of the digests.
        declared: all follows of each.
        started_seq: they begin after this event.
    """
    if not digest_ids:
        return
    first, *others = digest_ids
    new_follows, started_seqs = {first: declared}, {first: started_seq}
    query_ids = _require_new(tx, new_follows, started_seqs)
    insert_missing_bulk(tx, follows, _COLUMNS, _make_rows(new_follows, started_seqs, query_ids))
    # The database copies those of the first digest, in a third of the time that it takes to send it all rows.
    copied = [column for column in follows.c if column.name not in {"id", "digest_id"}]
    names = ["digest_id", *(column.name for column in copied)]
    for chunk in split_into_chunks(others):
        source = (
            select(digests.c.id, *copied)
            .join_from(digests, follows, true())
            .where(follows.c.digest_id == first, follows.c.ended_at.is_(None), digests.c.id.in_(chunk))
            .order_by(digests.c.id, follows.c.id)
        )
        tx.execute(insert(follows).from_select(names, source))


def load_query_ids(tx: Transaction, digest_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the numbers of the queries that each of some digests follows or has followed, by canonical text."""
    query_ids: dict[int, dict[str, int]] = {digest_id: {} for digest_id in digest_ids}
    statement = select(follows.c.digest_id, queries.c.text, queries.c.id).join(
        queries, queries.c.id == follows.c.query_id
    )
    for chunk in split_into_chunks(digest_ids):
        for row in tx.execute(statement.where(follows.c.digest_id.in_(chunk))):
            query_ids[row.digest_id][row.text] = row.id
    return query_ids


def lock_changed_queries(
    tx: Transaction,
    digest_ids: Sequence[int],
    declared: Sequence[tuple[int | None, Sequence[FollowSettings]]],
) -> ActiveFollows:
    """Lock the queries of all follows that begin or end when the follows of several digests are declared.

    Args:
        tx: a writing transaction that has locked the digests.
        digest_ids: the numbers of those digests that exist.
        declared: number and follows of each digest; None for one that is new.

    Returns:
        The follows of the digests that exist.
    """
    active = _load_active(tx, digest_ids)
    if not has_row_locks(tx):
        return active
    new_texts: set[str] = set()
    ended_ids: set[int] = set()
    for digest_id, own_follows in declared:
        rows = {} if digest_id is None else active[digest_id]
        declared_keys = {(follow.query, follow.only) for follow in own_follows}
        new_texts |= {query for query, _ in declared_keys - rows.keys()}
        ended_ids |= {row.query_id for key, row in rows.items() if key not in declared_keys}
    matches.lock_queries(tx, new_texts, ended_ids)
    return active


def end_follows(tx: Transaction, digest_ids: Sequence[int], now: datetime) -> None:
    """End all follows of digests."""
    for chunk in split_into_chunks(digest_ids):
        statement = select(follows.c.id, follows.c.query_id).where(follows.c.digest_id.in_(chunk))
        _end_rows(tx, tx.execute(statement.where(follows.c.ended_at.is_(None))).all(), now)


def _load_active(tx: Transaction, digest_ids: Sequence[int]) -> ActiveFollows:
    """Return the active follows of each digest by their key."""
    only_queries = queries.alias("narrowed")
    columns = (
        follows.c.id,
        follows.c.digest_id,
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
        .where(follows.c.ended_at.is_(None))
    )
    active: dict[int, dict[_Key, Any]] = {digest_id: {} for digest_id in digest_ids}
    for chunk in split_into_chunks(digest_ids):
        for row in tx.execute(statement.where(follows.c.digest_id.in_(chunk))):
            active[row.digest_id][row.query, row.only or ""] = row
    return active


def _require_new(
    tx: Transaction,
    new_follows: Mapping[int, Sequence[FollowSettings]],
    started_seqs: Mapping[int, int],
    *,
    are_locked: bool = False,
) -> dict[str, int]:
    """Have the queries of new follows matched, and return their numbers by text."""
    starts: dict[str, int] = {}
    for digest_id, added in new_follows.items():
        for follow in added:
            start = started_seqs[digest_id]
            starts[follow.query] = min(starts.get(follow.query, start), start)
    return matches.require_queries(tx, starts, are_locked=are_locked) if starts else {}


def _make_rows(
    new_follows: Mapping[int, Sequence[FollowSettings]],
    started_seqs: Mapping[int, int],
    query_ids: Mapping[str, int],
) -> list[tuple[Any, ...]]:
    """Return the values of ``_COLUMNS`` for new follows."""
    return [
        (
            digest_id,
            query_ids[follow.query],
            follow.text,
            follow.weight,
            follow.exclude,
            follow.alert,
            query_ids[follow.only] if follow.only else 0,
            started_seqs[digest_id],
            _LEARNED,
        )
        for digest_id, added in new_follows.items()
        for follow in added
    ]


_COLUMNS = (
    "digest_id",
    "query_id",
    "text",
    "weight",
    "exclude",
    "alert",
    "only_query_id",
    "started_seq",
    "learned",
)
_LEARNED = 1.0
"""Learned factor of a follow without opinions."""


def _list_changes(
    new_follows: Mapping[int, Sequence[FollowSettings]],
    changed: Sequence[tuple[Any, FollowSettings]],
    ended: Sequence[Any],
) -> dict[int, FollowChanges]:
    texts: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for digest_id, added in new_follows.items():
        for follow in added:
            texts[digest_id][_name_added(follow)].append(follow.text)
    for row in ended:
        texts[row.digest_id][_name_removed(row)].append(row.text)
    for row, follow in changed:
        if row.exclude != follow.exclude:
            texts[row.digest_id][_name_removed(row)].append(row.text)
            texts[row.digest_id][_name_added(follow)].append(follow.text)
        else:
            columns = [name for name in ("weight", "alert") if getattr(row, name) != getattr(follow, name)]
            texts[row.digest_id]["columns"] += columns
    return {
        digest_id: FollowChanges(**{name: tuple(dict.fromkeys(values)) for name, values in fields.items()})
        for digest_id, fields in sorted(texts.items())
        if any(fields.values())
    }


def _name_added(follow: FollowSettings) -> str:
    return "added_exclusions" if follow.exclude else "added"


def _name_removed(row: Any) -> str:
    return "removed_exclusions" if row.exclude else "removed"


def _to_row(follow: FollowSettings) -> dict[str, Any]:
    return {"text": follow.text, "weight": follow.weight, "exclude": follow.exclude, "alert": follow.alert}


def _is_changed(row: Any, follow: FollowSettings) -> bool:
    return any(getattr(row, name) != value for name, value in _to_row(follow).items())


def _update_rows(tx: Transaction, changed: Sequence[tuple[Any, FollowSettings]]) -> None:
    if changed:
        rows = [_to_row(follow) | {"number": row.id} for row, follow in changed]
        tx.execute(update(follows).where(follows.c.id == bindparam("number")), rows)


def _end_rows(
    tx: Transaction, rows: Sequence[Any], now: datetime, *, are_queries_locked: bool = False
) -> None:
    for chunk in split_into_chunks([row.id for row in rows]):
        tx.execute(update(follows).where(follows.c.id.in_(chunk)).values(ended_at=now))
    if rows:
        matches.release_queries(tx, [row.query_id for row in rows], are_locked=are_queries_locked)
