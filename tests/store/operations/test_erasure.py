"""Erasing a reader next to workers: none of them breaks, nothing is left, and other readers get their editions."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update

from digest.config import Settings, SignupSettings, SiteSettings
from digest.core.subscribers.address_links import make_change, seal_change
from digest.core.subscribers.sessions import BrowserLabel, Session
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.jobs.subscribers.accounts.address_changes import AddressChangeService, ChangeState
from digest.jobs.subscribers.accounts.deletions import delete_reader
from digest.jobs.subscribers.accounts.erased_addresses import is_barred, unbar_address
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import BounceClass, DigestOptions
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    edition_changes,
    editions,
    follows,
    notices,
    partly_sent,
    queries,
    subscribers,
)
from digest.store.database.tables.readers import reports, suppressions
from digest.store.delivery import decisions, outbox
from digest.store.delivery.decisions import DeliveryFilter
from digest.store.delivery.partial_sends import save_progress
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.digest_options import read_row_options
from digest.store.subscribers.subscribers import list_subscribers
from tests.store.factories import (
    NOW,
    SHELL,
    announce,
    declare,
    make_digest,
    make_new_listing,
    record_statements,
    run_concurrently,
)
from tests.store.subscribers.test_public_digests import make_public

ADA, BOB = "ada@example.org", "bob@example.org"
SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
KEYS = (b"k" * 32,)


def sign_up(store: Store, address: str) -> int:
    with store.begin_planning() as tx:
        subscribe(tx, make_public(queries=("caches",)), address, language="en", zone="UTC", now=NOW)
        subscriber = find_subscriber_id(tx, address)
    assert subscriber is not None
    return subscriber


def close(store: Store) -> None:
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)


def compose(store: Store) -> int:
    return compose_editions(store, LETTERS, 1, NOW)


def erase(store: Store, subscriber: int, address: str = ADA) -> int:
    session = Session(
        id=1,
        subscriber=subscriber,
        address=address,
        label=BrowserLabel("", ""),
        created_at=NOW,
        seen_at=NOW,
        expires_at=NOW + timedelta(days=1),
    )
    delete_reader(store, session, KEYS, NOW)
    return 0


def bounce(store: Store, mailbox: str, delivery: int = 0) -> None:
    """Suppress an address as a bounce does, and tell the operator."""
    row = {"kind": "bounce", "finding": BounceClass.GONE.value, "status": "5.1.1", "road": "smtp", "at": NOW}
    values = row | {"delivery": delivery, "mailbox": mailbox, "answer": f"550 <{mailbox}> unknown"}
    with store.begin_write() as tx:
        report = tx.execute(insert(reports).values(values).returning(reports.c.id)).scalar_one()
        state = {"mailbox": mailbox, "state": "suppressed", "since": NOW, "report_id": report}
        tx.execute(insert(suppressions).values(state))
        note(tx, f"bounced:{mailbox}", f"Mail to {mailbox} bounced.")


def note(tx: Transaction, name: str, text: str) -> None:
    tx.execute(insert(notices).values(name=name, text=text, noted_at=NOW, told=[]))


def find_tables_with(store: Store, text: str) -> set[str]:
    """The tables with a row that has a text in any column."""
    with store.begin_read() as tx:
        return {
            table.name
            for table in metadata.sorted_tables
            if any(text in repr(tuple(row)).lower() for row in tx.execute(select(table)))
        }


def make_service(store: Store, folder: Path) -> AddressChangeService:
    settings = Settings(
        path=folder, site=SiteSettings(), store="", output=folder, sources=(), signup=SignupSettings()
    )
    return AddressChangeService(store=store, settings=settings, keys=KEYS)


def change_address(
    store: Store, folder: Path, subscriber: int, former: str, address: str
) -> AddressChangeService:
    """Change an address, as both links do."""
    service = make_service(store, folder)
    own = make_change(subscriber, former, address, "en")
    links = [service.agree(seal_change(side, KEYS, NOW), "", NOW) for side in (own, own.other_side)]
    assert links[-1].is_changed
    return service


def list_mailboxes(store: Store) -> list[str]:
    """The addresses with a destination, an edition with papers, or a delivery."""
    with store.begin_read() as tx:
        statement = select(destinations.c.mailbox).join(
            deliveries, deliveries.c.destination_id == destinations.c.id
        )
        return sorted({mailbox for mailbox in tx.execute(statement).scalars() if mailbox})


@pytest.mark.parametrize("attempt", range(4))
def test_a_reader_is_erased_while_their_edition_is_composed(store: Store, attempt: int) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    subscriber = sign_up(store, ADA)
    for number in range(20):
        sign_up(store, f"{number}@example.org")
    close(store)
    actions = [lambda: compose(store), lambda: erase(store, subscriber)]
    run_concurrently(*(actions if attempt % 2 else actions[::-1]))
    compose(store)
    assert list_mailboxes(store) == sorted(f"{number}@example.org" for number in range(20))
    with store.begin_read() as tx:
        assert ADA not in tx.execute(select(subscribers.c.address)).scalars().all()


def test_a_reader_is_erased_while_their_mail_is_claimed_and_sent(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    subscriber = sign_up(store, ADA)
    sign_up(store, BOB)
    close(store)
    compose(store)
    with store.begin_write() as tx:
        claimed = outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)
    assert {delivery.address for delivery in claimed} == {ADA, BOB}
    erase(store, subscriber)
    with store.begin_write() as tx:
        save_progress(tx, {delivery.id: 1 for delivery in claimed})
        renewed = outbox.renew_leases(tx, claimed, NOW)
        outbox.return_untried(tx, claimed)
    assert renewed == {delivery.id for delivery in claimed if delivery.address == BOB}
    with store.begin_write() as tx:
        (again,) = outbox.claim_deliveries(tx, "smtp", 8, NOW, 10)
    assert again.address == BOB


def test_what_is_left_without_content_goes_with_the_next_erasure(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    for address in (ADA, BOB, "eve@example.org"):
        subscriber = sign_up(store, address)
        close(store)
        compose(store)
        erase(store, subscriber, address)
    with store.begin_read() as tx:
        counts = [
            tx.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (deliveries, editions, destinations, digests, follows)
        ]
        contents = tx.execute(
            select(destinations.c.address, digests.c.name, digests.c.title).join(digests)
        ).all()
        needed = tx.execute(select(queries.c.needed_from)).scalars().all()
    assert counts == [1, 1, 1, 1, 0]
    assert all(text == "" or text.startswith("erased-") for row in contents for text in row)
    assert set(needed) == {None}


def test_what_is_left_shows_no_option_that_its_reader_chose(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    public = make_public(queries=("caches",), limit=7)
    with store.begin_planning() as tx:
        subscribe(tx, public, ADA, language="de", zone="Asia/Tokyo", now=NOW)
        subscriber = find_subscriber_id(tx, ADA)
    close(store)
    compose(store)
    with store.begin_read() as tx:
        assert read_row_options(tx.execute(select(digests)).one()) != DigestOptions()
    assert subscriber is not None
    erase(store, subscriber)
    with store.begin_read() as tx:
        assert read_row_options(tx.execute(select(digests)).one()) == DigestOptions()
        assert tx.execute(select(deliveries.c.main_query)).scalars().all() == [0]


# --- what refers to a reader -----------------------------------------------------------------------


def test_an_edition_that_tells_of_a_change_is_erased(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    subscriber = sign_up(store, ADA)
    close(store)
    compose(store)
    with store.begin_write() as tx:
        for number in tx.execute(select(editions.c.id)).scalars().all():
            tx.execute(insert(edition_changes).values(edition_id=number, changes={"options": ["limit"]}))
        for number in tx.execute(select(deliveries.c.id)).scalars().all():
            tx.execute(insert(partly_sent).values(delivery_id=number, parts=1))
    erase(store, subscriber)
    with store.begin_read() as tx:
        assert tx.execute(select(edition_changes)).all() == []
        assert tx.execute(select(partly_sent)).all() == []


def test_whatever_refers_to_an_erased_row_goes_before_it(store: Store) -> None:
    """A new table with a reference to a row of a reader must be erased as well, or nothing can be deleted at all.

    A reference that may be empty is emptied instead.
    """
    subscriber = sign_up(store, ADA)
    with record_statements(store) as lines:
        erase(store, subscriber)
    deleted = [match[1] for line in lines if (match := re.match(r"DELETE FROM (\w+)", line))]
    emptied = [match.groups() for line in lines if (match := re.match(r"UPDATE (\w+) SET (\w+)=", line))]
    last = {name: number for number, name in enumerate(deleted)}
    assert {"subscribers", "digests", "destinations", "editions", "deliveries", "reports"} <= last.keys()
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            target = key.column.table.name
            if target in last:
                is_emptied = key.parent.nullable and (table.name, key.parent.name) in emptied
                assert is_emptied or table.name in deleted[: last[target]], f"{table.name} refers to {target}"


# --- what is known about an address -----------------------------------------------------------------


def test_an_address_that_the_file_no_longer_has_is_erased_everywhere(store: Store) -> None:
    announce(store, make_new_listing(1, title="On a KV cache, and caches"))
    declare(store, make_digest("systems", to=[ADA, BOB]), make_digest("other", to=[ADA]))
    subscriber = sign_up(store, ADA)
    close(store)
    compose(store)
    assert list_mailboxes(store) == [ADA, BOB]
    bounce(store, ADA)
    declare(store, make_digest("systems", to=[BOB]))
    erase(store, subscriber)
    assert find_tables_with(store, "ada@") == set()
    assert list_mailboxes(store) == [BOB]
    with store.begin_read() as tx:
        assert is_barred(tx, ADA, KEYS)
        before = tx.execute(select(destinations).order_by(destinations.c.id)).all()
    declare(store, make_digest("systems", to=[BOB], limit=9))
    with store.begin_read() as tx:
        assert tx.execute(select(destinations).order_by(destinations.c.id)).all() == before
    declare(store, make_digest("systems", to=[ADA, BOB]))
    with store.begin_read() as tx:
        states = {entry.address: entry.state for entry in list_subscribers(tx)}
    assert states == {ADA: "active", BOB: "active"}


@pytest.mark.parametrize("state", ["active", "stopped"])
def test_an_address_of_the_file_stays_with_what_is_known_about_it(store: Store, state: str) -> None:
    declare(store, make_digest("systems", to=[ADA]), make_digest("other", to=[ADA]))
    subscriber = sign_up(store, ADA)
    with store.begin_write() as tx:
        is_present = destinations.c.digest_id.in_(select(digests.c.id).where(digests.c.name == "systems"))
        tx.execute(update(destinations).where(is_present).values(state=state))
    declare(store, make_digest("systems", to=[ADA]))
    bounce(store, ADA)
    erase(store, subscriber)
    with store.begin_read() as tx:
        assert not is_barred(tx, ADA, KEYS)
    assert find_tables_with(store, "ada@") == {"destinations", "suppressions", "reports", "notices"}


def test_a_former_address_is_erased_when_it_changes(store: Store, tmp_path: Path) -> None:
    subscriber = sign_up(store, ADA)
    bounce(store, ADA)
    service = change_address(store, tmp_path, subscriber, ADA, "new@example.net")
    assert find_tables_with(store, "ada@") == set()
    assert not service.may_tell(ADA), "its mail bounced"
    with store.begin_read() as tx:
        assert is_barred(tx, ADA, KEYS)
    erase(store, subscriber, "new@example.net")
    assert find_tables_with(store, "@example") == set()


def test_a_former_address_of_the_file_stays_when_it_changes(store: Store, tmp_path: Path) -> None:
    declare(store, make_digest("systems", to=[ADA]))
    subscriber = sign_up(store, ADA)
    bounce(store, ADA)
    change_address(store, tmp_path, subscriber, ADA, "new@example.net")
    assert find_tables_with(store, "ada@") == {"destinations", "suppressions", "reports", "notices"}
    with store.begin_read() as tx:
        assert not is_barred(tx, ADA, KEYS)


def test_a_former_address_that_bounced_after_its_change_is_erased_with_the_reader(
    store: Store, tmp_path: Path
) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    subscriber = sign_up(store, ADA)
    close(store)
    compose(store)
    change_address(store, tmp_path, subscriber, ADA, "new@example.net")
    with store.begin_read() as tx:
        delivery = tx.execute(select(deliveries.c.id)).scalar_one()
    bounce(store, ADA, delivery)
    erase(store, subscriber, "new@example.net")
    assert find_tables_with(store, "@example") == set()
    with store.begin_read() as tx:
        assert is_barred(tx, ADA, KEYS)


NAMING = (
    "a@example.org bounced.",
    "Mail to A@Example.org.",
    "<a@example.org>",
    "'a@example.org', b@example.org",
    "to=a@example.org;",
    "mailto:a@example.org",
)
OTHERS = (
    "Mail to ada@example.org bounced.",
    "x.a@example.org",
    "x+a@example.org",
    "x-a@example.org",
    "o'a@example.org",
    "a@example.org.uk",
    "a@example.organic",
    "a@example.org-mail.net",
    "aaexample.org",
)


def test_only_notices_that_name_the_address_are_erased(store: Store) -> None:
    with store.begin_write() as tx:
        for number, text in enumerate((*NAMING, *OTHERS)):
            note(tx, str(number), text)
        note(tx, "address:a@example.org", "It bounced.")
        note(tx, "address:ada@example.org", "It bounced.")
    erase(store, sign_up(store, "a@example.org"), "a@example.org")
    with store.begin_read() as tx:
        left = tx.execute(select(notices.c.text).where(notices.c.text != "It bounced.")).scalars()
        assert set(left) == set(OTHERS)
        names = tx.execute(select(notices.c.name).where(notices.c.text == "It bounced.")).scalars().all()
    assert names == ["address:ada@example.org"]


def test_erased_deliveries_are_neither_listed_nor_counted_nor_retried(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    sign_up(store, BOB)
    subscriber = sign_up(store, ADA)
    close(store)
    compose(store)
    with store.begin_read() as tx:
        edition = tx.execute(select(func.max(editions.c.id))).scalar_one()
    erase(store, subscriber)
    every = DeliveryFilter()
    with store.begin_write() as tx:
        assert tx.execute(select(func.count()).select_from(deliveries)).scalar_one() == 2
        assert [delivery.address for delivery in outbox.list_recent(tx, limit=9)] == [BOB]
        assert [delivery.address for delivery in decisions.list_deliveries(tx, every, 9)] == [BOB]
        assert outbox.list_for_edition(tx, edition) == ()
        assert outbox.count_by_state(tx) == outbox.count_last_by_state(tx, 9) == {"ready": 1}
        assert decisions.count_by_state(tx, every) == {"ready": 1}
        assert decisions.retry_deliveries(tx, DeliveryFilter(state="dropped"), NOW) == 0


def test_an_erased_address_without_bounces_is_not_barred(store: Store) -> None:
    erase(store, sign_up(store, ADA))
    with store.begin_read() as tx:
        assert not is_barred(tx, ADA, KEYS)
    assert not unbar_address(store, SHELL, ADA, KEYS, NOW)


def test_of_two_agreements_at_once_one_changes_the_address(store: Store, tmp_path: Path) -> None:
    service = make_service(store, tmp_path)
    change = make_change(sign_up(store, ADA), ADA, "New@example.net", "en")
    tokens = [seal_change(side, KEYS, NOW) for side in (change, change.other_side)]
    first, second, third, fourth = tokens * 2
    links = run_concurrently(
        *(lambda token=token: service.agree(token, "", NOW) for token in (first, second, third, fourth))
    )
    assert [link.is_changed for link in links].count(True) == 1
    assert {service.read_link(token, NOW).state for token in tokens} == {ChangeState.DONE}
    with store.begin_read() as tx:
        (row,) = tx.execute(
            select(destinations.c.address, destinations.c.mailbox, destinations.c.domain)
        ).all()
        assert find_subscriber_id(tx, "new@example.net") == change.subscriber
    assert tuple(row) == ("New@example.net", "new@example.net", "example.net")
