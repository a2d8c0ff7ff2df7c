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
from digest.core.language.query import Or, compiled
from digest.core.matching.bitmaps import BLOCK, Hits, pack, unpack
from digest.errors import QueryError
from digest.store.database.dialect import add_missing, all_as_kept, among, chunks, put, rows_as_kept
from digest.store.database.digest_tables import counters, digests, follows, match_blocks, queries, slots
from digest.store.database.engine import Transaction, highest_seq

_MATCHED, _REVISION = "matched_to", "query"


# --- who is followed ------------------------------------------------------------------------------


def want(tx: Transaction, starts: Mapping[str, int]) -> dict[str, int]:
    """Note that follows of queries begin, or still go on.

    Args:
        tx: a writing transaction.
        starts: by canonical text, the seq after which somebody needs it matched.

    Returns:
        The queries' numbers, by text.

    Raises:
        QueryError: one that is new cannot be read.
    """
    known = _by_text(tx, starts)
    fresh = sorted(starts.keys() - known)
    if fresh:
        add_missing(tx, queries, [{"text": text, "compiled": compiled(parse(text))} for text in fresh])
        known |= _by_text(tx, fresh)
    begun = [known[text].id for text in starts if known[text].needed_from is None]
    earlier = [
        {"number": known[text].id, "start": start}
        for text, start in starts.items()
        if known[text].needed_from is None or known[text].needed_from > start
    ]
    if earlier:
        later = or_(queries.c.needed_from.is_(None), queries.c.needed_from > bindparam("start"))
        needed = case((later, bindparam("start")), else_=queries.c.needed_from)
        change = update(queries).where(queries.c.id == bindparam("number")).values(needed_from=needed)
        tx.execute(change, earlier)
    revise(tx, begun)
    return {text: row.id for text, row in known.items()}


def unwanted(tx: Transaction, query_ids: Iterable[int]) -> None:
    """Note that follows of queries have ended; those that nobody follows any more are not kept matched.

    Args:
        tx: the transaction in which the follows ended.
        query_ids: of these follows; others may still follow the same.
    """
    followed = exists().where(follows.c.query_id == queries.c.id, follows.c.ended_at.is_(None))
    left: list[int] = []
    for chunk in chunks(sorted(set(query_ids))):
        ended = queries.c.id.in_(chunk), queries.c.needed_from.is_not(None), ~followed
        left += tx.execute(select(queries.c.id).where(*ended)).scalars()
    for chunk in chunks(left):
        nobody = {"needed_from": None, "matched_from": None}
        tx.execute(update(queries).where(queries.c.id.in_(chunk)).values(nobody))
    revise(tx, left)


