"""Sessions in the store: found by a hash, ended by their subscriber alone, and forgotten when they are over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from digest.core.subscribers.own_digest import OwnDigestState
from digest.core.subscribers.sessions import BrowserLabel
from digest.errors import StoreError
from digest.store.backups.snapshot import iter_tables
from digest.store.database.engine import Store
from digest.store.database.tables.digests import destinations, digests, subscribers
from digest.store.subscribers.accounts.sessions import (
    add_session,
    end_all_sessions,
    end_session,
    end_session_of,
    find_subscriber_id,
    forget_over,
    has_over,
    list_sessions,
    load_session,
    record_seen,
)
from digest.store.subscribers.digests import ENDED
from digest.store.subscribers.own_digests import list_own_digests
from digest.store.subscribers.public_digests import NewSubscriber, subscribe_readers
from digest.store.subscribers.subscribers import stop_destination
from tests.store.factories import NOW, declare, make_digest
from tests.store.subscribers.test_public_digests import make_public

ADA, BOB = "ada@example.org", "bob@example.org"
LABEL = BrowserLabel("Firefox", "Linux")


def add_readers(store: Store) -> tuple[int, int]:
    with store.begin_write() as tx:
        tx.execute(insert(subscribers), [{"address": ADA}, {"address": BOB}])
        ada, bob = (find_subscriber_id(tx, address) for address in (ADA, BOB))
    assert ada is not None
    assert bob is not None
    return ada, bob


def test_a_session_is_found_by_the_hash_of_its_token(store: Store) -> None:
    ada, _ = add_readers(store)
    with store.begin_write() as tx:
        add_session(tx, "a" * 64, ada, LABEL, NOW)
    with store.begin_read() as tx:
        session = load_session(tx, "a" * 64)
        assert load_session(tx, "b" * 64) is None
        assert load_session(tx, "") is None
    assert session is not None
    assert (session.subscriber, session.address, session.label) == (ada, ADA, LABEL)
    assert (session.created_at, session.seen_at) == (NOW, NOW)
    assert session.expires_at == NOW + timedelta(days=30)
    with store.begin_write() as tx:
        record_seen(tx, session.id, NOW + timedelta(days=1))
        (listed,) = list_sessions(tx, ada)
    assert listed.seen_at == NOW + timedelta(days=1)


def test_no_two_sessions_have_one_token(store: Store) -> None:
    ada, bob = add_readers(store)
    with store.begin_write() as tx:
        add_session(tx, "a" * 64, ada, LABEL, NOW)
    with pytest.raises(StoreError, match=r"(?i)unique"), store.begin_write() as tx:
        add_session(tx, "a" * 64, bob, LABEL, NOW)


def test_a_session_is_ended_by_its_own_subscriber_or_token(store: Store) -> None:
    ada, bob = add_readers(store)
    with store.begin_write() as tx:
        for token_hash, subscriber in (("a", ada), ("b", ada), ("c", ada), ("d", bob)):
            add_session(tx, token_hash, subscriber, LABEL, NOW)
        numbers = [session.id for session in list_sessions(tx, ada)]
        for number in numbers:
            end_session(tx, bob, number)
        assert [session.id for session in list_sessions(tx, ada)] == numbers
        end_session(tx, ada, numbers[0])
        end_session_of(tx, "a")
        end_session_of(tx, "")
        assert [session.id for session in list_sessions(tx, ada)] == [numbers[1]]
        end_all_sessions(tx, ada)
        assert (len(list_sessions(tx, ada)), len(list_sessions(tx, bob))) == (0, 1)


def test_no_session_has_the_number_of_one_before(store: Store) -> None:
    ada, _ = add_readers(store)
    numbers = []
    for token_hash in "abc":
        with store.begin_write() as tx:
            add_session(tx, token_hash, ada, LABEL, NOW)
            numbers += [session.id for session in list_sessions(tx, ada)]
            end_all_sessions(tx, ada)
    assert len(set(numbers)) == 3


def test_sessions_that_are_over_or_from_the_future_are_forgotten(store: Store) -> None:
    ada, _ = add_readers(store)
    with store.begin_write() as tx:
        assert not has_over(tx, NOW, NOW)
        for token_hash, days in (("old", -30), ("new", 0), ("future", 1)):
            add_session(tx, token_hash, ada, LABEL, NOW + timedelta(days=days))
        assert has_over(tx, NOW, NOW)
        assert forget_over(tx, NOW, NOW) == 2
        assert not has_over(tx, NOW, NOW)
        assert load_session(tx, "new") is not None


def test_a_snapshot_has_no_sessions(store: Store) -> None:
    ada, _ = add_readers(store)
    with store.begin_write() as tx:
        add_session(tx, "a" * 64, ada, LABEL, NOW)
    with store.begin_read() as tx:
        assert "a" * 64 not in repr([(name, list(rows)) for name, (_, rows) in iter_tables(tx, NOW)])


def test_nobody_is_found_without_an_address(store: Store) -> None:
    with store.begin_write() as tx:
        tx.execute(insert(subscribers).values(address=""))
        assert find_subscriber_id(tx, "") is None
        assert find_subscriber_id(tx, ADA) is None


def test_a_subscriber_has_the_digests_that_they_made_and_no_others(store: Store) -> None:
    with store.begin_planning() as tx:
        readers = [NewSubscriber(address=address, language="en", zone="UTC") for address in (ADA, BOB)]
        numbers = subscribe_readers(tx, make_public(), readers, NOW, 0)
        ada, bob = (find_subscriber_id(tx, address) for address in (ADA, BOB))
        assert ada is not None
        assert bob is not None
        stop_destination(tx, numbers[BOB])
        (adas,), (bobs,) = list_own_digests(tx, ada), list_own_digests(tx, bob)
        assert list_own_digests(tx, ada + bob) == ()
    assert (adas.destination, bobs.destination) == (numbers[ADA], numbers[BOB])
    assert (adas.state, bobs.state) == (OwnDigestState.ACTIVE, OwnDigestState.UNSUBSCRIBED)
    assert adas.is_new


def test_what_has_ended_or_stands_in_the_file_is_no_digest_of_the_account(store: Store) -> None:
    declare(store, make_digest("own", to=[ADA]))
    with store.begin_planning() as tx:
        reader = NewSubscriber(address=ADA, language="en", zone="UTC")
        names = ("kept", "ended", "left")
        numbers = {name: subscribe_readers(tx, make_public(name), [reader], NOW, 0)[ADA] for name in names}
        ada = find_subscriber_id(tx, ADA)
        assert ada is not None
        assert len(list_own_digests(tx, ada)) == 3
        own = tx.execute(select(digests.c.subscriber_id).where(digests.c.name == "own")).scalar_one()
        tx.execute(update(digests).where(digests.c.name == "own").values(subscriber_id=ada))
        assert own != ada
        tx.execute(update(digests).where(digests.c.name == "ended").values(state=ENDED))
        tx.execute(update(destinations).where(destinations.c.id == numbers["left"]).values(state=ENDED))
        (digest,) = list_own_digests(tx, ada)
    assert digest.destination == numbers["kept"]
