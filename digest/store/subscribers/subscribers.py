"""Subscribers: destinations of digests and their states. An unsubscription takes precedence over the configuration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, func, or_, select, update

from digest.model import EditionForm
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, digests, editions, subscribers
from digest.store.subscribers.config_sync import forget_declarations
from digest.store.subscribers.destinations.sealed_addresses import note_activation
from digest.store.subscribers.digests import (
    ACTIVE,
    ENDED,
    ERASED,
    MADE_ON_SITE,
    PAUSED,
    RESTING,
    STOPPED,
    SUPPRESSED,
    WITHHELD,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """Address that receives a digest.

    Attributes:
        destination: the number of the destination.
        digest: the name of the digest; ``title`` is the one that readers see.
        digest_id: the number of the digest.
        mailbox: a mail address in lower case; "" for other channels.
        state: ``active``; ``ended`` by the file; ``stopped`` by the reader; ``suppressed`` or ``resting``
            because mail bounced; ``withheld`` while the file does not allow the service.
        digest_ended: whether the digest itself was removed from the file, or deleted by its reader.
        digest_paused: whether the digest is paused.
        made_on_site: whether its reader made the digest on the site, so that no file declares it.
        language: the language of the digest.
        form: the form in which it gets editions.
    """

    destination: int
    digest: str
    title: str
    channel: str
    address: str
    mailbox: str
    state: str
    digest_ended: bool
    language: str
    form: EditionForm = EditionForm.STANDARD
    made_on_site: bool = False
    digest_paused: bool = False
    digest_id: int = 0

    @property
    def active(self) -> bool:
        """Whether it receives the digest, as neither the reader nor the file has ended it and no mail bounced."""
        return self.state == ACTIVE

    @property
    def gets_editions(self) -> bool:
        """Whether editions come to it: it is active, and its digest has not ended."""
        return self.active and not self.digest_ended

    @property
    def stopped(self) -> bool:
        """Whether the reader has unsubscribed."""
        return self.state == STOPPED

    @property
    def came_back(self) -> bool:
        """Whether it gets nothing because mail bounced."""
        return self.state in {SUPPRESSED, RESTING}

    @property
    def withheld(self) -> bool:
        """Whether it gets nothing because the file does not allow its service."""
        return self.state == WITHHELD


def find_subscriber(tx: Transaction, destination: int) -> Subscriber | None:
    """Return the subscriber of a destination; None if there is no such destination."""
    row = tx.execute(_select_joined().where(destinations.c.id == destination)).first()
    return _build_subscriber(row) if row else None


def list_subscribers(tx: Transaction, *, address: str | None = None) -> tuple[Subscriber, ...]:
    """Return all subscribers by digest and address, or only those with an address (case is ignored)."""
    statement = _select_joined().order_by(digests.c.name, destinations.c.address, destinations.c.channel)
    if address is not None:
        statement = statement.where(_has_address(address))
    return tuple(map(_build_subscriber, tx.execute(statement)))


def _has_address(address: str) -> ColumnElement[bool]:
    """Match destinations by their address, whose case is ignored; a mail address is found by an index."""
    if _MAIL_ADDRESS.fullmatch(address):
        return or_(destinations.c.mailbox == address.lower(), destinations.c.address == address)
    return func.lower(destinations.c.address) == address.lower()


_MAIL_ADDRESS = re.compile(r"[^:/]+@[^:/@]+")
"""What can only be a mail address: other destinations are folders, and addresses with a scheme."""


def list_stopped(tx: Transaction) -> tuple[Subscriber, ...]:
    """Return the subscribers that have unsubscribed, by digest and address."""
    statement = _select_joined().where(destinations.c.state == STOPPED)
    return tuple(
        map(_build_subscriber, tx.execute(statement.order_by(digests.c.name, destinations.c.address)))
    )


def list_suppressed(tx: Transaction) -> tuple[Subscriber, ...]:
    """Return the subscribers that get nothing because mail bounced, by digest and address."""
    statement = _select_joined().where(destinations.c.state.in_([SUPPRESSED, RESTING]))
    return tuple(
        map(_build_subscriber, tx.execute(statement.order_by(digests.c.name, destinations.c.address)))
    )


def stop_destination(tx: Transaction, destination: int) -> bool:
    """Unsubscribe a destination, and drop its waiting deliveries.

    Returns:
        Whether it was subscribed before.
    """
    is_going = (destinations.c.id == destination) & destinations.c.state.not_in([STOPPED, ERASED])
    changed = tx.execute(update(destinations).where(is_going).values(state=STOPPED)).rowcount > 0
    digest_id = select(destinations.c.digest_id).where(destinations.c.id == destination).scalar_subquery()
    edition_ids = select(editions.c.id).where(editions.c.digest_id == digest_id)
    is_waiting = deliveries.c.edition_id.in_(edition_ids) & (deliveries.c.destination_id == destination)
    tx.execute(
        update(deliveries)
        .where(is_waiting, deliveries.c.state.in_(["ready", "held"]))
        .values(state="dropped", answer="the reader unsubscribed")
    )
    return changed


def list_companions(tx: Transaction, destination: int) -> tuple[int, ...]:
    """Return the chats and webhooks of the digest that a reader made, if a destination is the mail of that digest.

    They end and resume with the mail when the reader unsubscribes from the digest or subscribes again.
    """
    mail = destinations.alias("mail")
    statement = (
        select(destinations.c.id)
        .join(digests, digests.c.id == destinations.c.digest_id)
        .join(mail, mail.c.digest_id == digests.c.id)
        .where(mail.c.id == destination, mail.c.mailbox != "", digests.c.made_by == MADE_ON_SITE)
        .where(destinations.c.id != mail.c.id, destinations.c.mailbox == "")
        .where(destinations.c.state.not_in([ENDED, ERASED]))
    )
    return tuple(tx.execute(statement.order_by(destinations.c.id)).scalars())


def resume_destinations(tx: Transaction, destination_ids: Sequence[int], declared: Sequence[int]) -> None:
    """Resume digests to unsubscribed destinations from the next edition on.

    Args:
        tx: a writing transaction.
        destination_ids: the destinations.
        declared: those of them that the file declares, or whose readers made the digest; the others end.
    """
    for state, chosen_ids in (
        (ACTIVE, set(destination_ids) & set(declared)),
        (ENDED, set(destination_ids) - set(declared)),
    ):
        for chunk in split_into_chunks(sorted(chosen_ids)):
            is_stopped = destinations.c.id.in_(chunk) & (destinations.c.state == STOPPED)
            note_activation(tx, is_stopped)
            tx.execute(update(destinations).where(is_stopped).values(state=state))
    # `declared` may be from a file that has not been applied yet, so these digests are applied again.
    for chunk in split_into_chunks(destination_ids):
        digest_ids = select(destinations.c.digest_id).where(destinations.c.id.in_(chunk))
        forget_declarations(tx, tx.execute(digest_ids.distinct()).scalars().all())


def change_address(tx: Transaction, subscriber: int, former: str, address: str, mail_state: str) -> None:
    """Give a subscriber another address, and send the digests that they made on the site there.

    Args:
        tx: a transaction that has locked both mailboxes.
        subscriber: the number of the subscriber.
        former: the present address, in lower case.
        address: the new address, with its domain in DNS form; no other subscriber has it.
        mail_state: the state of the new address if mail to it bounced; "" otherwise. Those digests that are not
            stopped get it, whether mail to the former address bounced or not.
    """
    mailbox = address.lower()
    tx.execute(update(subscribers).where(subscribers.c.id == subscriber).values(address=mailbox))
    own_digests = select(digests.c.id).where(
        digests.c.subscriber_id == subscriber, digests.c.made_by == MADE_ON_SITE
    )
    is_former = destinations.c.digest_id.in_(own_digests) & (destinations.c.mailbox == former)
    is_going = destinations.c.state.in_([ACTIVE, RESTING, SUPPRESSED])
    tx.execute(update(destinations).where(is_former, is_going).values(state=mail_state or ACTIVE))
    values = {"address": address, "mailbox": mailbox, "domain": mailbox.rpartition("@")[2]}
    tx.execute(update(destinations).where(is_former).values(values))


def _select_joined() -> Any:
    columns = (digests.c[name] for name in ("name", "title", "language", "made_by"))
    return (
        select(destinations, *columns, digests.c.state.label("digest_state"))
        .join(digests, digests.c.id == destinations.c.digest_id)
        .where(destinations.c.state != ERASED)
    )


def _build_subscriber(row: Row[Any]) -> Subscriber:
    return Subscriber(
        destination=row.id,
        digest=row.name,
        digest_id=row.digest_id,
        title=row.title,
        channel=row.channel,
        address=row.address,
        mailbox=row.mailbox,
        language=row.language,
        state=row.state,
        digest_ended=row.digest_state == ENDED,
        digest_paused=row.digest_state == PAUSED,
        made_on_site=row.made_by == MADE_ON_SITE,
        form=EditionForm(row.form),
    )
