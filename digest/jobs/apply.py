"""Apply: make the store's digests and sections those that the file declares."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Mapping
from datetime import datetime

from digest.config import Settings
from digest.core.ledger import PLAIN_FEED_SINCE
from digest.errors import ConfigError
from digest.jobs import public
from digest.jobs.ledger import account
from digest.jobs.renewed_sources import renew_sources
from digest.ports import Source
from digest.store import clock, digests, events, runs
from digest.store import ledger as rows
from digest.store.declared import declare_digests
from digest.store.engine import Store, Transaction

_NOTE = "applied"


def apply(
    store: Store, settings: Settings, sources: Mapping[str, Source], now: datetime, *, another_file: bool
) -> None:
    """Apply the file; applying the same one again changes nothing.

    Args:
        store: where to.
        settings: the file.
        sources: those it declares, by name.
        now: a digest that is new goes out once at this instant.
        another_file: go on although another file was applied before, from elsewhere.

    Raises:
        ConfigError: another file was applied to this store.
    """
    here = f"{socket.gethostname()}:{settings.path}"
    content = hashlib.sha256(settings.path.read_bytes()).hexdigest()
    with store.planning() as tx:
        before, _, there = clock.note(tx, _NOTE).partition(" ")
        if before and before != content and there != here and not another_file:
            raise ConfigError(
                f"this store was set up by another file, {there}; if this one is to take its place, "
                "run again with --apply"
            )
        renew_sources(tx, sources, now)
        account(tx, sources, now)
        kept = [(name, section) for name, source in sources.items() for section in source.sections]
        rows.leave_sections(tx, kept, now)
        declare_digests(tx, settings.digests, now, _first_seq(tx))
        digests.move_digests(tx)
        public.declare(tx, settings, now)
        runs.wake_slots(tx, now)
        clock.set_note(tx, _NOTE, f"{content} {here}")


def _first_seq(tx: Transaction) -> int:
    """Where a new digest begins: just before the first event of the last announcement day.

    A day that is still waited for counts, one on which nothing came does not. Where there are only feeds
    without announcement days it is what came in the 48 hours before the last entry.
    """
    days = [batch.day for batch in rows.waiting_batches(tx)]
    last = events.last_event_day(tx, accounted=True)
    if days or last:
        return events.before_day(tx, max([*days, last] if last else days))
    seen = events.last_event_day(tx, accounted=False)
    return events.before_day(tx, seen - PLAIN_FEED_SINCE) if seen else 0
