"""API tokens of readers. Rows have hashes of tokens, so that reading the database is no way to use them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, delete, insert, or_, select, update

from digest.core.subscribers.api_tokens import ApiToken, Scope, TokenChoice
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.readers import api_tokens


def lock_reader(tx: Transaction, subscriber: int) -> bool:
    """Keep others from changing a reader's tokens until the transaction ends; return whether the reader exists.

    A reader who deleted everything may leave a row without an address.
    """
    is_reader = (subscribers.c.id == subscriber) & subscribers.c.address.contains("@")
    statement = select(subscribers.c.id).where(is_reader)
    return tx.execute(statement.with_for_update(key_share=True)).first() is not None


def add_token(tx: Transaction, token_hash: str, subscriber: int, choice: TokenChoice, now: datetime) -> int:
    """Add a token, and return its number.

    Args:
        tx: a writing transaction that has locked the reader.
        token_hash: the hash of the token.
        subscriber: the number of the reader.
        choice: what the reader chose.
        now: the current time.
    """
    row = {
        "token_hash": token_hash,
        "subscriber_id": subscriber,
        "name": choice.name,
        "scopes": sorted(choice.scopes),
        "created_at": now,
        "expires_at": now + choice.lifetime,
    }
    number: int = tx.execute(insert(api_tokens).values(row).returning(api_tokens.c.id)).scalar_one()
    return number


def load_token(tx: Transaction, token_hash: str) -> ApiToken | None:
    """Return the token with a hash, which may be over; None if there is none."""
    row = tx.execute(_select_joined().where(api_tokens.c.token_hash == token_hash)).first()
    return _build_token(row) if row else None


def list_tokens(tx: Transaction, subscriber: int) -> tuple[ApiToken, ...]:
    """Return all tokens of a reader, which may be over, newest first."""
    statement = _select_joined().where(api_tokens.c.subscriber_id == subscriber)
    return tuple(map(_build_token, tx.execute(statement.order_by(api_tokens.c.id.desc()))))


def record_use(tx: Transaction, number: int, hour: datetime) -> None:
    """Record that a token was used in an hour."""
    tx.execute(update(api_tokens).where(api_tokens.c.id == number).values(used_at=hour))


def revoke_token(tx: Transaction, subscriber: int, number: int) -> bool:
    """Delete a token of a reader, and return whether there was one; that of another reader stays."""
    is_own = (api_tokens.c.id == number) & (api_tokens.c.subscriber_id == subscriber)
    return tx.execute(delete(api_tokens).where(is_own)).rowcount > 0


def has_over(tx: Transaction, latest_start: datetime, now: datetime) -> bool:
    """Whether ``forget_over`` would delete anything."""
    statement = select(api_tokens.c.id).where(_is_over(latest_start, now)).limit(1)
    return tx.execute(statement).first() is not None


def forget_over(tx: Transaction, latest_start: datetime, now: datetime) -> int:
    """Delete tokens that are over, and those that were made after ``latest_start``; return their number."""
    return tx.execute(delete(api_tokens).where(_is_over(latest_start, now))).rowcount


def _is_over(latest_start: datetime, now: datetime) -> Any:
    return or_(api_tokens.c.expires_at <= now, api_tokens.c.created_at > latest_start)


def _select_joined() -> Select[Any]:
    return select(api_tokens, subscribers.c.address).join(
        subscribers, subscribers.c.id == api_tokens.c.subscriber_id
    )


def _build_token(row: Row[Any]) -> ApiToken:
    return ApiToken(
        id=row.id,
        subscriber=row.subscriber_id,
        address=row.address,
        name=row.name,
        scopes=frozenset(map(Scope, row.scopes)),
        created_at=row.created_at,
        used_at=row.used_at,
        expires_at=row.expires_at,
    )
