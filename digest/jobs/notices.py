"""Notices: what the operator is to know of, each trouble at most once a day; what tells it is in the module operator."""

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
    """Let the operator know of a trouble, once a day however often this is called.

    Args:
        tx: a writing transaction.
        name: what tells the trouble from others, and does not change with the time: ``server:smtp.example.org``.
        text: it, in whole sentences that say what to do; it may hold no secret.
        now: the time.
    """
    notices.record_notice(tx, name, text, now)


def note_broken_libraries(store: Store, libraries: Iterable[LibrarySettings], now: datetime) -> Iterator[str]:
    """Note libraries that could be read in part only; each is told once, and again when other parts of it are broken.

    Args:
        store: where notices are kept.
        libraries: those of the configuration.
        now: the time.

    Yields:
        What is to be told now.
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
            with suppress(StoreError), store.begin_write() as tx:  # no notice ever stops anything
                note_trouble(tx, name, text, now)
            yield text


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenTemplates:
    """Notes which of the operator's own templates are broken; each mail of a run may find that anew.

    Attributes:
        store: where notices are kept.
        clock: gives the time.
    """

    store: Store
    clock: Clock
    _noted: dict[str, datetime] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def note_template(self, name: str, problem: str) -> None:
        """Note one; it is said at once, too, where somebody looks.

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
        with suppress(StoreError), self.store.begin_write() as tx:  # no notice ever stops anything
            note_trouble(tx, f"template:{name}", text, now)
