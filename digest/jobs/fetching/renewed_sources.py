"""Sources that earlier releases stored by other names, and their papers by other keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime

from digest.model import PaperKey
from digest.ports import Source
from digest.store.database import clock
from digest.store.database.dialect import KEEPING, hold
from digest.store.database.engine import Transaction
from digest.store.editions.renewed_texts import rename_in_texts
from digest.store.fetching.source_names import rename_sources, stored_sources
from digest.store.matching.renewed_queries import rename_in_queries
from digest.store.papers.renewed_papers import renew_papers
from digest.store.subscribers.config_sync import forget_declarations

_NOTE = "renewed_sources"
_FINGERPRINT = 8
"""Hexadecimal digits: a former name may hold a secret, and is not kept."""


def renew_sources(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> None:
    """Store what earlier releases stored of sources as it is stored now, once for each former name.

    Args:
        tx: a transaction of ``Store.planning``.
        sources: those declared, by name.
        now: when follows end that have become double.
    """
    done = frozenset(clock.note(tx, _NOTE).split())
    unknown = {
        former: name
        for name, source in sources.items()
        for former in source.former_names
        if _fingerprint(former) not in done
    }
    if not unknown:
        return
    clock.set_note(tx, _NOTE, " ".join(sorted({*done, *map(_fingerprint, unknown)})))
    stored = stored_sources(tx)
    fresh = {former: name for former, name in unknown.items() if former in stored or name in stored}
    if not fresh:
        return
    hold(tx, KEEPING)  # nothing takes the two locks in the other order
    renamed = rename_sources(tx, fresh, sources.keys())
    keys: dict[PaperKey, PaperKey] = {}
    for name in dict.fromkeys(fresh.values()):
        keys |= renew_papers(tx, name, sources[name].renewed)
    rename_in_queries(tx, renamed, keys, now)
    rename_in_texts(tx, fresh)
    forget_declarations(tx)


def _fingerprint(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:_FINGERPRINT]
