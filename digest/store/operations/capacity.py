"""What the last days took, for estimates of capacity. All statements are bounded, however long the history is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, UniqueConstraint, func, select

from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.model import EventKind
from digest.store.database.dialect import is_partial_index
from digest.store.database.engine import Transaction
from digest.store.database.sizes import build_size, read_relation_statistics
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    editions,
    follows,
    match_blocks,
    queries,
    runs,
    subscribers,
)
from digest.store.database.tables.papers import batches, events, listings, statements
from digest.store.operations import growth
from digest.store.subscribers.digests import CONFIGURED

_MAX_EXACT_ROWS = 200_000
"""Rows of a range of numbers up to which all are counted; of more, samples are."""
_SAMPLES = 20
"""Number of samples, evenly spread over a range of numbers."""
_ROWS_PER_SAMPLE = 5_000
_ROWS_FOR_SIZE = 500
"""Number of the last rows of a table whose size is measured where the database has no statistics."""
_ROWS_FOR_STATISTICS = 10_000
"""Rows of a table from which on the statistics of PostgreSQL count: fewer share their pages with free space."""
_MAX_EDITIONS_OF_RUN = 50_000
"""Editions of a run the times of whose deliveries are read."""
_ROW_OVERHEAD, _COLUMN_OVERHEAD = 12, 1
"""Bytes that SQLite adds to a row and to a column (file format, section 2.1), rounded up."""
_PAGE_FILL = 1.25
"""Size of a page over what is in it: pages of a B-tree that grows are about four fifths full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrowth:
    """What a table gets.

    Attributes:
        table: its name.
        rows: the number of rows a day.
        row_size: the average size of a row with its entries in indexes, in bytes.
    """

    table: str
    rows: float
    row_size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpeed:
    """How fast the mails of a run were accepted.

    Attributes:
        period: the period of the run.
        deliveries: the number of its deliveries that were sent.
        seconds: the time from the first to the last of them.
    """

    period: str
    deliveries: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentUse:
    """What the last days took, a day.

    Attributes:
        days: the number of days over which editions and deliveries are averaged.
        subscribers: the readers with an account, and the digests of the configuration file.
        digests: the digests that are active or paused.
        follows: the follows and exclusions that have not ended.
        queries: the distinct queries.
        papers: new papers a day.
        editions: editions a day.
        deliveries: deliveries a day, by channel.
        domains: deliveries a day, by the recipient's domain.
        tables: what grows.
        speed: the speed of the largest run; None if no run had two deliveries at different times.
    """

    days: int
    subscribers: int
    digests: int
    follows: int
    queries: int
    papers: float = 0.0
    editions: float = 0.0
    deliveries: Mapping[str, float] = field(default_factory=dict)
    domains: Mapping[str, float] = field(default_factory=dict)
    tables: tuple[TableGrowth, ...] = ()
    speed: RunSpeed | None = None


def load_recent_use(tx: Transaction, now: datetime, max_days: int) -> RecentUse:
    """Load what the last days took.

    Args:
        tx: a transaction.
        now: the current time, UTC.
        max_days: the number of days; fewer if the first edition or paper is younger.
    """
    since = now - timedelta(days=max_days)
    first_edition, first_at = _find_first_edition(tx, since)
    days = max_days
    if not _has_earlier(tx, editions.c.id, first_edition):
        days = min(max_days, (now.date() - first_at.date()).days + 1) if first_at else 1
    edition_count = _count_rows(tx, editions, first_edition)
    by_destination = _count_deliveries(tx, _find_first_delivery(tx, first_edition))
    per_channel: Counter[str] = Counter()
    per_domain: Counter[str] = Counter()
    for (channel, domain), count in by_destination.items():
        per_channel[channel] += count
        per_domain[domain] += count
    papers, paper_rows = _count_papers(tx, since.date(), now.date(), max_days)
    rows = {
        "editions": edition_count / days,
        "deliveries": per_channel.total() / days,
        **paper_rows,
    }
    tables = {
        table.name: table for table in (editions, deliveries, match_blocks, listings, events, statements)
    }
    return RecentUse(
        days=days,
        subscribers=_count_subscribers(tx),
        digests=_estimate_count(
            tx, digests, "ix_digests_standing", digests.c.state.in_(["active", "paused"])
        ),
        follows=_estimate_count(tx, follows, "uq_follows_active", follows.c.ended_at.is_(None)),
        queries=_estimate_count(tx, queries, "queries", queries.c.needed_from.is_not(None)),
        papers=papers,
        editions=edition_count / days,
        deliveries={channel: count / days for channel, count in sorted(per_channel.items())},
        domains={domain: count / days for domain, count in per_domain.items() if domain},
        tables=tuple(
            TableGrowth(table=name, rows=count, row_size=_measure_row(tx, tables[name]))
            for name, count in rows.items()
        ),
        speed=_load_speed(tx, since),
    )


