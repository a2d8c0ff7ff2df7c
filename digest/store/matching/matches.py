"""Standing queries: which are followed, how far each is matched, and the events that they match.

Each query stores from where it has to be matched, updated whenever a follow begins or ends, and changed
queries are found by their revision; so a pass reads neither follows nor digests. Matches are stored in packed
blocks of 2,048 seqs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, case, exists, func, or_, select, update

from digest.core.language.parser import parse
from digest.core.language.query import Or, compile_query
from digest.core.matching.bitmaps import BLOCK_SIZE, MatchBitmaps, decode_matches, encode_matches
from digest.core.subscribers.library.queries import make_library_query
from digest.errors import QueryError
from digest.store.database.bulk import allocate_ids, insert_missing_bulk
from digest.store.database.dialect import (
    execute_raw,
    fetch_raw_rows,
    has_row_locks,
    insert_or_update,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.database.tables.digests import counters, digests, follows, match_blocks, queries, slots

_MATCHED_COUNTER, _REVISION_COUNTER = "matched_to", "query"


# --- followed queries -----------------------------------------------------------------------------


def require_queries(
    tx: Transaction, starts: Mapping[str, int], *, are_locked: bool = False
) -> dict[str, int]:
    """Mark queries as followed, and create those that are new.

    Args:
        tx: a writing transaction.
        starts: by canonical text, the seq after which the query has to be matched.
        are_locked: whether the transaction has locked them (``lock_queries``).

    Returns:
        The numbers of the queries by text.

    Raises:
        QueryError: the text of a new query is invalid.
    """
    rows, new_ids = _insert_missing(tx, starts)
    if rows and has_row_locks(tx) and not are_locked:
        rows = _lock_required(tx, starts, rows)
    started_ids = [row.id for row in rows.values() if row.needed_from is None]
    earlier = [{"number": row.id, "start": starts[row.text]} for row in _list_earlier(rows, starts)]
    if earlier:
        is_earlier = or_(queries.c.needed_from.is_(None), queries.c.needed_from > bindparam("start"))
        needed_from = case((is_earlier, bindparam("start")), else_=queries.c.needed_from)
        statement = update(queries).where(queries.c.id == bindparam("number")).values(needed_from=needed_from)
        tx.execute(statement, earlier)
    assign_revision(tx, [*started_ids, *new_ids.values()])
    return new_ids | {text: row.id for text, row in rows.items()}


def lock_queries(tx: Transaction, texts: Collection[str], query_ids: Collection[int] = ()) -> None:
    """Lock queries until the transaction ends, so that no other one begins or ends to follow them.

    A transaction that calls ``require_queries`` or ``release_queries`` several times, or both, locks all queries
    by one call before, because each of the two ends with a lock that comes after those of queries.

    Args:
        tx: a writing transaction.
        texts: canonical texts; queries that are new are created.
        query_ids: the numbers of other queries.

    Raises:
        QueryError: the text of a new query is invalid.
    """
    if has_row_locks(tx):
        rows, _ = _insert_missing(tx, dict.fromkeys(texts))
        _lock_rows(tx, {*(row.id for row in rows.values()), *query_ids})


def _lock_rows(
    tx: Transaction, query_ids: Collection[int], *, is_shared: bool = False
) -> dict[str, _StoredQuery]:
    """Lock queries in the order of their numbers, in which everybody does; return them by text."""
    statement = _SHARE_BY_ID if is_shared else _LOCK_BY_ID
    rows = fetch_raw_rows(tx, statement, {"numbers": to_in_param(tx, query_ids)}) if query_ids else ()
    return {row[1]: _StoredQuery(*row) for row in rows}


_COLUMNS = select(queries.c.id, queries.c.text, queries.c.needed_from)
_SELECT_BY_ID = _COLUMNS.where(make_in_condition(queries.c.id, "numbers")).order_by(queries.c.id)
_LOCK_BY_ID = _SELECT_BY_ID.with_for_update(key_share=True)
_SHARE_BY_ID = _SELECT_BY_ID.with_for_update(read=True)


def _insert_missing(
    tx: Transaction, starts: Mapping[str, int | None]
) -> tuple[dict[str, _StoredQuery], dict[str, int]]:
    """Create the queries that are new.

    Args:
        tx: a writing transaction.
        starts: by canonical text, the seq after which a new query has to be matched; None if it is not followed yet.

    Returns:
        Those that existed before, or that another transaction has created meanwhile, and the numbers of the new ones;
        both by text. Nobody else sees or locks the new ones before this transaction ends.
    """
    rows = _load_by_text(tx, starts)
    new_ids = _insert_new(tx, {text: start for text, start in sorted(starts.items()) if text not in rows})
    return rows | _load_by_text(tx, starts.keys() - rows.keys() - new_ids.keys()), new_ids


def _insert_new(tx: Transaction, starts: Mapping[str, int | None]) -> dict[str, int]:
    """Create queries, and return the numbers of those that no other transaction has created meanwhile.

    Everybody creates them in the order of their texts, because whoever creates the same one waits.
    """
    if not starts:
        return {}
    compiled_texts = list(map(_compile_new, starts))
    ids = allocate_ids(tx, queries, len(starts))
    rows = [
        (query_id, text, compiled, start, 0)
        for query_id, (text, start), compiled in zip(ids, starts.items(), compiled_texts, strict=True)
    ]
    if insert_missing_bulk(tx, queries, _NEW_COLUMNS, rows) == len(rows):
        return dict(zip(starts, ids, strict=True))
    own_ids = set(ids)
    return {text: row.id for text, row in _load_by_text(tx, starts).items() if row.id in own_ids}


_NEW_COLUMNS = ("id", "text", "compiled", "needed_from", "revision")


def _lock_required(
    tx: Transaction, starts: Mapping[str, int], rows: dict[str, _StoredQuery]
) -> dict[str, _StoredQuery]:
    """Lock queries, and return them by text as they are now.

    Most are matched far enough back already. These need no change, so their followers share the lock, which only
    keeps others from releasing them.
    """
    query_ids = {row.id for row in rows.values()}
    if not _list_earlier(rows, starts):
        savepoint = tx.begin_nested()
        rows = _lock_rows(tx, query_ids, is_shared=True)
        if not _list_earlier(rows, starts):
            savepoint.commit()
            return rows
        savepoint.rollback()  # somebody has released one: of two who share the lock, neither could change it
    return _lock_rows(tx, query_ids)


def _list_earlier(rows: Mapping[str, _StoredQuery], starts: Mapping[str, int]) -> list[_StoredQuery]:
    """Return the queries that have to be matched further back, in the order of their numbers."""
    earlier = [row for text, row in rows.items() if row.needed_from is None or row.needed_from > starts[text]]
    return sorted(earlier, key=attrgetter("id"))


def _compile_new(text: str) -> str:
    return compile_query(make_library_query(text) or parse(text))


def release_queries(tx: Transaction, query_ids: Iterable[int], *, are_locked: bool = False) -> None:
    """Stop matching those of some queries that nobody follows any more.

    Args:
        tx: the transaction in which follows of these queries ended.
        query_ids: the queries; some may still have other follows.
        are_locked: whether the transaction has locked them (``lock_queries``).
    """
    is_followed = exists().where(follows.c.query_id == queries.c.id, follows.c.ended_at.is_(None))
    released_ids: list[int] = []
    ordered_ids = sorted(set(query_ids))
    if has_row_locks(tx) and not are_locked:
        _lock_rows(tx, ordered_ids)  # whoever begins to follow one has been waited for, and is seen below
    for chunk in split_into_chunks(ordered_ids):
        conditions = queries.c.id.in_(chunk), queries.c.needed_from.is_not(None), ~is_followed
        released_ids += tx.execute(select(queries.c.id).where(*conditions)).scalars()
    for chunk in split_into_chunks(released_ids):
        reset_values = {"needed_from": None, "matched_from": None}
        tx.execute(update(queries).where(queries.c.id.in_(chunk)).values(reset_values))
    assign_revision(tx, released_ids)


def load_texts(tx: Transaction, query_ids: Iterable[int]) -> dict[int, str]:
    """Return the canonical texts of queries."""
    texts: dict[int, str] = {}
    for chunk in split_into_chunks(sorted(set(query_ids))):
        rows = tx.execute(select(queries.c.id, queries.c.text).where(queries.c.id.in_(chunk)))
        texts.update((row.id, row.text) for row in rows)
    return texts


class _StoredQuery(NamedTuple):
    id: int
    text: str
    needed_from: int | None


def _load_by_text(tx: Transaction, texts: Collection[str]) -> dict[str, _StoredQuery]:
    if not texts:
        return {}
    rows = fetch_raw_rows(tx, _SELECT_BY_TEXT, {"texts": to_in_param(tx, texts)})
    return {row[1]: _StoredQuery(*row) for row in rows}


_SELECT_BY_TEXT = _COLUMNS.where(make_in_condition(queries.c.text, "texts"))


def assign_revision(tx: Transaction, query_ids: Sequence[int]) -> None:
    """Give changed queries a new revision. The counter stays locked until the commit, so revisions are in commit order."""
    if not query_ids:
        return
    is_counter = counters.c.name == _REVISION_COUNTER
    tx.execute(update(counters).where(is_counter).values(value=counters.c.value + 1))
    params = {"numbers": to_in_param(tx, query_ids), "new_revision": read_revision(tx)}
    execute_raw(tx, _UPDATE_REVISIONS, params)


_UPDATE_REVISIONS = (
    update(queries)
    .where(make_in_condition(queries.c.id, "numbers"))
    .values(revision=bindparam("new_revision"))
)


# --- changes --------------------------------------------------------------------------------------


class QueryChange(NamedTuple):
    """Query that changed.

    Attributes:
        compiled: "" if the text has to be parsed again.
        is_followed: whether anybody follows it.
    """

    number: int
    text: str
    compiled: str
    is_followed: bool


def read_revision(tx: Transaction) -> int:
    """Return the latest revision of all queries."""
    return _read_counter(tx, _REVISION_COUNTER, lock=False)


def iter_changes(
    tx: Transaction, since: int | None, first_id: int = 0, last_id: int | None = None
) -> Iterator[QueryChange]:
    """Yield the queries that changed, in order of their numbers.

    Args:
        tx: a transaction.
        since: return changes after this revision; None returns all queries that are followed.
        first_id: the lowest query number.
        last_id: the highest query number; None for no limit.
    """
    is_followed = queries.c.needed_from.is_not(None)
    conditions = [is_followed if since is None else queries.c.revision > since, queries.c.id >= first_id]
    if last_id is not None:
        conditions.append(queries.c.id <= last_id)
    statement = select(queries.c.id, queries.c.text, queries.c.compiled, is_followed)
    rows = tx.execute(
        statement.where(*conditions).order_by(queries.c.id), execution_options=_STREAMING_OPTIONS
    )
    for row in rows:
        yield QueryChange(row[0], row[1], row[2], bool(row[3]))


_STREAMING_OPTIONS = {"yield_per": 10_000}
"""Batch size, in rows, so that neither SQLAlchemy nor the driver has a million rows in memory at once."""


def list_ranges(tx: Transaction, max_followed: int) -> list[tuple[int, int]]:
    """Split all query numbers into ranges, each with at most ``max_followed`` queries that are followed."""
    highest_id: int = tx.execute(select(func.max(queries.c.id))).scalar() or 0
    followed_ids = select(queries.c.id).where(queries.c.needed_from.is_not(None)).order_by(queries.c.id)
    id_ranges: list[tuple[int, int]] = []
    first = 1
    while first <= highest_id:
        statement = followed_ids.where(queries.c.id >= first).offset(max_followed - 1).limit(1)
        last: int = tx.execute(statement).scalar() or highest_id
        id_ranges.append((first, last))
        first = last + 1
    return id_ranges


def compile_text(text: str) -> str:
    """Compile a query from its canonical text; one that this release cannot parse matches nothing."""
    try:
        return compile_query(parse(text))
    except QueryError:
        return compile_query(Or(queries=()))


def save_compiled(tx: Transaction, compiled_by_id: Mapping[int, str]) -> None:
    """Store the compiled form of queries that had to be parsed again."""
    rows = [{"number": number, "form": form} for number, form in sorted(compiled_by_id.items())]
    if rows:
        statement = update(queries).where(queries.c.id == bindparam("number"))
        tx.execute(statement.values(compiled=bindparam("form")), rows)


# --- progress of matching -------------------------------------------------------------------------


class LaggingQuery(NamedTuple):
    """Query that is not matched as far back as a digest needs it.

    Attributes:
        matched_from: the query is matched after this seq, up to ``matched_to``; None if it is not matched at
            all.
        needed_from: a digest needs it matched after this seq.
    """

    number: int
    text: str
    compiled: str
    matched_from: int | None
    needed_from: int


_IS_LAGGING = (
    queries.c.needed_from.is_not(None),
    or_(queries.c.matched_from.is_(None), queries.c.needed_from < queries.c.matched_from),
)
"""Condition of the index ``ix_queries_behind``."""


def read_matched_to(tx: Transaction) -> int:
    """Return the seq up to which every query is matched."""
    return _read_counter(tx, _MATCHED_COUNTER, lock=False)


def list_lagging(tx: Transaction, limit: int) -> tuple[LaggingQuery, ...]:
    """Return the first ``limit`` queries that are not matched as far back as they are needed."""
    names = ("id", "text", "compiled", "matched_from", "needed_from")
    statement = select(*(queries.c[name] for name in names)).where(*_IS_LAGGING)
    return tuple(LaggingQuery(*row) for row in tx.execute(statement.order_by(queries.c.id).limit(limit)))


def list_lagging_of(tx: Transaction, digest_id: int, limit: int) -> tuple[LaggingQuery, ...]:
    """Return those of the queries that a digest follows that are not matched as far back as they are needed."""
    followed = select(follows.c.query_id).where(
        follows.c.digest_id == digest_id, follows.c.ended_at.is_(None)
    )
    names = ("id", "text", "compiled", "matched_from", "needed_from")
    statement = select(*(queries.c[name] for name in names)).where(*_IS_LAGGING, queries.c.id.in_(followed))
    return tuple(LaggingQuery(*row) for row in tx.execute(statement.order_by(queries.c.id).limit(limit)))


def has_lagging(tx: Transaction, query_ids: Select[tuple[int]]) -> bool:
    """Whether any query that a statement selects is not matched as far back as it is needed."""
    statement = select(queries.c.id).where(*_IS_LAGGING, queries.c.id.in_(query_ids))
    return tx.execute(statement.limit(1)).first() is not None


def has_unmatched(tx: Transaction) -> bool:
    """Whether there are events that are not matched, or queries that are not matched as far back as they are needed."""
    if read_matched_to(tx) < get_highest_seq(tx):
        return True
    return tx.execute(select(queries.c.id).where(*_IS_LAGGING).limit(1)).first() is not None


def count_unmatched(tx: Transaction, slot: int) -> int:
    """Count the queries of a slot's digests that are not yet matched as far back as these digests need them."""
    if tx.execute(select(queries.c.id).where(*_IS_LAGGING).limit(1)).first() is None:
        return 0
    needed_from = func.coalesce(digests.c.from_seq, slots.c.cursor_seq)
    statement = (
        select(func.count(queries.c.id.distinct()))
        .select_from(queries)
        .join(follows, follows.c.query_id == queries.c.id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(*_IS_LAGGING, slots.c.id == slot, follows.c.ended_at.is_(None))
        .where(queries.c.matched_from.is_(None) | (queries.c.matched_from > needed_from))
    )
    count: int = tx.execute(statement).scalar_one()
    return count


# --- writing matches ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockMatches:
    """Matches of a query in a block of events, or in the part of it that was examined; packed in order of position."""

    query: int
    block: int
    packed: bytes


def begin_pass(tx: Transaction) -> int:
    """Return ``matched_to`` and lock it until the transaction ends, so that only one pass at a time moves it."""
    return _read_counter(tx, _MATCHED_COUNTER, lock=True)


def skip_unneeded(tx: Transaction) -> None:
    """Move ``matched_to`` forward to the first event that any digest needs; nobody needs matches before it.

    A digest that needs an earlier event later makes its queries lag, like any follow that begins further
    back.

    Args:
        tx: a writing transaction.
    """
    matched_seq = begin_pass(tx)
    highest = get_highest_seq(tx)
    first_needed: int | None = tx.execute(select(func.min(queries.c.needed_from))).scalar()
    start = highest if first_needed is None else min(first_needed, highest)
    if start > matched_seq:
        _lock_where(tx, queries.c.matched_from.is_not(None))
        tx.execute(update(queries).where(queries.c.matched_from.is_not(None)).values(matched_from=None))
        tx.execute(update(counters).where(counters.c.name == _MATCHED_COUNTER).values(value=start))


def finish_pass(tx: Transaction, matches: Iterable[BlockMatches], to_seq: int, revision: int) -> None:
    """Store the matches of a pass, and move ``matched_to``.

    Args:
        tx: the transaction that began the pass.
        matches: the matches; storing the same ones again changes nothing.
        to_seq: everything up to this seq is matched now.
        revision: the revision of the queries that the pass used; queries that changed since are matched
            again.
    """
    _save_hits(tx, matches)
    is_outdated = queries.c.revision > revision, queries.c.matched_from.is_not(None)
    _lock_where(tx, *is_outdated)
    tx.execute(update(queries).where(*is_outdated).values(matched_from=None))
    tx.execute(update(counters).where(counters.c.name == _MATCHED_COUNTER).values(value=to_seq))


def record_backfill(
    tx: Transaction, query_ids: Sequence[int], matches: Iterable[BlockMatches], seq: int, revision: int
) -> None:
    """Store matches of earlier events, and record how far back the queries are matched now.

    Args:
        tx: the transaction that began a pass, at the seq up to which the queries were matched.
        query_ids: the queries.
        matches: the matches.
        seq: everything after it is matched now.
        revision: the revision at which the queries were read; queries that changed since are not marked as
            matched.
    """
    _save_hits(tx, matches)
    is_later = or_(queries.c.matched_from.is_(None), queries.c.matched_from > seq)
    conditions = queries.c.needed_from.is_not(None), queries.c.revision <= revision, is_later
    if has_row_locks(tx):
        _lock_rows(tx, query_ids)
    for chunk in split_into_chunks(query_ids):
        tx.execute(update(queries).where(queries.c.id.in_(chunk), *conditions).values(matched_from=seq))


def _lock_where(tx: Transaction, *conditions: ColumnElement[bool]) -> None:
    """Lock the queries that meet conditions, in the order of their numbers."""
    if has_row_locks(tx):
        statement = select(queries.c.id).where(*conditions).order_by(queries.c.id)
        tx.execute(statement.with_for_update(key_share=True)).all()


def _save_hits(tx: Transaction, matches: Iterable[BlockMatches]) -> None:
    by_block: dict[int, dict[int, bytes]] = defaultdict(dict)
    for match in matches:
        by_block[match.block][match.query] = match.packed
    for block, packed in sorted(by_block.items()):
        stored = {query: hits for query, _, hits in _fetch_blocks(tx, packed, block, block)}
        rows = [
            {
                "query_id": query,
                "block": block,
                "hits": _merge_hits(stored[query], new) if query in stored else new,
            }
            for query, new in sorted(packed.items())
        ]
        insert_or_update(tx, match_blocks, rows, key=("query_id", "block"))


def _merge_hits(earlier: bytes, later: bytes) -> bytes:
    """Merge two packed lists of matches; for the same event the higher confidence counts.

    The matches of a later pass usually come after the stored ones and are appended without decoding.
    """
    if _get_position(earlier[-2:]) < _get_position(later[:2]):
        return earlier + later
    return encode_matches(
        MatchBitmaps(
            *(
                left | right
                for left, right in zip(decode_matches(earlier), decode_matches(later), strict=True)
            )
        )
    )


def _get_position(hit: bytes) -> int:
    return int.from_bytes(hit, "little") % BLOCK_SIZE


# --- reading matches ------------------------------------------------------------------------------


def load_hits(tx: Transaction, query_ids: Iterable[int], after: int, to_seq: int) -> dict[int, MatchBitmaps]:
    """Return the matches of queries among the events after ``after`` and up to ``to_seq``.

    Returns:
        Bitmaps by query, with the event after ``after`` in the lowest bit; queries without a match are
        omitted.
    """
    first, last = (after + 1) // BLOCK_SIZE, to_seq // BLOCK_SIZE
    window_mask = (1 << max(0, to_seq - after)) - 1
    hits_by_query: dict[int, MatchBitmaps] = {}
    for query, block, packed in _fetch_blocks(tx, query_ids, first, last):
        query_hits = _shift_hits(decode_matches(packed), block * BLOCK_SIZE - after - 1, window_mask)
        if query in hits_by_query:
            query_hits = MatchBitmaps(
                *(left | right for left, right in zip(hits_by_query[query], query_hits, strict=True))
            )
        if query_hits.maybe:
            hits_by_query[query] = query_hits
    return hits_by_query


def list_matching(tx: Transaction, query_ids: Select[tuple[int]], after: int, to_seq: int) -> frozenset[int]:
    """Return the queries, of those that a statement selects, that match an event after ``after`` and up to ``to_seq``."""
    window_mask = (1 << max(0, to_seq - after)) - 1
    columns = select(match_blocks.c.query_id, match_blocks.c.block, match_blocks.c.hits)
    statement = columns.where(match_blocks.c.block.between((after + 1) // BLOCK_SIZE, to_seq // BLOCK_SIZE))
    return frozenset(
        query
        for query, block, packed in tx.execute(statement.where(match_blocks.c.query_id.in_(query_ids)))
        if _shift_hits(decode_matches(packed), block * BLOCK_SIZE - after - 1, window_mask).maybe
    )


def _shift_hits(hits: MatchBitmaps, distance: int, window_mask: int) -> MatchBitmaps:
    if distance < 0:
        return MatchBitmaps(*(bitmap >> -distance & window_mask for bitmap in hits))
    return MatchBitmaps(*(bitmap << distance & window_mask for bitmap in hits))


def _fetch_blocks(
    tx: Transaction, query_ids: Iterable[int], first_block: int, last_block: int
) -> Iterator[Sequence[Any]]:
    for chunk in split_into_chunks(sorted(set(query_ids))):
        params = {"first": first_block, "last": last_block, "queries": to_in_param(tx, chunk)}
        yield from fetch_raw_rows(tx, _select_blocks(), params)


@cache
def _select_blocks() -> Select[Any]:
    columns = select(match_blocks.c.query_id, match_blocks.c.block, match_blocks.c.hits)
    is_in_range = match_blocks.c.block.between(bindparam("first"), bindparam("last"))
    return columns.where(is_in_range, make_in_condition(match_blocks.c.query_id, "queries"))


def _read_counter(tx: Transaction, name: str, *, lock: bool) -> int:
    statement = select(counters.c.value).where(counters.c.name == name)
    value: int = tx.execute(statement.with_for_update() if lock else statement).scalar_one()
    return value
