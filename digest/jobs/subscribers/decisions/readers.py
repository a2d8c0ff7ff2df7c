"""Looks up an address for operators. It loads numbers and states, and nothing of what anybody follows or reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.jobs.subscribers.subscriptions import AddressStanding, load_standing
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports
from digest.store.delivery.reports import StoredReport
from digest.store.operations import readers as rows
from digest.store.operations.readers import EditionPeriod
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.subscribers import Subscriber, list_subscribers

_REPORTS = 10
_END_OF_NUMBERS = 1 << 63


class AddressOwner(StrEnum):
    """Whose number stands for an address."""

    SUBSCRIBER = "subscriber"
    DESTINATION = "destination"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressNumber:
    """A number that stands for an address, which must be in no URL and no form.

    Attributes:
        kind: whose number it is.
        number: the number.
    """

    kind: AddressOwner
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOverview:
    """What is known about an address.

    Attributes:
        address: the address.
        subscriber: the number of its account; None if it has none.
        destinations: the digests that go there, or did.
        standing: its bounces, complaint and suppression.
        reports: the last reports about it.
        periods: when its digests had editions, by digest.
    """

    address: str
    subscriber: int | None
    destinations: tuple[Subscriber, ...]
    standing: AddressStanding
    reports: tuple[StoredReport, ...]
    periods: Mapping[int, EditionPeriod]


def find_number(store: Store, address: str) -> AddressNumber | None:
    """Return the number that stands for a whole address, by indexes; None if it is unknown."""
    with store.begin_read() as tx:
        subscriber = find_subscriber_id(tx, address.lower())
        if subscriber is not None:
            return AddressNumber(kind=AddressOwner.SUBSCRIBER, number=subscriber)
        matching = list_subscribers(tx, address=address)
    return AddressNumber(kind=AddressOwner.DESTINATION, number=matching[0].destination) if matching else None


def find_address(tx: Transaction, number: AddressNumber) -> str:
    """Return the address of a number; "" if it has none any more."""
    if number.number >= _END_OF_NUMBERS:
        return ""
    if number.kind is AddressOwner.SUBSCRIBER:
        return rows.find_address(tx, number.number)
    return rows.find_destination_address(tx, number.number)


def load_address(store: Store, number: AddressNumber, now: datetime) -> AddressOverview | None:
    """Load what is known about an address; None if its number has none any more."""
    with store.begin_read() as tx:
        address = find_address(tx, number)
        if not address:
            return None
        matching = list_subscribers(tx, address=address)
        return AddressOverview(
            address=address,
            subscriber=find_subscriber_id(tx, address.lower()),
            destinations=matching,
            standing=load_standing(tx, address.lower(), now),
            reports=reports.list_recent(tx, limit=_REPORTS, mailbox=address.lower()),
            periods=rows.load_edition_periods(tx, {entry.digest_id for entry in matching}),
        )


def find_destination(store: Store, address: str) -> int | None:
    """Return the number of some destination of a whole address; None if no digest goes or went there."""
    with store.begin_read() as tx:
        matching = list_subscribers(tx, address=address)
    return matching[0].destination if matching else None
