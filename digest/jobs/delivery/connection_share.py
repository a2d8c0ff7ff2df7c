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
class Places:
    """The places that a worker holds at servers; a line whose server has none needs none.

    Attributes:
        token: the worker's.
        any_taken: whether there may be something to give back.
    """

    token: int
    any_taken: bool = field(default=False, init=False)
    _usable: dict[str, int] = field(default_factory=dict, init=False)
    _leaving: list[Worker] = field(default_factory=list, init=False)

    def take(
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
        limits = {one.line.server: one.line.places for one in workers if one.line.places}
        lines = Counter(one.line.server for one in workers)
        too_many: Counter[str] = Counter()
        for server, most in sorted(limits.items()):
            in_use = self._connected(workers)[server]
            held, share = rows.take(
                tx, self.token, now, server=server, places=most, wanted=lines[server], in_use=in_use
            )
            self.any_taken = True
            # Where more are in use than are ours, lines that end their pack get no other one, and others have a turn.
            self._usable[server] = min(held, share)
            too_many[server] = in_use - self._usable[server]
        return [self._without_surplus(one, busy, too_many) for one in workers]

    def _without_surplus(self, one: Worker, busy: Collection[Worker], too_many: Counter[str]) -> Worker:
        if too_many[one.line.server] <= 0 or not one.is_alive() or one in busy:
            return one
        too_many[one.line.server] -= 1
        one.leave()
        self._leaving.append(one)
        return one.successor()

    def usable(self, free: Sequence[Worker], busy: Collection[Worker]) -> Iterator[Worker]:
        """Those of the free lines that have a place, or need none: the ones that are connected come first."""
        held_up = [*busy, *[one for one in self._leaving if one.is_alive()]]
        used = Counter(one.line.server for one in held_up)
        for one in sorted(free, key=lambda one: not one.is_alive()):
            server = one.line.server
            if one.line.places and used[server] >= self._usable.get(server, 0):
                continue
            used[server] += 1
            yield one

    @property
    def are_known(self) -> bool:
        """Whether it is known what is held."""
        return bool(self._usable)

    def forget(self) -> None:
        """Know nothing of what is held, for what was written of it may be gone: it is taken again."""
        self._usable.clear()

    def give_back(self, tx: Transaction) -> None:
        """Let others have all of them; the connections must have ended."""
        rows.give_back(tx, self.token)
        self.any_taken = False
        self._usable.clear()

    def _connected(self, workers: Iterable[Worker]) -> Counter[str]:
        self._leaving = [one for one in self._leaving if one.is_alive()]
        return Counter(one.line.server for one in (*workers, *self._leaving) if one.is_alive())
