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
from digest.jobs.delivery.bounces import Heard
from digest.jobs.delivery.dispatcher import Dispatch
from digest.jobs.editions.compose import Waiting
from digest.jobs.enrich import Enriched
from digest.jobs.fetching.pull import Pulled
from digest.jobs.matching.match import Matched, Matching
from digest.model import Ask
from digest.store.database import leases
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import connections, outbox
from digest.store.editions import runs
from digest.store.fetching import rate_limits

_LEASE = "cycle"
_WORKER = "worker:"
_BORN = secrets.token_hex(4)
"""Tells this process from an earlier one of the same number: in a container that is always the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The verbs, each bound to its store, sources, channels and clock.

    Attributes:
        deliver: by all connections, or by the part of them that it is given.
        enrich: with a few requests, or with as many as it is given.
        prune: what has grown old.
    """

    hear: Callable[[], Iterator[Heard]]
    fire: Callable[[], int]
    wanted: Callable[[], tuple[Ask, ...]]
    pull: Callable[[tuple[Ask, ...]], Iterator[Pulled]]
    match: Callable[[], Iterator[Matching | Matched]]
    alert: Callable[[], bool]
    close: Callable[[bool], tuple[Waiting, ...]]
    compose: Callable[[], int]
    deliver: Callable[..., Iterator[Dispatch]]
    publish: Callable[[], tuple[Path, ...]]
    enrich: Callable[..., Iterator[Enriched]]
    prune: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is about to be asked."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Runs that stay open; a later cycle closes them."""

    waiting: tuple[Waiting, ...]


Happening = Heard | Asking | Pulled | Matching | Matched | Dispatch | Left | Enriched


def cycle(steps: Steps, *, wait: bool, patient: Callable[[tuple[Waiting, ...]], bool]) -> Iterator[Happening]:
    """One cycle, told as it happens.

    Args:
        steps: the verbs.
        wait: False closes runs although batches are missing.
        patient: given the runs that wait; sleeps until it is worth asking again, or says False.
    """
    yield from steps.hear()
    steps.fire()
    while True:
        yield from pulling(steps)
        yield from steps.match()
        steps.alert()
        waiting = steps.close(wait)
        made = steps.compose()
        yield from steps.deliver()
        if made or not waiting:
            steps.publish()
        if waiting and patient(waiting):
            continue
        if waiting:
            yield Left(waiting=waiting)
        yield from steps.enrich()
        steps.prune()
        return


def pulling(steps: Steps) -> Iterator[Asking | Pulled]:
    """Ask for what is due; where a route fails or falls short, what another one can do follows at once."""
    asked: set[Ask] = set()
    while asks := _still_wanted(steps, asked):
        yield Asking(asks=asks)
        yield from steps.pull(asks)
        asked |= set(asks)


def _still_wanted(steps: Steps, asked: set[Ask]) -> tuple[Ask, ...]:
    try:
        return tuple(one for one in steps.wanted() if one not in asked)
    except StoreBusyError:
        if not asked:
            raise
        # What other routes could add is left to the next pull, as is what could not be stored.
        return ()


# --- only one at a time ---------------------------------------------------------------------------


def holder() -> str:
    """Who this process is, for a lease: others on this machine can see whether it lives."""
    return f"{socket.gethostname()}:{os.getpid()}.{_numbering()}.{_BORN}"


def _numbering() -> int:
    """Where this process has its number: containers can have the name of their host, and numbers of their own."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0  # not Linux


def begin(store: Store, now: datetime) -> str | None:
    """Begin to run cycles, or go on: two at once would do no harm, but twice the work.

    Returns:
        None, or who is at it already.
    """
    with store.writing() as tx:
        _release_dead(tx)
        other = leases.take(tx, _LEASE, holder(), now)
        if other is not None and _is_dead(other):
            leases.give_back(tx, _LEASE, other)
            other = leases.take(tx, _LEASE, holder(), now)
    return other


def end(store: Store) -> None:
    """Let others run cycles; where that cannot be written, they see that this process is no more."""
    with suppress(StoreBusyError), store.writing() as tx:
        leases.give_back(tx, _LEASE, holder())


@contextmanager
def worker(store: Store, token: int, now: datetime) -> Iterator[None]:
    """Be known as the worker of a token, so that others can tell when it is no more.

    What it could not give back, because the store could not be written to just then, is free when it ends. A pack of
    deliveries that may still be under way is not: it is when this process is no more.

    Args:
        store: what is worked on.
        token: fences the worker's leases; no other has the same.
        now: the time.
    """
    name = f"{_WORKER}{token}"
    with store.writing() as tx:
        _release_dead(tx)
        leases.take(tx, name, holder(), now)
    try:
        yield
    finally:
        with suppress(StoreBusyError), store.writing() as tx:
            runs.release(tx, token)
            rate_limits.release(tx, token)
            if not outbox.has_leased(tx, token):
                leases.give_back(tx, name, holder())


def release_dead(store: Store) -> None:
    """Make free what processes of this machine had that are no more."""
    with store.writing() as tx:
        _release_dead(tx)


def _release_dead(tx: Transaction) -> None:
    """What a process that was killed had leased is free at once, and not when the lease ends."""
    for name, other in leases.holders(tx, _WORKER):
        if _is_dead(other):
            token = int(name.removeprefix(_WORKER))
            outbox.release(tx, token)
            runs.release(tx, token)
            rate_limits.release(tx, token)
            connections.give_back(tx, token)
            leases.give_back(tx, name, other)


def _is_dead(other: str) -> bool:
    """Whether a holder was a process of this machine that is there no more."""
    host, _, process = other.rpartition(":")
    number, _, rest = process.partition(".")
    numbering, _, born = rest.partition(".")
    if (host, numbering) != (socket.gethostname(), str(_numbering())):
        return False
    if int(number) == os.getpid():
        return born != _BORN
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
