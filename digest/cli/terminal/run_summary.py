"""What a cycle came to: what happened, and of deliveries, which may be a million, how many ended how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from digest.cli.terminal import format_events
from digest.errors import StoreError
from digest.jobs.delivery.dispatcher import DeliveryAttempt
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch_errors import MAYBE_OFFLINE, OFFLINE

if TYPE_CHECKING:
    from digest.jobs.cycle import CycleEvent

MAX_LISTED = 1_000
"""Deliveries of a kind that are listed one by one."""
MAX_LINES = 20
"""Deliveries of a kind that get a line on a terminal."""


class RunSummary:
    """What happened, kept as far as it is told; also where the store fails in the middle of it.

    Args:
        events: all of them, as they happen.

    Attributes:
        events: without the deliveries beyond ``MAX_LISTED`` of a kind.
        receipts: how many deliveries ended how.
        failed: whether something did that the exit status should tell.
        error: what ended it before its end; None if nothing did.
    """

    def __init__(self, events: Iterable[CycleEvent]) -> None:
        self.events: list[CycleEvent] = []
        self.receipts: Counter[str] = Counter()
        self.failed = False
        self.error: StoreError | None = None
        try:
            for event in events:
                self.failed = self.failed or format_events.is_failure(event)
                if not isinstance(event, DeliveryAttempt) or self._count_outcome(event) <= MAX_LISTED:
                    self.events.append(event)
        except StoreError as error:
            self.error, self.failed = error, True

    def make_document(self) -> dict[str, Any]:
        """As one JSON document; the reference describes it."""
        counts = {outcome: self.receipts[outcome] for outcome in format_events.OUTCOMES}
        ending = {"failed": self.failed, "error": str(self.error or "")}
        return format_events.make_document(self.events) | {"receipts": counts, **ending}

    def get_exit_status(self) -> int:
        """The status to exit with; to be asked for when all is told.

        Raises:
            StoreError: the one that ended it.
        """
        if self.error is not None:
            raise self.error
        return int(self.failed)

    def _count_outcome(self, attempt: DeliveryAttempt) -> int:
        outcome = format_events.get_outcome(attempt)
        self.receipts[outcome] += 1
        return self.receipts[outcome]


class LineLimiter:
    """The lines of what happens, without those that only say once more what many have said."""

    def __init__(self) -> None:
        self._outcome_counts: Counter[str] = Counter()
        self._reported_errors: set[str] = set()

    def format_line(self, event: CycleEvent) -> str | None:
        """The line of something that happened; None where there is none, or enough."""
        if isinstance(event, PullProgress) and event.error.endswith(MAYBE_OFFLINE):
            if event.error in self._reported_errors:
                return None
            self._reported_errors.add(event.error)
            if event.error == OFFLINE:
                return f"Nothing was asked: {OFFLINE}"
        if isinstance(event, DeliveryAttempt):
            outcome = format_events.get_outcome(event)
            self._outcome_counts[outcome] += 1
            if self._outcome_counts[outcome] > MAX_LINES:
                return None
        return format_events.format_line(event)

    def list_omitted(self) -> list[str]:
        """How many had no line."""
        return [
            f"{count - MAX_LINES:,} more: {format_events.OUTCOMES[outcome]}."
            for outcome, count in self._outcome_counts.items()
            if count > MAX_LINES
        ]
