"""Claims for one channel: what its idle workers get next.

New deliveries and *suspects* are claimed separately. A suspect is a message that a server failed at, or that may have arrived.
It can block a connection for long, so suspects go one at a time, when nothing else is due. Suspects that may have failed
only because of the server's daily limit go first, until anything fails; meanwhile the other connections send one message at
a time, so that they do not use up that limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from digest.jobs.delivery.circuit_breaker import CircuitBreaker
from digest.jobs.delivery.claims.queue_share import QueueShare
from digest.jobs.delivery.claims.send_rate import ClaimResult, SendRate
from digest.jobs.delivery.connection_share import ConnectionShare
from digest.jobs.delivery.sender_pool import BATCH_SIZE, Worker, split_batches
from digest.jobs.delivery.servers import ServerTracker
from digest.model import Delivery
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, queue_cursors
from digest.store.delivery.queue_positions import QUEUE_FRONT, ClaimScope, QueuePosition
from digest.store.editions.held_runs import HeldRun

MAX_WAIT = timedelta(hours=1)
"""A pass waits for deliveries that are due within this time."""
_MAX_PARTS = 4
"""Maximum number of parts of a queue that one claim tries: in those that are full of rows that others have locked it finds nothing.
"""
_ALERT_CHECK_INTERVAL = timedelta(seconds=2)
"""Time between two looks for alerts while a process delivers everything else."""
_RECHECK_SECONDS = 0.05
"""Seconds to wait while another process delivers what is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelClaim:
    """The claim for a channel.

    Attributes:
        assignments: claimed deliveries, and the worker that gets them.
        held_runs: runs that were held because they are unusually large.
        wake_after: seconds until something more can be claimed; None if there is nothing to wait for.
    """

    assignments: Sequence[tuple[Worker, Sequence[Delivery]]] = ()
    held_runs: Sequence[HeldRun] = ()
    wake_after: float | None = None


class _Claimed(NamedTuple):
    """Leased deliveries, suspects apart, and in how many seconds there may be more."""

    suspects: Sequence[Delivery] = ()
    ordinary: Sequence[Delivery] = ()
    wake_after: float | None = None


@dataclass(slots=True, kw_only=True)
class ClaimCursor:
    """The position of one pass by one process in the due deliveries.

    Attributes:
        send_rate: the rates.
        token: the token of this process.
        max_wait: how long the pass waits for what is due soon.
        only_alerts: whether to deliver only alerts.
    """

    send_rate: SendRate
    token: int
    max_wait: timedelta = MAX_WAIT
    only_alerts: bool = False
    _next_alert_checks: dict[str, datetime] = field(
        default_factory=dict, init=False
    )  # by channel, machine's clock
    _shares: dict[str, QueueShare] = field(default_factory=dict, init=False)  # by channel
    _reached_unproven: dict[str, QueuePosition] = field(default_factory=dict, init=False)
    _without_unproven: set[str] = field(default_factory=set, init=False)

    def claim_ordinary(self, tx: Transaction, channel: str, limit: int, now: datetime) -> ClaimResult:
        """Claim deliveries that are not suspects: alerts first, then after the last claimed one in this process's part."""
        machine_now = self.send_rate.machine_clock()
        if self._is_alert_check_due(channel, machine_now):
            claim = self.send_rate.claim(tx, channel, limit, self.token, now, scope=ClaimScope.ALERT)
            if claim.deliveries or claim.wait is not None or self.only_alerts:
                return claim
            self._next_alert_checks[channel] = machine_now + _ALERT_CHECK_INTERVAL
        return self._claim_part(tx, channel, limit, now, machine_now)

    def _is_alert_check_due(self, channel: str, machine_now: datetime) -> bool:
        """Whether to look for alerts: at the end of an interval, and as long as there are any."""
        next_check = self._next_alert_checks.get(channel)
        is_waiting = next_check is not None and next_check - _ALERT_CHECK_INTERVAL <= machine_now < next_check
        return self.only_alerts or not is_waiting

    def _claim_part(
        self, tx: Transaction, channel: str, limit: int, now: datetime, machine_now: datetime
    ) -> ClaimResult:
        share = self._shares.setdefault(channel, QueueShare(channel=channel, token=self.token))
        claimed: list[Delivery] = []
        claim = ClaimResult()
        for _ in range(_MAX_PARTS):
            part = share.find_part(tx, now, machine_now)
            claim = self.send_rate.claim(
                tx,
                channel,
                limit - len(claimed),
                self.token,
                now,
                after=part.after,
                before=part.before,
                scope=ClaimScope.ORDINARY,
            )
            claimed += claim.deliveries
            share.note_claimed(claim.deliveries)
            if part.before is None or claim.wait is not None or len(claim.deliveries) == claim.limit:
                break
            share.leave_part()
        if len(claimed) == limit:
            share.save(tx, machine_now)  # there is more to do, which others can share
        return ClaimResult(deliveries=tuple(claimed), wait=claim.wait if not claimed else None)

    def leave_queues(self, tx: Transaction) -> None:
        """Leave the parts of all queues to other processes."""
        if self._shares:
            queue_cursors.leave_queues(tx, self.token)

    def claim_unproven(self, tx: Transaction, channel: str, limit: int, now: datetime) -> Sequence[Delivery]:
        """Claim suspects that go first.

        Each claim continues after the last one, so that a suspect that fails does not come again in this pass before others.
        """
        after = self._reached_unproven.get(channel, QUEUE_FRONT)
        claim = self.send_rate.claim(
            tx, channel, limit, self.token, now, after=after, scope=ClaimScope.UNPROVEN
        )
        if claim.deliveries:
            self._reached_unproven[channel] = QueuePosition.from_delivery(claim.deliveries[-1])
        if len(claim.deliveries) < limit and claim.wait is None:
            self._without_unproven.add(channel)
        return claim.deliveries

    def may_find_unproven(self, channel: str) -> bool:
        """Whether there may be more suspects of a channel that go first."""
        return channel not in self._without_unproven

    def claim_suspect(self, tx: Transaction, channel: str, now: datetime) -> ClaimResult:
        """Claim the first suspect."""
        return self.send_rate.claim(tx, channel, 1, self.token, now, scope=ClaimScope.SUSPECT)


