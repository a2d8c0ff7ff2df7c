"""The state from which a scheduled job continues on a machine that has nothing else."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)
from digest.errors import ConfigError, DigestError, StoreError
from digest.redaction import filter_streams

if TYPE_CHECKING:
    from digest.app import App
    from digest.config import Settings
    from digest.jobs.backups.snapshot import Snapshot
    from digest.jobs.backups.snapshot_privacy import Pseudonymizer
    from digest.jobs.cycle import CycleSteps
    from digest.jobs.delivery.dispatcher import DispatchEvent


into_option = click.option(
    "--state-into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The same, for a folder that also has other content, which is left alone.",
)


def resolve_folder(state: Path | None, state_into: Path | None) -> Path | None:
    """Return the folder given by --state or --state-into; None for neither.

    Raises:
        ConfigError: both were given.
        StoreError: the folder of --state has other content.
    """
    from digest.jobs.backups.snapshot import require_own_folder

    if state is not None and state_into is not None:
        raise ConfigError("--state and --state-into both name the folder of the state; use only one of them")
    if state is not None:
        require_own_folder(state)
    return state or state_into


@click.command()
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder to write the state into; it is created if necessary.",
)
@into_option
@config_option
@now_option
@json_option
def export(
    state: Path | None, state_into: Path | None, config: Path | None, now: datetime | None, *, as_json: bool
) -> int:
    """Export what the next run needs on a machine that has nothing else.

    Writes papers, windows and editions of the last 90 days into a folder, as text files that change little from
    day to day, without addresses, tokens and keys. To recognize addresses again, digest needs the same
    DIGEST_KEY in the environment each time.

    \b
    Example:
      digest export --state state
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.backups.snapshot import write_snapshot

    folder = resolve_folder(state, state_into)
    if folder is None:
        raise ConfigError("say into which folder to write the state, with --state DIR")
    with open_configured_app(config, now) as app:
        write_snapshot(app.store, folder, _make_pseudonymizer(app.settings), app.clock(), is_sending=False)
    return _report_state(folder, as_json=as_json, action="Wrote")


def import_state(folder: Path, config: Path | None, *, as_json: bool) -> int:
    """Do what ``digest import --state DIR`` does: create a new database from a folder."""
    from digest.jobs.backups import snapshot as state
    from digest.store.backups.restore import is_new

    settings = _read_settings(config)
    snapshot = state.read_snapshot(folder)
    if snapshot is None:
        raise StoreError(f"there is no state in {folder}; `digest export --state` writes one")
    if not is_new(settings.store):
        raise StoreError(
            "there is a database already, and a state is imported into a new one; name another file in [store] url, "
            "or move the old one away"
        )
    _restore_state(settings, snapshot)
    return _report_state(folder, as_json=as_json, action="Created a database from")


def _report_state(folder: Path, *, as_json: bool, action: str) -> int:
    from digest.jobs.backups import snapshot as state

    snapshot = state.read_snapshot(folder)
    assert snapshot is not None
    size = sum((folder / path).stat().st_size for path in snapshot.files)
    if as_json:
        at = snapshot.written_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        print_json({"state": str(folder), "at": at, "files": len(snapshot.files), "bytes": size})
    else:
        click.echo(f"{action} the state in {folder}: {len(snapshot.files)} files, {size:,} bytes.")
    return 0


# --- output of a run ------------------------------------------------------------------------------


@contextmanager
def redact_output_of_run(config: Path | None) -> Iterator[None]:
    """Remove addresses and secrets from all streams and errors."""
    settings = _read_settings(config)
    log_filter = _make_pseudonymizer(settings).make_for_logs()
    try:
        with filter_streams(log_filter.redact_text):
            yield
    except DigestError as error:
        error_class = ConfigError if isinstance(error, ConfigError) else DigestError
        raise error_class(log_filter.redact_text(str(error))) from None


# --- a run that continues from a state ------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StateKeeper:
    """Saves the state of a run.

    Attributes:
        folder: the folder of the state.
        command: command to run after each save; "" for none.
        other_started_at: when another run began sending from this state; None if there is no such run.
    """

    folder: Path
    command: str
    pseudonymizer: Pseudonymizer
    other_started_at: datetime | None

    def write(self, app: App, *, is_started: bool) -> None:
        """Write the state and run the command.

        Raises:
            StoreError: the state could not be saved.
        """
        from digest.jobs.backups import snapshot as state

        state.write_snapshot(app.store, self.folder, self.pseudonymizer, app.clock(), is_sending=is_started)
        if not self.command:
            return
        try:
            # Its output must not mix with our JSON document.
            exit_status = subprocess.run(shlex.split(self.command), stdout=2, check=False).returncode  # noqa: S603 - the user's
        except OSError as error:
            raise StoreError(f"{self.command!r} cannot be run: {error.strerror}") from error
        if exit_status:
            raise StoreError(f"{self.command!r} ended with status {exit_status}")


