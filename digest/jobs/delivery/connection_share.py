"""The connections that a process may open: its share of the limit that the file sets for all processes together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from digest.jobs.delivery.sender_pool import Worker
from digest.store.database.engine import Transaction
from digest.store.delivery import connections as rows


@dataclass(slots=True, kw_only=True)
class ConnectionShare:
    """Leases of connections to servers; a worker whose server has no limit needs none.

    Attributes:
        token: the process's token.
        has_leases: whether there may be leases to release.
    """

    token: int
    has_leases: bool = field(default=False, init=False)
    _usable_counts: dict[str, int] = field(default_factory=dict, init=False)
    _closing: list[Worker] = field(default_factory=list, init=False)

    def reserve_connections(
        self, tx: Transaction, workers: Sequence[Worker], busy: Collection[Worker], now: datetime
    ) -> list[Worker]:
        """Take or renew the leases of this process's share.

        Args:
            tx: a writing transaction.
            workers: all workers.
            busy: the workers with a batch.
            now: the machine's time, UTC.

        Returns:
            The workers in the given order; those whose lease another process gets are replaced by unconnected ones.
        """
        limits = {
            worker.connection.server: worker.connection.max_connections
            for worker in workers
            if worker.connection.max_connections
        }
        worker_counts = Counter(worker.connection.server for worker in workers)
        surplus: Counter[str] = Counter()
        for server, max_connections in sorted(limits.items()):
            in_use = self._count_connected(workers)[server]
            held_count, fair_share = rows.reserve(
                tx,
                self.token,
                now,
                server=server,
                max_connections=max_connections,
                requested=worker_counts[server],
                in_use=in_use,
            )
            self.has_leases = True
            # If more connections are in use than our share, workers that finish a batch get no other one, so that others have a turn.
            self._usable_counts[server] = min(held_count, fair_share)
            surplus[server] = in_use - self._usable_counts[server]
        return [self._replace_surplus(worker, busy, surplus) for worker in workers]

    def _replace_surplus(self, worker: Worker, busy: Collection[Worker], surplus: Counter[str]) -> Worker:
        if surplus[worker.connection.server] <= 0 or not worker.is_alive() or worker in busy:
            return worker
        surplus[worker.connection.server] -= 1
        worker.request_close()
        self._closing.append(worker)
        return worker.create_successor()

    def list_usable(self, free_workers: Sequence[Worker], busy: Collection[Worker]) -> Iterator[Worker]:
        """List the idle workers that have a lease or need none, connected ones first."""
        occupied = [*busy, *[worker for worker in self._closing if worker.is_alive()]]
        used_counts = Counter(worker.connection.server for worker in occupied)
        for worker in sorted(free_workers, key=lambda worker: not worker.is_alive()):
            server = worker.connection.server
            if worker.connection.max_connections and used_counts[server] >= self._usable_counts.get(
                server, 0
            ):
                continue
            used_counts[server] += 1
            yield worker

    @property
    def is_reserved(self) -> bool:
        """Whether the leases of this process are known."""
        return bool(self._usable_counts)

    def forget(self) -> None:
        """Forget the leases, whose transaction may have been rolled back; they are taken again."""
        self._usable_counts.clear()

    def release_all(self, tx: Transaction) -> None:
        """Release all leases; the connections must be closed."""
        rows.release_all(tx, self.token)
        self.has_leases = False
        self._usable_counts.clear()

    def _count_connected(self, workers: Iterable[Worker]) -> Counter[str]:
        self._closing = [worker for worker in self._closing if worker.is_alive()]
        return Counter(worker.connection.server for worker in (*workers, *self._closing) if worker.is_alive())
