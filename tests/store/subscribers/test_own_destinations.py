"""Chats and webhooks of readers on both databases: sealed, found by the delivery, and gone with what they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, insert, select, update

from digest.config import Settings, SignupSettings, SiteSettings
from digest.config.delivery.destinations import make_webhook_destination, read_destination
from digest.core.subscribers.own_digest import (
    MAX_DESTINATIONS,
    DestinationState,
    EditError,
    EditMistake,
    OwnDestination,
    OwnDigestDetails,
    OwnDigestState,
)
from digest.jobs.delivery.readers.address_book import StoredAddressBook
from digest.jobs.subscribers import subscriptions
from digest.jobs.subscribers.destinations.dead_destinations import stop_dead_destinations
from digest.jobs.subscribers.destinations.own_destinations import (
    AddedDestination,
    OwnDestinationEditor,
    withhold_services,
)
from digest.jobs.subscribers.own_digests import DigestChoice, NotOwnError, OwnDigestEditor
from digest.model import Fault, Refused, Sent
from digest.ports import BookEntry
from digest.store.backups.snapshot import TABLES
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import deliveries, destinations, editions, runs
from digest.store.database.tables.readers import secret_addresses
from digest.store.delivery import outbox
from digest.store.delivery.receipts import record_receipts
from digest.store.operations.erasure import erase_subscriber
from digest.store.subscribers.subscribers import list_subscribers
from tests.store.factories import NOW, SHELL, announce, declare, make_digest, make_new_listing
from tests.store.operations.test_erasure import ADA, BOB, close, compose, sign_up

KEYS = (b"a signing key that is long enough",)
HOOK, CHAT = "https://example.org/hooks/very-secret", "https://hooks.slack.com/services/Tx/Bx/verysecret"
CHAT_URL = "slack://Tx/Bx/verysecret"
ALL = ("webhook", "slack", "discord", "ntfy")


class OwnReader:
    """A reader with one digest, as the site changes it."""

    def __init__(self, store: Store, address: str) -> None:
        self.store = store
        self.address = address
        self.subscriber = sign_up(store, address)
        self.digests = OwnDigestEditor(store=store, subscriber=self.subscriber, now=NOW)
        with store.begin_read() as tx:
            mail = next(entry for entry in list_subscribers(tx, address=address))
            self.mail = mail.destination
            is_mail = destinations.c.id == self.mail
            self.digest = tx.execute(select(destinations.c.digest_id).where(is_mail)).scalar_one()

    def edit(self, offered: Sequence[str] = ALL, keys: Sequence[bytes] = KEYS) -> OwnDestinationEditor:
        return OwnDestinationEditor(store=self.store, subscriber=self.subscriber, offered=offered, keys=keys)

    def add(self, typed: str = HOOK, **more: Any) -> AddedDestination:
        return self.edit(**more).add(self.digest, typed)

    def remove(self, destination: int) -> None:
        self.edit().remove(self.digest, destination)

    def load(self) -> OwnDigestDetails:
        return self.digests.load(self.digest)

    def list(self) -> tuple[OwnDestination, ...]:
        return self.load().destinations

    def change_channels(self, *, mail: bool, feed: bool) -> None:
        details = self.load()
        options = replace(details.options, feed=feed)
        choice = DigestChoice(title=details.summary.title, options=options, is_mailed=mail)
        self.digests.change_options(self.digest, choice)


@pytest.fixture
def ada(store: Store) -> OwnReader:
    announce(store, make_new_listing(1, title="caches"))
    return OwnReader(store, ADA)


def make_editions(store: Store) -> None:
    close(store)
    compose(store)


def add_edition(store: Store, reader: OwnReader, number: int) -> None:
    """One more edition with a delivery to each destination: copies of the first ones."""
    if not number:
        make_editions(store)
        return
    with store.begin_write() as tx:
        edition = tx.execute(select(editions).where(editions.c.digest_id == reader.digest)).first()
        assert edition is not None
        run = copy_row(tx, runs, edition.run_id, period=f"{number}")
        copied = copy_row(tx, editions, edition.id, run_id=run)
        of_edition = select(deliveries.c.id).where(deliveries.c.edition_id == edition.id)
        for delivery in tx.execute(of_edition).scalars().all():
            copy_row(tx, deliveries, delivery, edition_id=copied, state="ready", attempts=0, due_at=NOW)


def copy_row(tx: Transaction, table: Table, number: int, **changes: Any) -> int:
    row = dict(tx.execute(select(table).where(table.c.id == number)).one()._mapping)
    del row["id"]
    return int(tx.execute(insert(table).values(row | changes).returning(table.c.id)).scalar_one())


def find_entry(
    store: Store, delivery: int, keys: Sequence[bytes] = KEYS, allowed: Sequence[str] = ALL
) -> BookEntry | None:
    return StoredAddressBook(store=store, load_keys=lambda: keys, allowed=allowed).find_entry(delivery)


def list_deliveries(store: Store, channel: str) -> list[Any]:
    statement = select(deliveries, destinations.c.digest_id).join(
        destinations, destinations.c.id == deliveries.c.destination_id
    )
    with store.begin_read() as tx:
        return list(tx.execute(statement.where(deliveries.c.channel == channel).order_by(deliveries.c.id)))


def count_sealed(store: Store) -> int:
    with store.begin_read() as tx:
        return len(tx.execute(select(secret_addresses)).all())


def dump(store: Store) -> str:
    """All that the database has."""
    with store.begin_read() as tx:
        return repr([tx.execute(select(table)).all() for table in metadata.sorted_tables])


def answer(store: Store, channel: str, receipt: Refused | Sent) -> None:
    """The other side answers what is due on a channel."""
    with store.begin_write() as tx:
        claimed = outbox.claim_deliveries(tx, channel, 1, NOW, 100)
        record_receipts(tx, [(delivery, receipt) for delivery in claimed], NOW)


# --- adding ---------------------------------------------------------------------------------------


def test_an_edition_goes_to_the_mail_the_webhook_and_the_chat_of_its_reader(
    store: Store, ada: OwnReader
) -> None:
    hook, chat = ada.add(), ada.add(CHAT)
    make_editions(store)

    (to_hook,), (to_chat,) = list_deliveries(store, "webhook"), list_deliveries(store, "notify")
    assert len(list_deliveries(store, "smtp")) == 1
    assert find_entry(store, to_hook.id) == BookEntry(url=HOOK, secret=hook.secret, reader=ada.subscriber)
    assert find_entry(store, to_chat.id) == BookEntry(url=CHAT_URL, reader=ada.subscriber)
    assert hook.secret.startswith("whsec_")
    assert chat.secret == ""


def test_the_database_has_no_address_in_clear(store: Store, ada: OwnReader) -> None:
    hook, chat = ada.add(), ada.add(CHAT)
    make_editions(store)

    content = dump(store)
    assert [
        text for text in ("very-secret", "verysecret", hook.secret, hook.secret[6:]) if text in content
    ] == []
    assert hook.address == make_webhook_destination(HOOK, "").address
    assert chat.address == read_destination(CHAT).address
    assert [entry.address for entry in ada.list()] == [hook.address, chat.address]
    assert [entry.state for entry in ada.list()] == [DestinationState.GOING] * 2


def test_adding_it_again_changes_nothing_and_shows_no_secret(store: Store, ada: OwnReader) -> None:
    ada.add()
    before = dump(store)

    assert ada.add().secret == ""
    assert dump(store) == before


def test_two_readers_of_one_webhook_have_a_key_each(store: Store, ada: OwnReader) -> None:
    bob = OwnReader(store, BOB)
    expected = {
        reader.digest: BookEntry(url=HOOK, secret=reader.add().secret, reader=reader.subscriber)
        for reader in (ada, bob)
    }
    make_editions(store)

    found = {row.digest_id: find_entry(store, row.id) for row in list_deliveries(store, "webhook")}
    assert found == expected
    assert len({entry.secret for entry in expected.values()}) == 2


def test_a_digest_has_at_most_five(ada: OwnReader) -> None:
    for number in range(MAX_DESTINATIONS):
        ada.add(f"{HOOK}/{number}")

    with pytest.raises(EditError) as refused:
        ada.add(CHAT)
    assert refused.value.mistake is EditMistake.TOO_MANY_DESTINATIONS
    assert ada.add(f"{HOOK}/0") == AddedDestination(address=make_webhook_destination(f"{HOOK}/0", "").address)
    ada.remove(ada.list()[0].id)
    ada.add(CHAT)


def test_what_another_reader_has_is_neither_shown_nor_changed(store: Store, ada: OwnReader) -> None:
    bob = OwnReader(store, BOB)
    ada.add()
    before = dump(store)

    bob.remove(ada.list()[0].id)
    ada.remove(ada.mail)
    for change in (lambda: bob.edit().add(ada.digest, CHAT), lambda: bob.edit().remove(ada.digest, 1)):
        with pytest.raises(NotOwnError):
            change()
    assert bob.list() == ()
    assert dump(store) == before


def test_a_destination_of_the_file_is_not_in_the_address_book(store: Store, ada: OwnReader) -> None:
    hook = make_webhook_destination(HOOK, "a secret of the file that is long")
    declare(store, replace(make_digest(name="file"), destinations=(hook,)))
    reader_secret = ada.add().secret
    make_editions(store)

    entries = {
        row.digest_id == ada.digest: find_entry(store, row.id) for row in list_deliveries(store, "webhook")
    }
    assert entries == {True: BookEntry(url=HOOK, secret=reader_secret, reader=ada.subscriber), False: None}


# --- what the page says ---------------------------------------------------------------------------


def test_the_page_says_what_the_other_side_answered_last(store: Store, ada: OwnReader) -> None:
    ada.add()
    make_editions(store)
    answer(store, "webhook", Refused(answer="HTTP 410 gone"))
    (hook,) = ada.list()
    assert (hook.state, hook.answer, hook.is_going) == (DestinationState.REFUSED, "HTTP 410 gone", True)

    with store.begin_write() as tx:
        is_refused = deliveries.c.channel == "webhook"
        tx.execute(update(deliveries).where(is_refused).values(state="sent", answer="HTTP 200"))
    (hook,) = ada.list()
    assert (hook.state, hook.answer) == (DestinationState.GOING, "")


def test_mail_and_feed_can_be_off_while_a_chat_remains(store: Store, ada: OwnReader) -> None:
    with pytest.raises(EditError):
        ada.change_channels(mail=False, feed=False)
    ada.add(CHAT)
    ada.change_channels(mail=False, feed=False)
    assert ada.load().summary.state is OwnDigestState.ACTIVE
    make_editions(store)
    assert [len(list_deliveries(store, channel)) for channel in ("smtp", "notify")] == [0, 1]

    ada.remove(ada.list()[0].id)
    assert ada.load().summary.state is OwnDigestState.UNSUBSCRIBED


def test_a_dead_address_is_stopped_after_five_failed_editions_and_its_reader_is_told(
    store: Store, ada: OwnReader
) -> None:
    ada.add()
    ada.add(CHAT)
    for day in range(5):
        add_edition(store, ada, day)
        answer(store, "webhook", Refused(answer="HTTP 410 gone"))
        answer(store, "notify", Sent() if day == 2 else Refused(answer="no_service"))
        if day < 4:
            stop_dead_destinations(store, NOW + timedelta(days=day))
            assert DestinationState.STOPPED not in {entry.state for entry in ada.list()}
    stop_dead_destinations(store, NOW + timedelta(days=3))  # once a day
    assert ada.list()[0].is_going

    stop_dead_destinations(store, NOW + timedelta(days=4))
    hook, chat = ada.list()
    assert (hook.state, hook.answer) == (DestinationState.STOPPED, "HTTP 410 gone")
    assert chat.state is DestinationState.REFUSED


def fail(store: Store, reader: OwnReader, days: range) -> None:
    """Each day an edition, which the webhook refuses."""
    for day in days:
        add_edition(store, reader, day)
        answer(store, "webhook", Refused(answer="HTTP 410"))


def stop_and_add(ada: OwnReader) -> None:
    ada.add()


def remove_and_add(ada: OwnReader) -> None:
    ada.remove(ada.list()[0].id)
    ada.add()


def add_with_another_key(ada: OwnReader) -> None:
    ada.add(keys=[b"a newer key that is long enough"])


def unsubscribe_and_return(ada: OwnReader) -> None:
    subscriptions.stop_destination(ada.store, ada.mail, NOW)
    subscriptions.resume_destination(ada.store, make_settings(*ALL), ada.mail)


@pytest.mark.parametrize(
    "return_", [stop_and_add, remove_and_add, add_with_another_key, unsubscribe_and_return]
)
def test_failures_before_an_address_was_added_again_do_not_count(
    store: Store, ada: OwnReader, return_: Callable[[OwnReader], None]
) -> None:
    ada.add()
    fail(store, ada, range(5))
    stop_dead_destinations(store, NOW)
    assert ada.list()[0].state is DestinationState.STOPPED

    return_(ada)
    for day in range(1, 5):
        assert ada.list()[0].is_going
        fail(store, ada, range(4 + day, 5 + day))
        stop_dead_destinations(store, NOW + timedelta(days=day))
    (hook,) = ada.list()
    assert (hook.state, hook.answer) == (DestinationState.REFUSED, "HTTP 410")
    fail(store, ada, range(9, 10))
    stop_dead_destinations(store, NOW + timedelta(days=5))
    assert ada.list()[0].state is DestinationState.STOPPED


def test_the_page_does_not_show_what_failed_before_it_was_added_again(store: Store, ada: OwnReader) -> None:
    ada.add()
    fail(store, ada, range(5))
    stop_dead_destinations(store, NOW)
    ada.add()

    (hook,) = ada.list()
    assert (hook.state, hook.answer) == (DestinationState.GOING, "")


def test_one_that_is_added_again_during_the_sweep_is_not_stopped(store: Store, ada: OwnReader) -> None:
    ada.add()
    fail(store, ada, range(5))

    class Sweep(Store):
        @contextmanager
        def begin_read(self) -> Iterator[Transaction]:
            with Store.begin_read(self) as tx:
                yield tx
            remove_and_add(ada)

    stop_dead_destinations(Sweep(engine=store.engine), NOW)

    assert [entry.state for entry in ada.list()] == [DestinationState.GOING]


@pytest.mark.parametrize("receipt", [Refused(answer="HTTP 400", fault=Fault.OURS), Sent()])
def test_what_is_our_fault_stops_nobody(store: Store, ada: OwnReader, receipt: Refused | Sent) -> None:
    ada.add()
    for day in range(6):
        add_edition(store, ada, day)
        answer(store, "webhook", receipt)
    stop_dead_destinations(store, NOW)

    assert ada.list()[0].is_going


# --- leaving --------------------------------------------------------------------------------------


def test_after_removal_nothing_more_is_sent_and_nothing_is_left(store: Store, ada: OwnReader) -> None:
    ada.add()
    make_editions(store)
    (waiting,) = list_deliveries(store, "webhook")

    ada.remove(ada.list()[0].id)

    (dropped,) = list_deliveries(store, "webhook")
    assert (dropped.state, ada.list(), count_sealed(store)) == ("dropped", (), 0)
    entry = find_entry(store, waiting.id)
    assert entry is not None
    assert "removed" in entry.obstacle
    again = ada.add()
    assert again.secret
    assert len(ada.list()) == 1


def test_who_unsubscribes_by_a_mail_gets_nothing_in_chats_until_they_subscribe_again(
    store: Store, ada: OwnReader
) -> None:
    ada.add()
    ada.add(CHAT)
    settings = Settings(path=Path("digest.toml"), site=SiteSettings(), store="", output=Path(), sources=())

    subscriptions.stop_destination(store, ada.mail, NOW)
    assert [entry.state for entry in ada.list()] == [DestinationState.STOPPED] * 2
    assert ada.load().summary.state is OwnDigestState.UNSUBSCRIBED
    make_editions(store)
    assert [list_deliveries(store, channel) for channel in ("smtp", "notify", "webhook")] == [[], [], []]

    subscriptions.resume_destination(store, settings, ada.mail)
    assert [entry.state for entry in ada.list()] == [DestinationState.GOING] * 2
    assert count_sealed(store) == 2


def test_one_that_was_stopped_continues_when_it_is_added_again(store: Store, ada: OwnReader) -> None:
    address = ada.add().address
    assert [entry.address for entry in subscriptions.stop_address(store, SHELL, address, NOW)] == [address]
    assert ada.load().is_mailed

    ada.add()
    assert [entry.state for entry in ada.list()] == [DestinationState.GOING]


def test_a_digest_takes_its_addresses_along_when_it_ends(store: Store, ada: OwnReader) -> None:
    bob = OwnReader(store, BOB)
    for reader in (ada, bob):
        reader.add()
    ada.digests.end(ada.digest)
    assert count_sealed(store) == 1

    name = bob.load().name
    ended = subscriptions.end_reader_digest(store, SHELL, name, BOB, NOW)
    assert sorted(entry.channel for entry in ended) == ["smtp", "webhook"]
    assert count_sealed(store) == 0


def test_a_digest_that_is_subscribed_again_has_no_chat_without_an_address(
    store: Store, ada: OwnReader
) -> None:
    ada.add(CHAT)
    ada.digests.end(ada.digest)
    sign_up(store, ADA)
    settings = make_settings(*ALL)
    subscriptions.stop_destination(store, ada.mail, NOW)
    subscriptions.resume_destination(store, settings, ada.mail)
    subscriptions.resume_address(store, settings, SHELL, read_destination(CHAT).address, NOW)

    assert ada.list() == ()
    make_editions(store)
    assert [len(list_deliveries(store, channel)) for channel in ("smtp", "notify")] == [1, 0]


def test_a_reader_who_deletes_everything_leaves_no_address(store: Store, ada: OwnReader) -> None:
    hook = ada.add()
    make_editions(store)
    with store.begin_planning() as tx:
        erase_subscriber(tx, ada.subscriber)

    assert count_sealed(store) == 0
    assert hook.address not in dump(store)


def test_a_snapshot_has_no_addresses() -> None:
    assert "secret_addresses" not in TABLES


# --- what the file allows -------------------------------------------------------------------------


def make_settings(*services: str) -> Settings:
    return Settings(
        path=Path("digest.toml"),
        site=SiteSettings(),
        store="",
        output=Path(),
        sources=(),
        signup=SignupSettings(destinations=services),
    )


def test_a_service_that_leaves_the_file_gets_nothing_until_it_is_back(store: Store, ada: OwnReader) -> None:
    ada.add()
    ada.add(CHAT)
    make_editions(store)
    (waiting,) = list_deliveries(store, "notify")

    withhold_services(store, make_settings("webhook"))
    assert [entry.state for entry in ada.list()] == [DestinationState.GOING, DestinationState.WITHHELD]
    entry = find_entry(store, waiting.id, allowed=["webhook"])
    assert entry is not None
    assert "[signup] destinations" in entry.obstacle
    answer(store, "notify", Sent())
    (dropped,) = list_deliveries(store, "notify")
    assert dropped.state == "dropped"
    with pytest.raises(EditError) as refused:
        ada.add(CHAT, offered=["webhook"])
    assert refused.value.mistake is EditMistake.NOT_OFFERED

    withhold_services(store, make_settings("slack", "webhook"))
    assert [entry.state for entry in ada.list()] == [DestinationState.GOING] * 2
    withhold_services(store, replace(make_settings(), signup=None))
    assert [entry.state for entry in ada.list()] == [DestinationState.WITHHELD] * 2


def test_a_reader_can_remove_what_is_no_longer_allowed(store: Store, ada: OwnReader) -> None:
    ada.add(CHAT)
    withhold_services(store, make_settings())
    ada.remove(ada.list()[0].id)

    assert ada.list() == ()
    withhold_services(store, make_settings(*ALL))
    assert ada.list() == ()


# --- keys -----------------------------------------------------------------------------------------


def test_a_new_signing_key_opens_old_addresses_while_the_old_key_is_there(
    store: Store, ada: OwnReader
) -> None:
    hook = ada.add()
    make_editions(store)
    ((delivery, *_),) = list_deliveries(store, "webhook")
    new_key = b"a newer key that is long enough"

    assert find_entry(store, delivery, keys=[new_key, *KEYS]) == BookEntry(
        url=HOOK, secret=hook.secret, reader=ada.subscriber
    )
    entry = find_entry(store, delivery, keys=[new_key])
    assert entry is not None
    assert "has to add it again" in entry.obstacle
    again = ada.add(keys=[new_key])
    assert find_entry(store, delivery, keys=[new_key]) == BookEntry(
        url=HOOK, secret=again.secret, reader=ada.subscriber
    )


def test_a_sealed_address_that_is_moved_to_another_destination_does_not_open(
    store: Store, ada: OwnReader
) -> None:
    bob = OwnReader(store, BOB)
    ada.add(CHAT)
    bob.add(CHAT)
    make_editions(store)
    with store.begin_write() as tx:
        sealed = tx.execute(select(secret_addresses.c.sealed).order_by(secret_addresses.c.destination_id))
        tx.execute(update(secret_addresses).values(sealed=sealed.scalars().first()))

    entries = [find_entry(store, row.id) for row in list_deliveries(store, "notify")]
    assert sorted(bool(entry and entry.url) for entry in entries) == [False, True]


def test_a_refusal_that_is_our_fault_is_shown_as_well(store: Store, ada: OwnReader) -> None:
    ada.add()
    make_editions(store)
    answer(store, "webhook", Refused(answer="HTTP 400 no", fault=Fault.OURS))

    assert [(entry.state, entry.answer) for entry in ada.list()] == [
        (DestinationState.REFUSED, "HTTP 400 no")
    ]
