"""The commands that do something: the cycle and its steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.operations.state import Keeping, folder_of, hushed, into_option, kept, prepare
from digest.cli.subscribers.subscribers import name_unsubscribed
from digest.cli.terminal.options import (
    apply_option,
    config_option,
    json_option,
    now_option,
    on_terminal,
    opened,
    print_json,
)
from digest.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.cycle import Happening, Steps
    from digest.jobs.editions.compose import Waiting

    Patient = Callable[[tuple[Waiting, ...]], bool]

_MOST_PAUSED = 5
"""Paused digests that get a line."""
_NAP = timedelta(seconds=30)
"""How long a waiting cycle sleeps before it looks again, at the most."""


@click.command()
@config_option
@now_option
@json_option
@apply_option
@click.option("--no-wait", is_flag=True, help="Send what is there now, although sources are still awaited.")
@click.option(
    "--again",
    multiple=True,
    metavar="DIGEST",
    help="Make another edition of this digest now, of what came since its last one.",
)
@click.option(
    "--dry-run", is_flag=True, help="Do everything but deliver, keep nothing, and say what would go out."
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Go on from the state in this folder, and leave it there at the end.",
)
@into_option
@click.option(
    "--kept-by",
    default="",
    metavar="COMMAND",
    help="Run this each time that the state was written; where it fails before anything is sent, nothing is.",
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
    """One cycle: pull, match, compose, deliver.

    Applies the configuration, asks each source for what is due, matches it, and sends the editions that
    are due. Where a source has not announced yet it waits, and says for what; Ctrl-C leaves that to the
    next run. Run it as often as you like: nothing is sent twice.

    With --state it needs nothing of the run before but that folder: so a scheduled job can be run on any
    machine. Without a state it says so, and tells of the last announcement day.
    """
    folder = folder_of(state, state_into)
    if kept_by and folder is None:
        raise ConfigError("--kept-by keeps a state: name its folder with --state")
    how = _How(as_json=as_json, another_file=another_file, wait=not no_wait, again=again, dry_run=dry_run)
    if folder is None:
        return _run(config, now, how, None)
    with hushed(config):
        keeping = prepare(folder, kept_by, config, now, quiet=as_json)
        if keeping.other is not None:
            return _told_of_other(f"it began to send at {keeping.other:%H:%M} UTC", as_json=as_json)
        return _run(config, now, how, keeping)


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    """What the options of a run say."""

    as_json: bool
    another_file: bool
    wait: bool
    again: tuple[str, ...]
    dry_run: bool


def _run(config: Path | None, now: datetime | None, how: _How, keeping: Keeping | None) -> int:
    with opened(config, now) as app:
        if how.dry_run:
            return _rehearse(app, how)
        app.apply(another_file=how.another_file)
        _request_editions(app, how)
        name_unsubscribed(app)
        patient = Patience(app, quiet=how.as_json) if app.time_passes else None
        return _alone(app, as_json=how.as_json, wait=how.wait, patient=patient, keeping=keeping)


def _request_editions(app: App, how: _How) -> None:
    from digest.jobs.editions.extra_editions import request_edition

    for name in dict.fromkeys(how.again):
        request_edition(app.store, name, app.clock())


def _rehearse(app: App, how: _How) -> int:
    with app.store.rehearsal() as trial:
        rehearsing = replace(app, store=trial)
        rehearsing.apply(another_file=True)
        _request_editions(rehearsing, how)
        with rehearsing.rehearsed_steps() as steps:
            document = told_cycle(rehearsing, steps, quiet=how.as_json, wait=how.wait)
            return _end(document, as_json=how.as_json)


def _alone(app: App, *, as_json: bool, wait: bool, patient: Patient | None, keeping: Keeping | None) -> int:
    from digest.jobs import cycle
    from digest.jobs.delivery.bounces import read_soon
    from digest.store.delivery.rates import forget_troubles
    from digest.store.fetching.ledger import forget_own_pauses, forget_pauses_of_days

    other = cycle.begin(app.store, app.clock())
    if other is not None:
        return _told_of_other(other, as_json=as_json)
    try:
        with app.store.writing() as tx:
            # Where somebody watches, somebody asks: what we would have waited for by ourselves is over.
            (forget_own_pauses if on_terminal() else forget_pauses_of_days)(tx)
            if on_terminal():
                forget_troubles(tx)
            read_soon(tx)
        return _run_cycle(app, as_json=as_json, wait=wait, patient=patient, keeping=keeping)
    finally:
        cycle.end(app.store)


def _told_of_other(other: str, *, as_json: bool) -> int:
    if as_json:
        print_json({"under_way": other})
    else:
        click.echo(f"Another cycle is under way ({other}); this one leaves the work to it.")
    return 0


def _run_cycle(
    app: App, *, as_json: bool, wait: bool, patient: Patient | None, keeping: Keeping | None
) -> int:
    from digest.helpers import helped

    with app.steps() as steps, helped(app, steps) as many, kept(app, many, keeping) as verbs:
        document = told_cycle(app, verbs, quiet=as_json, wait=wait, patient=patient)
        return _end(document, as_json=as_json)


def _end(document: dict[str, Any], *, as_json: bool) -> int:
    """Print the document of a cycle if that is wanted, and give the exit status.

    Raises:
        StoreError: the store failed in the middle of the cycle.
    """
    if as_json:
        print_json(document)
    if document["error"]:
        raise StoreError(document["error"])
    return int(document["failed"])


def told_cycle(
    app: App, steps: Steps, *, quiet: bool, wait: bool = True, patient: Patient | None = None
) -> dict[str, Any]:
    """One cycle, told as it happens.

    Args:
        app: what to work on; its file has been applied.
        steps: its verbs.
        quiet: tell nothing.
        wait: False closes runs although batches are missing.
        patient: waits for open runs; None leaves them to a later cycle.

    Returns:
        All that happened, as ``--json`` prints it; also where the store failed in the middle of it.
    """
    from digest.cli.terminal import format_events
    from digest.cli.terminal.run_summary import Account
    from digest.jobs.cycle import Left, cycle

    account = Account(shown(cycle(steps, wait=wait, patient=patient or _leave), quiet=quiet))
    if account.error is not None:
        return account.document() | {"next": []}
    if not quiet:
        left = [waiting for one in account.happened if isinstance(one, Left) for waiting in one.waiting]
        for text in format_events.waits(left, app.masthead.source_titles):
            click.echo(f"{text} They are left to the next run.")
        _say_next(app)
    return account.document() | {"next": _next_json(app)}


def _leave(_waiting: tuple[Waiting, ...]) -> bool:
    """Never wait: what is open is left to a later cycle."""
    return False


class Patience:
    """Sleeps until it is worth looking again, and says once what for.

    Args:
        app: whose runs wait.
        quiet: say nothing.
        sleep: takes seconds.
    """

    def __init__(self, app: App, *, quiet: bool, sleep: Callable[[float], None] = time.sleep) -> None:
        self._app = app
        self._quiet = quiet
        self._sleep = sleep

    def __call__(self, waiting: tuple[Waiting, ...]) -> bool:
        """Sleep; False leaves the rest to a later cycle: while nothing answers, or on Ctrl-C."""
        from digest.cli.terminal import format_events
        from digest.jobs import cycle
        from digest.jobs.fetching.ledger import all_fail
        from digest.store.fetching.ledger import active_sections

        with self._app.store.reading() as tx:
            if all_fail(tx):
                return False
            wakes = [section.next_at for section in active_sections(tx) if section.next_at is not None]
        wakes += [one.run.latest_at for one in waiting if one.run.latest_at is not None]
        if not self._quiet:
            for text in format_events.waits(waiting, self._app.masthead.source_titles):
                click.echo(f"{text} Ctrl-C leaves them to the next run.", err=True)
            self._quiet = True
        now = self._app.clock()
        nap = min([_NAP, *(max(wake - now, timedelta(seconds=1)) for wake in wakes)])
        try:
            self._sleep(nap.total_seconds())
        except KeyboardInterrupt:
            return False
        return cycle.begin(self._app.store, self._app.clock()) is None


def shown(happenings: Iterable[Happening], *, quiet: bool) -> Iterator[Happening]:
    """Pass happenings on, telling each until all is said; a progress bar where somebody watches."""
    from digest.cli.terminal import format_events
    from digest.cli.terminal.progress import progress
    from digest.cli.terminal.run_summary import Lines

    lines = Lines()
    with progress(shown=on_terminal() and not quiet) as bar:
        for one in happenings:
            bar.follow(one)
            text = None if quiet else lines.of(one)
            if text:
                bar.say(text, failed=format_events.failed(one))
            yield one
        for text in () if quiet else lines.others():
            bar.say(text, failed=False)


def _say_next(app: App) -> None:
    from digest.cli.terminal.format_events import moment, omits, rests
    from digest.store.editions.upcoming import find_coming
    from digest.store.subscribers.pauses import resting

    with app.store.reading() as tx:
        following, paused = find_coming(tx, 1), resting(tx)
    for one in paused[:_MOST_PAUSED]:
        click.echo(f"{one.digest} {rests(one.pause, one.zone)}.")
    if len(paused) > _MOST_PAUSED:
        click.echo(f"{len(paused) - _MOST_PAUSED:,} more are paused: `digest status --json` names them.")
    if following:
        first = following[0]
        click.echo(f"Next: {first.digest}, {moment(first.at, first.zone)}{omits(first)}.")


def _next_json(app: App) -> list[dict[str, str | None]]:
    from digest.cli.terminal.format_events import coming_json
    from digest.store.editions.upcoming import find_coming

    with app.store.reading() as tx:
        return [coming_json(one) for one in find_coming(tx)]


# --- one step -------------------------------------------------------------------------------------


@click.command()
@config_option
@now_option
@json_option
def pull(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Ask the sources for what is due, and store it."""
    from digest.cli.terminal.run_summary import Account
    from digest.jobs.cycle import pulling

    with opened(config, now) as app, app.steps() as steps:
        from digest.store.fetching.ledger import forget_own_pauses

        with app.store.writing() as tx:
            forget_own_pauses(tx)
        account = Account(shown(pulling(steps), quiet=as_json))
        if as_json:
            document = account.document()
            print_json({key: document[key] for key in ("pulled", "failed", "error")})
        elif not account.happened and account.error is None:
            click.echo("Nothing to ask: all that is due is here, or no route can bring it any more.")
        return account.exit_status()


