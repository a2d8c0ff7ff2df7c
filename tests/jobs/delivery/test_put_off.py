"""Deliveries that are put off on this machine: nobody was asked, so nobody is blamed and nothing is counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import create_engine

from digest.channels.webhook import Channel
from digest.config import Destination
from digest.config.delivery.destinations import make_webhook_destination
from digest.jobs.delivery.readers.address_book import StoredAddressBook
from digest.model import AddressKind, Delivery, Document, Edition, Message
from digest.ports import Connection
from digest.store.database.engine import Store
from tests.jobs.delivery.dispatchers import (
    FakeChannel,
    count_by_state,
    list_deliveries,
    make_addresses,
    make_connections,
    run_dispatcher,
    select_attempts,
    write_message,
)
from tests.store.factories import NOW, declare, make_digest, save_due_editions

HOOKS = [make_webhook_destination(f"https://lab.example.org/{number}", "") for number in range(3)]


def write(edition: Edition, delivery: Delivery) -> Message:
    if delivery.channel != "webhook":
        return write_message(edition, delivery)
    return Document(delivery=delivery.id, address=delivery.address, idempotency_key="msg", content=b"{}")


def test_a_look_up_that_fails_stops_neither_the_pass_nor_the_channel(store: Store) -> None:
    mails = [
        Destination(channel="smtp", kind=AddressKind.MAILBOX, address=address)
        for address in make_addresses(15)
    ]
    declare(store, replace(make_digest(), destinations=(*HOOKS, *mails)))
    with store.begin_write() as tx:
        save_due_editions(tx, lambda _digest, _number, address: f"<{address}>")
    no_tables = Store(engine=create_engine("sqlite://"))
    book = StoredAddressBook(store=no_tables, load_keys=tuple, allowed=("webhook",))
    webhook = Channel(urls={}, secrets={}, address_book=book)
    mail = FakeChannel()
    connections = [
        Connection(channel="webhook", server="", make_channel=lambda: webhook),
        *make_connections(mail),
    ]

    events = run_dispatcher(store, connections, write=write)

    assert len(select_attempts(events)) == len(events) == 18  # no server is paused
    assert count_by_state(store) == {"sent": 15, "ready": 3}
    put_off = [delivery for delivery in list_deliveries(store) if delivery.channel == "webhook"]
    assert {(entry.attempts, entry.blame, entry.expires_at, entry.due_at) for entry in put_off} == {
        (0, "", None, NOW + timedelta(minutes=1))
    }
    assert all("cannot be looked up" in entry.answer for entry in put_off)
