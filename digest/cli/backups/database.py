"""``digest db``: upgrade, back up and restore the database."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import (
    config_option,
    is_on_terminal,
    json_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.store.database.engine import Store

_PAPERS_PER_MINUTE = 50_000
"""Papers that one core indexes in a minute."""
_UNIT_SIZE = 1000
"""How many of a unit of size are the next larger one."""


@click.group(cls=CommandGroup)
def db() -> None:
    """Upgrade, back up or restore the database."""


@db.command()
@config_option
@json_option
def upgrade(config: Path | None, *, as_json: bool) -> int:
    """Upgrade the tables to this release.

    PostgreSQL needs this before the first use and after each upgrade of digest; a SQLite file is upgraded
    automatically. It also indexes papers that are not indexed yet. After Ctrl-C the next run continues.
    """
    from digest.cli.terminal.progress import show_progress
    from digest.config import find_config, read_settings
    from digest.jobs.matching.indexing import index_papers
    from digest.jobs.matching.match import MatchProgress
    from digest.render.languages.english import format_count
    from digest.store.database.dialect import make_engine
    from digest.store.database.engine import LATEST_MIGRATION, Store, read_version
    from digest.store.database.engine import upgrade as bring_up

    settings = read_settings(find_config(config, os.environ), os.environ)
    engine = make_engine(settings.store)
    try:
        previous_version = read_version(engine)
        bring_up(engine)  # tables of the newest migration may lack those of a newer job queue
        if not as_json:
            _announce_indexing(Store(engine))
        with show_progress(is_enabled=is_on_terminal()) as bar:

            def report_progress(label: str, processed: int, total: int) -> None:
                bar.update(MatchProgress(activity=label, done_count=processed, total=total))

            indexed = index_papers(Store(engine), report_progress=report_progress)
    finally:
        engine.dispose()
    if as_json:
        print_json({"before": previous_version, "now": LATEST_MIGRATION, "indexed": indexed})
    elif previous_version == LATEST_MIGRATION:
        click.echo(f"The tables are up to date ({LATEST_MIGRATION}).")
    else:
        click.echo(
            f"Upgraded the tables from {previous_version} to {LATEST_MIGRATION}."
            if previous_version
            else f"Created the tables ({LATEST_MIGRATION})."
        )
    if indexed and not as_json:
        click.echo(f"Indexed {format_count(indexed, 'paper')}.")
    return 0


def _announce_indexing(store: Store) -> None:
    """Say how long indexing takes, if that is longer than a moment."""
    from digest.render.languages.english import format_count
    from digest.store.matching.search_index import count_missing

    with store.begin_read() as tx:
        missing = count_missing(tx)
    minutes = round(missing / _PAPERS_PER_MINUTE)
    if minutes:
        click.echo(
            f"Indexing {format_count(missing, 'paper')}, which takes about {format_count(minutes, 'minute')}. "
            "After Ctrl-C the next run continues, and until then a search says what it does not see."
        )


@db.command()
@config_option
@json_option
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def backup(config: Path | None, target: Path | None, *, as_json: bool) -> int:
    """Copy the database to TARGET while it is in use.

    By default, the copy is digest-DATE.backup beside the configuration. It contains the key for Message-IDs:
    store it where nobody else can read it. For PostgreSQL, this runs pg_dump, which must be on PATH.
    """
    from digest.cli.terminal.progress import show_file_progress
    from digest.store.backups.backup_files import back_up

    with open_configured_app(config) as app:
        # Not in the output folder, which may be on the web: the copy contains the signing key.
        name = target or app.settings.path.parent / f"digest-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup"
        with show_file_progress(is_enabled=is_on_terminal() and not as_json) as report:
            size = back_up(app.settings.store, name, lambda written: report("Backing up", written, None))
        if as_json:
            print_json({"wrote": str(name), "bytes": size})
        else:
            click.echo(f"Wrote {name} ({_format_size(size)}).")
    return 0


@db.command()
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@config_option
@json_option
def restore(config: Path | None, source: Path, *, as_json: bool) -> int:
    """Restore the backup SOURCE into an empty database.

    The database is that of [store] url. A SQLite file must not exist; a PostgreSQL database must exist and have
    no tables, and pg_restore must be on PATH. Stop all other commands first. Afterwards nothing is sent until
    `digest deliveries release --restored`, and `digest check --restored` lists what would be sent a second time.
    """
    from digest.cli.terminal.actors import make_shell_actor
    from digest.config import find_config, read_settings
    from digest.jobs.backups.restored_backup import prepare_restored
    from digest.store.backups.backup_files import restore as restore_backup
    from digest.store.database.engine import LATEST_MIGRATION

    settings = read_settings(find_config(config, os.environ), os.environ)
    actor = make_shell_actor()
    version = restore_backup(
        settings.store, source, lambda tx: prepare_restored(tx, actor, datetime.now(UTC))
    )
    if as_json:
        print_json({"restored": str(source), "before": version, "now": LATEST_MIGRATION})
        return 0
    upgrade_text = (
        "" if version == LATEST_MIGRATION else f" Upgraded the tables from {version} to {LATEST_MIGRATION}."
    )
    click.echo(
        f"Restored {source}.{upgrade_text} Nothing is sent until you release it: run `digest check --restored` next."
    )
    return 0


def _format_size(size: float) -> str:
    """Format a number of bytes, such as ``12.3 MB``."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < _UNIT_SIZE:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _UNIT_SIZE
    return f"{size:,.1f} TB"
