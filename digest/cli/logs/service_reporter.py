"""What reports the events of a service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from digest.errors import DigestError
from digest.event_log import LogEvent

if TYPE_CHECKING:
    from digest.config import Settings
    from digest.jobs.cycle import CycleEvent


class ServiceReporter(ABC):
    """Prints and counts the events of the cycles.

    Attributes:
        counts: how many requests to sources, deliveries and failures there were.
    """

    def __init__(self) -> None:
        self.counts = {"pulled": 0, "delivered": 0, "failed": 0}

    def __call__(self, event: CycleEvent | DigestError) -> None:
        """Report an event or an error."""
        from digest.cli.terminal import format_events
        from digest.jobs.delivery.outbox import DeliveryAttempt
        from digest.jobs.fetching.pull import PullProgress

        if isinstance(event, DigestError):
            self.counts["failed"] += 1
            self._print_error(event)
            return
        failed = format_events.is_failure(event)
        self.counts["failed"] += failed
        self.counts["pulled"] += isinstance(event, PullProgress) and not failed
        self.counts["delivered"] += isinstance(event, DeliveryAttempt) and not failed
        self._print_event(event)

    @abstractmethod
    def use_settings(self, settings: Settings) -> None:
        """Follow the settings of the configuration, which may have changed."""

    @abstractmethod
    def finish_pass(self) -> None:
        """Report what was held back of a pass of deliveries."""

    @abstractmethod
    def print_line(self, text: str, event: LogEvent = LogEvent.SITE) -> None:
        """Print a sentence.

        Args:
            text: the sentence.
            event: what it tells of.
        """

    @abstractmethod
    def _print_error(self, error: DigestError) -> None: ...

    @abstractmethod
    def _print_event(self, event: CycleEvent) -> None: ...
