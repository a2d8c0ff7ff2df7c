"""The part of a channel's queue in which one of several processes delivers.

Deliveries with one due time are in the order of the query that most of their papers match, so mails made one after the other
share most of their parts. Each process therefore goes on from its position to that of the next process. When nothing is left
there, it begins again in the middle of the largest part of another one, which ends there from then on. If a process dies, its
position is forgotten, and its neighbours go on over its part. All this is a hint: the rows of the deliveries decide who gets
them, and what becomes due before them is found soon (``_CHECK_INTERVAL``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from digest.model import Delivery
from digest.store.database.engine import Transaction
from digest.store.delivery import queue_cursors, queue_positions
from digest.store.delivery.queue_cursors import QueueFront
from digest.store.delivery.queue_positions import QUEUE_FRONT, QueuePosition

_CHECK_INTERVAL = timedelta(seconds=5)
"""Time between two look-ups of the front of the queue, which processes share.

What becomes due before the known front is therefore noticed within twice this time, or this time after a process began.
"""
_MIN_PART_SIZE = 100
"""Number of deliveries from which on a part is worth a look-up of its own."""
_MAX_SPLITS = 12
"""Maximum number of parts that are tried before a process claims from the front, whoever else does."""


class QueuePart(NamedTuple):
    """A part of a queue: begin after a position, and end before another one; None to end nowhere."""

    after: QueuePosition
    before: QueuePosition | None = None


@dataclass(slots=True, kw_only=True)
class QueueShare:
    """The place of one process in the queue of a channel.

    Attributes:
        channel: the channel.
        token: the token of the process.
    """

    channel: str
    token: int
    _front: QueueFront | None = field(default=None, init=False)
    _next_check: datetime | None = field(default=None, init=False)  # by the machine's clock
    _reached: QueuePosition = field(default=QUEUE_FRONT, init=False)  # by claims from the front
    _position: QueuePosition | None = field(default=None, init=False)  # in its part; None if it has none

    def find_part(self, tx: Transaction, now: datetime, machine_now: datetime) -> QueuePart:
        """Return where to claim next: in this process's part, or from the front of the queue if it has none."""
        front = self._refresh_front(tx, now, machine_now)
        position = self._position or self._find_start(tx, front, now, machine_now)
        if position is None:
            return QueuePart(after=max(front.position, self._reached))
        self._position = position
        others = self._list_others(tx, position.due_at, machine_now)
        next_positions = [other for other in others if other > position]
        return QueuePart(
            after=position,
            before=min(next_positions, default=queue_positions.make_group_end(position.due_at)),
        )

    def note_claimed(self, deliveries: Sequence[Delivery]) -> None:
        """Note what was claimed, in queue order: the next claim goes on behind it."""
        if deliveries:
            last = QueuePosition.from_delivery(deliveries[-1])
            if self._position is not None:
                self._position = last
            else:
                self._reached = last

    def leave_part(self) -> None:
        """Note that nothing is left in the part."""
        self._position = None

    def save(self, tx: Transaction, machine_now: datetime) -> None:
        """Tell the other processes the position."""
        assert self._front is not None
        queue_cursors.save_cursor(
            tx, self.channel, self.token, machine_now, front=self._front, position=self._position
        )

    def _refresh_front(self, tx: Transaction, now: datetime, machine_now: datetime) -> QueueFront:
        """Return the front of the queue, which one of the processes looks up at intervals.

        With a million deliveries it takes up to 70 ms, because those that were sent since the last vacuum are passed over.
        """
        if self._front is not None and self._next_check is not None:
            if self._next_check - _CHECK_INTERVAL <= machine_now < self._next_check:
                return self._front
            front = queue_cursors.find_front(tx, self.channel)
            if front is None or not _is_fresh(front, machine_now):
                first = queue_positions.find_first_position(tx, self.channel, now)
                front = QueueFront(_step_back(first) if first else QUEUE_FRONT, machine_now)
            self._reached = QUEUE_FRONT
            if self._position is not None and front.position.due_at < self._position.due_at:
                self.leave_part()
        else:
            # An old front will do at first: if everything behind it is claimed, claims continue at the true one.
            front = queue_cursors.find_front(tx, self.channel) or QueueFront(QUEUE_FRONT, machine_now)
        self._front, self._next_check = front, machine_now + _CHECK_INTERVAL
        return front

    def _find_start(
        self, tx: Transaction, front: QueueFront, now: datetime, machine_now: datetime
    ) -> QueuePosition | None:
        """Find a part of the oldest deliveries that no other process has; None if there are too few for several processes."""
        first = queue_positions.find_first_position(
            tx, self.channel, now, after=max(front.position, self._reached)
        )
        if first is None or not self._is_large(
            tx, _step_back(first), queue_positions.make_group_end(first.due_at)
        ):
            return None
        others = self._list_others(tx, first.due_at, machine_now)
        if not others or first < others[0]:
            return _step_back(first)
        last = queue_positions.find_last_in_group(tx, self.channel, first.due_at)
        return self._split_largest(tx, [*others, last or others[-1]])

    def _split_largest(self, tx: Transaction, bounds: Sequence[QueuePosition]) -> QueuePosition | None:
        """Find the middle of the largest part, by ids of queries, behind which there is enough to do."""
        parts = list(pairwise(bounds))
        for _ in range(_MAX_SPLITS):
            part = begin, end = max(parts, key=_measure_span)
            if _measure_span(part) < 2:
                return None
            middle = QueuePosition(begin.due_at, (begin.main_query + end.main_query) // 2, 0)
            if self._is_large(tx, middle, end):
                return middle
            parts.remove(part)
            parts.append((begin, middle))
        return None

    def _is_large(self, tx: Transaction, after: QueuePosition, before: QueuePosition) -> bool:
        return (
            queue_positions.find_in_part(tx, self.channel, after, before, offset=_MIN_PART_SIZE - 1)
            is not None
        )

    def _list_others(
        self, tx: Transaction, due_at: datetime, machine_now: datetime
    ) -> Sequence[QueuePosition]:
        return queue_cursors.list_positions(tx, self.channel, due_at, self.token, machine_now)


def _is_fresh(front: QueueFront, machine_now: datetime) -> bool:
    return front.checked_at <= machine_now < front.checked_at + _CHECK_INTERVAL


def _step_back(position: QueuePosition) -> QueuePosition:
    """Return the position before a delivery."""
    return position._replace(id=position.id - 1)


def _measure_span(part: tuple[QueuePosition, QueuePosition]) -> int:
    begin, end = part
    return end.main_query - begin.main_query
