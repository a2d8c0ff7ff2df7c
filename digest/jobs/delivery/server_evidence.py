"""What the answers of a server say in one pass: whether the server fails, or messages that it fails at.

A message that a server fails at while it takes others is at fault itself. So a failure says nothing yet: what comes after
it on the same server decides. Once a message is known to be at fault, its failures say nothing of the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from digest.jobs.delivery.sender_pool import Finished
from digest.store.delivery.outbox import Delivery

_DOUBT_THRESHOLD, _THRESHOLD = 2, 8
"""Different messages in a row that a server fails at before it is down: where it was in doubt before, and elsewhere."""
_FEW_SUSPECTS, _MANY_SUSPECTS = 2, 8
"""Suspects in a row that a server fails at before the others wait for a later pass: many if it took anything in this one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known when a batch is done.

    Attributes:
        is_down: the server is in trouble, whatever it is given.
        faulty: deliveries whose attempt counts: the server failed at them while it took others. They are of this batch
            or of one before it.
        new_failures: deliveries of this batch that it failed at for the first time in this pass.
        is_down_if_alone: it is in trouble if there is nothing else to try: it has taken nothing since an earlier pass.
    """

    is_down: bool
    faulty: tuple[Delivery, ...]
    new_failures: frozenset[int]
    is_down_if_alone: bool = False


@dataclass(slots=True, kw_only=True)
class ServerEvidence:
    """What a server did in a pass.

    Attributes:
        counted: deliveries with an attempt that counts, at any server; a pass counts one of each.
        has_taken: it took something, or said what was wrong with its recipient.
        has_taken_suspect: this was a message that a server failed at before.
        failures: the deliveries that it failed at.
    """

    counted: set[int] = field(default_factory=set)
    has_taken: bool = False
    has_taken_suspect: bool = False
    failures: set[int] = field(default_factory=set)
    _server_failures: set[int] = field(default_factory=set)  # these three: since it took something
    _suspect_failures: set[int] = field(default_factory=set)
    _undecided: dict[int, Delivery] = field(default_factory=dict)

    @property
    def is_failing(self) -> bool:
        """Whether it failed at the last message that it was given."""
        return bool(self._server_failures or self._suspect_failures)

    @property
    def speaks_against_server(self) -> bool:
        """Whether the last failure may be the server's trouble."""
        return bool(self._server_failures)

    @property
    def spares_suspects(self) -> bool:
        """Whether it failed at so many suspects in a row that the others wait for a later pass."""
        return len(self._suspect_failures) >= (_MANY_SUSPECTS if self.has_taken else _FEW_SUSPECTS)

    def add(self, finished: Finished, *, was_in_doubt: bool, took_others: bool = False) -> Verdict:
        """Add the result of a batch.

        Args:
            finished: the batch.
            was_in_doubt: the server's last answer of an earlier pass was a failure.
            took_others: it had taken something in that pass.
        """
        faulty: list[Delivery] = []
        earlier_failures = frozenset(self.failures)
        for delivery, _ in finished.answered():
            if finished.shows_server_works(delivery):
                faulty += self._add_success()
                self.has_taken_suspect |= delivery.is_suspect
            elif finished.is_in_trouble(delivery):
                faulty += self._add_failure(delivery)
        threshold = _DOUBT_THRESHOLD if was_in_doubt and not self.has_taken else _THRESHOLD
        is_down = len(self._server_failures) >= threshold or finished.did_not_reach_server
        newly_faulty = tuple(delivery for delivery in faulty if delivery.id not in self.counted)
        self.counted.update(delivery.id for delivery in newly_faulty)
        return Verdict(
            is_down=is_down,
            faulty=newly_faulty,
            new_failures=frozenset(self.failures - earlier_failures),
            is_down_if_alone=self.speaks_against_server
            and was_in_doubt
            and not (took_others or self.has_taken),
        )

    def _add_success(self) -> list[Delivery]:
        faulty = list(self._undecided.values())
        self.has_taken = True
        for failures in (self._server_failures, self._suspect_failures, self._undecided):
            failures.clear()
        return faulty

    def _add_failure(self, delivery: Delivery) -> list[Delivery]:
        """Give the delivery if it is at fault itself: what the server took in this pass before a suspect counts."""
        self.failures.add(delivery.id)
        is_at_fault = delivery.is_suspect and self.has_taken
        if delivery.is_suspect:
            self._suspect_failures.add(delivery.id)
        if not is_at_fault:
            self._undecided[delivery.id] = delivery
        if not (is_at_fault or delivery.is_faulty):
            self._server_failures.add(delivery.id)
        return [delivery] if is_at_fault else []
