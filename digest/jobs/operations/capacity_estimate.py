"""Estimates of capacity: what a day takes, also with more subscribers, and which limit comes first. Pure computation.

Everything that readers cause grows linearly with their number. That is a little too much for queries, because readers share
them, and right for editions, deliveries and their rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from digest.core.delivery.throttling.rates import Rate
from digest.store.operations.capacity import RecentUse, TableGrowth
from digest.store.subscribers.pauses import MAX_CATCH_UP

INGEST_SECONDS = 0.00083
"""CPU seconds to store a paper: benchmark ``ingest``, 1,500 entries in 1.25 s (2026-11-28, 176b8ee1)."""
QUERY_SECONDS = 0.000036
"""CPU seconds to load and match a query: benchmark ``match_day``, 100,000 in 2.2 s and 1.4 s (2026-11-28, 176b8ee1)."""
COMPOSE_SECONDS = 0.00056
"""CPU seconds to compose an edition: benchmark ``rank_fanout``, 19,209 in 10.7 s (2026-11-28, 176b8ee1)."""
DELIVER_SECONDS = 0.00143
"""CPU seconds to render and send a mail: benchmark ``whole_day`` with 200,000 subscribers, 1.99 ms a digest of which
0.56 ms compose it (2026-11-28, 159900e8)."""
_DAY_SECONDS = 86_400.0
_MAX_SUBSCRIBERS = 10**12
"""Number of subscribers that is never reached."""
FOREVER_DAYS = 365
"""Days over which sizes are summed if rows are kept without limit."""
_MATCH_DAYS = MAX_CATCH_UP.days
"""Days for which matches are kept at most, however long editions are: nothing looks further back."""
_TABLES_OF_READERS = frozenset({"editions", "deliveries", "match_blocks"})
"""Tables whose rows grow with the number of subscribers; others grow with the number of papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What the configuration and the machine offer.

    Attributes:
        rate: the rate of all messages; None for no limit.
        rates: the rates by channel.
        domains: the rates by the recipient's domain; ``*`` for each that is not listed.
        connections: the connections to all mail servers together; 0 if there is none.
        keep_days: how long editions, deliveries and listings are kept; None for no limit.
        processes: the number of processes that can compose and deliver at the same time.
        disk_bytes: what the database may grow to on its disk, in bytes; None if that is not known from here.
    """

    rate: Rate | None = None
    rates: Mapping[str, Rate] = field(default_factory=dict)
    domains: Mapping[str, Rate] = field(default_factory=dict)
    connections: int = 0
    keep_days: int | None = None
    processes: int = 1
    disk_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEstimate:
    """What a table takes.

    Attributes:
        rows: rows a day.
        size: their size, in bytes.
        kept_rows: rows after ``keep_days``, when the oldest are removed.
        kept_size: their size, in bytes.
    """

    table: str
    rows: int
    size: int
    kept_rows: int
    kept_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityLimit:
    """A limit.

    Attributes:
        name: what is limited, in words.
        share: the share of it that is used; more than 1 if it is exceeded.
        subscribers: the number of subscribers at which it is reached, 0 if it is exceeded without any; None if no
            number reaches it.
    """

    name: str
    share: float
    subscribers: int | None

    def get_sort_key(self) -> tuple[float, float, str]:
        """Return the key that sorts the limit that is reached first to the front."""
        return (math.inf if self.subscribers is None else self.subscribers, -self.share, self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityEstimate:
    """What a day takes.

    Attributes:
        measured: what the last days took, a day.
        use: the same for the number of subscribers that was asked for.
        tables: what grows, the largest first.
        keep_days: the days over which ``kept_rows`` and ``kept_size`` sum.
        configured_minutes: the time to deliver a day's messages at the configured rates; None if there is no rate.
        measured_minutes: the time at the rate of the largest run; None if that is not known.
        cpu_seconds: CPU time of a day, estimated from benchmarks.
        limits: the limits that are known, the one that is reached first at the beginning.
    """

    measured: RecentUse
    use: RecentUse
    tables: tuple[TableEstimate, ...]
    keep_days: int
    configured_minutes: float | None
    measured_minutes: float | None
    cpu_seconds: float
    limits: tuple[CapacityLimit, ...]

    @property
    def first_limit(self) -> CapacityLimit | None:
        """The limit that is reached first; None if no number of subscribers reaches any."""
        return next((limit for limit in self.limits if limit.subscribers is not None), None)


def estimate_capacity(
    measured: RecentUse, resources: Resources, subscribers: int | None = None
) -> CapacityEstimate:
    """Estimate what a day takes.

    Args:
        measured: what the last days took, a day.
        resources: what the configuration and the machine offer.
        subscribers: the number of subscribers to estimate for; None for those of ``measured``.
    """
    use = scale_use(measured, subscribers) if subscribers is not None else measured
    keep_days = FOREVER_DAYS if resources.keep_days is None else resources.keep_days
    tables = [_estimate_table(table, keep_days) for table in use.tables]
    rate_seconds = [seconds for _, seconds in _list_rate_seconds(use, resources)]
    measured_seconds = _compute_measured_seconds(use)
    limits = _list_limits(use, resources, keep_days)
    return CapacityEstimate(
        measured=measured,
        use=use,
        tables=tuple(sorted(tables, key=lambda table: (-table.size, table.table))),
        keep_days=keep_days,
        configured_minutes=max(rate_seconds) / 60 if rate_seconds else None,
        measured_minutes=None if measured_seconds is None else measured_seconds / 60,
        cpu_seconds=_compute_fixed_cpu(use) + _compute_cpu_of_readers(use),
        limits=tuple(sorted(limits, key=CapacityLimit.get_sort_key)),
    )


def scale_use(use: RecentUse, subscribers: int) -> RecentUse:
    """Scale what readers cause to another number of subscribers; without any subscribers, nothing is scaled."""
    if not use.subscribers:
        return use
    factor = subscribers / use.subscribers
    return replace(
        use,
        subscribers=subscribers,
        digests=round(use.digests * factor),
        follows=round(use.follows * factor),
        queries=round(use.queries * factor),
        editions=use.editions * factor,
        deliveries={name: count * factor for name, count in use.deliveries.items()},
        domains={name: count * factor for name, count in use.domains.items()},
        tables=tuple(
            replace(table, rows=table.rows * factor) if _grows_with_readers(table) else table
            for table in use.tables
        ),
    )


def _grows_with_readers(table: TableGrowth) -> bool:
    return table.table in _TABLES_OF_READERS


def _count_kept_days(table: TableGrowth, keep_days: int) -> int:
    return min(keep_days, _MATCH_DAYS) if table.table == "match_blocks" else keep_days


def _estimate_table(table: TableGrowth, keep_days: int) -> TableEstimate:
    size = table.rows * table.row_size
    days = _count_kept_days(table, keep_days)
    return TableEstimate(
        table=table.table,
        rows=round(table.rows),
        size=round(size),
        kept_rows=round(table.rows * days),
        kept_size=round(size * days),
    )


# --- limits ---------------------------------------------------------------------------------------


def _list_limits(use: RecentUse, resources: Resources, keep_days: int) -> Iterator[CapacityLimit]:
    """List the limits that are known. Each day's work must be done in a day, or the queue never ends."""
    for name, seconds in _list_rate_seconds(use, resources):
        yield _make_limit(name, use, fixed=0.0, variable=seconds, available=_DAY_SECONDS)
    if (seconds_measured := _compute_measured_seconds(use)) is not None:
        yield _make_limit(
            "speed of the largest run", use, fixed=0.0, variable=seconds_measured, available=_DAY_SECONDS
        )
    yield _make_limit(
        "CPU",
        use,
        fixed=_compute_fixed_cpu(use),
        variable=_compute_cpu_of_readers(use),
        available=_DAY_SECONDS * resources.processes,
    )
    if resources.disk_bytes is not None:
        fixed, variable = (
            sum(
                table.rows * table.row_size * _count_kept_days(table, keep_days)
                for table in use.tables
                if _grows_with_readers(table) is is_variable
            )
            for is_variable in (False, True)
        )
        yield _make_limit("disk", use, fixed=fixed, variable=variable, available=float(resources.disk_bytes))


