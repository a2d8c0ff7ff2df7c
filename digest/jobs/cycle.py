"""The cycle: ``digest run`` runs it once, ``digest serve`` at each tick.

``read reports → fire → pull → find trending → match → alert → close → compose → deliver → publish → enrich → prune``; the steps from pull to publish are repeated while runs wait for missing batches and the caller wants to wait. Each step finds its work in the tables, so the next cycle finishes what an interrupted one has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from digest.errors import DigestError, StoreBusyError
from digest.jobs.delivery.bounces.bounce_events import BounceEvent
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.enrich import EnrichmentResult
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.matching.match import MatchProgress, MatchSummary
from digest.jobs.workers import get_holder, is_ended, release_dead_workers
from digest.model import Ask
from digest.store.database import leases
from digest.store.database.engine import Store
from digest.store.operations import cycles
from digest.store.operations.cycles import CycleTimes

_CYCLE_LEASE = "cycle"


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleSteps:
    """The steps of a cycle, bound to store, sources, channels and clock.

    Attributes:
        close: closes the runs that are ready, or with ``wait=False`` all of them.
        find_trending: makes the events of papers that begin to trend; returns their number.
        compose: composes what is due, or only alerts.
        deliver: delivers by all connections, or by the given share of them, or those of a channel.
        enrich: queries the enrichers, with the given maximum number of requests or the default one.
        prune: removes old rows.
        trace: requests that the traces of finished runs are exported.
    """

    read_reports: Callable[[], Iterator[BounceEvent]]
    fire: Callable[[], int]
    list_asks: Callable[[], tuple[Ask, ...]]
    pull: Callable[[tuple[Ask, ...]], Iterator[PullProgress]]
    find_trending: Callable[[], int]
    match: Callable[[], Iterator[MatchProgress | MatchSummary]]
    alert: Callable[[], bool]
    close: Callable[..., tuple[WaitingRun, ...]]
    compose: Callable[..., int]
    deliver: Callable[..., Iterator[DispatchEvent]]
    publish: Callable[[], tuple[Path, ...]]
    enrich: Callable[..., Iterator[EnrichmentResult]]
    prune: Callable[[], None]
    trace: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullStarted:
    """The requests that a pull is about to make."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPostponed:
    """Runs that stay open until a later cycle closes them."""

    waiting: tuple[WaitingRun, ...]


CycleEvent = (
    BounceEvent
    | PullStarted
    | PullProgress
    | MatchProgress
    | MatchSummary
    | DispatchEvent
    | RunsPostponed
    | EnrichmentResult
)
ReportEvent = Callable[[CycleEvent | DigestError], None]
"""Receives what happens, and the errors that end a cycle or a task."""


def run_cycle(
    steps: CycleSteps, *, wait: bool, wait_for_retry: Callable[[tuple[WaitingRun, ...]], bool]
) -> Iterator[CycleEvent]:
    """Run one cycle, and yield events as they happen.

    Args:
        steps: the steps of the cycle.
        wait: False to close runs although batches are missing.
        wait_for_retry: gets the waiting runs, sleeps until another attempt is worthwhile and returns True, or
            returns False to stop waiting.
    """
    yield from steps.read_reports()
    steps.fire()
    while True:
        yield from pull_due(steps)
        steps.find_trending()
        yield from steps.match()
        steps.alert()
        waiting = steps.close(wait=wait)
        composed_count = steps.compose()
        yield from steps.deliver()
        if composed_count or not waiting:
            steps.publish()
        if waiting and wait_for_retry(waiting):
            continue
        if waiting:
            yield RunsPostponed(waiting=waiting)
        yield from steps.enrich()
        steps.prune()
        steps.trace()
        return


def pull_due(steps: CycleSteps) -> Iterator[PullStarted | PullProgress]:
    """Pull what is due; if a route fails or returns too little, pull from the next route at once."""
    pulled_asks: set[Ask] = set()
    while asks := _list_remaining_asks(steps, pulled_asks):
        yield PullStarted(asks=asks)
        yield from steps.pull(asks)
        pulled_asks |= set(asks)


def _list_remaining_asks(steps: CycleSteps, pulled_asks: set[Ask]) -> tuple[Ask, ...]:
    try:
        return tuple(ask for ask in steps.list_asks() if ask not in pulled_asks)
    except StoreBusyError:
        if not pulled_asks:
            raise
        # The next pull makes the requests to other routes, and repeats those whose answers could not be stored.
        return ()


# --- leases ---------------------------------------------------------------------------------------


def claim_cycle(store: Store, now: datetime) -> str | None:
    """Claim or renew the lease for running cycles; two cycles at once do no harm, but repeat the work.

    Returns:
        None if this process has the lease, otherwise the holder.
    """
    release_dead_workers(store)
    with store.begin_write() as tx:
        other_holder = leases.claim(tx, _CYCLE_LEASE, get_holder(), now)
        if other_holder is not None and is_ended(other_holder):
            leases.release(tx, _CYCLE_LEASE, other_holder)
            other_holder = leases.claim(tx, _CYCLE_LEASE, get_holder(), now)
    return other_holder


def record_cycle(store: Store, began_at: datetime, ended_at: datetime) -> None:
    """Record that a cycle has ended; if the store is busy, the next one does it."""
    with suppress(StoreBusyError), store.begin_write() as tx:
        cycles.record_cycle(tx, CycleTimes(began_at, ended_at))


def release_cycle(store: Store) -> None:
    """Release the lease for running cycles; if the store is busy, other processes notice that this one has ended."""
    with suppress(StoreBusyError), store.begin_write() as tx:
        leases.release(tx, _CYCLE_LEASE, get_holder())
