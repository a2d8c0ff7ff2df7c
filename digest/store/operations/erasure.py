"""Erasure of a reader: everything that the site keeps of them goes, in one transaction.

SQLite assigns the number of the last row of a table again when that row is gone. Links in mails, feeds and return
paths have such numbers, so a link of an erased reader would be one of the next reader. Therefore a last row stays
without its content, and goes with a later erasure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
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

from digest.model import DigestOptions
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import (
    declarations,
    deliveries,
    destinations,
    digests,
    edition_changes,
    editions,
    feedback,
    follows,
    notices,
    opinions,
    partly_sent,
    shards,
    subscribers,
)
from digest.store.database.tables.readers import api_tokens, reports, secret_addresses, sessions, suppressions
from digest.store.editions.encodings.overflow import Overflow
from digest.store.matching import matches
from digest.store.operations.audit import erase_actor
from digest.store.subscribers.digest_locks import lock_slots
from digest.store.subscribers.digest_options import write_options
from digest.store.subscribers.digests import ENDED, ERASED

_PREFIX = "erased-"
"""Beginning of the address of a subscriber without content, which is no mail address."""


def erase_subscriber(tx: Transaction, subscriber: int) -> None:
    """Erase a subscriber with all digests that they made on the site, and what remained of earlier ones.

    Args:
        tx: a transaction of ``Store.begin_erasure``.
        subscriber: the number of the subscriber; not the owner of the configuration file.
    """
    is_remnant = subscribers.c.address.like(f"{_PREFIX}%") & subscribers.c.address.not_like("%@%")
    remnants = tx.execute(select(subscribers.c.id).where(is_remnant).order_by(subscribers.c.id)).scalars()
    numbers = [subscriber, *remnants]
    for chunk in split_into_chunks(numbers):
        own_slots = select(digests.c.slot_id).where(digests.c.subscriber_id.in_(chunk)).distinct()
        lock_slots(tx, tx.execute(own_slots).scalars().all())
    for number in numbers:
        _erase_rows(tx, number)


def is_destination(tx: Transaction, mailbox: str) -> bool:
    """Whether any digest goes to an address in lower case, or would go there if its reader had not unsubscribed."""
    is_present = (destinations.c.mailbox == mailbox) & (destinations.c.state != ENDED)
    return tx.execute(select(destinations.c.id).where(is_present).limit(1)).first() is not None


def list_reported(tx: Transaction, subscriber: int) -> Sequence[str]:
    """Return the addresses, in lower case, of bounces and complaints about the digests of a subscriber.

    They include former addresses to which a mail was on its way when the address changed.
    """
    statement = (
        select(reports.c.mailbox)
        .join(deliveries, deliveries.c.id == reports.c.delivery)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .where(digests.c.subscriber_id == subscriber)
    )
    return tx.execute(statement.distinct().order_by(reports.c.mailbox)).scalars().all()


def erase_mailbox(tx: Transaction, mailbox: str) -> None:
    """Erase what is kept about an address to which no digest goes: bounces, notices, and digests that ended.

    Args:
        tx: a transaction of ``Store.begin_erasure``.
        mailbox: the address in lower case.
    """
    _erase_ended(tx, mailbox)
    tx.execute(delete(suppressions).where(suppressions.c.mailbox == mailbox))
    tx.execute(delete(reports).where(reports.c.mailbox == mailbox))
    _erase_notices(tx, mailbox)


def _erase_ended(tx: Transaction, mailbox: str) -> None:
    """Take the address from destinations that the file has ended, and erase the deliveries to them.

    Their rows stay: a worker that loaded them before they ended may still store a delivery, which is then dropped.
    """
    is_ended = (destinations.c.mailbox == mailbox) & (destinations.c.state == ENDED)
    rows = tx.execute(select(destinations.c.id, destinations.c.digest_id).where(is_ended)).all()
    if not rows:
        return
    numbers = [row.id for row in rows]
    edition_ids = select(editions.c.id).where(editions.c.digest_id.in_({row.digest_id for row in rows}))
    is_delivery = deliveries.c.edition_id.in_(edition_ids) & deliveries.c.destination_id.in_(numbers)
    _erase_deliveries(tx, is_delivery)
    tx.execute(update(destinations).where(destinations.c.id.in_(numbers)).values(_DESTINATION_VALUES))


def _erase_notices(tx: Transaction, mailbox: str) -> None:
    """Erase the notices that name an address."""
    columns = notices.c.name, notices.c.text
    may_name = or_(*(func.lower(column).contains(mailbox, autoescape=True) for column in columns))
    pattern = re.compile(_ADDRESS_START + re.escape(mailbox) + _ADDRESS_END, re.IGNORECASE)
    rows = tx.execute(select(*columns).where(may_name)).all()
    names = [row.name for row in rows if pattern.search(row.name) or pattern.search(row.text)]
    for chunk in split_into_chunks(names):
        tx.execute(delete(notices).where(notices.c.name.in_(chunk)))


_ADDRESS_START, _ADDRESS_END = r"(?<![\w.%&+~-])(?<!\w')", r"(?![\w-])(?!\.\w)"
"""Where an address begins and ends in a text, so that ``a@example.org`` is not found in ``ada@example.org``.

