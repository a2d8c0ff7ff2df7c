"""Sessions of readers who signed in. Rows have hashes of tokens, so that reading the database is no way to sign in."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, or_, select, update

from digest.core.subscribers.sessions import SESSION_LIFETIME, BrowserLabel, Session
from digest.store.database.dialect import add_missing
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.readers import sessions


def find_subscriber_id(tx: Transaction, mailbox: str) -> int | None:
    """Return the number of the subscriber of an address in lower case; None if there is none."""
    if not mailbox:
        return None  # the owner of the configuration file, who has no address
    return tx.execute(select(subscribers.c.id).where(subscribers.c.address == mailbox)).scalar()


def add_subscriber(tx: Transaction, mailbox: str) -> int:
    """Create the subscriber of an address in lower case, unless there is one, and return the number."""
    add_missing(tx, subscribers, [{"address": mailbox}])
    number: int = tx.execute(select(subscribers.c.id).where(subscribers.c.address == mailbox)).scalar_one()
    return number


def add_session(
    tx: Transaction, token_hash: str, subscriber: int, label: BrowserLabel, now: datetime
) -> None:
    """Record that a subscriber signed in.

    Args:
        tx: a writing transaction.
        token_hash: the hash of the session's token.
        subscriber: the number of the subscriber.
        label: the browser.
        now: the current time.
    """
    row = {
        "token_hash": token_hash,
        "subscriber_id": subscriber,
        "browser": label.browser,
        "system": label.system,
        "created_at": now,
        "seen_at": now,
        "expires_at": now + SESSION_LIFETIME,
    }
    tx.execute(insert(sessions).values(row))


def load_session(tx: Transaction, token_hash: str) -> Session | None:
    """Return the session of a token, which may be over; None if there is none."""
    row = tx.execute(_select_joined().where(sessions.c.token_hash == token_hash)).first()
    return _build_session(row) if row else None


def list_sessions(tx: Transaction, subscriber: int) -> tuple[Session, ...]:
    """Return all sessions of a subscriber, which may be over, newest first."""
    statement = _select_joined().where(sessions.c.subscriber_id == subscriber)
    return tuple(map(_build_session, tx.execute(statement.order_by(sessions.c.id.desc()))))


def record_seen(tx: Transaction, session: int, now: datetime) -> None:
    """Record that a session was used."""
    tx.execute(update(sessions).where(sessions.c.id == session).values(seen_at=now))


def end_session(tx: Transaction, subscriber: int, session: int) -> None:
    """End a session of a subscriber; a number that belongs to another one changes nothing."""
    is_own = (sessions.c.id == session) & (sessions.c.subscriber_id == subscriber)
    tx.execute(delete(sessions).where(is_own))


def end_session_of(tx: Transaction, token_hash: str) -> None:
    """End the session of a token, if there is one."""
    tx.execute(delete(sessions).where(sessions.c.token_hash == token_hash))


def end_other_sessions(tx: Transaction, subscriber: int, token_hash: str) -> None:
    """End all sessions of a subscriber but that of a token, which may be none of theirs."""
    is_other = (sessions.c.subscriber_id == subscriber) & (sessions.c.token_hash != token_hash)
    tx.execute(delete(sessions).where(is_other))


def end_all_sessions(tx: Transaction, subscriber: int) -> None:
    """End all sessions of a subscriber."""
    tx.execute(delete(sessions).where(sessions.c.subscriber_id == subscriber))


def has_over(tx: Transaction, latest_start: datetime, now: datetime) -> bool:
    """Whether ``forget_over`` would delete anything."""
    statement = select(sessions.c.id).where(_is_over(latest_start, now)).limit(1)
    return tx.execute(statement).first() is not None


def forget_over(tx: Transaction, latest_start: datetime, now: datetime) -> int:
    """Delete sessions that are over, and those that began after ``latest_start``; return their number."""
    return tx.execute(delete(sessions).where(_is_over(latest_start, now))).rowcount


def _is_over(latest_start: datetime, now: datetime) -> Any:
    return or_(sessions.c.expires_at <= now, sessions.c.created_at > latest_start)


def _select_joined() -> Any:
    return select(sessions, subscribers.c.address).join(
        subscribers, subscribers.c.id == sessions.c.subscriber_id
    )


def _build_session(row: Row[Any]) -> Session:
    return Session(
        id=row.id,
        subscriber=row.subscriber_id,
        address=row.address,
        label=BrowserLabel(row.browser, row.system),
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
    )
