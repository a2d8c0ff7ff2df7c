"""The commands of the cycle: ``run``, and a command for each step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.backups.state import (
    StateKeeper,
    into_option,
    keep_state,
    prepare,
    redact_output_of_run,
    resolve_folder,
)
from digest.cli.subscribers.subscribers import warn_of_unsubscribed
from digest.cli.terminal.options import (
    apply_option,
    config_option,
    is_on_terminal,
    json_option,
    now_option,
    open_configured_app,
    print_json,
    sending_now_option,
)
from digest.cli.terminal.progress import apply_config_visibly
from digest.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.cycle import CycleEvent, CycleSteps
    from digest.jobs.editions.compose import WaitingRun

    WaitFunction = Callable[[tuple[WaitingRun, ...]], bool]

_MAX_PAUSED = 5
"""Maximum number of paused digests that get a line each."""
_MAX_SLEEP = timedelta(seconds=30)
"""Longest sleep of a waiting cycle between two looks."""


@click.command()
@config_option
@sending_now_option
@json_option
@apply_option
@click.option("--no-wait", is_flag=True, help="Send what is available now, without waiting for late sources.")
@click.option(
    "--again",
    multiple=True,
    metavar="DIGEST",
    help="Make another edition of this digest now, of everything since its last one. Can be given several times.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do everything except delivering, store nothing, and say what would go out.",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Continue from the state in this folder, and save it there at the end.",
)
@into_option
@click.option(
    "--kept-by",
    default="",
    metavar="COMMAND",
    help="Run this command each time the state has been saved. If it fails before anything is sent, nothing is sent.",
)
def run(
    config: Path | None,
    now: datetime | None,
    *,
    as_json: bool,
    another_file: bool,
    no_wait: bool,
    again: tuple[str, ...],
    dry_run: bool,
    state: Path | None,
    state_into: Path | None,
    kept_by: str,
) -> int:
    """Run one cycle: pull, match, compose, deliver.

    Applies the configuration, fetches what is due, matches it, composes the editions that are due, delivers
    them, and writes the feeds. If an edition waits for a late announcement, the command waits, too, and says
    for what; after Ctrl-C the next run takes over. Run it as often as you like: nothing is fetched or sent
    twice.

    With --state, the command needs only that folder from the previous run, so a scheduled job can run on any
    machine. If there is no state yet, it says so and covers the last announcement day.

    \b
    Examples:
      digest run
      digest run --dry-run                  say what would go out
      digest run --again llm-systems        make another edition now
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    folder = resolve_folder(state, state_into)
    if kept_by and folder is None:
        raise ConfigError("--kept-by needs a state: name its folder with --state")
    options = _RunOptions(
        as_json=as_json, another_file=another_file, wait=not no_wait, again=again, dry_run=dry_run
    )
    if folder is None:
        return _run(config, now, options, None)
    with redact_output_of_run(config):
        state_keeper = prepare(folder, kept_by, config, now, quiet=as_json)
        if state_keeper.other_started_at is not None:
            return _report_other_cycle(
                f"it began sending at {state_keeper.other_started_at:%H:%M} UTC", as_json=as_json
            )
        return _run(config, now, options, state_keeper)


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunOptions:
    """The options of ``digest run``."""

    as_json: bool
    another_file: bool
    wait: bool
    again: tuple[str, ...]
    dry_run: bool


def _run(
    config: Path | None, now: datetime | None, options: _RunOptions, state_keeper: StateKeeper | None
) -> int:
    with open_configured_app(config, now) as app:
        if options.dry_run:
            return _run_dry(app, options)
        apply_config_visibly(app, allows_other_file=options.another_file, quiet=options.as_json)
        _request_editions(app, options)
        warn_of_unsubscribed(app)
        waiter = SourceWaiter(app, quiet=options.as_json) if app.time_passes else None
        return _run_exclusively(
            app, as_json=options.as_json, wait=options.wait, waiter=waiter, state_keeper=state_keeper
        )


