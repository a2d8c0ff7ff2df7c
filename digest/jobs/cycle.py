"""The cycle: what ``digest run`` does once, and ``digest serve`` at each tick.

``hear → fire → pull → match → alert → close → compose → deliver → publish → enrich → prune``, again while runs wait and somebody is
patient.
Each step finds its work in the tables, so a cycle that ends anywhere is finished by the next one.
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
from digest.jobs.delivery.bounces import BounceEvent
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

_CYCLE_LEASE = "cycle"
_WORKER_PREFIX = "worker:"
_PROCESS_NONCE = secrets.token_hex(4)
"""Tells this process from an earlier one of the same number: in a container that is always the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleSteps:
    """The verbs, each bound to its store, sources, channels and clock.

    Attributes:
        deliver: by all connections, or by the part of them that it is given.
        enrich: with a few requests, or with as many as it is given.
        prune: what has grown old.
    """

    read_reports: Callable[[], Iterator[BounceEvent]]
    fire: Callable[[], int]
    list_asks: Callable[[], tuple[Ask, ...]]
    pull: Callable[[tuple[Ask, ...]], Iterator[PullProgress]]
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
    """What is about to be asked."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPostponed:
    """Runs that stay open; a later cycle closes them."""

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
    """One cycle, told as it happens.

    Args:
        steps: the verbs.
        wait: False closes runs although batches are missing.
        wait_for_retry: given the runs that wait; sleeps until it is worth asking again, or says False.
    """
    yield from steps.read_reports()
    steps.fire()
    while True:
        yield from pull_due(steps)
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
    """Ask for what is due; where a route fails or falls short, what another one can do follows at once."""
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
        # What other routes could add is left to the next pull, as is what could not be stored.
        return ()


# --- only one at a time ---------------------------------------------------------------------------


def get_holder() -> str:
    """Who this process is, for a lease: others on this machine can see whether it lives."""
    return f"{socket.gethostname()}:{os.getpid()}.{_read_pid_namespace()}.{_PROCESS_NONCE}"


def _read_pid_namespace() -> int:
    """Where this process has its number: containers can have the name of their host, and numbers of their own."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0  # not Linux


def claim_cycle(store: Store, now: datetime) -> str | None:
    """Begin to run cycles, or go on: two at once would do no harm, but twice the work.

    Returns:
        None, or who is at it already.
    """
    with store.begin_write() as tx:
        _release_dead(tx)
        other_holder = leases.claim(tx, _CYCLE_LEASE, get_holder(), now)
        if other_holder is not None and _is_dead(other_holder):
            leases.release(tx, _CYCLE_LEASE, other_holder)
            other_holder = leases.claim(tx, _CYCLE_LEASE, get_holder(), now)
    return other_holder


def release_cycle(store: Store) -> None:
    """Let others run cycles; where that cannot be written, they see that this process is no more."""
    with suppress(StoreBusyError), store.begin_write() as tx:
        leases.release(tx, _CYCLE_LEASE, get_holder())


@contextmanager
def register_worker(store: Store, token: int, now: datetime) -> Iterator[None]:
    """Be known as the worker of a token, so that others can tell when it is no more.

    What it could not give back, because the store could not be written to just then, is free when it ends. A pack of
    deliveries that may still be under way is not: it is when this process is no more.

    Args:
        store: what is worked on.
        token: fences the worker's leases; no other has the same.
        now: the time.
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
    """Make free what processes of this machine had that are no more."""
    with store.begin_write() as tx:
        _release_dead(tx)


def _release_dead(tx: Transaction) -> None:
    """What a process that was killed had leased is free at once, and not when the lease ends."""
    for name, holder in leases.list_holders(tx, _WORKER_PREFIX):
        if _is_dead(holder):
            token = int(name.removeprefix(_WORKER_PREFIX))
            outbox.release_worker(tx, token)
            runs.release_worker(tx, token)
            rate_limits.release_worker(tx, token)
            connections.release_all(tx, token)
            leases.release(tx, name, holder)


def _is_dead(holder: str) -> bool:
    """Whether a holder was a process of this machine that is there no more."""
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
