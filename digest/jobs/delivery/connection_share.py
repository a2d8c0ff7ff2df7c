"""The connections that a worker may have: its share of what the file allows all processes together."""

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
    """The places that a worker holds at servers; a line whose server has none needs none.

    Attributes:
        token: the worker's.
        has_leases: whether there may be something to give back.
    """

    token: int
    has_leases: bool = field(default=False, init=False)
    _usable_counts: dict[str, int] = field(default_factory=dict, init=False)
    _closing: list[Worker] = field(default_factory=list, init=False)

    def reserve_connections(
        self, tx: Transaction, workers: Sequence[Worker], busy: Collection[Worker], now: datetime
    ) -> list[Worker]:
        """Take what is the worker's share, or prolong it.

        Args:
            tx: a writing transaction.
            workers: all lines.
            busy: those that have a pack.
            now: the machine's time.

        Returns:
            The lines in the order given; those whose places others are to have are new ones, without a connection.
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
            # Where more are in use than are ours, lines that end their pack get no other one, and others have a turn.
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
        """Those of the free lines that have a place, or need none: the ones that are connected come first."""
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
        """Whether it is known what is held."""
        return bool(self._usable_counts)

    def forget(self) -> None:
        """Know nothing of what is held, for what was written of it may be gone: it is taken again."""
        self._usable_counts.clear()

    def release_all(self, tx: Transaction) -> None:
        """Let others have all of them; the connections must have ended."""
        rows.release_all(tx, self.token)
        self.has_leases = False
        self._usable_counts.clear()

    def _count_connected(self, workers: Iterable[Worker]) -> Counter[str]:
        self._closing = [worker for worker in self._closing if worker.is_alive()]
        return Counter(worker.connection.server for worker in (*workers, *self._closing) if worker.is_alive())