def _request_editions(app: App, options: _RunOptions) -> None:
    from digest.jobs.editions.extra_editions import request_edition

    for name in dict.fromkeys(options.again):
        request_edition(app.store, name, app.clock())


def _run_dry(app: App, options: _RunOptions) -> int:
    with app.store.begin_dry_run() as trial_store:
        trial_app = replace(app, store=trial_store)
        apply_config_visibly(trial_app, allows_other_file=True, quiet=options.as_json)
        _request_editions(trial_app, options)
        with trial_app.open_rehearsal_steps() as steps:
            document = run_reported_cycle(trial_app, steps, quiet=options.as_json, wait=options.wait)
            return _finish_cycle(document, as_json=options.as_json)


def _run_exclusively(
    app: App, *, as_json: bool, wait: bool, waiter: WaitFunction | None, state_keeper: StateKeeper | None
) -> int:
    from digest.jobs import cycle
    from digest.jobs.delivery.bounces.receiver import request_mailbox_read
    from digest.store.delivery.rates import forget_server_failures
    from digest.store.fetching.ledger import forget_own_pauses, forget_pauses_of_days

    began_at = app.clock()
    other = cycle.claim_cycle(app.store, began_at)
    if other is not None:
        return _report_other_cycle(other, as_json=as_json)
    try:
        with app.store.begin_write() as tx:
            # A person at a terminal wants an answer now, so pauses that we chose ourselves end.
            (forget_own_pauses if is_on_terminal() else forget_pauses_of_days)(tx)
            if is_on_terminal():
                forget_server_failures(tx)
            request_mailbox_read(tx)
        status = _run_cycle(app, as_json=as_json, wait=wait, waiter=waiter, state_keeper=state_keeper)
        cycle.record_cycle(app.store, began_at, app.clock())
        return status
    finally:
        cycle.release_cycle(app.store)


def _report_other_cycle(other: str, *, as_json: bool) -> int:
    if as_json:
        print_json({"under_way": other})
    else:
        click.echo(f"Another cycle is running ({other}); this one leaves the work to it.")
    return 0


def _run_cycle(
    app: App, *, as_json: bool, wait: bool, waiter: WaitFunction | None, state_keeper: StateKeeper | None
) -> int:
    from digest.worker_processes import add_worker_processes

    with (
        app.open_steps(command="run") as steps,
        add_worker_processes(app, steps) as shared_steps,
        keep_state(app, shared_steps, state_keeper) as kept_steps,
    ):
        document = run_reported_cycle(app, kept_steps, quiet=as_json, wait=wait, waiter=waiter)
        return _finish_cycle(document, as_json=as_json)


def _finish_cycle(document: dict[str, Any], *, as_json: bool) -> int:
    """Print the document of a cycle if requested, and return the exit status.

    Raises:
        StoreError: the database failed in the middle of the cycle.
    """
    if as_json:
        print_json(document)
    if document["error"]:
        raise StoreError(document["error"])
    return int(document["failed"])


def run_reported_cycle(
    app: App, steps: CycleSteps, *, quiet: bool, wait: bool = True, waiter: WaitFunction | None = None
) -> dict[str, Any]:
    """Run one cycle and report events as they happen.

    Args:
        app: the application; its configuration has been applied.
        steps: the steps of the cycle.
        quiet: print nothing.
        wait: False closes runs although batches are missing.
        waiter: waits for open runs; None leaves them to a later cycle.

    Returns:
        The document that ``--json`` prints, also if the database failed in the middle of the cycle.
    """
    from digest.cli.terminal import format_events
    from digest.cli.terminal.run_summary import RunSummary
    from digest.jobs.cycle import RunsPostponed, run_cycle

    summary = RunSummary(
        show_events(run_cycle(steps, wait=wait, wait_for_retry=waiter or _decline_wait), quiet=quiet)
    )
    if summary.error is not None:
        return summary.make_document() | {"next": []}
    if not quiet:
        waiting_runs = [
            waiting
            for event in summary.events
            if isinstance(event, RunsPostponed)
            for waiting in event.waiting
        ]
        for text in format_events.describe_waiting(waiting_runs, app.branding.source_titles):
            click.echo(f"{text} The next run continues.")
        _print_next(app)
    return summary.make_document() | {"next": _make_next_json(app)}