# --- counts ---------------------------------------------------------------------------------------


def _count_subscribers(tx: Transaction) -> int:
    statement = (
        select(func.count())
        .select_from(digests)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .where(subscribers.c.address == "", digests.c.made_by == CONFIGURED)
        .where(digests.c.state.in_(["active", "paused"]))
    )
    return growth.count_subscribers(tx) + tx.execute(statement).scalar_one()


def _estimate_count(tx: Transaction, table: Table, relation: str, condition: ColumnElement[bool]) -> int:
    """Count rows; where PostgreSQL has many, take the number of its statistics of a table or a partial index."""
    statistics = read_relation_statistics(tx, relation)
    if statistics and statistics[0] > _MAX_EXACT_ROWS:
        return statistics[0]
    return tx.execute(select(func.count()).select_from(table).where(condition)).scalar_one()


def _find_first_edition(tx: Transaction, since: datetime) -> tuple[int, datetime | None]:
    """Return the number of the first edition composed since a time, and when it was.

    Editions are numbered as they are composed, so the first one is found by bisection, in one look-up a step.
    """
    return _find_first(tx, since, editions.c.id, editions.c.composed_at)


def _find_first(
    tx: Transaction, since: datetime, number: Column[Any], instant: Column[Any]
) -> tuple[int, datetime | None]:
    statement = select(number, instant).order_by(number)

    def look_up(at_least: int) -> tuple[int, datetime] | None:
        row = tx.execute(statement.where(number >= at_least).limit(1)).first()
        return (row[0], row[1]) if row else None

    last = tx.execute(select(func.max(number))).scalar() or 0
    return _bisect(look_up, since, last)


def _bisect(
    look_up: Callable[[int], tuple[int, datetime] | None], since: datetime, last: int
) -> tuple[int, datetime | None]:
    low, high = 1, last + 1
    while low < high:
        middle = (low + high) // 2
        row = look_up(middle)
        if row is None or row[1] >= since:
            high = middle
        else:
            low = row[0] + 1
    first = look_up(low)
    return first or (last + 1, None)


def _has_earlier(tx: Transaction, column: Column[Any], value: object) -> bool:
    """Whether there are rows before a value; otherwise the database is younger than the days that are counted."""
    return tx.execute(select(column).where(column < value).limit(1)).first() is not None


def _find_first_delivery(tx: Transaction, first_edition: int) -> int:
    """Return the number of the first delivery of an edition or of a later one; deliveries are numbered with them."""
    statement = select(deliveries.c.id).where(deliveries.c.edition_id >= first_edition)
    return tx.execute(statement.order_by(deliveries.c.edition_id).limit(1)).scalar() or 0


def _list_ranges(first: int, last: int) -> tuple[list[tuple[int, int]], float]:
    """Return the ranges of numbers that are counted, and the factor by which the count is too small."""
    total = last - first + 1
    if total <= _MAX_EXACT_ROWS:
        return [(first, last)], 1.0
    step = total / _SAMPLES
    starts = [first + int(step * number) for number in range(_SAMPLES)]
    return [(start, start + _ROWS_PER_SAMPLE - 1) for start in starts], total / (_SAMPLES * _ROWS_PER_SAMPLE)


def _count_rows(tx: Transaction, table: Table, first: int) -> float:
    last = tx.execute(select(func.max(table.c.id))).scalar() or 0
    ranges, factor = _list_ranges(first, last)
    statement = select(func.count()).select_from(table)
    return factor * sum(
        tx.execute(statement.where(table.c.id.between(low, high))).scalar_one() for low, high in ranges
    )


def _count_deliveries(tx: Transaction, first: int) -> Counter[tuple[str, str]]:
    """Count the deliveries from one on by channel and domain."""
    last = tx.execute(select(func.max(deliveries.c.id))).scalar() or 0
    ranges, factor = _list_ranges(first, last) if first else ([], 1.0)
    columns = deliveries.c.channel, destinations.c.domain
    statement = (
        select(*columns, func.count().label("rows"))
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .group_by(*columns)
    )
    counts: Counter[tuple[str, str]] = Counter()
    for low, high in ranges:
        for row in tx.execute(statement.where(deliveries.c.id.between(low, high))):
            counts[row.channel, row.domain] += row.rows
    return Counter({key: math.ceil(count * factor) for key, count in counts.items()})


