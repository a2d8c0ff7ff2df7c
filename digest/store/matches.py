"""Which queries fit which events, by blocks of 2,048 seq."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import exists, func, select, update

from digest.store.dialect import put
from digest.store.engine import Transaction
from digest.store.schema import counters, digests, follows, match_blocks, queries, slots

BLOCK = 2048

Seqs = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingQuery:
    """A query that somebody follows.

    Attributes:
        matched_from: every later seq up to ``matched_to`` is matched; None: nothing is.
        needed_from: some digest needs it matched from there on.
    """

    id: int
    text: str
    matched_from: int | None
    needed_from: int


def matched_to(tx: Transaction) -> int:
    """The seq up to which every query is matched."""
    return _counter(tx, lock=False)


def begin_pass(tx: Transaction) -> int:
    """``matched_to``, held until the transaction ends: one pass at a time moves it."""
    return _counter(tx, lock=True)


def _counter(tx: Transaction, *, lock: bool) -> int:
    statement = select(counters.c.value).where(counters.c.name == "matched_to")
    value: int = tx.execute(statement.with_for_update() if lock else statement).scalar_one()
    return value


def standing_queries(tx: Transaction) -> tuple[StandingQuery, ...]:
    """All queries that are followed, with the place from which the earliest digest needs them."""
    start = func.min(func.coalesce(digests.c.from_seq, slots.c.cursor_seq))
    statement = (
        select(queries.c.id, queries.c.text, queries.c.matched_from, start.label("needed_from"))
        .join(follows, follows.c.query_id == queries.c.id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(follows.c.ended_at.is_(None))
        .group_by(queries.c.id, queries.c.text, queries.c.matched_from)
        .order_by(queries.c.id)
    )
    return tuple(
        StandingQuery(id=row.id, text=row.text, matched_from=row.matched_from, needed_from=row.needed_from)
        for row in tx.execute(statement)
    )


def finish_pass(
    tx: Transaction, fits: Mapping[int, Iterable[int]], maybe: Mapping[int, Iterable[int]], upto: int
) -> None:
    """Keep what a pass found, and move ``matched_to``.

    Args:
        tx: the transaction that began the pass.
        fits: query to the seqs it surely or likely fits.
        maybe: query to the seqs it maybe fits.
        upto: everything up to this seq is matched now.
    """
    found: dict[tuple[int, int], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for which, hits in enumerate((fits, maybe)):
        for query, seqs in hits.items():
            for seq in seqs:
                found[query, seq // BLOCK][which].add(seq % BLOCK)
    for row in _rows(tx, {query for query, _ in found}, {block for _, block in found}):
        if (row[0], row[1]) in found:
            found[row[0], row[1]][0].update(row[2])
            found[row[0], row[1]][1].update(row[3])
    rows = [
        {"query_id": query, "block": block, "fits": _packed(sure), "maybe": _packed(perhaps - sure)}
        for (query, block), (sure, perhaps) in sorted(found.items())
    ]
    put(tx, match_blocks, rows, key=("query_id", "block"))
    tx.execute(update(counters).where(counters.c.name == "matched_to").values(value=upto))


def set_matched_from(tx: Transaction, query_ids: Sequence[int], seq: int) -> None:
    """Note that queries are matched from a seq on; one that nobody follows any more is not kept matched."""
    followed = exists().where(follows.c.query_id == queries.c.id, follows.c.ended_at.is_(None))
    if query_ids:
        mine = queries.c.id.in_(query_ids)
        tx.execute(update(queries).where(mine, followed).values(matched_from=seq))


def hits(tx: Transaction, query_ids: Iterable[int], low: int, high: int) -> dict[int, tuple[Seqs, Seqs]]:
    """What queries fit among the events numbered after ``low`` and up to ``high``.

    Returns:
        Query to the seqs it surely or likely fits, and those it maybe fits.
    """
    found: dict[int, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    blocks = range((low + 1) // BLOCK, high // BLOCK + 1)
    for query, block, fits, maybe in _rows(tx, set(query_ids), blocks):
        for which, places in enumerate((fits, maybe)):
            seqs = (block * BLOCK + place for place in places)
            found[query][which].update(seq for seq in seqs if low < seq <= high)
    return {query: (frozenset(fits), frozenset(maybe)) for query, (fits, maybe) in found.items()}


def unmatched(tx: Transaction, slot: int) -> int:
    """How many queries of a slot's digests are not yet matched as far back as they are needed."""
    needed = func.coalesce(digests.c.from_seq, slots.c.cursor_seq)
    statement = (
        select(func.count())
        .select_from(queries)
        .join(follows, follows.c.query_id == queries.c.id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(slots.c.id == slot, follows.c.ended_at.is_(None))
        .where(queries.c.matched_from.is_(None) | (queries.c.matched_from > needed))
    )
    count: int = tx.execute(statement).scalar_one()
    return count


def _rows(
    tx: Transaction, query_ids: set[int], blocks: Iterable[int]
) -> list[tuple[int, int, array[int], array[int]]]:
    wanted, chosen = sorted(query_ids), sorted(set(blocks))
    if not wanted or not chosen:
        return []
    statement = select(match_blocks).where(
        match_blocks.c.query_id.between(wanted[0], wanted[-1]),
        match_blocks.c.block.between(chosen[0], chosen[-1]),
    )
    return [
        (row.query_id, row.block, _unpacked(row.fits), _unpacked(row.maybe))
        for row in tx.execute(statement)
        if row.query_id in query_ids
    ]


def _packed(places: Iterable[int]) -> bytes:
    """Places within a block, ascending, two bytes each, the low one first."""
    return b"".join(place.to_bytes(2, "little") for place in sorted(places))


def _unpacked(data: bytes) -> array[int]:
    return array("H", [data[at] | data[at + 1] << 8 for at in range(0, len(data), 2)])
