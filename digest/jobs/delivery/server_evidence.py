"""What the answers of a server say in one pass: whether it is the server that fails, or messages that it fails at.

A message that a server fails at while it takes others is to blame itself. So a failure says nothing yet: what comes after it
on the same server decides. Once a message is known to be what a server fails at, its failures say nothing of the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from digest.jobs.delivery.sender_pool import Finished
from digest.store.delivery.outbox import Delivery

_LEAST_FAILED, _MOST_FAILED = 2, 8
"""Messages that a server fails at, and between which it takes none: it is the server; the least if it was in doubt."""
_LEAST_SUSPECTS, _MOST_SUSPECTS = 2, 8
"""Suspects in a row that a server fails at: others wait for a later pass; the most if it took anything in this one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known when a batch is done.

    Attributes:
        is_down: the server is in trouble, whatever it is given.
        blamed: deliveries that it failed at while it took others; of this batch, or of one before it.
        met: those of this batch that it failed at for the first time in this pass.
    """

    is_down: bool
    blamed: tuple[Delivery, ...]
    met: frozenset[int]


@dataclass(slots=True)
class ServerEvidence:
    """What a server did in a pass.

    Attributes:
        has_taken: it took something, or said what was wrong with its recipient.
        has_taken_suspect: this was a message that a server failed at before.
        met: the deliveries that it failed at.
    """

    has_taken: bool = False
    has_taken_suspect: bool = False
    met: set[int] = field(default_factory=set)
    _failed: set[int] = field(default_factory=set)  # these three: since it took something
    _suspects: set[int] = field(default_factory=set)
    _undecided: dict[int, Delivery] = field(default_factory=dict)

    @property
    def is_failing(self) -> bool:
        """Whether the last that it was given failed."""
        return bool(self._failed or self._suspects)

    @property
    def speaks_against_server(self) -> bool:
        """Whether what failed last may be the server's trouble."""
        return bool(self._failed)

    @property
    def spares_suspects(self) -> bool:
        """Whether it failed at so many suspects in a row that the others wait for a later pass."""
        return len(self._suspects) >= (_MOST_SUSPECTS if self.has_taken else _LEAST_SUSPECTS)

    def add(self, finished: Finished, *, was_in_doubt: bool) -> Verdict:
        """Add what a batch came to.

        Args:
            finished: it.
            was_in_doubt: the server failed last in an earlier pass, and has taken nothing since.
        """
        blamed: list[Delivery] = []
        met_before = frozenset(self.met)
        for delivery, _ in finished.answered():
            if finished.shows_server_works(delivery):
                blamed += self._take()
                self.has_taken_suspect |= delivery.is_suspect
            elif finished.is_in_trouble(delivery):
                blamed += self._fail(delivery)
        least = _LEAST_FAILED if was_in_doubt and not self.has_taken else _MOST_FAILED
        is_down = len(self._failed) >= least or finished.did_not_reach_server
        return Verdict(is_down=is_down, blamed=tuple(blamed), met=frozenset(self.met - met_before))

    def _take(self) -> list[Delivery]:
        blamed = list(self._undecided.values())
        self.has_taken = True
        for since in (self._failed, self._suspects, self._undecided):
            since.clear()
        return blamed

    def _fail(self, delivery: Delivery) -> list[Delivery]:
        """Gives it if it is to blame itself: what the server took in this pass before a suspect counts."""
        self.met.add(delivery.id)
        is_blamed = delivery.is_suspect and self.has_taken
        if delivery.is_suspect:
            self._suspects.add(delivery.id)
        if not is_blamed:
            self._undecided[delivery.id] = delivery
        if not (is_blamed or delivery.was_blamed):
            self._failed.add(delivery.id)
        return [delivery] if is_blamed else []
