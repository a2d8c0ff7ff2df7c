"""Options of the commands that run as services: the format of their log."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from digest.errors import ConfigError, DigestError, OutOfMemoryError, forget_frames, is_out_of_memory

F = TypeVar("F", bound=Callable[..., Any])


def log_options(command: F) -> F:
    """``--log-format`` and ``--log-level``; the command runs with such a log, in which its errors are."""

    @wraps(command)
    def run(*arguments: Any, log_format: str, log_level: str, **options: Any) -> Any:
        from digest.event_log import write_json_log

        if log_format == "text":
            return command(*arguments, **options)
        if options.get("as_json"):
            raise click.UsageError(
                "--json prints one document at the end; it cannot be combined with a log as JSON"
            )
        with write_json_log(_get_level(log_level)):
            return _run_logged(lambda: command(*arguments, **options))

    for option in (
        click.option(
            "--log-level",
            type=click.Choice(["debug", "info", "warning", "error"]),
            default="info",
            show_default=True,
            envvar="DIGEST_LOG_LEVEL",
            show_envvar=True,
            help="Least serious lines of a log as JSON; debug adds a line for each mail, cycle and task.",
        ),
        click.option(
            "--log-format",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            envvar="DIGEST_LOG_FORMAT",
            show_envvar=True,
            help="Print lines for people, or one JSON object a line, without addresses, for programs that collect logs.",
        ),
    ):
        run = option(run)
    return run  # type: ignore[return-value]  # with two more options


def _get_level(name: str) -> int:
    import logging

    return logging.getLevelNamesMapping()[name.upper()]


def _run_logged(run: Callable[[], int]) -> int:
    """Run a command, write the error that ends it to the log, and return its exit status."""
    from digest.event_log import log_crash

    try:
        return run()
    except DigestError as error:
        report_error(error)
        return 2 if isinstance(error, ConfigError) else 1
    except Exception as error:
        if isinstance(error, click.ClickException | click.exceptions.Exit):
            raise
        if is_out_of_memory(error):
            forget_frames(error)
            report_error(OutOfMemoryError())
        else:
            log_crash(error)
        return 1


def report_error(error: DigestError) -> None:
    """Write an error to a log as JSON."""
    import logging

    from digest.event_log import LogEvent, log_event

    log_event(LogEvent.ERROR, str(error), level=logging.ERROR, kind=type(error).__name__)
