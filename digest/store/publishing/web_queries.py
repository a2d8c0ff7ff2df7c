"""What the web shows: digests by number, with what tells whether their feed or a page has changed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select, update

from digest.model import Abstracts
from digest.store.database.digest_tables import digests, editions
from digest.store.database.engine import Transaction
from digest.store.subscribers.digests import ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDigest:
    """A digest as the web shows it; while two of them are equal, nothing of it has changed.

    Attributes:
        title: the name that readers see.
        zone: in which its times are told.
        feed: whether it is also a feed.
        feed_entries: what is an entry of it: ``papers`` or ``editions``.
        feed_version: how often the feed's address was renewed.
        language: in which it is told.
        abstracts: how much of each is shown.
        ended: it has left the file.
        newest: the number of its last edition that was made; 0 if none was.
    """

    id: int
    name: str
    title: str
    zone: str
    feed: bool
    feed_entries: str
    feed_version: int
    language: str
    abstracts: Abstracts
    ended: bool
    newest: int


def shown_digest(tx: Transaction, number: int) -> ShownDigest | None:
    """The digest of a number; None where there is none."""
    row = tx.execute(select(digests).where(digests.c.id == number)).first()
    if row is None:
        return None
    last = (
        select(editions.c.id)
        .where(editions.c.digest_id == number, editions.c.skipped == "")
        .order_by(editions.c.id.desc())
        .limit(1)
    )
    return ShownDigest(
        id=row.id,
        name=row.name,
        title=row.title,
        zone=row.zone,
        feed=row.feed,
        feed_entries=row.feed_entries,
        feed_version=row.feed_version,
        language=row.language,
        abstracts=Abstracts(row.abstracts),
        ended=row.state == ENDED,
        newest=tx.execute(last).scalar() or 0,
    )


def digest_of_edition(tx: Transaction, edition: int) -> ShownDigest | None:
    """The digest of an edition; None where that was not made, or is not kept any more."""
    made = (editions.c.id == edition) & (editions.c.skipped == "")
    number = tx.execute(select(editions.c.digest_id).where(made)).scalar()
    return None if number is None else shown_digest(tx, number)


def editions_made(tx: Transaction, digest: int) -> int:
    """How many editions a digest has had, those among them that are not kept any more."""
    mine = (editions.c.digest_id == digest) & (editions.c.skipped == "")
    kept: int = tx.execute(select(func.count()).select_from(editions).where(mine)).scalar_one()
    return kept + editions_pruned(tx, digest)


def editions_pruned(tx: Transaction, digest: int) -> int:
    """How many of a digest's first editions are not kept any more."""
    number: int = tx.execute(select(digests.c.pruned_editions).where(digests.c.id == digest)).scalar_one()
    return number


def editions_from(tx: Transaction, digest: int, place: int, most: int) -> tuple[int, ...]:
    """The numbers of a digest's editions behind its first ones, the newest first; these must be kept.

    Args:
        tx: a transaction.
        digest: its number.
        place: how many come before them, kept or not.
        most: how many there are at most.
    """
    mine = (editions.c.digest_id == digest) & (editions.c.skipped == "")
    kept = place - editions_pruned(tx, digest)
    statement = select(editions.c.id).where(mine).order_by(editions.c.id).offset(kept).limit(most)
    return tuple(reversed(tx.execute(statement).scalars().all()))


def renew_feed(tx: Transaction, digest: int) -> int | None:
    """Count that the address of a digest's feed is renewed, and say how often it was; None where there is no such digest."""
    mine = digests.c.id == digest
    tx.execute(update(digests).where(mine).values(feed_version=digests.c.feed_version + 1))
    return tx.execute(select(digests.c.feed_version).where(mine)).scalar()