def _make_limit(
    name: str, use: RecentUse, *, fixed: float, variable: float, available: float
) -> CapacityLimit:
    """Make a limit from what is used without any subscribers, and what they use."""
    share = (fixed + variable) / available if available else math.inf
    if fixed > available:
        return CapacityLimit(name=name, share=share, subscribers=0)
    reached_at = (available - fixed) / variable * use.subscribers if variable else 0.0
    is_reached = 0 < reached_at < _MAX_SUBSCRIBERS
    return CapacityLimit(name=name, share=share, subscribers=int(reached_at) if is_reached else None)


def _list_rate_seconds(use: RecentUse, resources: Resources) -> Iterator[tuple[str, float]]:
    """List the seconds that a day's messages take at each configured rate."""
    if resources.rate:
        yield "rate of all messages", _compute_seconds(sum(use.deliveries.values()), resources.rate)
    for channel, rate in sorted(resources.rates.items()):
        yield f"rate of {channel}", _compute_seconds(use.deliveries.get(channel, 0.0), rate)
    default_rate = resources.domains.get("*")
    busiest = max(
        (domain for domain in use.domains if domain not in resources.domains),
        key=lambda domain: (use.domains[domain], domain),
        default=None,
    )
    if default_rate and busiest is not None:
        yield f"rate of {busiest}", _compute_seconds(use.domains[busiest], default_rate)
    for domain, rate in sorted(resources.domains.items()):
        if domain != "*":
            yield f"rate of {domain}", _compute_seconds(use.domains.get(domain, 0.0), rate)


def _compute_seconds(messages: float, rate: Rate) -> float:
    return messages * rate.compute_interval().total_seconds()


def _compute_measured_seconds(use: RecentUse) -> float | None:
    if use.speed is None:
        return None
    return sum(use.deliveries.values()) * use.speed.seconds / use.speed.deliveries


def _compute_fixed_cpu(use: RecentUse) -> float:
    return use.papers * INGEST_SECONDS


def _compute_cpu_of_readers(use: RecentUse) -> float:
    return (
        use.queries * QUERY_SECONDS
        + use.editions * COMPOSE_SECONDS
        + sum(use.deliveries.values()) * DELIVER_SECONDS
    )
