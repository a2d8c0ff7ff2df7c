"""Digests that a subscriber made on the site, and changes of them by their reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, exists, func, select, update

from digest.config import FollowSettings
from digest.core.subscribers.own_digest import OwnDigest, OwnDigestDetails, OwnDigestState, OwnFollow
from digest.model import DigestOptions, Frequency, Schedule
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.database.tables.digests import destinations, digests, editions, slots
from digest.store.subscribers import follows
from digest.store.subscribers.destinations.own_destinations import list_own_destinations
from digest.store.subscribers.digest_options import write_options
from digest.store.subscribers.digests import (
    ACTIVE,
    ENDED,
    MADE_ON_SITE,
    PAUSED,
    RESTING,
    STOPPED,
    SUPPRESSED,
    Digest,
    ensure_slot,
    load_digests_by_id,
    read_schedule,
)
from digest.store.subscribers.new_digests import ensure_alert_slot, load_mail_states

_MAIL = "smtp"
"""Channel of the mail to a reader, which every digest of one has, even if it is stopped."""

# --- loading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOwnDigest:
    """A digest as its reader sees it, and as runs do.

    Attributes:
        details: what its reader can change.
        digest: what runs make editions from.
    """

    details: OwnDigestDetails
    digest: Digest


def list_own_digests(tx: Transaction, subscriber: int) -> tuple[OwnDigest, ...]:
    """Return the digests of a subscriber that have not ended, oldest first."""
    statement = _select_own(subscriber).order_by(digests.c.id, destinations.c.id)
    return tuple(map(_build_own_digest, tx.execute(statement)))


def list_names(tx: Transaction, subscriber: int) -> dict[int, str]:
    """Return the names of all digests that a subscriber made, by number, including those that have ended."""
    is_own = (digests.c.subscriber_id == subscriber) & (digests.c.made_by == MADE_ON_SITE)
    rows = tx.execute(select(digests.c.id, digests.c.name).where(is_own).order_by(digests.c.id))
    return {row.id: row.name for row in rows}


def load_own_digest(tx: Transaction, subscriber: int, digest_id: int) -> StoredOwnDigest | None:
    """Return a digest of a subscriber; None if it has ended, or does not belong to the subscriber."""
    statement = _select_own(subscriber).where(digests.c.id == digest_id).order_by(destinations.c.id)
    row = tx.execute(statement.limit(1)).first()
    if row is None:
        return None
    (digest,) = load_digests_by_id(tx, [digest_id])
    details = OwnDigestDetails(
        summary=_build_own_digest(row),
        name=digest.name,
        options=digest.options,
        follows=_list_own_follows(digest),
        sent_seq=digest.sent_seq,
        public_digest=row.public_digest,
        is_customized=row.is_customized,
        is_mailed=row.destination_state != STOPPED,
        feed_version=digest.feed_version,
        destinations=list_own_destinations(tx, digest_id),
    )
    return StoredOwnDigest(details=details, digest=digest)


def _select_own(subscriber: int) -> Select[Any]:
    present, chats = slots.alias("present"), destinations.alias("chats")
    is_chat = (chats.c.digest_id == digests.c.id) & (chats.c.channel != _MAIL)
    return (
        select(
            slots,
            present.c.frequency.label("present_frequency"),
            digests.c.id.label("digest"),
            digests.c.title,
            digests.c.timezone,
            digests.c.state.label("digest_state"),
            digests.c.paused_until,
            digests.c.feed,
            digests.c.public_digest,
            digests.c.is_customized,
            exists().where(editions.c.digest_id == digests.c.id).label("has_editions"),
            destinations.c.id.label("destination"),
            destinations.c.state.label("destination_state"),
            exists().where(is_chat, chats.c.state == ACTIVE).label("has_chats"),
        )
        .select_from(digests)
        .join(slots, slots.c.id == func.coalesce(digests.c.next_slot_id, digests.c.slot_id))
        .join(present, present.c.id == digests.c.slot_id)
        .join(destinations, destinations.c.digest_id == digests.c.id)
        .where(
            digests.c.subscriber_id == subscriber,
            digests.c.made_by == MADE_ON_SITE,
            digests.c.state != ENDED,
            destinations.c.channel == _MAIL,
            destinations.c.state != ENDED,
        )
    )


def _build_own_digest(row: Row[Any]) -> OwnDigest:
    return OwnDigest(
        id=row.digest,
        destination=row.destination,
        title=row.title,
        zone=row.timezone,
        schedule=read_schedule(row),
        state=_find_state(row),
        paused_until=row.paused_until,
        is_new=row.present_frequency == Frequency.ONCE.value and not row.has_editions,
        has_feed=row.feed,
    )


def _find_state(row: Row[Any]) -> OwnDigestState:
    if row.destination_state == STOPPED and not (row.feed or row.has_chats):
        return OwnDigestState.UNSUBSCRIBED
    if row.destination_state in {RESTING, SUPPRESSED}:
        return OwnDigestState.BOUNCED
    return OwnDigestState.PAUSED if row.digest_state == PAUSED else OwnDigestState.ACTIVE


def _list_own_follows(digest: Digest) -> tuple[OwnFollow, ...]:
    texts = {follow.query: follow.canonical for follow in digest.follows}
    return tuple(
        OwnFollow(
            text=follow.text,
            query=follow.canonical,
            weight=follow.weight,
            exclude=follow.exclude,
            alert=follow.alert,
            only=texts[follow.only] if follow.only else "",
        )
        for follow in digest.follows
    )


def has_edition_since(tx: Transaction, digest_id: int, since: datetime) -> bool:
    """Whether an edition of a digest was composed at an instant or later."""
    is_recent = (editions.c.digest_id == digest_id) & (editions.c.composed_at >= since)
    return (
        tx.execute(select(editions.c.id).where(is_recent, editions.c.skipped == "").limit(1)).first()
        is not None
    )


# --- changes --------------------------------------------------------------------------------------


def replace_follows(
    tx: Transaction, details: OwnDigestDetails, own_follows: Sequence[OwnFollow], now: datetime
) -> None:
    """Replace the follows of a digest; what was not followed before counts from the last edition on.

    Args:
        tx: a writing transaction that has locked the digest.
        details: the digest.
        own_follows: all of its follows and exclusions.
        now: when follows end that are no longer there.
    """
    declared = [
        FollowSettings(
            text=entry.text,
            query=entry.query,
            weight=entry.weight,
            exclude=entry.exclude,
            alert=entry.alert,
            only=entry.only,
        )
        for entry in own_follows
    ]
    ensure_alert_slot(tx, lambda *args: ensure_slot(tx, *args), declared)
    follows.declare_follows(tx, details.id, declared, details.sent_seq, now)


def change_schedule(tx: Transaction, digest_id: int, schedule: Schedule, zone: str) -> None:
    """Give a digest another schedule and time zone; runs that are open go on by the former ones.

    Args:
        tx: a writing transaction that has locked the digest.
        digest_id: the number of the digest.
        schedule: the schedule.
        zone: the IANA name of the time zone in which it tells times.
    """
    has_slot = slots.c.id == func.coalesce(digests.c.next_slot_id, digests.c.slot_id)
    statement = select(slots.c.catch_up, slots.c.waits_for, digests.c.slot_id).join(digests, has_slot)
    row = tx.execute(statement.where(digests.c.id == digest_id)).one()
    slot = ensure_slot(tx, schedule, row.catch_up, row.waits_for.splitlines(), get_highest_seq(tx))
    values = {"timezone": zone, "next_slot_id": None if slot == row.slot_id else slot}
    tx.execute(update(digests).where(digests.c.id == digest_id).values(values))


def resume_mail(tx: Transaction, destination: int) -> None:
    """Send editions to a destination again that its reader had stopped; mail that bounced stays off."""
    is_stopped = (destinations.c.id == destination) & (destinations.c.state == STOPPED)
    mailbox = tx.execute(select(destinations.c.mailbox).where(is_stopped)).scalar()
    if mailbox is not None:
        state = load_mail_states(tx, [mailbox]).get(mailbox, ACTIVE)
        tx.execute(update(destinations).where(is_stopped).values(state=state))


def change_options(tx: Transaction, digest_id: int, title: str, options: DigestOptions) -> None:
    """Give a digest another title and other options."""
    values = {"title": title} | write_options(options)
    tx.execute(update(digests).where(digests.c.id == digest_id).values(values))
