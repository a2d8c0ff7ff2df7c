"""The events of a service as lines for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from digest.cli.logs.service_reporter import ServiceReporter
from digest.errors import DigestError
from digest.event_log import LogEvent

if TYPE_CHECKING:
    from digest.config import Settings
    from digest.jobs.cycle import CycleEvent


class TextReporter(ServiceReporter):
    """Prints lines for people; many similar deliveries are only counted.

    Args:
        quiet: whether nothing but errors is printed.

    Attributes:
        shows_addresses: whether lines name the addresses of deliveries; otherwise they name the deliveries by number.
    """

    def __init__(self, *, quiet: bool) -> None:
        from digest.cli.terminal.run_summary import LineLimiter

        super().__init__()
        self._quiet = quiet
        self._limiter = LineLimiter()
        self.shows_addresses = True

    def use_settings(self, settings: Settings) -> None:
        """Name addresses only if nobody can sign up by themselves."""
        # The output of a service is kept as a log, which would still have the addresses that readers deleted.
        self.shows_addresses = settings.signup is None

    def _print_error(self, error: DigestError) -> None:
        click.echo(f"{click.style('Error:', fg='red')} {error}", err=True)

    def _print_event(self, event: CycleEvent) -> None:
        for line in self._limiter.list_lines(event):
            self.print_line(line.text if self.shows_addresses else _hide_address(line.text, event))

    def finish_pass(self) -> None:
        """Print lines that were held back, and the numbers of deliveries without a line."""
        from digest.cli.terminal.run_summary import LineLimiter

        for line in self._limiter.list_omitted():
            self.print_line(line.text)
        self._limiter = LineLimiter()

    def print_line(self, text: str, event: LogEvent = LogEvent.SITE) -> None:  # noqa: ARG002 - people read the text
        """Print a line unless quiet."""
        if not self._quiet:
            click.echo(text)


def _hide_address(text: str, event: CycleEvent) -> str:
    """Replace the address of a delivery or a report by the number of the delivery, also in what a server answered."""
    from digest.jobs.delivery.bounces.bounce_events import CountedReport
    from digest.jobs.delivery.outbox import DeliveryAttempt

    match event:
        case DeliveryAttempt():
            address, number = event.delivery.address, event.delivery.id
        case CountedReport():
            address, number = event.report.mailbox, event.report.delivery
        case _:
            return text
    if "@" not in address:  # a folder or a service, whose name may be any word of the text
        return text
    name = f"delivery {number}" if number else "an address"
    return re.sub(re.escape(address), name, text, flags=re.IGNORECASE)
