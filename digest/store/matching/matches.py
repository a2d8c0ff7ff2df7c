"""Standing queries: which of them somebody follows, how far each is matched, and the events that they fit.

What is needed of a query is kept with it whenever a follow begins or ends, and what changed is found by its
revision: a pass looks through neither follows nor digests. Hits are kept by blocks of 2,048 seq, packed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, case, exists, func, or_, select, update

from digest.core.language.parser import parse
from digest.core.language.query import Or, compile_query
from digest.core.matching.bitmaps import BLOCK_SIZE, MatchBitmaps, decode_matches, encode_matches
from digest.errors import QueryError
from digest.store.database.dialect import (
    add_missing,
    fetch_raw_rows,
    insert_or_update,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.digest_tables import counters, digests, follows, match_blocks, queries, slots
from digest.store.database.engine import Transaction, get_highest_seq

_MATCHED_COUNTER, _REVISION_COUNTER = "matched_to", "query"


# --- who is followed ------------------------------------------------------------------------------


def require_queries(tx: Transaction, starts: Mapping[str, int]) -> dict[str, int]:
    """Note that follows of queries begin, or still go on.

    Args:
        tx: a writing transaction.
        starts: by canonical text, the seq after which somebody needs it matched.

    Returns:
        The queries' numbers, by text.

    Raises:
        QueryError: one that is new cannot be read.
    """
    rows = _load_by_text(tx, starts)
    new_texts = sorted(starts.keys() - rows)
    if new_texts:
        add_missing(
            tx, queries, [{"text": text, "compiled": compile_query(parse(text))} for text in new_texts]
        )
        rows |= _load_by_text(tx, new_texts)
    started_ids = [rows[text].id for text in starts if rows[text].needed_from is None]
    earlier = [
        {"number": rows[text].id, "start": start}
        for text, start in starts.items()
        if rows[text].needed_from is None or rows[text].needed_from > start
    ]
    if earlier:
        is_earlier = or_(queries.c.needed_from.is_(None), queries.c.needed_from > bindparam("start"))
        needed_from = case((is_earlier, bindparam("start")), else_=queries.c.needed_from)
        statement = update(queries).where(queries.c.id == bindparam("number")).values(needed_from=needed_from)
        tx.execute(statement, earlier)
    assign_revision(tx, started_ids)
    return {text: row.id for text, row in rows.items()}


def release_queries(tx: Transaction, query_ids: Iterable[int]) -> None:
    """Note that follows of queries have ended; those that nobody follows any more are not kept matched.

    Args:
        tx: the transaction in which the follows ended.
        query_ids: of these follows; others may still follow the same.
    """
    is_followed = exists().where(follows.c.query_id == queries.c.id, follows.c.ended_at.is_(None))
    released_ids: list[int] = []
    for chunk in split_into_chunks(sorted(set(query_ids))):
        conditions = queries.c.id.in_(chunk), queries.c.needed_from.is_not(None), ~is_followed
        released_ids += tx.execute(select(queries.c.id).where(*conditions)).scalars()
    for chunk in split_into_chunks(released_ids):
        reset_values = {"needed_from": None, "matched_from": None}
        tx.execute(update(queries).where(queries.c.id.in_(chunk)).values(reset_values))
    assign_revision(tx, released_ids)


def _load_by_text(tx: Transaction, texts: Iterable[str]) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    columns = select(queries.c.id, queries.c.text, queries.c.needed_from)
    for chunk in split_into_chunks(sorted(texts)):
        rows.update({row.text: row for row in tx.execute(columns.where(queries.c.text.in_(chunk)))})
    return rows


def assign_revision(tx: Transaction, query_ids: Sequence[int]) -> None:
    """Give queries that changed a new revision; the counter is held, so revisions are in commit order."""
    if not query_ids:
        return
    statement = (
        update(counters).where(counters.c.name == _REVISION_COUNTER).values(value=counters.c.value + 1)
    )
    tx.execute(statement)
    for chunk in split_into_chunks(query_ids):
        tx.execute(update(queries).where(queries.c.id.in_(chunk)).values(revision=read_revision(tx)))


# --- which queries there are ----------------------------------------------------------------------


class QueryChange(NamedTuple):
    """A query that changed.

    Attributes:
        compiled: "" where it is to be read anew from its text.
        is_followed: somebody follows it.
    """

    number: int
    text: str
    compiled: str
    is_followed: bool


def read_revision(tx: Transaction) -> int:
    """The revision of the query that changed last."""
    return _read_counter(tx, _REVISION_COUNTER, lock=False)


def iter_changes(
    tx: Transaction, since: int | None, first_id: int = 0, last_id: int | None = None
) -> Iterator[QueryChange]:
    """The queries that changed, by number.

    Args:
        tx: a transaction.
        since: after this revision; None for all that somebody follows.
        first_id: only those numbered from here.
        last_id: only those numbered up to here.
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
"""A million rows are not held at once, by a server's driver either."""


def list_ranges(tx: Transaction, max_followed: int) -> list[tuple[int, int]]:
    """Ranges of numbers that hold all queries, in each of which somebody follows so many at most."""
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
    """A query compiled from its canonical text; one that this release cannot read any more fits nothing."""
    try:
        return compile_query(parse(text))
    except QueryError:
        return compile_query(Or(queries=()))


