"""Update the ledger: create the batches of days that are due, and settle those of days that are over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from digest.core.fetching import ledger
from digest.core.times.schedule import compute_due_at, list_days_to_record
from digest.jobs.fetching import stale_days
from digest.model import Batch
from digest.ports import Source
from digest.store.database import clock
from digest.store.database.engine import Transaction
from digest.store.fetching import ledger as rows
from digest.store.operations import clock_repair, notices


def update_ledger(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Create the batches that are due by now, whether fetched or not, and settle those that are over.

    Args:
        tx: a writing transaction.
        sources: the configured sources, by name.
        now: the current time, UTC.
    """
    rows.lock_batches(tx)
    _check_clock(tx, sources, now)
    for name, source in sources.items():
        since = ledger.get_first_day(source.calendar, now)
        calendar = source.calendar
        fills = calendar is not None and calendar.fills
        rows.declare_sections(tx, name, source.sections, since, accounted=calendar is not None, fills=fills)
    for section in rows.list_section_days(tx):
        source_calendar = sources[section.source].calendar if section.source in sources else None
        if source_calendar is None:
            continue
        # Batches are created in order, so only days after the last batch can lack one.
        # A section without any batch is new, or was created by a clock that was far behind.
        since = max(section.since, section.last or (now - ledger.REPAIR_PERIOD).date())
        days = [
            day
            for day in list_days_to_record(source_calendar, since, now)
            if section.last is None or day > section.last
        ]
        rows.make_batches(
            tx, section.source, section.name, ((day, compute_due_at(source_calendar, day)) for day in days)
        )
    _settle_batches(tx, sources, now)


def select_declared_sources(tx: Transaction, sources: Mapping[str, Source]) -> dict[str, Source]:
    """Select the sources that the applied file declares, with no other sections: a worker may ask only these.

    Args:
        tx: a transaction.
        sources: the sources of the worker's own file, by name.
    """
    declared = {(section.source, section.name) for section in rows.list_active_sections(tx)}
    return {
        name: source
        for name, source in sources.items()
        if all((name, section) in declared for section in source.sections)
    }


def has_all_sources(tx: Transaction, sources: Mapping[str, Source]) -> bool:
    """Whether these are all sources that the applied file declares, so that nothing due is overlooked."""
    return all(section.source in sources for section in rows.list_active_sections(tx))


def _check_clock(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    latest_seen = clock.read_latest_seen(tx)
    if latest_seen is not None and clock.is_set_back(now, latest_seen):
        is_behind = clock_repair.is_behind(tx, now)
        notices.record_notice(
            tx,
            "clock",
            f"A clock is wrong: {clock_repair.describe_time_jump(now, latest_seen, is_behind=is_behind)}.",
            now,
        )
        if is_behind:
            return
        first_days = {name: ledger.get_first_day(source.calendar, now) for name, source in sources.items()}
        clock_repair.reset_after_clock_error(tx, now, first_days)
    clock.record_time(tx, now)


def _settle_batches(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    unsettled = rows.list_unsettled_batches(tx)
    announced = rows.find_announcement_times(tx, unsettled)
    in_doubt: frozenset[tuple[str, str]] | None = None
    for batch in unsettled:
        source = sources.get(batch.source)
        if source is None or source.calendar is None:
            continue
        announced_at = announced.get((batch.source, batch.day))
        state = ledger.resolve_state(
            batch, source.calendar, source.fetch_routes, now, announced_at=announced_at
        )
        if state is not batch.state:
            rows.settle_batch(tx, batch, state)
            # After a year without a run hundreds of days are settled, and very few are in doubt.
            in_doubt = rows.list_doubtful_sections(tx) if in_doubt is None else in_doubt
            if (batch.source, batch.section) in in_doubt:
                stale_days.evaluate_following(tx, source, replace(batch, state=state))


def find_reachable(
    batches: tuple[Batch, ...], sources: Mapping[str, Source], now: datetime
) -> frozenset[int]:
    """Return the IDs of batches that some route can still complete, and that are worth waiting for.

    Days that fill gradually are not: editions include what they have so far.
    """
    return frozenset(
        batch.id
        for batch in batches
        if (source := sources.get(batch.source)) is not None
        and (calendar := source.calendar) is not None
        and not calendar.fills
        and ledger.is_reachable(batch, calendar, source.fetch_routes, now)
    )


def is_everything_failing(tx: Transaction) -> bool:
    """Whether every section fails by every route that was tried: the cause is probably our own network."""
    requested_routes = [
        section.routes for section in rows.list_active_sections(tx) if section.asked_at is not None
    ]
    return bool(requested_routes) and all(
        route.errors for routes in requested_routes for route in routes if route.asked_at
    )