def _decline_wait(_waiting: tuple[WaitingRun, ...]) -> bool:
    """Never wait: leave open runs to a later cycle."""
    return False


class SourceWaiter:
    """Sleeps until the next attempt is due, and says once what the cycle waits for.

    Args:
        app: the application whose runs wait.
        quiet: print nothing.
        sleep: takes seconds.
    """

    def __init__(self, app: App, *, quiet: bool, sleep: Callable[[float], None] = time.sleep) -> None:
        self._app = app
        self._quiet = quiet
        self._sleep = sleep

    def __call__(self, waiting: tuple[WaitingRun, ...]) -> bool:
        """Sleep; return False to leave the rest to a later cycle, after Ctrl-C or while no source answers."""
        from digest.cli.terminal import format_events
        from digest.jobs import cycle
        from digest.jobs.fetching.ledger import is_everything_failing
        from digest.store.fetching.ledger import list_active_sections

        with self._app.store.begin_read() as tx:
            if is_everything_failing(tx):
                return False
            wake_times = [
                section.next_at for section in list_active_sections(tx) if section.next_at is not None
            ]
        wake_times += [
            waiting_run.run.latest_at for waiting_run in waiting if waiting_run.run.latest_at is not None
        ]
        if not self._quiet:
            for text in format_events.describe_waiting(waiting, self._app.branding.source_titles):
                click.echo(f"{text} Press Ctrl-C to leave them to the next run.", err=True)
            self._quiet = True
        now = self._app.clock()
        sleep_time = min(
            [_MAX_SLEEP, *(max(wake_time - now, timedelta(seconds=1)) for wake_time in wake_times)]
        )
        try:
            self._sleep(sleep_time.total_seconds())
        except KeyboardInterrupt:
            return False
        return cycle.claim_cycle(self._app.store, self._app.clock()) is None


def show_events(events: Iterable[CycleEvent], *, quiet: bool) -> Iterator[CycleEvent]:
    """Pass events on and print them, with a progress bar on a terminal."""
    from digest.cli.terminal.progress import show_progress
    from digest.cli.terminal.run_summary import LineLimiter

    limiter = LineLimiter()
    with show_progress(is_enabled=is_on_terminal() and not quiet) as bar:
        for event in events:
            bar.update(event)
            for line in () if quiet else limiter.list_lines(event):
                bar.print_line(line.text, failed=line.failed)
            yield event
        for line in () if quiet else limiter.list_omitted():
            bar.print_line(line.text, failed=line.failed)


def _print_next(app: App) -> None:
    from digest.cli.terminal.format_events import describe_omission, describe_pause, format_time
    from digest.store.editions.upcoming import find_upcoming
    from digest.store.subscribers.pauses import list_paused

    with app.store.begin_read() as tx:
        upcoming, paused = find_upcoming(tx, 1), list_paused(tx)
    for paused_digest in paused[:_MAX_PAUSED]:
        click.echo(f"{paused_digest.digest} {describe_pause(paused_digest.pause, paused_digest.zone)}.")
    if len(paused) > _MAX_PAUSED:
        click.echo(f"{len(paused) - _MAX_PAUSED:,} more are paused; `digest status --json` lists them.")
    if upcoming:
        first = upcoming[0]
        click.echo(f"Next: {first.digest}, {format_time(first.at, first.zone)}{describe_omission(first)}.")