def save_compiled(tx: Transaction, compiled_by_id: Mapping[int, str]) -> None:
    """Keep queries as they were read anew, so that nobody has to do it again."""
    rows = [{"number": number, "form": form} for number, form in sorted(compiled_by_id.items())]
    if rows:
        statement = update(queries).where(queries.c.id == bindparam("number"))
        tx.execute(statement.values(compiled=bindparam("form")), rows)


# --- how far they are matched ---------------------------------------------------------------------


class LaggingQuery(NamedTuple):
    """A query that is not matched as far back as somebody needs it.

    Attributes:
        matched_from: every later seq up to ``matched_to`` is matched; None: nothing is.
        needed_from: somebody needs it from there on.
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
"""As the index ``ix_queries_behind`` has it."""


def read_matched_to(tx: Transaction) -> int:
    """The seq up to which every query is matched."""
    return _read_counter(tx, _MATCHED_COUNTER, lock=False)


def list_lagging(tx: Transaction, limit: int) -> tuple[LaggingQuery, ...]:
    """The first queries that are not matched as far back as somebody needs them; so many at most."""
    names = ("id", "text", "compiled", "matched_from", "needed_from")
    statement = select(*(queries.c[name] for name in names)).where(*_IS_LAGGING)
    return tuple(LaggingQuery(*row) for row in tx.execute(statement.order_by(queries.c.id).limit(limit)))


def has_lagging(tx: Transaction, query_ids: Select[tuple[int]]) -> bool:
    """Whether one of the queries that a statement selects is not matched as far back as somebody needs it."""
    statement = select(queries.c.id).where(*_IS_LAGGING, queries.c.id.in_(query_ids))
    return tx.execute(statement.limit(1)).first() is not None


def count_unmatched(tx: Transaction, slot: int) -> int:
    """How many queries of a slot's digests are not yet matched as far back as these need them."""
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


# --- keeping what fits ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockMatches:
    """The events of a block that a query fits, or those of them that were looked at; packed by place."""

    query: int
    block: int
    packed: bytes


def begin_pass(tx: Transaction) -> int:
    """``matched_to``, held until the transaction ends: one pass at a time moves it."""
    return _read_counter(tx, _MATCHED_COUNTER, lock=True)


def skip_unneeded(tx: Transaction) -> None:
    """Move ``matched_to`` to where somebody first needs anything: what lies before it is matched for nobody.

    Who needs it later is behind, as with any follow that begins further back.

    Args:
        tx: a planning transaction: nobody begins to follow anything meanwhile.
    """
    highest = get_highest_seq(tx)
    first_needed: int | None = tx.execute(select(func.min(queries.c.needed_from))).scalar()
    start = highest if first_needed is None else min(first_needed, highest)
    if start > begin_pass(tx):
        tx.execute(update(queries).where(queries.c.matched_from.is_not(None)).values(matched_from=None))
        tx.execute(update(counters).where(counters.c.name == _MATCHED_COUNTER).values(value=start))


def finish_pass(tx: Transaction, matches: Iterable[BlockMatches], to_seq: int, revision: int) -> None:
    """Keep what a pass found, and move ``matched_to``.

    Args:
        tx: the transaction that began the pass.
        matches: what it found; the same again changes nothing.
        to_seq: everything up to this seq is matched now.
        revision: the revision of the queries that it knew: those that changed since are to be matched once more.
    """
    _save_hits(tx, matches)
    is_outdated = queries.c.revision > revision, queries.c.matched_from.is_not(None)
    tx.execute(update(queries).where(*is_outdated).values(matched_from=None))
    tx.execute(update(counters).where(counters.c.name == _MATCHED_COUNTER).values(value=to_seq))


def record_backfill(
    tx: Transaction, query_ids: Sequence[int], matches: Iterable[BlockMatches], seq: int, revision: int
) -> None:
    """Keep what was found further back, and note from where on queries are matched now.

    Args:
        tx: the transaction that began a pass, at the place up to which they were matched.
        query_ids: the queries.
        matches: what was found.
        seq: everything after it is matched now.
        revision: the revision at which they were read: who was left by its last follow since, is not kept matched.
    """
    _save_hits(tx, matches)
    is_later = or_(queries.c.matched_from.is_(None), queries.c.matched_from > seq)
    conditions = queries.c.needed_from.is_not(None), queries.c.revision <= revision, is_later
    for chunk in split_into_chunks(query_ids):
        tx.execute(update(queries).where(queries.c.id.in_(chunk), *conditions).values(matched_from=seq))


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
    """The hits of both, where what is surer counts; those of a later pass stand behind what is there."""
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


# --- reading --------------------------------------------------------------------------------------


def load_hits(tx: Transaction, query_ids: Iterable[int], after: int, to_seq: int) -> dict[int, MatchBitmaps]:
    """The events numbered after ``after`` and up to ``to_seq`` that queries fit.

    Returns:
        Rows of bits by query, the event after ``after`` lowest; nothing for a query that fits none of them.
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
    """Those of the queries that a statement selects that fit an event after ``after`` and up to ``to_seq``."""
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