@dataclass(slots=True, kw_only=True)
class ChannelClaimer:
    """Claims deliveries for the idle workers of one channel after the other.

    Attributes:
        servers: the servers and their workers.
        connection_share: the connections that this process may open.
        cursor: the position in the due deliveries.
        circuit_breaker: holds runs that are unusually large.
        time_passes: False if the clock stands still: nothing becomes due then.
    """

    servers: ServerTracker
    connection_share: ConnectionShare
    cursor: ClaimCursor
    circuit_breaker: CircuitBreaker
    time_passes: bool
    _wait_until: datetime = field(init=False)  # by the machine's clock

    def __post_init__(self) -> None:
        self._wait_until = self._read_machine_clock() + self.cursor.max_wait

    def claim(self, tx: Transaction, channel: str, now: datetime) -> ChannelClaim:
        """Claim deliveries of a channel for its idle workers."""
        self.servers.load_newest_due(tx, channel, now)
        free_workers = self.servers.list_free(channel, now)
        workers = self.connection_share.list_usable(free_workers)
        if not workers:
            are_others_sending = bool(free_workers) and outbox.is_any_due(tx, channel, now)
            return ChannelClaim(
                wake_after=self.connection_share.renewal_interval.total_seconds()
                if are_others_sending
                else None
            )
        claimed = self._claim_deliveries(tx, channel, len(workers), now)
        suspects, held_suspects = self.circuit_breaker.exclude_unusual_runs(tx, claimed.suspects)
        ordinary, held_ordinary = self.circuit_breaker.exclude_unusual_runs(tx, claimed.ordinary)
        held_runs = [*held_suspects, *held_ordinary]
        return ChannelClaim(
            assignments=list(self._assign_workers(channel, workers, suspects, ordinary, now)),
            held_runs=held_runs,
            wake_after=0.0 if held_runs else claimed.wake_after,
        )

    def _assign_workers(
        self,
        channel: str,
        workers: Sequence[Worker],
        suspects: Sequence[Delivery],
        ordinary: Sequence[Delivery],
        now: datetime,
    ) -> Iterator[tuple[Worker, Sequence[Delivery]]]:
        """Assign suspects to the workers that are most likely to get them through, and the rest to the others."""
        remaining = list(workers)
        candidates = self._list_suspect_workers(channel, now)
        for batch in split_batches(suspects, BATCH_SIZE):
            worker = self.servers.choose_worker(candidates or remaining, batch)
            candidates = [candidate for candidate in candidates if candidate is not worker]
            remaining = [candidate for candidate in remaining if candidate is not worker]
            yield worker, batch
        size = 1 if suspects or self._spares_quota(channel, now) else BATCH_SIZE
        yield from zip(remaining, split_batches(ordinary, size), strict=False)

    def _claim_deliveries(self, tx: Transaction, channel: str, worker_count: int, now: datetime) -> _Claimed:
        """Claim deliveries for a number of workers: suspects that go first, ordinary ones, and a suspect if nothing else is due."""
        suspects = () if self.cursor.only_alerts else self._claim_unproven(tx, channel, worker_count, now)
        limit = worker_count - len(tuple(split_batches(suspects, BATCH_SIZE)))
        if not limit:
            return _Claimed(suspects)
        if not (suspects or self._spares_quota(channel, now)):
            limit *= BATCH_SIZE
        ordinary, wait, _ = self.cursor.claim_ordinary(tx, channel, limit, now)
        if len(ordinary) == limit or wait is not None or self.cursor.only_alerts:
            return _Claimed(suspects, ordinary, wait.total_seconds() if wait is not None else None)
        has_suspect = (
            bool(suspects)
            or self.servers.count_suspect_batches(channel) > 0
            or not self._list_suspect_workers(channel, now)
        )
        if not (ordinary or has_suspect):
            suspects, wait, _ = self.cursor.claim_suspect(tx, channel, now)
            if wait is not None:
                return _Claimed(wake_after=wait.total_seconds())
            has_suspect = bool(suspects)
        scope = ClaimScope.ORDINARY if has_suspect else ClaimScope.ALL
        return _Claimed(suspects, ordinary, self._find_wake_time(tx, channel, now, scope))

    def _claim_unproven(
        self, tx: Transaction, channel: str, worker_count: int, now: datetime
    ) -> Sequence[Delivery]:
        """Claim suspects that go first: a single one, then batches for half of the connections once a server has accepted one."""
        if not (self._spares_quota(channel, now) and self.cursor.may_find_unproven(channel)):
            return ()
        limit = self.servers.count_first_suspects(channel, worker_count)
        return self.cursor.claim_unproven(tx, channel, limit, now) if limit else ()

    def _spares_quota(self, channel: str, now: datetime) -> bool:
        """Whether some suspects are to go first: no server of the channel has failed in this pass, and one is not paused."""
        has_unproven = self.cursor.may_find_unproven(channel) or self.servers.count_suspect_batches(channel)
        return (
            bool(has_unproven)
            and not self.servers.has_failed(channel)
            and self.servers.has_awake(channel, now)
        )

    def _list_suspect_workers(self, channel: str, now: datetime) -> list[Worker]:
        """List the idle workers that can take a suspect, stand-bys included: any server that has not failed at it.

        Empty while all workers of such a server are busy: it may be the one that accepts the message.
        """
        in_flight = self.servers.pool.in_flight
        candidates = self.servers.list_suspect_candidates(channel, now)
        usable = self.connection_share.list_usable(
            [worker for worker in candidates if worker not in in_flight]
        )
        busy_servers = {worker.server for worker in candidates if worker in in_flight}
        return usable if busy_servers <= {worker.server for worker in usable} else []

    def _find_wake_time(
        self, tx: Transaction, channel: str, now: datetime, scope: ClaimScope
    ) -> float | None:
        """Return in how many seconds something is due that is worth waiting for; None if nothing is."""
        first_due, next_fresh = outbox.find_next_due(tx, channel, now, scope)
        if first_due is not None and first_due <= now:
            return _RECHECK_SECONDS
        if next_fresh is None or not self.time_passes or self._read_machine_clock() > self._wait_until:
            return None
        wait = next_fresh - now
        return wait.total_seconds() if wait <= self.cursor.max_wait else None

    def _read_machine_clock(self) -> datetime:
        return self.cursor.send_rate.machine_clock()