def _by_text(tx: Transaction, texts: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    columns = select(queries.c.id, queries.c.text, queries.c.needed_from)
    for chunk in chunks(sorted(texts)):
        found.update({row.text: row for row in tx.execute(columns.where(queries.c.text.in_(chunk)))})
    return found


def revise(tx: Transaction, query_ids: Sequence[int]) -> None:
    """Give queries that changed a new revision; the counter is held, so revisions are in commit order."""
    if not query_ids:
        return
    counter = update(counters).where(counters.c.name == _REVISION).values(value=counters.c.value + 1)
    tx.execute(counter)
    for chunk in chunks(query_ids):
        tx.execute(update(queries).where(queries.c.id.in_(chunk)).values(revision=revision(tx)))


# --- which queries there are ----------------------------------------------------------------------


class Change(NamedTuple):
    """A query that changed.

    Attributes:
        compiled: "" where it is to be read anew from its text.
        wanted: somebody follows it.
    """

    number: int
    text: str
    compiled: str
    wanted: bool


def revision(tx: Transaction) -> int:
    """The revision of the query that changed last."""
    return _counter(tx, _REVISION, lock=False)


def changes(tx: Transaction, since: int | None, low: int = 0, high: int | None = None) -> Iterator[Change]:
    """The queries that changed, by number.

    Args:
        tx: a transaction.
        since: after this revision; None for all that somebody follows.
        low: only those numbered from here.
        high: only those numbered up to here.
    """
    wanted = queries.c.needed_from.is_not(None)
    chosen = [wanted if since is None else queries.c.revision > since, queries.c.id >= low]
    if high is not None:
        chosen.append(queries.c.id <= high)
    statement = select(queries.c.id, queries.c.text, queries.c.compiled, wanted)
    rows = tx.execute(statement.where(*chosen).order_by(queries.c.id), execution_options=_IN_PARTS)
    for row in rows:
        yield Change(row[0], row[1], row[2], bool(row[3]))


_IN_PARTS = {"yield_per": 10_000}
"""A million rows are not held at once, by a server's driver either."""


def ranges(tx: Transaction, most: int) -> list[tuple[int, int]]:
    """Ranges of numbers that hold all queries, in each of which somebody follows so many at most."""
    highest: int = tx.execute(select(func.max(queries.c.id))).scalar() or 0
    followed = select(queries.c.id).where(queries.c.needed_from.is_not(None)).order_by(queries.c.id)
    found: list[tuple[int, int]] = []
    low = 1
    while low <= highest:
        full = followed.where(queries.c.id >= low).offset(most - 1).limit(1)
        last: int = tx.execute(full).scalar() or highest
        found.append((low, last))
        low = last + 1
    return found


def compiled_anew(text: str) -> str:
    """A query compiled from its canonical text; one that this release cannot read any more fits nothing."""
    try:
        return compiled(parse(text))
    except QueryError:
        return compiled(Or(queries=()))


def keep_compiled(tx: Transaction, made: Mapping[int, str]) -> None:
    """Keep queries as they were read anew, so that nobody has to do it again."""
    rows = [{"number": number, "form": form} for number, form in sorted(made.items())]
    if rows:
        change = update(queries).where(queries.c.id == bindparam("number"))
        tx.execute(change.values(compiled=bindparam("form")), rows)


# --- how far they are matched ---------------------------------------------------------------------


class Behind(NamedTuple):
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


_BEHIND = (
    queries.c.needed_from.is_not(None),
    or_(queries.c.matched_from.is_(None), queries.c.needed_from < queries.c.matched_from),
)
"""As the index ``ix_queries_behind`` has it."""


def matched_to(tx: Transaction) -> int:
    """The seq up to which every query is matched."""
    return _counter(tx, _MATCHED, lock=False)


def behind(tx: Transaction, most: int) -> tuple[Behind, ...]:
    """The first queries that are not matched as far back as somebody needs them; so many at most."""
    names = ("id", "text", "compiled", "matched_from", "needed_from")
    statement = select(*(queries.c[name] for name in names)).where(*_BEHIND)
    return tuple(Behind(*row) for row in tx.execute(statement.order_by(queries.c.id).limit(most)))


def any_behind(tx: Transaction, among: Select[tuple[int]]) -> bool:
    """Whether one of the queries that a statement selects is not matched as far back as somebody needs it."""
    lagging = select(queries.c.id).where(*_BEHIND, queries.c.id.in_(among))
    return tx.execute(lagging.limit(1)).first() is not None


def unmatched(tx: Transaction, slot: int) -> int:
    """How many queries of a slot's digests are not yet matched as far back as these need them."""
    if tx.execute(select(queries.c.id).where(*_BEHIND).limit(1)).first() is None:
        return 0
    needed = func.coalesce(digests.c.from_seq, slots.c.cursor_seq)
    statement = (
        select(func.count(queries.c.id.distinct()))
        .select_from(queries)
        .join(follows, follows.c.query_id == queries.c.id)
        .join(digests, digests.c.id == follows.c.digest_id)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(*_BEHIND, slots.c.id == slot, follows.c.ended_at.is_(None))
        .where(queries.c.matched_from.is_(None) | (queries.c.matched_from > needed))
    )
    count: int = tx.execute(statement).scalar_one()
    return count


# --- keeping what fits ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The events of a block that a query fits, or those of them that were looked at; packed by place."""

    query: int
    block: int
    packed: bytes


def begin_pass(tx: Transaction) -> int:
    """``matched_to``, held until the transaction ends: one pass at a time moves it."""
    return _counter(tx, _MATCHED, lock=True)


def pass_over(tx: Transaction) -> None:
    """Move ``matched_to`` to where somebody first needs anything: what lies before it is matched for nobody.

    Who needs it later is behind, as with any follow that begins further back.

    Args:
        tx: a planning transaction: nobody begins to follow anything meanwhile.
    """
    top = highest_seq(tx)
    first: int | None = tx.execute(select(func.min(queries.c.needed_from))).scalar()
    start = top if first is None else min(first, top)
    if start > begin_pass(tx):
        tx.execute(update(queries).where(queries.c.matched_from.is_not(None)).values(matched_from=None))
        tx.execute(update(counters).where(counters.c.name == _MATCHED).values(value=start))


def finish_pass(tx: Transaction, found: Iterable[Found], upto: int, known: int) -> None:
    """Keep what a pass found, and move ``matched_to``.

    Args:
        tx: the transaction that began the pass.
        found: what it found; the same again changes nothing.
        upto: everything up to this seq is matched now.
        known: the revision of the queries that it knew: those that changed since are to be matched once more.
    """
    _put_hits(tx, found)
    missed = queries.c.revision > known, queries.c.matched_from.is_not(None)
    tx.execute(update(queries).where(*missed).values(matched_from=None))
    tx.execute(update(counters).where(counters.c.name == _MATCHED).values(value=upto))


def matched_back(
    tx: Transaction, query_ids: Sequence[int], found: Iterable[Found], seq: int, known: int
) -> None:
    """Keep what was found further back, and note from where on queries are matched now.

    Args:
        tx: the transaction that began a pass, at the place up to which they were matched.
        query_ids: the queries.
        found: what was found.
        seq: everything after it is matched now.
        known: the revision at which they were read: who was left by its last follow since, is not kept matched.
    """
    _put_hits(tx, found)
    later = or_(queries.c.matched_from.is_(None), queries.c.matched_from > seq)
    still = queries.c.needed_from.is_not(None), queries.c.revision <= known, later
    for chunk in chunks(query_ids):
        tx.execute(update(queries).where(queries.c.id.in_(chunk), *still).values(matched_from=seq))


def _put_hits(tx: Transaction, found: Iterable[Found]) -> None:
    by_block: dict[int, dict[int, bytes]] = defaultdict(dict)
    for one in found:
        by_block[one.block][one.query] = one.packed
    for block, packed in sorted(by_block.items()):
        known = {query: here for query, _, here in _rows(tx, packed, block, block)}
        rows = [
            {"query_id": query, "block": block, "hits": _joined(known[query], new) if query in known else new}
            for query, new in sorted(packed.items())
        ]
        put(tx, match_blocks, rows, key=("query_id", "block"))


def _joined(one: bytes, other: bytes) -> bytes:
    """The hits of both, where what is surer counts; those of a later pass stand behind what is there."""
    if _place(one[-2:]) < _place(other[:2]):
        return one + other
    return pack(Hits(*(left | right for left, right in zip(unpack(one), unpack(other), strict=True))))


def _place(hit: bytes) -> int:
    return int.from_bytes(hit, "little") % BLOCK


# --- reading --------------------------------------------------------------------------------------


def hits(tx: Transaction, query_ids: Iterable[int], low: int, high: int) -> dict[int, Hits]:
    """The events numbered after ``low`` and up to ``high`` that queries fit.

    Returns:
        Rows of bits by query, the event after ``low`` lowest; nothing for a query that fits none of them.
    """
    first, last = (low + 1) // BLOCK, high // BLOCK
    window = (1 << max(0, high - low)) - 1
    found: dict[int, Hits] = {}
    for query, block, packed in _rows(tx, query_ids, first, last):
        here = _shifted(unpack(packed), block * BLOCK - low - 1, window)
        if query in found:
            here = Hits(*(left | right for left, right in zip(found[query], here, strict=True)))
        if here.maybe:
            found[query] = here
    return found


def fitting(tx: Transaction, among: Select[tuple[int]], low: int, high: int) -> frozenset[int]:
    """Those of the queries that a statement selects that fit an event after ``low`` and up to ``high``."""
    window = (1 << max(0, high - low)) - 1
    columns = select(match_blocks.c.query_id, match_blocks.c.block, match_blocks.c.hits)
    here = columns.where(match_blocks.c.block.between((low + 1) // BLOCK, high // BLOCK))
    return frozenset(
        query
        for query, block, packed in tx.execute(here.where(match_blocks.c.query_id.in_(among)))
        if _shifted(unpack(packed), block * BLOCK - low - 1, window).maybe
    )


def _shifted(rows: Hits, by: int, window: int) -> Hits:
    if by < 0:
        return Hits(*(row >> -by & window for row in rows))
    return Hits(*(row << by & window for row in rows))


def _rows(tx: Transaction, query_ids: Iterable[int], first: int, last: int) -> Iterator[Sequence[Any]]:
    for chunk in chunks(sorted(set(query_ids))):
        given = {"first": first, "last": last, "queries": all_as_kept(tx, chunk)}
        yield from rows_as_kept(tx, _blocks(), given)


@cache
def _blocks() -> Select[Any]:
    columns = select(match_blocks.c.query_id, match_blocks.c.block, match_blocks.c.hits)
    here = match_blocks.c.block.between(bindparam("first"), bindparam("last"))
    return columns.where(here, among(match_blocks.c.query_id, "queries"))


def _counter(tx: Transaction, name: str, *, lock: bool) -> int:
    statement = select(counters.c.value).where(counters.c.name == name)
    value: int = tx.execute(statement.with_for_update() if lock else statement).scalar_one()
    return value
