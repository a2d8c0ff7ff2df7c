"""A progress bar over the sections being asked, papers being matched and mails sent, on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from digest.jobs.cycle import CycleEvent


class ProgressBar(Protocol):
    """Follows what happens, and prints lines without breaking them."""

    def update(self, event: CycleEvent) -> None:
        """Move on."""

    def print_line(self, text: str, *, failed: bool) -> None:
        """Print a line; on standard error if something failed: cron mails only that, if asked to."""


class _PlainOutput:
    """No bar: lines only."""

    def update(self, event: CycleEvent) -> None:
        """Nothing to move."""

    def print_line(self, text: str, *, failed: bool) -> None:
        """Print a line; colours are left out in a pipe."""
        click.echo(text, err=failed)


class _RichProgressBar:
    """A bar on standard error."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._delivery_count = 0

    def update(self, event: CycleEvent) -> None:
        """A new task where something begins, a step where it goes on."""
        from digest.jobs.cycle import PullStarted
        from digest.jobs.delivery.outbox import DeliveryAttempt
        from digest.jobs.fetching.pull import PullProgress
        from digest.jobs.matching.match import MatchProgress
        from digest.render.languages.english import format_count

        if isinstance(event, PullStarted):
            self.bar.add_task("Asking sources", total=len(event.asks))
        elif isinstance(event, PullProgress):
            count_text = f", {format_count(event.received, 'listing')}" if not event.is_finished else ""
            description = f"{event.name}{count_text}"
            self.bar.update(self.bar.task_ids[-1], description=description, advance=int(event.is_finished))
        elif isinstance(event, DeliveryAttempt):
            if not self._delivery_count:
                self._clear()
            if not self.bar.task_ids:
                self.bar.add_task("Delivering", total=None)
            self._delivery_count += 1
            self.bar.update(self.bar.task_ids[-1], completed=self._delivery_count)
        elif isinstance(event, MatchProgress):
            self._clear()
            self.bar.add_task(event.activity, total=event.total, completed=event.done_count)
        else:
            self._clear()

    def _clear(self) -> None:
        for task in list(self.bar.task_ids):
            self.bar.remove_task(task)

    def print_line(self, text: str, *, failed: bool) -> None:
        """Print a line above the bar where both share the terminal."""
        if failed or sys.stdout.isatty():
            from rich.text import Text

            self.bar.console.print(Text.from_ansi(text), soft_wrap=True)
        else:
            click.echo(text)


@contextmanager
def show_progress(*, is_enabled: bool) -> Iterator[ProgressBar]:
    """A bar to follow happenings with; a mere printer where nobody watches."""
    if not is_enabled:
        yield _PlainOutput()
        return
    rich = _RichProgressBar()
    with rich.bar:
        yield rich
