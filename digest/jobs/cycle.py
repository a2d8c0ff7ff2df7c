"""The cycle: ``digest run`` runs it once, ``digest serve`` at each tick.

``read reports → fire → pull → find trending → match → alert → close → compose → deliver → publish → enrich → prune``; the steps from pull to publish are repeated while runs wait for missing batches and the caller wants to wait. Each step finds its work in the tables, so the next cycle finishes what an interrupted one has left.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from digest.errors import StoreBusyError
from digest.jobs.delivery.bounces.bounce_events import BounceEvent
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.enrich import EnrichmentResult
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.matching.match import MatchProgress, MatchSummary
from digest.model import Ask
from digest.store.database import leases
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import connections, outbox
from digest.store.editions import runs
from digest.store.fetching import rate_limits
from digest.store.operations import cycles
from digest.store.operations.cycles import CycleTimes

_CYCLE_LEASE = "cycle"
_WORKER_PREFIX = "worker:"
_PROCESS_NONCE = secrets.token_hex(4)
"""Distinguishes this process from an earlier one with the same process ID, which is usual in containers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleSteps:
    """The steps of a cycle, bound to store, sources, channels and clock.

    Attributes:
        find_trending: makes the events of papers that begin to trend; returns their number.
        deliver: delivers by all connections, or by the given share of them.
        enrich: queries the enrichers, with the given maximum number of requests or the default one.
        prune: removes old rows.
    """

    read_reports: Callable[[], Iterator[BounceEvent]]
    fire: Callable[[], int]
    list_asks: Callable[[], tuple[Ask, ...]]
    pull: Callable[[tuple[Ask, ...]], Iterator[PullProgress]]
    find_trending: Callable[[], int]
    match: Callable[[], Iterator[MatchProgress | MatchSummary]]
    alert: Callable[[], bool]
    close: Callable[[bool], tuple[WaitingRun, ...]]
    compose: Callable[[], int]
    deliver: Callable[..., Iterator[DispatchEvent]]
    publish: Callable[[], tuple[Path, ...]]
    enrich: Callable[..., Iterator[EnrichmentResult]]
    prune: Callable[[], None]


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
        waiting = steps.close(wait)
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


def get_holder() -> str:
    """Return the identity of this process for leases; processes on the same machine can see whether it still exists."""
    return f"{socket.gethostname()}:{os.getpid()}.{_read_pid_namespace()}.{_PROCESS_NONCE}"


def _read_pid_namespace() -> int:
    """Return the PID namespace: containers may share a host name, but each has its own process IDs."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0  # not Linux


def claim_cycle(store: Store, now: datetime) -> str | None:
    """Claim or renew the lease for running cycles; two cycles at once do no harm, but repeat the work.

    Returns:
        None if this process has the lease, otherwise the holder.
    """
    with store.begin_write() as tx:
        _release_dead(tx)
        other_holder = leases.claim(tx, _CYCLE_LEASE, get_holder(), now)
        if other_holder is not None and _is_dead(other_holder):
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


@contextmanager
def register_worker(store: Store, token: int, now: datetime) -> Iterator[None]:
    """Register this process under a worker token within the block, so that others notice when it has ended.

    At the end of the block, claims that could not be returned because the store was busy are released.
    Deliveries that may still be under way stay leased until the process has ended.

    Args:
        store: the store.
        token: the fencing token of the worker's leases; no other worker has the same.
        now: the current time, UTC.
    """
    name = f"{_WORKER_PREFIX}{token}"
    with store.begin_write() as tx:
        _release_dead(tx)
        leases.claim(tx, name, get_holder(), now)
    try:
        yield
    finally:
        with suppress(StoreBusyError), store.begin_write() as tx:
            runs.release_worker(tx, token)
            rate_limits.release_worker(tx, token)
            if not outbox.has_leases(tx, token):
                leases.release(tx, name, get_holder())


def release_dead(store: Store) -> None:
    """Release what processes of this machine had leased that no longer exist."""
    with store.begin_write() as tx:
        _release_dead(tx)


def _release_dead(tx: Transaction) -> None:
    """Release at once what killed processes had leased, instead of at the end of their leases."""
    for name, holder in leases.list_holders(tx, _WORKER_PREFIX):
        if _is_dead(holder):
            token = int(name.removeprefix(_WORKER_PREFIX))
            outbox.release_worker(tx, token)
            runs.release_worker(tx, token)
            rate_limits.release_worker(tx, token)
            connections.release_all(tx, token)
            leases.release(tx, name, holder)


def _is_dead(holder: str) -> bool:
    """Whether a holder was a process of this machine that no longer exists."""
    host, _, process = holder.rpartition(":")
    pid, _, rest = process.partition(".")
    pid_namespace, _, nonce = rest.partition(".")
    if (host, pid_namespace) != (socket.gethostname(), str(_read_pid_namespace())):
        return False
    if int(pid) == os.getpid():
        return nonce != _PROCESS_NONCE
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
