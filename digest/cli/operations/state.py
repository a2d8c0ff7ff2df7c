"""A state: what a scheduled job goes on from, on a machine that has nothing else."""

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

from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json
from digest.errors import ConfigError, DigestError, StoreError
from digest.redaction import filtered_streams

if TYPE_CHECKING:
    from digest.app import App
    from digest.config import Settings
    from digest.jobs.cycle import Steps
    from digest.jobs.delivery.dispatcher import Dispatch
    from digest.jobs.operations.snapshot import State
    from digest.jobs.operations.snapshot_privacy import Veil


into_option = click.option(
    "--state-into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="As --state, for a folder that holds something else, too: that stays as it is.",
)


def folder_of(state: Path | None, state_into: Path | None) -> Path | None:
    """The folder of a state, by --state or --state-into; None for neither.

    Raises:
        ConfigError: both were given.
        StoreError: the folder of --state holds something else.
    """
    from digest.jobs.operations.snapshot import demand_own

    if state is not None and state_into is not None:
        raise ConfigError("--state and --state-into both name the folder of the state: say one of them")
    if state is not None:
        demand_own(state)
    return state or state_into


@click.command()
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the state of the store into this folder.",
)
@into_option
@config_option
@now_option
@json_option
def export(
    state: Path | None, state_into: Path | None, config: Path | None, now: datetime | None, *, as_json: bool
) -> int:
    """Write into a folder what the next run needs on a machine that has nothing else.

    These are papers, windows and editions of the last 90 days, as lines of text that are the same for the same
    store; without addresses, tokens and keys. An address is known again by the DIGEST_KEY of the environment,
    which must be the same each time.
    """
    from digest.jobs.operations.snapshot import write

    folder = folder_of(state, state_into)
    if folder is None:
        raise ConfigError("say which folder the state goes into, with --state DIR")
    with opened(config, now) as app:
        write(app.store, folder, _veil(app.settings), app.clock(), begun=False)
    return _told(folder, as_json=as_json, done="Wrote")


def take_in(folder: Path, config: Path | None, *, as_json: bool) -> int:
    """``digest import --state DIR``: begin a new store of what a folder holds."""
    from digest.jobs.operations import snapshot as state
    from digest.store.operations.restore import is_new

    settings = _settings(config)
    found = state.read(folder)
    if found is None:
        raise StoreError(f"there is no state in {folder}; `digest export --state` writes one")
    if not is_new(settings.store):
        raise StoreError(
            "there is a store already, and a state makes a new one: name another file in [store] url, "
            "or move the old one away"
        )
    _take(settings, found)
    return _told(folder, as_json=as_json, done="Made a store of")


def _told(folder: Path, *, as_json: bool, done: str) -> int:
    from digest.jobs.operations import snapshot as state

    found = state.read(folder)
    assert found is not None
    size = sum((folder / path).stat().st_size for path in found.files)
    if as_json:
        at = found.at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        print_json({"state": str(folder), "at": at, "files": len(found.files), "bytes": size})
    else:
        click.echo(f"{done} the state in {folder}: {len(found.files)} files, {size:,} bytes.")
    return 0


# --- what is said of a run ------------------------------------------------------------------------


@contextmanager
def hushed(config: Path | None) -> Iterator[None]:
    """Name no address and no secret, on any stream and in no error."""
    settings = _settings(config)
    hiding = _veil(settings).over_logs()
    try:
        with filtered_streams(hiding.told):
            yield
    except DigestError as error:
        kind = ConfigError if isinstance(error, ConfigError) else DigestError
        raise kind(hiding.told(str(error))) from None


