"""Options that many commands share, and opening the configured application."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from digest.cli.terminal.stopping import block_signals
from digest.redaction import write_json

if TYPE_CHECKING:  # its import takes too long for --help
    from digest.app import App

F = TypeVar("F", bound=Callable[..., Any])
_UPGRADE_POLL_SECONDS = 2.0
"""Seconds between two looks whether the tables were upgraded."""


class InstantParam(click.ParamType[datetime]):
    """A time in ISO 8601; without an offset, it is in this machine's time zone."""

    name = "ISO"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Parse the value."""
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


_NOW_HELP = "Run as if it were this time (2026-05-08T07:31)."
_NOW_LIMIT_HELP = (
    "Use it with a database for experiments: in any other one, only a day from the clock is allowed."
)


def now_option(command: F) -> F:
    """``--now ISO``, of a command that sends no editions."""
    return click.option("--now", type=InstantParam(), help=f"{_NOW_HELP} {_NOW_LIMIT_HELP}")(command)


def sending_now_option(command: F) -> F:
    """``--now ISO``, of a command that sends editions."""
    return click.option(
        "--now", type=InstantParam(), help=f"{_NOW_HELP} Mail really goes out. {_NOW_LIMIT_HELP}"
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
        help="Let this file replace another one with which the database was set up.",
    )(command)


@contextmanager
def open_configured_app(config: Path | None, now: datetime | None = None) -> Iterator[App]:
    """Open the application that the configuration describes, and print its warnings."""
    _import_app()
    from digest.app import open_app
    from digest.cli.terminal.messages import print_warning
    from digest.config import find_config
    from digest.jobs.notices import note_broken_libraries
    from digest.jobs.operations.tracing.tracer import find_tracing_problem

    with open_app(find_config(config, os.environ), now, os.environ) as app:
        broken = note_broken_libraries(app.store, app.settings.libraries, app.clock())
        tracing_problem = find_tracing_problem(os.environ)
        for warning in (*app.settings.warnings, *app.warnings, *broken, tracing_problem):
            if warning:
                print_warning(warning)
        yield app


@contextmanager
def wait_for_upgrade(config: Path | None) -> Iterator[App]:
    """Open the application as ``open_configured_app`` does, once somebody has upgraded the tables of the database."""
    from digest.cli.terminal.messages import print_waiting
    from digest.errors import NotUpgradedError

    has_told = False
    while True:
        with ExitStack() as stack:
            try:
                app = stack.enter_context(open_configured_app(config))
            except NotUpgradedError:
                if not has_told:
                    print_waiting(
                        "Waiting for `digest db upgrade`: the tables are those of an earlier release."
                    )
                has_told = True
            else:
                yield app
                return
        time.sleep(_UPGRADE_POLL_SECONDS)


@cache
def _import_app() -> None:
    """Import the application, and exempt it from garbage collection, which would take 5 % of a run for one reader."""
    with block_signals():
        import_module("digest.app")
    gc.freeze()


def print_json(document: object) -> None:
    """Print one JSON document."""
    write_json(sys.stdout, document)


def is_on_terminal() -> bool:
    """Whether standard error is a terminal; only then progress is shown."""
    return sys.stderr.isatty()
