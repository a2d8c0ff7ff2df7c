"""The edition that a digest would get now, made as a run would make it, and stored nowhere."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from digest.jobs.editions.compose import REPEAT_AFTER
from digest.jobs.editions.evidence_cache import EvidenceCache
from digest.jobs.editions.explain import find_digest
from digest.jobs.editions.items import build_content
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.editions.selection import RunWindow
from digest.model import Edition, Run, RunState
from digest.store.database.engine import Store, Transaction, get_highest_seq
from digest.store.editions import edition_loader
from digest.store.fetching import ledger as rows
from digest.store.subscribers.digests import Digest


def build_preview(store: Store, name: str, now: datetime, capacity: EditionCapacity | None = None) -> Edition:
    """Return the edition that a digest of the file would get now.

    Args:
        store: a store in a dry run, in which everything is applied and matched.
        name: the name of the digest.
        now: the time of the edition.
        capacity: how many papers an edition has room for; None for no limit.

    Raises:
        ConfigError: there is no such digest.
    """
    with store.begin_read() as tx:
        return preview_edition(tx, find_digest(tx, name), get_highest_seq(tx), now, capacity)


def preview_edition(
    tx: Transaction, digest: Digest, to_seq: int, now: datetime, capacity: EditionCapacity | None = None
) -> Edition:
    """Return the edition that a digest would get now.

    Args:
        tx: a transaction.
        digest: the digest, whose queries are matched.
        to_seq: the event up to which it reports.
        now: the time of the edition.
        capacity: how many papers an edition has room for; None for no limit.
    """
    run = Run(
        id=0,
        slot=digest.slot,
        period=now.astimezone(ZoneInfo(digest.options.timezone)).strftime("%Y-%m-%dT%H:%M"),
        state=RunState.CLOSED,
        fire_at=now,
        made_at=now,
        from_seq=digest.sent_seq,
        to_seq=to_seq,
    )
    window = RunWindow.load(tx, run, [digest], EvidenceCache())
    (selection,) = window.select_digests(tx, [digest], now - REPEAT_AFTER, capacity)
    # If nothing came since its last edition, that edition has reported on these days.
    batches = rows.list_last_batches(tx) if to_seq != digest.sent_seq else ()
    content = build_content(window, selection)
    items, overflow = edition_loader.EditionLoader().complete(tx, content.items, content.overflow, batches)
    return Edition(
        id=0,
        digest=digest.name,
        title=digest.title,
        period=run.period,
        zone=digest.options.timezone,
        composed_at=now,
        items=items,
        overflow=overflow,
        dropped=selection.composition.dropped,
        excluded=selection.composition.excluded,
        batches=batches,
        language=digest.options.language,
        abstracts=digest.options.abstracts,
        arrange=digest.options.arrange,
        full=digest.options.full,
        frequency=digest.frequency,
    )
