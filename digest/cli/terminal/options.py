"""The options that many commands have, and how a command opens what it works on."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from digest.cli.terminal.stopping import block_signals
from digest.redaction import write_json

if TYPE_CHECKING:  # importing it takes longer than --help may
    from digest.app import App

F = TypeVar("F", bound=Callable[..., Any])


class InstantParam(click.ParamType[datetime]):
    """A time as ISO 8601 writes it; without an offset it is this machine's."""

    name = "ISO"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read it."""
        if isinstance(value, datetime):
            return value
        try:
            return datetime.fromisoformat(str(value)).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(
                f"{value!r} is not a time; write it as 2026-06-12T07:30 or 2026-06-12T05:30Z", param, ctx
            )


def config_option(command: F) -> F:
    """``--config FILE``."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="The configuration file.",
    )(command)


def now_option(command: F) -> F:
    """``--now ISO``."""
    return click.option(
        "--now",
        type=InstantParam(),
        help="Try out another time: do what is due by then, really, and wait for nothing. A store that was begun with it "
        "stays at the latest such time; in any other it may be a day from the clock at most.",
    )(command)


def json_option(command: F) -> F:
    """``--json``."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print one JSON document on standard output, and nothing else.",
    )(command)


def apply_option(command: F) -> F:
    """``--apply``."""
    return click.option(
        "--apply",
        "another_file",
        is_flag=True,
        help="Let this file take the place of another one that the store was set up by.",
    )(command)


@contextmanager
def open_configured_app(config: Path | None, now: datetime | None = None) -> Iterator[App]:
    """Open what the file names, and pass its warnings on."""
    _import_app()
    from digest.app import open_app
    from digest.config import find_config
    from digest.jobs.notices import note_broken_libraries

    with open_app(find_config(config, os.environ), now, os.environ) as app:
        broken = note_broken_libraries(app.store, app.settings.libraries, app.clock())
        for warning in (*app.settings.warnings, *app.warnings, *broken):
            click.echo(f"{click.style('Warning:', fg='yellow')} {warning}", err=True)
        yield app


@cache
def _import_app() -> None:
    """Import what commands need: it stays, and to look for garbage in it takes a twentieth of one reader's run."""
    with block_signals():
        import_module("digest.app")
    gc.freeze()


def print_json(document: object) -> None:
    """Print one JSON document."""
    write_json(sys.stdout, document)


def is_on_terminal() -> bool:
    """Whether somebody watches: progress is shown to people, not to pipes."""
    return sys.stderr.isatty()