A full stop may follow it. Characters that local parts hardly ever have, such as ``=``, count as separators.
"""


def _erase_rows(tx: Transaction, subscriber: int) -> None:
    own_digests = select(digests.c.id).where(digests.c.subscriber_id == subscriber)
    own_editions = select(editions.c.id).where(editions.c.digest_id.in_(own_digests))
    is_own_delivery = deliveries.c.edition_id.in_(own_editions)
    _wait_for_workers(tx, own_digests, is_own_delivery)
    for table in (sessions, api_tokens):
        tx.execute(delete(table).where(table.c.subscriber_id == subscriber))
    erase_actor(tx, subscriber)
    _erase_follows(tx, own_digests)
    for table in (feedback, opinions, declarations):
        tx.execute(delete(table).where(table.c.digest_id.in_(own_digests)))
    _erase_deliveries(tx, is_own_delivery)
    tx.execute(delete(edition_changes).where(edition_changes.c.edition_id.in_(own_editions)))
    has_delivery = exists().where(deliveries.c.edition_id == editions.c.id)
    _erase_table(tx, editions, editions.c.digest_id.in_(own_digests), ~has_delivery, _EDITION_VALUES)
    own_destinations = select(destinations.c.id).where(destinations.c.digest_id.in_(own_digests))
    tx.execute(delete(secret_addresses).where(secret_addresses.c.destination_id.in_(own_destinations)))
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
    _lock_deliveries(tx, is_own_delivery)


def _lock_deliveries(tx: Transaction, is_chosen: ColumnElement[bool]) -> None:
    claimed = select(deliveries.c.id).where(is_chosen).order_by(deliveries.c.id)
    tx.execute(claimed.with_for_update()).all()


def _erase_deliveries(tx: Transaction, is_chosen: ColumnElement[bool]) -> None:
    """Erase deliveries with the reports about them that have suppressed no address."""
    _lock_deliveries(tx, is_chosen)
    chosen = select(deliveries.c.id).where(is_chosen)
    tx.execute(delete(partly_sent).where(partly_sent.c.delivery_id.in_(chosen)))
    is_cause = exists().where(suppressions.c.report_id == reports.c.id)
    tx.execute(delete(reports).where(reports.c.delivery.in_(chosen), ~is_cause))
    _erase_table(tx, deliveries, is_chosen, true(), _DELIVERY_VALUES)


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


_DELIVERY_VALUES = {
    "state": "dropped",
    "answer": "",
    "blame": "",
    "message_id": "",
    "main_query": 0,
    "sent_at": None,
    "failed_at": None,
    "expires_at": None,
    "lease_until": None,
    "named_in": None,
}
_EDITION_VALUES = {
    "skipped": "its reader deleted it",
    "items": [],
    "dropped": 0,
    "excluded": 0,
    "rest": json.loads(Overflow().to_json()),
    "batches": [],
}
_DESTINATION_VALUES = {
    "state": ERASED,
    "address": literal(_PREFIX) + cast(destinations.c.id, Text),
    "mailbox": "",
    "domain": "",
    "form": "",
}
_DIGEST_VALUES = write_options(DigestOptions()) | {
    "state": ENDED,
    "name": literal(_PREFIX) + cast(digests.c.id, Text),
    "title": "",
    "public_digest": "",
    "public_hash": "",
    "change_note": None,
    "paused_until": None,
    "next_slot_id": None,
    "from_seq": None,
    "resume_from": "",
    "is_customized": False,
    "feed_version": 0,
    "pruned_editions": 0,
}
_SUBSCRIBER_VALUES = {"address": literal(_PREFIX) + cast(subscribers.c.id, Text)}
