"""The connections that a process may open: its share of the limit that the file sets for all processes together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.jobs.delivery.sender_pool import SenderPool, Worker
from digest.jobs.http.fetch import Clock
from digest.store.database.engine import Transaction
from digest.store.delivery import connections, outbox

_HANDOVER_INTERVAL = timedelta(seconds=0.5)
"""Time between two renewals while this process has more connections than its share, or fewer."""


@dataclass(slots=True, kw_only=True)
class ConnectionShare:
    """Leases of connections to servers; a worker whose server has no limit needs none.

    Attributes:
        pool: the workers.
        token: the token of this process.
        clock: returns the machine's time, corrected by the database's clock. The servers are real even if a command simulates a
            time.
        interval: time between two renewals of the leases.
        has_leases: whether there may be leases to release.
    """

    pool: SenderPool
    token: int
    clock: Clock
    interval: timedelta
    has_leases: bool = field(default=False, init=False)
    _usable_counts: dict[str, int] = field(default_factory=dict, init=False)  # by server
    _reserved_at: datetime | None = field(default=None, init=False)  # by the machine's clock
    _has_fair_share: bool = field(default=True, init=False)
    _closing: list[Worker] = field(default_factory=list, init=False)

    def reserve_if_due(self, tx: Transaction, now: datetime) -> None:
        """Take leases when something is due, and renew them at intervals.

        This comes first in a transaction: a process that has locked a rate or a domain would deadlock with one that has
        locked connections.
        """
        machine_now = self.clock()
        if self._reserved_at is not None:
            if self._reserved_at <= machine_now < self._reserved_at + self.renewal_interval:
                return
        elif not any(outbox.is_any_due(tx, channel, now) for channel in self.pool.limited_channels):
            return
        self.reserve(tx, machine_now)

    @property
    def renewal_interval(self) -> timedelta:
        """Time between two renewals; short while connections change hands, or others would be idle for long."""
        return self.interval if self._has_fair_share else min(self.interval, _HANDOVER_INTERVAL)

    def reserve(self, tx: Transaction, machine_now: datetime) -> None:
        """Take or renew the leases of this process's share; workers whose lease another process gets are replaced.

        Args:
            tx: a writing transaction.
            machine_now: the machine's time, UTC.
        """
        workers = self.pool.workers
        limits = {
            worker.connection.server: worker.connection.max_connections
            for worker in workers
            if worker.connection.max_connections
        }
        worker_counts = Counter(worker.connection.server for worker in workers)
        surplus: Counter[str] = Counter()
        self._has_fair_share = True
        for server, max_connections in sorted(limits.items()):
            in_use = self._count_connected()[server]
            held_count, fair_share = connections.reserve(
                tx,
                self.token,
                machine_now,
                server=server,
                max_connections=max_connections,
                requested=worker_counts[server],
                in_use=in_use,
            )
            self.has_leases = True
            # A process that uses more than its share gives its workers no other batch, so that others have a turn.
            self._usable_counts[server] = min(held_count, fair_share)
            surplus[server] = in_use - self._usable_counts[server]
            self._has_fair_share &= surplus[server] <= 0 and held_count >= fair_share
        self._reserved_at = machine_now if limits else None
        self.pool.workers = [self._replace_surplus(worker, surplus) for worker in workers]

    def _replace_surplus(self, worker: Worker, surplus: Counter[str]) -> Worker:
        """Return the worker, or an unconnected one in its place if it is idle and its server has too many connections."""
        server = worker.connection.server
        if surplus[server] <= 0 or not worker.is_alive() or worker in self.pool.in_flight:
            return worker
        surplus[server] -= 1
        worker.request_close()
        self._closing.append(worker)
        return worker.create_successor()

    def list_usable(self, free_workers: Sequence[Worker]) -> list[Worker]:
        """List the idle workers that have a lease or need none, connected ones first."""
        occupied = [*self.pool.in_flight, *[worker for worker in self._closing if worker.is_alive()]]
        used_counts = Counter(worker.connection.server for worker in occupied)
        usable: list[Worker] = []
        for worker in sorted(free_workers, key=lambda worker: not worker.is_alive()):
            server = worker.connection.server
            limit = self._usable_counts.get(server, 0)
            if not worker.connection.max_connections or used_counts[server] < limit:
                used_counts[server] += 1
                usable.append(worker)
        return usable

    def forget(self) -> None:
        """Forget the leases, whose transaction may have been rolled back; they are taken again."""
        self._usable_counts.clear()
        self._reserved_at = None

    def release_all(self, tx: Transaction) -> None:
        """Release all leases; the connections must be closed."""
        connections.release_all(tx, self.token)
        self.has_leases = False
        self.forget()

    def _count_connected(self) -> Counter[str]:
        """Count the open connections by server."""
        self._closing = [worker for worker in self._closing if worker.is_alive()]
        return Counter(
            worker.connection.server for worker in (*self.pool.workers, *self._closing) if worker.is_alive()
        )