def _count_papers(tx: Transaction, since: date, today: date, max_days: int) -> tuple[float, dict[str, float]]:
    """Count new papers a day, and the rows a day of the tables that grow with them."""
    is_recent = events.c.day > since
    new_papers = is_recent & (events.c.kind == EventKind.NEW.value)
    first_day = tx.execute(select(func.min(events.c.day)).where(is_recent)).scalar()
    days = max_days
    if first_day is None or not _has_earlier(tx, events.c.day, first_day):
        days = min(max_days, max(1, (today - first_day).days + 1)) if first_day else 1
    batch_ids = select(batches.c.id).where(batches.c.day > since)
    paper_ids = select(events.c.paper_id).where(new_papers)
    counts = {
        "events": select(func.count()).select_from(events).where(is_recent),
        "listings": select(func.count()).select_from(listings).where(listings.c.batch_id.in_(batch_ids)),
        "statements": select(func.count())
        .select_from(statements)
        .where(statements.c.paper_id.in_(paper_ids)),
    }
    new_count = tx.execute(select(func.count()).select_from(events).where(new_papers)).scalar_one()
    rows = {name: tx.execute(statement).scalar_one() / days for name, statement in counts.items()}
    return new_count / days, {"match_blocks": _count_match_blocks(tx), **rows}


def _count_match_blocks(tx: Transaction) -> float:
    """Count the match blocks of the last announcement day: at most one for each query and block of events."""
    last_day = tx.execute(select(func.max(events.c.day))).scalar()
    if last_day is None:
        return 0.0
    bounds = select(func.min(events.c.seq), func.max(events.c.seq)).where(events.c.day == last_day)
    low, high = tx.execute(bounds).one()
    is_recent = match_blocks.c.block.between(low // BLOCK_SIZE, high // BLOCK_SIZE)
    return float(tx.execute(select(func.count()).select_from(match_blocks).where(is_recent)).scalar_one())


# --- sizes ----------------------------------------------------------------------------------------


def _measure_row(tx: Transaction, table: Table) -> float:
    """Return the average size of a row with its entries in indexes, in bytes."""
    statistics = read_relation_statistics(tx, table.name)
    if statistics and statistics[0] >= _ROWS_FOR_STATISTICS:
        rows, size = statistics
        return size / rows
    keys = list(table.primary_key.columns)
    last_rows = select(table).order_by(*[key.desc() for key in keys]).limit(_ROWS_FOR_SIZE).subquery()
    uses = _count_uses(table)
    sizes = [(build_size(tx, last_rows.c[name]) + _COLUMN_OVERHEAD) * uses[name] for name in uses]
    average = tx.execute(select(func.avg(sum(sizes[1:], sizes[0])))).scalar()
    overhead = _ROW_OVERHEAD * (1 + len(_list_index_columns(table)))
    return (float(average) + overhead) * _PAGE_FILL if average is not None else 0.0


def _list_index_columns(table: Table) -> list[tuple[str, ...]]:
    """Return the columns of each index of all rows; partial indexes hold only rows that are under way."""
    unique = [entry.columns for entry in table.constraints if isinstance(entry, UniqueConstraint)]
    whole = [index.columns for index in table.indexes if not is_partial_index(index)]
    found = [tuple(column.name for column in columns) for columns in (*unique, *whole)]
    keys = tuple(column.name for column in table.primary_key.columns)
    return [*found, keys] if len(keys) > 1 else found  # a single number is the key of the table itself


def _count_uses(table: Table) -> Counter[str]:
    """Count how often a row holds each column: in the table, and in its indexes."""
    uses = Counter(column.name for column in table.columns)
    for columns in _list_index_columns(table):
        uses.update(columns)
    return uses


# --- speed ----------------------------------------------------------------------------------------


def _load_speed(tx: Transaction, since: datetime) -> RunSpeed | None:
    """Return the speed of the largest run since a time: readers wait for it, and small ones last no time at all."""
    first_run, _ = _find_first(tx, since, runs.c.id, runs.c.made_at)
    statement = select(runs.c.id, runs.c.period, runs.c.deliveries).where(
        runs.c.id >= first_run, runs.c.deliveries > 1
    )
    run = tx.execute(statement.order_by(runs.c.deliveries.desc(), runs.c.id.desc()).limit(1)).first()
    if run is None:
        return None
    # In the order of the digests, which is not that of sending: the first and the last of these are near those of all.
    first_editions = (
        select(editions.c.id)
        .where(editions.c.run_id == run.id)
        .order_by(editions.c.digest_id)
        .limit(_MAX_EDITIONS_OF_RUN)
        .subquery()
    )
    some = (
        select(deliveries.c.sent_at)
        .join(first_editions, first_editions.c.id == deliveries.c.edition_id)
        .subquery()
    )
    times = some.c.sent_at
    row = tx.execute(
        select(func.count(), func.count(times), func.min(times), func.max(times)).select_from(some)
    ).one()
    total, sent, first, last = row
    if not sent or first == last:
        return None
    return RunSpeed(
        period=run.period,
        deliveries=round(run.deliveries * sent / total),
        seconds=(last - first).total_seconds(),
    )
