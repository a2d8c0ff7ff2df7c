"""A progress bar over the sections being asked, papers being matched and mails sent, on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from digest.jobs.cycle import Happening


class Bar(Protocol):
    """Follows what happens, and prints lines without breaking them."""

    def follow(self, happening: Happening) -> None:
        """Move on."""

    def say(self, text: str, *, failed: bool) -> None:
        """Print a line; on standard error if something failed: cron mails only that, if asked to."""


class _Plain:
    """No bar: lines only."""

    def follow(self, happening: Happening) -> None:
        """Nothing to move."""

    def say(self, text: str, *, failed: bool) -> None:
        """Print a line; colours are left out in a pipe."""
        click.echo(text, err=failed)


class _Rich:
    """A bar on standard error."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._delivered = 0

    def follow(self, happening: Happening) -> None:
        """A new task where something begins, a step where it goes on."""
        from digest.jobs.cycle import Asking
        from digest.jobs.delivery.dispatcher import Delivered
        from digest.jobs.fetching.pull import Pulled
        from digest.jobs.matching.match import Matching
        from digest.render.languages.english import count

        if isinstance(happening, Asking):
            self.bar.add_task("Asking sources", total=len(happening.asks))
        elif isinstance(happening, Pulled):
            so_far = f", {count(happening.received, 'listing')}" if not happening.finished else ""
            what = f"{happening.name}{so_far}"
            self.bar.update(self.bar.task_ids[-1], description=what, advance=int(happening.finished))
        elif isinstance(happening, Delivered):
            if not self._delivered:
                self._clear()
            if not self.bar.task_ids:
                self.bar.add_task("Delivering", total=None)
            self._delivered += 1
            self.bar.update(self.bar.task_ids[-1], completed=self._delivered)
        elif isinstance(happening, Matching):
            self._clear()
            self.bar.add_task(happening.what, total=happening.total, completed=happening.done)
        else:
            self._clear()

    def _clear(self) -> None:
        for task in list(self.bar.task_ids):
            self.bar.remove_task(task)

    def say(self, text: str, *, failed: bool) -> None:
        """Print a line above the bar where both share the terminal."""
        if failed or sys.stdout.isatty():
            from rich.text import Text

            self.bar.console.print(Text.from_ansi(text), soft_wrap=True)
        else:
            click.echo(text)


@contextmanager
def progress(*, shown: bool) -> Iterator[Bar]:
    """A bar to follow happenings with; a mere printer where nobody watches."""
    if not shown:
        yield _Plain()
        return
    rich = _Rich()
    with rich.bar:
        yield rich
