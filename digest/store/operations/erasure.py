"""Erasure of a reader: everything that the site keeps of them goes, in one transaction.

SQLite assigns the number of the last row of a table again when that row is gone. Links in mails, feeds and return
paths have such numbers, so a link of an erased reader would be one of the next reader. Therefore a last row stays
without its content, and goes with a later erasure.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Table,
    Text,
    and_,
    cast,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    update,
)

from digest.store.database.digest_tables import (
    deliveries,
    destinations,
    digests,
    editions,
    feedback,
    follows,
    link_mails,
    notices,
    opinions,
    partly_sent,
    reports,
    sessions,
    shards,
    subscribers,
    suppressions,
)
from digest.store.database.engine import Transaction
from digest.store.editions.overflow import Overflow
from digest.store.matching import matches
from digest.store.subscribers.digests import ENDED, ERASED

_PREFIX = "erased-"
"""Beginning of the address of a subscriber without content, which is no mail address."""


def erase_subscriber(tx: Transaction, subscriber: int) -> None:
    """Erase a subscriber with all digests that they made on the site, and what remained of earlier ones.

    Args:
        tx: a planning transaction.
        subscriber: the number of the subscriber; not the owner of the configuration file.
    """
    is_remnant = subscribers.c.address.like(f"{_PREFIX}%") & subscribers.c.address.not_like("%@%")
    for number in [subscriber, *tx.execute(select(subscribers.c.id).where(is_remnant)).scalars()]:
        _erase_rows(tx, number)


def is_destination(tx: Transaction, mailbox: str) -> bool:
    """Whether any digest goes to an address, which is given in lower case."""
    statement = select(destinations.c.id).where(destinations.c.mailbox == mailbox).limit(1)
    return tx.execute(statement).first() is not None


def erase_mailbox(tx: Transaction, mailbox: str, hashes: list[str]) -> None:
    """Erase what is kept about an address apart from digests: bounces, notices, and times of mails.

    Args:
        tx: a writing transaction.
        mailbox: the address in lower case.
        hashes: the keyed hashes under which it is kept when it was written to.
    """
    tx.execute(delete(suppressions).where(suppressions.c.mailbox == mailbox))
    tx.execute(delete(reports).where(reports.c.mailbox == mailbox))
    is_about = or_(
        *(
            func.lower(column).contains(mailbox, autoescape=True)
            for column in (notices.c.name, notices.c.text)
        )
    )
    tx.execute(delete(notices).where(is_about))
    tx.execute(delete(link_mails).where(link_mails.c.mailbox_hash.in_(hashes)))


def _erase_rows(tx: Transaction, subscriber: int) -> None:
    own_digests = select(digests.c.id).where(digests.c.subscriber_id == subscriber)
    own_editions = select(editions.c.id).where(editions.c.digest_id.in_(own_digests))
    is_own_delivery = deliveries.c.edition_id.in_(own_editions)
    _wait_for_workers(tx, own_digests, is_own_delivery)
    own_deliveries = select(deliveries.c.id).where(is_own_delivery)
    tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(own_deliveries)))
    is_cause = exists().where(suppressions.c.report_id == reports.c.id)
    tx.execute(delete(reports).where(reports.c.delivery.in_(own_deliveries), ~is_cause))
    tx.execute(delete(sessions).where(sessions.c.subscriber_id == subscriber))
    _erase_follows(tx, own_digests)
    for table in (feedback, opinions):
        tx.execute(delete(table).where(table.c.digest_id.in_(own_digests)))

    _erase_table(tx, deliveries, is_own_delivery, true(), _DELIVERY_VALUES)
    has_delivery = exists().where(deliveries.c.edition_id == editions.c.id)
    _erase_table(tx, editions, editions.c.digest_id.in_(own_digests), ~has_delivery, _EDITION_VALUES)
    is_delivered = exists().where(deliveries.c.destination_id == destinations.c.id)
    is_own = destinations.c.digest_id.in_(own_digests)
    _erase_table(tx, destinations, is_own, ~is_delivered, _DESTINATION_VALUES)
    has_rows = or_(
        exists().where(editions.c.digest_id == digests.c.id),
        exists().where(destinations.c.digest_id == digests.c.id),
    )
    _erase_table(tx, digests, digests.c.subscriber_id == subscriber, ~has_rows, _DIGEST_VALUES)
    has_digest = exists().where(digests.c.subscriber_id == subscribers.c.id)
    _erase_table(tx, subscribers, subscribers.c.id == subscriber, ~has_digest, _SUBSCRIBER_VALUES)


def _wait_for_workers(tx: Transaction, own_digests: Any, is_own_delivery: ColumnElement[bool]) -> None:
    """Lock what workers write to: a shard that is being stored, digests, and deliveries whose receipts come.

    A worker that stores a shard after this sees that its digests have changed, and composes it again without them.
    """
    has_digest = exists().where(
        digests.c.id.in_(own_digests), digests.c.id.between(shards.c.low_id, shards.c.high_id)
    )
    unfinished = select(shards.c.number).where(shards.c.state != "done", has_digest)
    tx.execute(unfinished.order_by(shards.c.run_id, shards.c.number).with_for_update()).all()
    locked = select(digests.c.id).where(digests.c.id.in_(own_digests)).order_by(digests.c.id)
    tx.execute(locked.with_for_update()).all()
    claimed = select(deliveries.c.id).where(is_own_delivery).order_by(deliveries.c.id)
    tx.execute(claimed.with_for_update()).all()


def _erase_follows(tx: Transaction, own_digests: Any) -> None:
    """Erase follows, and stop matching the queries that nobody else follows."""
    is_own = follows.c.digest_id.in_(own_digests)
    rows = tx.execute(select(follows.c.query_id, follows.c.only_query_id).where(is_own)).all()
    tx.execute(delete(follows).where(is_own))
    matches.release_queries(tx, {number for row in rows for number in row if number})


def _erase_table(
    tx: Transaction,
    table: Table,
    is_own: ColumnElement[bool],
    is_free: ColumnElement[bool],
    values: dict[str, Any],
) -> None:
    """Delete the rows that meet two conditions, except the last one of the table, and take the content of the others."""
    last_id = tx.execute(select(func.max(table.c.id))).scalar()
    tx.execute(delete(table).where(and_(is_own, is_free, table.c.id != last_id)))
    tx.execute(update(table).where(is_own).values(values))


_DELIVERY_VALUES = {"state": "dropped", "answer": "", "message_id": "", "sent_at": None, "lease_until": None}
_EDITION_VALUES = {
    "skipped": "its reader deleted it",
    "items": [],
    "rest": json.loads(Overflow().to_json()),
    "batches": [],
}
_DESTINATION_VALUES = {
    "state": ERASED,
    "address": literal(_PREFIX) + cast(destinations.c.id, Text),
    "mailbox": "",
    "domain": "",
}
_DIGEST_VALUES = {
    "state": ENDED,
    "name": literal(_PREFIX) + cast(digests.c.id, Text),
    "title": "",
    "public_digest": "",
    "public_hash": "",
    "change_note": None,
    "paused_until": None,
    "next_slot_id": None,
    "feed": False,
}
_SUBSCRIBER_VALUES = {"address": literal(_PREFIX) + cast(subscribers.c.id, Text)}
