"""Notices to the operator, at most one a day for each problem; ``jobs.operations.operator_notices`` delivers them."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from digest.config import LibrarySettings
from digest.errors import StoreError
from digest.jobs.http.fetch import Clock
from digest.store.database.engine import Store, Transaction
from digest.store.operations import notices

_log = logging.getLogger(__name__)


def note_trouble(tx: Transaction, name: str, text: str, now: datetime) -> None:
    """Record a problem for the operator; repeated calls within a day have no effect.

    Args:
        tx: a writing transaction.
        name: the stable identity of the problem: ``server:smtp.example.org``.
        text: whole sentences that say what is wrong and what to do; without secrets.
        now: the current time, UTC.
    """
    notices.record_notice(tx, name, text, now)


def note_broken_libraries(store: Store, libraries: Iterable[LibrarySettings], now: datetime) -> Iterator[str]:
    """Record libraries that could be read only in part, once for each set of broken entries.

    Args:
        store: the store.
        libraries: the configured libraries.
        now: the current time, UTC.

    Yields:
        The texts of new notices.
    """
    for library in libraries:
        if not library.broken:
            continue
        fingerprint = hashlib.sha256(
            "\n".join(map(str, (library.path, *library.broken))).encode()
        ).hexdigest()[:16]
        name = f"library:{fingerprint}"
        text = f"{library.path} could only be read in part: {library.broken[0]} `digest import {library.path}` lists all {len(library.broken)}"
        with store.begin_read() as tx:
            is_known = notices.is_noted(tx, name)
        if not is_known:
            with suppress(StoreError), store.begin_write() as tx:  # notices must not stop other work
                note_trouble(tx, name, text, now)
            yield text


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenTemplates:
    """Records which of the operator's templates are broken; each mail of a run may find the same problem.

    Attributes:
        store: the store.
        clock: returns the time, UTC.
    """

    store: Store
    clock: Clock
    _noted: dict[str, datetime] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def note_template(self, name: str, problem: str) -> None:
        """Record a broken template, and log it, at most once a day for each template.

        Args:
            name: its path, such as ``mail/edition.html``.
            problem: what is wrong with it, with file and line.
        """
        now = self.clock()
        with self._lock:
            noted_at = self._noted.get(name)
            if noted_at is not None and now < noted_at + notices.REPEAT_INTERVAL:
                return
            self._noted[name] = now
        text = f"{problem[:1].upper()}{problem[1:].rstrip('. ')}. It is a custom template; the shipped one is used instead, and nothing is lost. Fix it and test it with `digest check`; `digest serve` reads templates when it starts and on SIGHUP."
        _log.warning("%s", text)
        with suppress(StoreError), self.store.begin_write() as tx:  # notices must not stop other work
            note_trouble(tx, f"template:{name}", text, now)
