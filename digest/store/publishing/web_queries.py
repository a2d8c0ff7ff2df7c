"""Digests and editions for web pages."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select, update

from digest.model import DigestOptions
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, editions
from digest.store.subscribers.digest_options import read_row_options
from digest.store.subscribers.digests import ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class WebDigest:
    """Digest for web pages; as long as two of these are equal, its pages and feed have not changed.

    Attributes:
        title: the name that readers see.
        options: its settings.
        feed_version: how often the address of its feed was renewed.
        ended: whether it was removed from the file.
        newest: the number of its last composed edition; 0 if there is none.
    """

    id: int
    name: str
    title: str
    options: DigestOptions
    feed_version: int
    ended: bool
    newest: int


def load_web_digest(tx: Transaction, digest_id: int) -> WebDigest | None:
    """Return a digest by its number; None if there is none."""
    row = tx.execute(select(digests).where(digests.c.id == digest_id)).first()
    if row is None:
        return None
    statement = (
        select(editions.c.id)
        .where(editions.c.digest_id == digest_id, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(1)
    )
    return WebDigest(
        id=row.id,
        name=row.name,
        title=row.title,
        options=read_row_options(row),
        feed_version=row.feed_version,
        ended=row.state == ENDED,
        newest=tx.execute(statement).scalar() or 0,
    )


def find_digest_of_edition(tx: Transaction, edition: int) -> WebDigest | None:
    """Return the digest of an edition; None if the edition was not composed or was pruned."""
    is_composed = (editions.c.id == edition) & (editions.c.skipped == "")
    digest_id = tx.execute(select(editions.c.digest_id).where(is_composed)).scalar()
    return None if digest_id is None else load_web_digest(tx, digest_id)


def count_editions(tx: Transaction, digest: int) -> int:
    """Count the editions that a digest has had, including pruned ones."""
    return count_stored_editions(tx, digest) + count_pruned_editions(tx, digest)


def count_stored_editions(tx: Transaction, digest: int) -> int:
    """Count the editions of a digest that are stored."""
    condition = (editions.c.digest_id == digest) & (editions.c.skipped == "")
    stored: int = tx.execute(select(func.count()).select_from(editions).where(condition)).scalar_one()
    return stored


def count_pruned_editions(tx: Transaction, digest: int) -> int:
    """Return the number of pruned editions of a digest, which were its first ones."""
    count: int = tx.execute(select(digests.c.pruned_editions).where(digests.c.id == digest)).scalar_one()
    return count


def list_editions_after(tx: Transaction, digest: int, position: int, limit: int) -> tuple[int, ...]:
    """Return the numbers of a digest's editions after its first ``position`` ones, newest first.

    Args:
        tx: a transaction.
        digest: the number of the digest.
        position: the number of earlier editions, pruned or not; at least the number of pruned ones.
        limit: maximum number of editions.
    """
    condition = (editions.c.digest_id == digest) & (editions.c.skipped == "")
    offset = position - count_pruned_editions(tx, digest)
    statement = select(editions.c.id).where(condition).order_by(editions.c.id).offset(offset).limit(limit)
    return tuple(reversed(tx.execute(statement).scalars().all()))


def renew_feed(tx: Transaction, digest: int) -> int | None:
    """Renew the address of a digest's feed, and return how often that was done; None if there is no such digest."""
    is_digest = digests.c.id == digest
    tx.execute(update(digests).where(is_digest).values(feed_version=digests.c.feed_version + 1))
    return tx.execute(select(digests.c.feed_version).where(is_digest)).scalar()
