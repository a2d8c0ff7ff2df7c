"""``digest worker``: compose, deliver and everything else in any number of processes on any number of machines."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

import click

from digest.cli.logs.options import log_options
from digest.cli.logs.reporters import make_reporter
from digest.cli.terminal.options import config_option, wait_for_upgrade
from digest.event_log import LogEvent, get_log_level, log_crashes, write_json_log

_QUEUES = "alert,pull,match,compose,deliver"
"""Queues of a worker for which none are named; ``publish`` belongs to one machine."""
_KNOWN_QUEUES = frozenset(f"{_QUEUES},publish".split(","))


class QueueList(click.ParamType[tuple[str, ...]]):
    """Names of queues, separated by commas."""

    name = "QUEUES"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split the names and check them."""
        names = tuple(name.strip() for name in str(value).split(",") if name.strip())
        if unknown := sorted(set(names) - _KNOWN_QUEUES):
            known = ", ".join(sorted(_KNOWN_QUEUES))
            self.fail(f"there is no queue {unknown[0]!r}; there are {known}", param, ctx)
        if not names:
            self.fail("name at least one queue", param, ctx)
        return names


@click.command()
@config_option
@log_options
@click.option(
    "--queues",
    default=_QUEUES,
    show_default=True,
    type=QueueList(),
    help="What this worker does, separated by commas. Folders belong to one machine: give `publish` to one worker.",
)
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of processes; one uses one core.",
)
def worker(config: Path | None, queues: tuple[str, ...], processes: int) -> int:
    """Work on a PostgreSQL database together with other workers, until stopped by SIGTERM or Ctrl-C.

    Needs the extra `postgres`; run `digest db upgrade` and `digest apply` first.

    Any number of workers on any number of machines share the work of `digest serve`; each may be killed or cut off
    at any time. A worker applies no file: `digest apply` does. From its own file it takes secrets, mail servers and
    folders, so a worker whose file has no [smtp] sends no mail. On SIGHUP it reads its file again.

    A worker whose file has all sources also decides what is due, whatever its queues.

    \b
    Queues, the most urgent first:
      alert    compose and deliver alerts
      pull     ask sources and enrichers
      match    match new papers
      compose  compose editions
      deliver  deliver editions by the channels of its file
      publish  write feeds, pages and mails into folders

    \b
    Examples:
      digest worker --processes 4
      digest worker --queues deliver
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.app import is_file_usable
    from digest.worker.process import require_workers_store
    from digest.worker.supervisor import Supervisor

    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # whoever starts reads the file anyway
    with wait_for_upgrade(config) as app:
        require_workers_store(app)
        path = app.settings.path
    reporter = make_reporter()
    reporter.print_line(
        f"Working on {', '.join(queues)}. Ctrl-C stops the worker, SIGHUP reloads its configuration.",
        LogEvent.STARTED,
    )
    has_ended_by_signal = Supervisor(
        run=run_process,
        arguments=(path, queues, gc.get_threshold(), get_log_level()),
        process_count=processes,
        is_usable=partial(is_file_usable, path, reporter),
    ).run_until_signal()
    reporter.print_line(
        "Stopped. Nothing is lost: other workers, or this one later, continue from here.", LogEvent.STOPPED
    )
    return 0 if has_ended_by_signal else 1


def run_process(
    config: Path,
    queues: tuple[str, ...],
    gc_thresholds: tuple[int, int, int],
    log_level: int | None,
    closing: threading.Event,
) -> None:
    """Run one process of a worker.

    Args:
        config: its configuration file.
        queues: the queues that it serves.
        gc_thresholds: the thresholds of garbage collection.
        log_level: the least level of the lines of a log as JSON; None if the log is not JSON.
        closing: set from outside to end it.
    """
    from digest.app import open_app
    from digest.errors import DigestError, TooOldError
    from digest.redaction import filter_streams, redact_output
    from digest.worker.process import run_worker
    from digest.worker.supervisor import OUTDATED, TOO_OLD

    gc.set_threshold(*gc_thresholds)
    with filter_streams(redact_output), write_json_log(log_level), log_crashes():
        reporter = make_reporter()
        try:
            with open_app(config, None, os.environ) as app:
                reporter.use_settings(app.settings)
                is_outdated = run_worker(app, queues, closing, reporter, reporter.finish_pass)
        except DigestError as error:
            reporter(error)
            sys.exit(TOO_OLD if isinstance(error, TooOldError) else 1)
    sys.exit(OUTDATED if is_outdated else 0)
