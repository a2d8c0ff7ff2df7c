"""Progress bars for fetching, matching and sending, shown on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol

import click

from digest.event_log import is_json_log

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.cycle import CycleEvent


class ProgressBar(Protocol):
    """Shows the progress of events, and prints lines beside the bar."""

    def update(self, event: CycleEvent) -> None:
        """Show the progress that an event stands for."""

    def print_line(self, text: str, *, failed: bool) -> None:
        """Print a line, to standard error if something failed, so that cron can mail only failures."""


class _PlainOutput:
    """Prints lines, without a bar."""

    def update(self, event: CycleEvent) -> None:
        """Do nothing."""

    def print_line(self, text: str, *, failed: bool) -> None:
        """Print a line; click removes colours in a pipe."""
        click.echo(text, err=failed)


class _RichProgressBar:
    """Shows a bar on standard error."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._delivery_count = 0

    def update(self, event: CycleEvent) -> None:
        """Start a task, or advance the current one."""
        from digest.jobs.cycle import PullStarted
        from digest.jobs.delivery.outbox import DeliveryAttempt
        from digest.jobs.fetching.pull import PullProgress
        from digest.jobs.matching.match import MatchProgress
        from digest.render.languages.english import format_count

        if isinstance(event, PullStarted):
            self.bar.add_task("Fetching", total=len(event.asks))
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
        """Print a line above the bar if both are on the terminal."""
        if failed or sys.stdout.isatty():
            from rich.text import Text

            self.bar.console.print(Text.from_ansi(text), soft_wrap=True)
        else:
            click.echo(text)


@contextmanager
def show_progress(*, is_enabled: bool) -> Iterator[ProgressBar]:
    """Give a progress bar, or a plain printer if bars are disabled."""
    if not is_enabled:
        yield _PlainOutput()
        return
    rich = _RichProgressBar()
    with rich.bar:
        yield rich


@contextmanager
def show_count(activity: str, *, is_enabled: bool) -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows how many of a total are done, unless the first call says that all are.

    Args:
        activity: the activity, for people.
        is_enabled: whether bars are shown.
    """
    from digest.jobs.matching.match import MatchProgress

    with ExitStack() as stack:
        bars: list[ProgressBar] = []

        def show(done_count: int, total: int) -> None:
            if not bars and done_count < total:
                bars.append(stack.enter_context(show_progress(is_enabled=is_enabled)))
            for bar in bars:
                bar.update(MatchProgress(activity=activity, done_count=done_count, total=total))

        yield show


def apply_config_visibly(app: App, *, allows_other_file: bool, quiet: bool) -> None:
    """Apply the configuration, with a bar on a terminal if it takes more than one transaction."""
    is_enabled = sys.stderr.isatty() and not quiet and not is_json_log()
    with show_count("Applying the configuration", is_enabled=is_enabled) as report:
        app.apply_config(allows_other_file=allows_other_file, report=report)


@contextmanager
def show_file_progress(*, is_enabled: bool) -> Iterator[Callable[[str, int, int | None], None]]:
    """Give a function that shows how much of a file is read or written, or does nothing if bars are disabled.

    The function gets a description, the number of bytes, and the size of the file; None if that is not known.
    """
    if not is_enabled:
        yield lambda _description, _byte_count, _file_size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(description: str, byte_count: int, file_size: int | None) -> None:
            bar.update(task, description=description, completed=byte_count, total=file_size)

        yield update