def prepare(
    folder: Path, command: str, config: Path | None, now: datetime | None, *, quiet: bool
) -> StateKeeper:
    """Create the database from the state if there is none yet; say so if there is no state either.

    Raises:
        StoreError: the database and the state do not belong together.
    """
    from digest.jobs.backups import snapshot as state
    from digest.store.backups.restore import is_new

    settings = _read_settings(config)
    pseudonymizer, snapshot, is_new_store = (
        _make_pseudonymizer(settings),
        state.read_snapshot(folder),
        is_new(settings.store),
    )
    keeper = StateKeeper(folder=folder, command=command, pseudonymizer=pseudonymizer, other_started_at=None)
    if snapshot is None:
        if is_new_store and not quiet:
            click.echo(
                f"There is no state in {folder}: this is the first run, and it covers only the last announcement day."
            )
        return keeper
    if not is_new_store:
        _check_same_origin(settings, snapshot)
        return keeper
    if snapshot.is_being_sent(now or datetime.now(UTC)):
        return replace(keeper, other_started_at=snapshot.sending_since)
    _restore_state(settings, snapshot)
    if snapshot.sending_since is not None:
        click.echo(
            f"{click.style('Warning:', fg='yellow')} the run that began sending at {snapshot.sending_since:%Y-%m-%d %H:%M} UTC "
            "did not finish: its messages are sent again, with the same Message-IDs",
            err=True,
        )
    return keeper


def _check_same_origin(settings: Settings, snapshot: Snapshot) -> None:
    from digest.store.backups.restore import read_state
    from digest.store.database.engine import open_store

    store = open_store(settings.store, datetime.now(UTC))
    try:
        with store.begin_read() as tx:
            origin_name = read_state(tx)
    finally:
        store.close()
    if origin_name != snapshot.name:
        raise StoreError(
            f"the database and the state in {snapshot.folder} do not belong together: move the database away "
            "to continue from the state, or the folder to continue from the database"
        )


@contextmanager
def keep_state(app: App, steps: CycleSteps, state_keeper: StateKeeper | None) -> Iterator[CycleSteps]:
    """Wrap the steps so that the state is saved before anything is sent, and at the end.

    Args:
        app: the application.
        steps: the steps of the cycle.
        state_keeper: saves the state; None to save nothing.

    Raises:
        StoreError: the state could not be saved. If that was before anything was sent, nothing is sent.
    """
    if state_keeper is None:
        yield steps
        return
    failures: list[StoreError] = []

    def save_before_sending() -> None:
        try:
            state_keeper.write(app, is_started=True)
        except StoreError as error:
            failures.append(error)
            raise StoreError(
                f"nothing was sent, because the state could not be saved ({error}); another run may have been faster"
            ) from error

    try:
        yield replace(steps, deliver=_deliver_after(save_before_sending, app, steps))
    finally:
        if not failures:
            _save_at_end(app, state_keeper)


def _deliver_after(
    save: Callable[[], None], app: App, steps: CycleSteps
) -> Callable[..., Iterator[DispatchEvent]]:
    """Make a step that saves the state before it delivers, if anything is due."""
    from digest.store.delivery.outbox import list_waiting_channels

    def deliver() -> Iterator[DispatchEvent]:
        with app.store.begin_read() as tx:
            due = list_waiting_channels(tx)
        if due:
            save()
        yield from steps.deliver()

    return deliver


def _save_at_end(app: App, state_keeper: StateKeeper) -> None:
    try:
        state_keeper.write(app, is_started=False)
    except StoreError as error:
        raise StoreError(
            f"the state could not be saved at the end ({error}): the next run continues from the previous state, "
            "and sends the same messages again, with the same Message-IDs"
        ) from error


def _read_settings(config: Path | None) -> Settings:
    from digest.config import find_config, read_settings

    return read_settings(find_config(config, os.environ), os.environ)


def _make_pseudonymizer(settings: Settings) -> Pseudonymizer:
    from digest.identity import read_environment_keys
    from digest.jobs.backups.snapshot_privacy import make_pseudonymizer

    return make_pseudonymizer(settings, read_environment_keys(os.environ), os.environ)


def _restore_state(settings: Settings, snapshot: Snapshot) -> None:
    from digest.identity import make_branding
    from digest.jobs.backups import snapshot as state

    state.load_snapshot(
        settings.store, snapshot, _make_pseudonymizer(settings), make_branding(settings, {}, {}).host
    )
