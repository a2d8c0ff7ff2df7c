"""Rename sources that earlier releases stored under other names, and their papers under other keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime

from digest.model import PaperKey
from digest.ports import Source
from digest.store.database import clock
from digest.store.database.dialect import INGEST_LOCK, lock_table, take_lock
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import slots
from digest.store.editions.encodings.renewed_texts import rename_in_texts
from digest.store.fetching.source_names import list_stored_sources, rename_sources
from digest.store.matching.matches import begin_pass
from digest.store.matching.renewed_queries import rename_in_queries
from digest.store.matching.search_index import clear_index
from digest.store.papers.renewed_papers import renew_papers
from digest.store.subscribers.config_sync import forget_declarations

_RENEWED_NOTE = "renewed_sources"
_FINGERPRINT_LENGTH = 8
"""Length of the hash of a former name, in hexadecimal digits.

The name itself is not stored, because it may contain a secret.
"""


def renew_sources(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Convert what earlier releases stored about sources to today's names, once for each former name.

    Args:
        tx: a transaction of ``Store.begin_planning``.
        sources: the configured sources, by name.
        now: the time at which follows end that have become duplicates, UTC.
    """
    done_fingerprints = frozenset(clock.read_note(tx, _RENEWED_NOTE).split())
    pending = {
        former: name
        for name, source in sources.items()
        for former in source.former_names
        if _hash_name(former) not in done_fingerprints
    }
    if not pending:
        return
    clock.set_note(tx, _RENEWED_NOTE, " ".join(sorted({*done_fingerprints, *map(_hash_name, pending)})))
    stored = list_stored_sources(tx)
    stored_pending = {former: name for former, name in pending.items() if former in stored or name in stored}
    if not stored_pending:
        return
    take_lock(tx, INGEST_LOCK)  # no deadlock: no code takes the planning lock after this one
    # Nobody else changes a digest or a query until the end, because such changes begin with a slot, nor stores matches.
    lock_table(tx, slots)
    begin_pass(tx)
    renamed = rename_sources(tx, stored_pending, sources.keys())
    keys: dict[PaperKey, PaperKey] = {}
    for name in dict.fromkeys(stored_pending.values()):
        keys |= renew_papers(tx, name, sources[name].renew_paper)
    if renamed:
        clear_index(tx)  # it has the former names as terms; papers are indexed again in batches
    rename_in_queries(tx, renamed, keys, now)
    rename_in_texts(tx, stored_pending)
    forget_declarations(tx)


def _hash_name(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:_FINGERPRINT_LENGTH]