def _make_next_json(app: App) -> list[dict[str, str | None]]:
    from digest.cli.terminal.format_events import make_upcoming_json
    from digest.store.editions.upcoming import find_upcoming

    with app.store.begin_read() as tx:
        return [make_upcoming_json(upcoming) for upcoming in find_upcoming(tx)]


# --- one step -------------------------------------------------------------------------------------


@click.command()
@config_option
@now_option
@json_option
def pull(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Fetch what is due from the sources, and store it.

    This is only the first step of `digest run`: nothing is matched or sent. If a route fails, the next one is
    tried at once.
    """
    from digest.cli.terminal.run_summary import RunSummary
    from digest.jobs.cycle import pull_due

    with open_configured_app(config, now) as app, app.open_steps(command="pull") as steps:
        from digest.store.fetching.ledger import forget_own_pauses

        with app.store.begin_write() as tx:
            forget_own_pauses(tx)
        summary = RunSummary(show_events(pull_due(steps), quiet=as_json))
        if as_json:
            document = summary.make_document()
            print_json({key: document[key] for key in ("pulled", "failed", "error")})
        elif not summary.events and summary.error is None:
            click.echo("Nothing to fetch: everything that is due has arrived, or no route has it any more.")
        return summary.get_exit_status()


@click.command()
@config_option
@now_option
@json_option
def match(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Match stored papers against what is followed.

    This is only the second step of `digest run`.
    """
    from digest.cli.terminal import format_events

    with open_configured_app(config, now) as app, app.open_steps(command="match") as steps:
        events = list(show_events(steps.match(), quiet=as_json))
        if as_json:
            print_json(format_events.make_document(events)["matched"])
        elif not any(format_events.format_line(event) for event in events):
            click.echo("Nothing to match: all papers have been matched.")
    return 0


@click.command()
@config_option
@now_option
@json_option
@click.option("--no-wait", is_flag=True, help="Compose now, without waiting for late sources.")
def compose(config: Path | None, now: datetime | None, *, as_json: bool, no_wait: bool) -> int:
    """Compose the editions that are due; they then wait for delivery.

    This is only the third step of `digest run`. It uses the digests of the last `digest run` or `digest serve`.
    """
    from digest.cli.terminal import format_events
    from digest.jobs.cycle import RunsPostponed

    with open_configured_app(config, now) as app, app.open_steps(command="compose") as steps:
        run_count = steps.fire()
        steps.alert()
        waiting = steps.close(wait=not no_wait)
        edition_count = steps.compose()
        if as_json:
            waiting_runs = format_events.make_document([RunsPostponed(waiting=waiting)])["waiting"]
            print_json({"runs": run_count, "editions": edition_count, "waiting": waiting_runs})
        else:
            click.echo(f"{edition_count} {'edition' if edition_count == 1 else 'editions'} composed.")
            for text in format_events.describe_waiting(waiting, app.branding.source_titles):
                click.echo(text)
    return 0


@click.command()
@config_option
@sending_now_option
@json_option
def deliver(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Deliver the composed editions, and write the feeds and the overview.

    This is only the fourth step of `digest run`. Several of these commands can run at once, on one machine or on
    several. The command waits for deliveries that become due within the hour.
    """
    from digest.cli.terminal.run_summary import RunSummary
    from digest.store.delivery.rates import forget_server_failures

    with open_configured_app(config, now) as app, app.open_steps(command="deliver") as steps:
        if is_on_terminal():
            with app.store.begin_write() as tx:
                forget_server_failures(tx)
        summary = RunSummary(show_events(steps.deliver(), quiet=as_json))
        if as_json:
            document = summary.make_document()
            keys = ("deliveries", "receipts", "paused_servers", "held_runs", "reports", "failed", "error")
            print_json({key: document[key] for key in keys})
        elif not summary.events and summary.error is None:
            click.echo("Nothing to deliver.")
        status = summary.get_exit_status()
        steps.publish()
        return status