@click.command()
@config_option
@now_option
@json_option
def match(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Match what is stored with what is followed."""
    from digest.cli.terminal import format_events

    with opened(config, now) as app, app.steps() as steps:
        told = list(shown(steps.match(), quiet=as_json))
        if as_json:
            print_json(format_events.document(told)["matched"])
        elif not any(format_events.line(one) for one in told):
            click.echo("Everything is matched.")
    return 0


@click.command()
@config_option
@now_option
@json_option
@click.option("--no-wait", is_flag=True, help="Compose now, although sources are still awaited.")
def compose(config: Path | None, now: datetime | None, *, as_json: bool, no_wait: bool) -> int:
    """Make the editions that are due; they wait to be delivered."""
    from digest.cli.terminal import format_events
    from digest.jobs.cycle import Left

    with opened(config, now) as app, app.steps() as steps:
        fired = steps.fire()
        steps.alert()
        waiting = steps.close(not no_wait)
        made = steps.compose()
        if as_json:
            left = format_events.document([Left(waiting=waiting)])["waiting"]
            print_json({"runs": fired, "editions": made, "waiting": left})
        else:
            click.echo(f"{made} {'edition' if made == 1 else 'editions'} made.")
            for text in format_events.waits(waiting, app.masthead.source_titles):
                click.echo(text)
    return 0


@click.command()
@config_option
@now_option
@json_option
def deliver(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Deliver the editions that are made, and write the feeds.

    Several can be at it at once, on one machine or on several. It stays for what has its turn within the hour.
    """
    from digest.cli.terminal.run_summary import Account
    from digest.store.delivery.rates import forget_troubles

    with opened(config, now) as app, app.steps() as steps:
        if on_terminal():
            with app.store.writing() as tx:
                forget_troubles(tx)
        account = Account(shown(steps.deliver(), quiet=as_json))
        if as_json:
            document = account.document()
            keys = ("deliveries", "receipts", "paused_servers", "held_runs", "reports", "failed", "error")
            print_json({key: document[key] for key in keys})
        elif not account.happened and account.error is None:
            click.echo("Nothing to deliver.")
        status = account.exit_status()
        steps.publish()
        return status
