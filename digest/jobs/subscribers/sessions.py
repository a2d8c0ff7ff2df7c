"""Sessions of readers who signed in: their beginning, their use, and their end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from digest.core.subscribers.own_digest import OwnDigest
from digest.core.subscribers.sessions import (
    Session,
    hash_session_token,
    make_session_token,
    read_browser,
)
from digest.store.database.engine import Store, Transaction
from digest.store.subscribers import own_digests
from digest.store.subscribers import sessions as rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A browser that signs in.

    Attributes:
        user_agent: what it calls itself.
        session_token: the token of the session that it has; "" if it has none.
    """

    user_agent: str
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
    label = read_browser(browser.user_agent)
    rows.add_session(tx, hash_session_token(token), subscriber, label, now)
    return token


def find_session(store: Store, token: str, now: datetime) -> Session | None:
    """Return the session of a token; None if there is none, or it is over. At most once a day it is written that it is used."""
    token_hash = hash_session_token(token)
    if not token_hash:
        return None
    with store.begin_read() as tx:
        session = rows.load_session(tx, token_hash)
    if session is None or not session.is_live(now):
        return None
    if not session.has_old_sighting(now):
        return session
    with store.begin_write() as tx:
        rows.record_seen(tx, session.id, now)
    return replace(session, seen_at=now)


def load_account(store: Store, session: Session, now: datetime) -> Account:
    """Return what belongs to the subscriber of a session, and to nobody else."""
    with store.begin_read() as tx:
        return Account(
            session=session,
            digests=own_digests.list_own_digests(tx, session.subscriber),
            sessions=tuple(
                entry for entry in rows.list_sessions(tx, session.subscriber) if entry.is_live(now)
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
