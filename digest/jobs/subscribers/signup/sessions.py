"""Sessions of readers who signed in: their beginning, their use, and their end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from digest.core.subscribers.own_digest import OwnDigest
from digest.core.subscribers.sessions import (
    BrowserLabel,
    Session,
    hash_session_token,
    make_session_token,
)
from digest.errors import StoreError
from digest.store.database.engine import Store, Transaction
from digest.store.subscribers import own_digests
from digest.store.subscribers.accounts import sessions as rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A browser that signs in.

    Attributes:
        label: what is kept of it.
        session_token: the token of the session that it has; "" if it has none.
    """

    label: BrowserLabel
    session_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a reader sees of themselves.

    Attributes:
        session: the session of the browser that shows it.
        digests: the digests that the reader made on the site.
        sessions: all sessions of the reader, newest first.
    """

    session: Session
    digests: tuple[OwnDigest, ...]
    sessions: tuple[Session, ...]


def open_session_in(tx: Transaction, subscriber: int, browser: Browser, now: datetime) -> str:
    """Begin a session in place of the one that a browser has, and return its token.

    The token is always new, so that nobody can sign in another one with a token that they know.

    Args:
        tx: a writing transaction.
        subscriber: the number of the subscriber.
        browser: the browser.
        now: the current time, UTC.
    """
    token = make_session_token()
    rows.end_session_of(tx, hash_session_token(browser.session_token))
    rows.add_session(tx, hash_session_token(token), subscriber, browser.label, now)
    return token


def find_session(store: Store, token: str, now: datetime) -> Session | None:
    """Return the session of a token; None if there is none, or it is over."""
    token_hash = hash_session_token(token)
    if not token_hash:
        return None
    with store.begin_read() as tx:
        session = rows.load_session(tx, token_hash)
    return session if session is not None and session.is_live(now) else None


class UsedSessions:
    """Collects the sessions that are used, to write at most once a day when each was.

    A page is only read, so opening it writes nothing, and waits for nobody who writes; the site saves now and then.

    Args:
        store: the store.
        clock: returns the time, UTC.
    """

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._unsaved: set[int] = set()

    def note(self, session: Session) -> Session:
        """Note that a session is used, and return it with the time at which it was last used."""
        now = self._clock()
        if not session.has_old_sighting(now):
            return session
        with self._lock:
            self._unsaved.add(session.id)
        return replace(session, seen_at=now)

    def save(self) -> None:
        """Save what was noted; if the store is busy, the next call does it."""
        with self._lock:
            numbers, self._unsaved = self._unsaved, set()
        if not numbers:
            return
        try:
            with self._store.begin_write() as tx:
                for number in sorted(numbers):
                    rows.record_seen(tx, number, self._clock())
        except StoreError:
            with self._lock:
                self._unsaved |= numbers


def load_account(store: Store, session: Session, now: datetime) -> Account:
    """Return what belongs to the subscriber of a session, and to nobody else."""
    with store.begin_read() as tx:
        return Account(
            session=session,
            digests=own_digests.list_own_digests(tx, session.subscriber),
            sessions=tuple(
                session if entry.id == session.id else entry
                for entry in rows.list_sessions(tx, session.subscriber)
                if entry.is_live(now)
            ),
        )


def end_session(store: Store, session: Session, number: int) -> None:
    """End a session, which is given by its number, of the subscriber of a session."""
    with store.begin_write() as tx:
        rows.end_session(tx, session.subscriber, number)


def end_all_sessions(store: Store, session: Session) -> None:
    """End all sessions of the subscriber of a session."""
    with store.begin_write() as tx:
        rows.end_all_sessions(tx, session.subscriber)
