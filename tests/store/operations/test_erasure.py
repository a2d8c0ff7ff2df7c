"""Erasing a reader next to workers: none of them breaks, nothing is left, and other readers get their editions."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from digest.config import Settings, SignupSettings, SiteSettings
from digest.core.subscribers.address_links import make_change, seal_change
from digest.core.subscribers.sessions import BrowserLabel, Session
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.jobs.subscribers.accounts.address_changes import AddressChangeService, ChangeState
from digest.jobs.subscribers.accounts.deletions import delete_reader, is_barred, unbar_address
from digest.jobs.subscribers.public_digests import subscribe
from digest.sources.arxiv import Source
from digest.store.database.digest_tables import (
    deliveries,
    destinations,
    digests,
    editions,
    follows,
    queries,
    subscribers,
)
from digest.store.database.engine import Store
from digest.store.delivery import outbox
from digest.store.delivery.partial_sends import save_progress
from digest.store.subscribers.sessions import find_subscriber_id
from tests.store.factories import NOW, announce, make_new_listing, run_concurrently
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


def test_an_erased_address_without_bounces_is_not_barred(store: Store) -> None:
    erase(store, sign_up(store, ADA))
    with store.begin_read() as tx:
        assert not is_barred(tx, ADA, KEYS)
    assert not unbar_address(store, ADA, KEYS)


def test_of_two_agreements_at_once_one_changes_the_address(store: Store, tmp_path: Path) -> None:
    settings = Settings(
        path=tmp_path, site=SiteSettings(), store="", output=tmp_path, sources=(), signup=SignupSettings()
    )
    service = AddressChangeService(store=store, settings=settings, keys=KEYS)
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
