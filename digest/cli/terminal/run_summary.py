"""Summary of a cycle. Deliveries may be a million, so most of them are only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from digest.cli.terminal import format_events
from digest.errors import StoreError
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch_errors import MAYBE_OFFLINE, OFFLINE

if TYPE_CHECKING:
    from digest.jobs.cycle import CycleEvent

MAX_LISTED = 1_000
"""Maximum number of deliveries with the same result that the JSON document lists."""
MAX_LINES = 20
"""Maximum number of deliveries with the same result that get a line on a terminal."""


class RunSummary:
    """Collects the events of a cycle, also if the database fails in the middle of it.

    Args:
        events: all events, as they happen.

    Attributes:
        events: all events except deliveries beyond ``MAX_LISTED`` with the same result.
        receipts: the number of deliveries by result.
        failed: whether something failed that sets the exit status.
        error: the database error that ended the cycle early; None if there was none.
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
        """Make the JSON document that docs/reference/commands.md describes."""
        counts = {outcome: self.receipts[outcome] for outcome in format_events.OUTCOMES}
        ending = {"failed": self.failed, "error": str(self.error or "")}
        return format_events.make_document(self.events) | {"receipts": counts, **ending}

    def get_exit_status(self) -> int:
        """Return the exit status; call this after everything has been printed.

        Raises:
            StoreError: the error that ended the cycle early.
        """
        if self.error is not None:
            raise self.error
        return int(self.failed)

    def _count_outcome(self, attempt: DeliveryAttempt) -> int:
        outcome = format_events.get_outcome(attempt)
        self.receipts[outcome] += 1
        return self.receipts[outcome]


class Line(NamedTuple):
    """A line for a terminal.

    Attributes:
        failed: whether it reports a failure.
    """

    text: str
    failed: bool = False


class LineLimiter:
    """Turns events into lines, without repeating the same message many times.

    Failures of name resolution are held back until it is clear whether any name can be resolved: if none can, one line
    says so.
    """

    def __init__(self) -> None:
        self._outcome_counts: Counter[str] = Counter()
        self._reported_errors: set[str] = set()
        self._held_lines: list[str] = []
        self._is_offline = False

    def list_lines(self, event: CycleEvent) -> list[Line]:
        """Return the lines for an event, preceded by lines that were held back; none if the limit is reached."""
        if isinstance(event, PullProgress) and event.error.endswith(MAYBE_OFFLINE):
            return self._hold_line(event)
        held_lines = self._release_lines(is_online=isinstance(event, PullProgress))
        if isinstance(event, DeliveryAttempt):
            outcome = format_events.get_outcome(event)
            self._outcome_counts[outcome] += 1
            if self._outcome_counts[outcome] > MAX_LINES:
                return held_lines
        text = format_events.format_line(event)
        return [*held_lines, Line(text, format_events.is_failure(event))] if text else held_lines

    def list_omitted(self) -> list[Line]:
        """Return the lines still held back, and the numbers of deliveries without a line."""
        return [
            *self._release_lines(is_online=False),
            *(
                Line(f"{count - MAX_LINES:,} more: {format_events.OUTCOMES[outcome]}.")
                for outcome, count in self._outcome_counts.items()
                if count > MAX_LINES
            ),
        ]

    def _hold_line(self, event: PullProgress) -> list[Line]:
        if event.error in self._reported_errors or self._is_offline:
            return []
        self._reported_errors.add(event.error)
        if event.error == OFFLINE:
            return [Line(f"Nothing was fetched: {OFFLINE}", failed=True)]
        self._held_lines.append(format_events.format_line(event) or event.error)
        return []

    def _release_lines(self, *, is_online: bool) -> list[Line]:
        texts, self._held_lines = self._held_lines, []
        if is_online:
            self._is_offline = False
        elif len(texts) > 1:
            self._is_offline = True
            texts = [f"Nothing was fetched: {describe_unresolved(len(texts))}"]
        return [Line(text, failed=True) for text in texts]


def describe_unresolved(host_count: int) -> str:
    """Say that none of several host names can be resolved."""
    return f"none of {host_count} host names can be resolved{MAYBE_OFFLINE}"