# --- a run that goes on from a state --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Where a run has its state from, and how it keeps it.

    Attributes:
        folder: the state's.
        command: keeps the folder somewhere; "" for nothing.
        other: a run that is at it just now began then; None for none.
    """

    folder: Path
    command: str
    veil: Veil
    other: datetime | None

    def write(self, app: App, *, begun: bool) -> None:
        """Write the state and have it kept.

        Raises:
            StoreError: it is not.
        """
        from digest.jobs.operations import snapshot as state

        state.write(app.store, self.folder, self.veil, app.clock(), begun=begun)
        if not self.command:
            return
        try:
            # What the command says is no part of our own document.
            ended = subprocess.run(shlex.split(self.command), stdout=2, check=False).returncode  # noqa: S603 - the user's
        except OSError as error:
            raise StoreError(f"{self.command!r} cannot be run: {error.strerror}") from error
        if ended:
            raise StoreError(f"{self.command!r} ended with status {ended}")


def prepare(folder: Path, command: str, config: Path | None, now: datetime | None, *, quiet: bool) -> Keeping:
    """Make the store of the state where there is no store yet; says where there is no state either.

    Raises:
        StoreError: the store and the state are not of one line.
    """
    from digest.jobs.operations import snapshot as state
    from digest.store.operations.restore import is_new

    settings = _settings(config)
    veil, found, new = _veil(settings), state.read(folder), is_new(settings.store)
    made = Keeping(folder=folder, command=command, veil=veil, other=None)
    if found is None:
        if new and not quiet:
            click.echo(
                f"There is no state in {folder}: this run is the first one, and tells of the last announcement day only."
            )
        return made
    if not new:
        _demand_same(settings, found)
        return made
    if found.is_being_sent(now or datetime.now(UTC)):
        return replace(made, other=found.begun)
    _take(settings, found)
    if found.begun is not None:
        click.echo(
            f"{click.style('Warning:', fg='yellow')} the run that began to send at {found.begun:%Y-%m-%d %H:%M} UTC "
            "did not end: what it sent comes once more, with the same Message-IDs",
            err=True,
        )
    return made


def _demand_same(settings: Settings, found: State) -> None:
    from digest.store.database.engine import open_store
    from digest.store.operations.restore import state_of

    store = open_store(settings.store, datetime.now(UTC))
    try:
        with store.reading() as tx:
            last = state_of(tx)
    finally:
        store.close()
    if last != found.name:
        raise StoreError(
            f"the store did not come from the state in {found.folder}, and it is not what that came from: "
            "move the store away to go on from the state, or the folder to go on from the store"
        )


@contextmanager
def kept(app: App, steps: Steps, keeping: Keeping | None) -> Iterator[Steps]:
    """The same verbs; before anything is sent and at the end the state is written, and kept.

    Args:
        app: whose store.
        steps: the verbs.
        keeping: where and how; None for not at all.

    Raises:
        StoreError: it was not kept. Where that was before anything was sent, nothing is.
    """
    if keeping is None:
        yield steps
        return
    refused: list[StoreError] = []

    def keep_first() -> None:
        try:
            keeping.write(app, begun=True)
        except StoreError as error:
            refused.append(error)
            raise StoreError(
                f"nothing was sent, for the state could not be kept ({error}): perhaps another run was faster"
            ) from error

    try:
        yield replace(steps, deliver=_after(keep_first, app, steps))
    finally:
        if not refused:
            _keep_last(app, keeping)


def _after(keep: Callable[[], None], app: App, steps: Steps) -> Callable[..., Iterator[Dispatch]]:
    """Deliver, where there is something to, after the state has been kept."""
    from digest.store.delivery.outbox import channels_waiting

    def deliver() -> Iterator[Dispatch]:
        with app.store.reading() as tx:
            due = channels_waiting(tx)
        if due:
            keep()
        yield from steps.deliver()

    return deliver


def _keep_last(app: App, keeping: Keeping) -> None:
    try:
        keeping.write(app, begun=False)
    except StoreError as error:
        raise StoreError(
            f"the state could not be kept at the end ({error}): the next run goes on from the one before, "
            "and what was sent comes once more, with the same Message-IDs"
        ) from error


def _settings(config: Path | None) -> Settings:
    from digest.config import find_config, read_settings

    return read_settings(find_config(config, os.environ), os.environ)


def _veil(settings: Settings) -> Veil:
    from digest.app import given_keys
    from digest.jobs.operations.snapshot_privacy import make_veil

    return make_veil(settings, given_keys(os.environ), os.environ)


def _take(settings: Settings, found: State) -> None:
    from digest.app import make_masthead
    from digest.jobs.operations import snapshot as state

    state.take(settings.store, found, _veil(settings), make_masthead(settings, {}, {}).host)
