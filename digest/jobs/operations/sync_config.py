"""Sync of the configuration: bring the store's digests and sections into the state that the file declares."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Callable, Mapping
from datetime import datetime

from digest.config import Settings
from digest.core.fetching.ledger import PLAIN_FEED_BACKLOG
from digest.errors import ConfigError
from digest.jobs.fetching.ledger import update_ledger
from digest.jobs.fetching.renewed_sources import renew_sources
from digest.jobs.publishing import public
from digest.jobs.slot_updates import update_slots
from digest.ports import Source
from digest.store.database import clock
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import ledger as rows
from digest.store.papers import events
from digest.store.subscribers import config_sync
from digest.store.subscribers.digest_locks import lock_digests

_APPLIED_NOTE = "applied"

ReportProgress = Callable[[int, int], None]
"""Function that is told how many digests are written, and how many differ in all."""


def ignore_progress(_written_count: int, _total: int) -> None:
    """Do nothing."""


def apply_config(
    store: Store,
    settings: Settings,
    sources: Mapping[str, Source],
    now: datetime,
    *,
    allows_other_file: bool,
    report: ReportProgress = ignore_progress,
) -> str:
    """Apply the file; applying the same file again writes nothing.

    A large file is applied in several transactions, each of which writes whole digests and lets other
    processes write before the next one. If this is interrupted, the next command applies the rest.

    Args:
        store: the store.
        settings: the configuration.
        sources: the configured sources, by name.
        now: the current time, UTC; a new digest is sent once at this time.
        allows_other_file: whether to continue if a file from another place was applied before.
        report: called after each transaction that writes digests, with the number that are written
            and the number of all that differ.

    Returns:
        The note by which ``require_same_file`` recognizes the file.

    Raises:
        ConfigError: another file was applied to this store.
    """
    with store.begin_planning() as tx:
        applied = _claim_store(tx, settings, allows_other_file=allows_other_file)
        renew_sources(tx, sources, now)
        update_ledger(tx, sources, now)
        declared_sections = [
            (name, section) for name, source in sources.items() for section in source.sections
        ]
        rows.remove_sections(tx, declared_sections, now)
        public.declare_queries(tx, settings, now)
    with store.begin_read() as tx:
        differences = config_sync.find_differences(tx, settings.digests)
        first_seq = find_first_seq(tx) if differences.new or differences.changed else 0
    # Removed digests end first, so that no reader of a renamed digest gets both.
    for numbers in split_into_chunks(differences.ended):
        with store.begin_planning() as tx:
            require_same_file(tx, applied)
            lock_digests(tx, numbers)
            config_sync.end_digests(tx, numbers, now)
    written_count, total = 0, len(differences.new) + len(differences.changed)
    for portion in differences.split():
        with store.begin_planning() as tx:
            require_same_file(tx, applied)
            config_sync.declare_digests(tx, portion, now, first_seq)
        written_count += len(portion)
        report(written_count, total)
    update_slots(store, now)
    return applied


def _claim_store(tx: Transaction, settings: Settings, *, allows_other_file: bool) -> str:
    """Record which file is being applied, before any of it is; other files are rejected from then on.

    Returns:
        The recorded note.

    Raises:
        ConfigError: another file was applied to this store.
    """
    own_location = f"{socket.gethostname()}:{settings.path}"
    content = hashlib.sha256(settings.path.read_bytes()).hexdigest()
    stored_note = clock.read_note(tx, _APPLIED_NOTE)
    stored_hash, _, stored_location = stored_note.partition(" ")
    if stored_hash and stored_hash != content and stored_location != own_location and not allows_other_file:
        raise ConfigError(
            f"this database was set up with another file, {stored_location}; to replace that file by this one, run again with --apply"
        )
    applied = f"{content} {own_location}"
    if stored_note != applied:
        clock.set_note(tx, _APPLIED_NOTE, applied)
    return applied


def read_applied(tx: Transaction) -> str:
    """Return the note of the file that was applied last, which changes with its content and its place."""
    return clock.read_note(tx, _APPLIED_NOTE)


def require_same_file(tx: Transaction, applied: str) -> None:
    """Check that no other process has applied a newer file meanwhile, which the rest of this one would undo.

    Raises:
        ConfigError: another file was applied.
    """
    if read_applied(tx) != applied:
        raise ConfigError(
            "another or a newer file was applied to this database in the meantime; run the command again"
        )


def find_first_seq(tx: Transaction) -> int:
    """Return the seq at which a new digest begins: just before the first event of the last announcement day.

    A day that is still outstanding counts, one without papers does not. If there are only feeds without
    announcement days, it begins two days before the day of the last entry.
    """
    days = [batch.day for batch in rows.list_waiting_batches(tx)]
    last = events.find_last_event_day(tx, accounted=True)
    if days or last:
        return events.find_seq_before(tx, max([*days, last] if last else days))
    last_feed_day = events.find_last_event_day(tx, accounted=False)
    return events.find_seq_before(tx, last_feed_day - PLAIN_FEED_BACKLOG) if last_feed_day else 0
