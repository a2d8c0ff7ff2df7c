"""API tokens in the store: found by a hash, revoked by their reader alone, and forgotten when they are over."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert

from digest.core.subscribers.api_tokens import Scope, TokenChoice
from digest.errors import StoreError
from digest.store.backups.snapshot import iter_tables
from digest.store.database.engine import Store
from digest.store.database.tables.digests import subscribers
from digest.store.operations.audit import Actor, ActorKind, AuditAction, count_readings, list_entries
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.tokens.api_tokens import (
    add_token,
    forget_over,
    has_over,
    list_tokens,
    load_token,
    lock_reader,
    record_use,
    revoke_token,
)
from tests.store.factories import NOW

ADA, BOB = "ada@example.org", "bob@example.org"
MONTH = timedelta(days=30)


def add_readers(store: Store) -> tuple[int, int]:
    with store.begin_write() as tx:
        tx.execute(insert(subscribers), [{"address": ADA}, {"address": BOB}])
        ada, bob = (find_subscriber_id(tx, address) for address in (ADA, BOB))
    assert ada is not None
    assert bob is not None
    return ada, bob


def make_choice(name: str = "notebook", *scopes: Scope) -> TokenChoice:
    return TokenChoice(name=name, scopes=frozenset(scopes or (Scope.READ,)), lifetime=MONTH)


def add(store: Store, token_hash: str, subscriber: int, name: str = "notebook", now: datetime = NOW) -> int:
    with store.begin_write() as tx:
        return add_token(tx, token_hash, subscriber, make_choice(name), now)


def test_a_token_is_found_by_its_hash_with_all_that_its_reader_chose(store: Store) -> None:
    ada, _ = add_readers(store)
    with store.begin_write() as tx:
        number = add_token(tx, "a" * 64, ada, make_choice("lab", Scope.FOLLOW, Scope.READ), NOW)
        record_use(tx, number, NOW)
    with store.begin_read() as tx:
        token = load_token(tx, "a" * 64)
        assert load_token(tx, "b" * 64) is None
        assert load_token(tx, "") is None
    assert token is not None
    assert (token.id, token.subscriber, token.address, token.name) == (number, ada, ADA, "lab")
    assert token.scopes == {Scope.READ, Scope.FOLLOW}
    assert (token.created_at, token.used_at, token.expires_at) == (NOW, NOW, NOW + MONTH)


def test_no_two_tokens_have_one_hash_and_no_two_of_a_reader_one_name(store: Store) -> None:
    ada, bob = add_readers(store)
    add(store, "a", ada)
    with pytest.raises(StoreError, match=r"(?i)unique"):
        add(store, "a", bob)
    with pytest.raises(StoreError, match=r"(?i)unique"):
        add(store, "b", ada)
    add(store, "b", bob)


def test_a_token_is_revoked_by_its_own_reader(store: Store) -> None:
    ada, bob = add_readers(store)
    number = add(store, "a", ada)
    with store.begin_write() as tx:
        assert not revoke_token(tx, bob, number)
        assert [token.id for token in list_tokens(tx, ada)] == [number]
        assert revoke_token(tx, ada, number)
        assert not revoke_token(tx, ada, number)
        assert list_tokens(tx, ada) == ()


def test_no_token_has_the_number_of_one_before(store: Store) -> None:
    ada, _ = add_readers(store)
    numbers = set()
    for token_hash in "abc":
        numbers.add(add(store, token_hash, ada))
        with store.begin_write() as tx:
            for token in list_tokens(tx, ada):
                revoke_token(tx, ada, token.id)
    assert len(numbers) == 3


def test_tokens_that_are_over_or_from_the_future_are_forgotten(store: Store) -> None:
    ada, _ = add_readers(store)
    for name, days in (("old", -30), ("new", 0), ("future", 1)):
        add(store, name, ada, name, NOW + timedelta(days=days))
    with store.begin_write() as tx:
        assert has_over(tx, NOW, NOW)
        assert forget_over(tx, NOW, NOW) == 2
        assert not has_over(tx, NOW, NOW)
        assert [token.name for token in list_tokens(tx, ada)] == ["new"]


def test_only_a_reader_with_an_address_can_be_locked(store: Store) -> None:
    ada, bob = add_readers(store)
    with store.begin_write() as tx:
        tx.execute(insert(subscribers).values(address="erased-99"))
        erased = find_subscriber_id(tx, "erased-99")
        assert erased is not None
        assert [lock_reader(tx, number) for number in (ada, bob, erased, erased + 1)] == [
            True,
            True,
            False,
            False,
        ]


def test_readings_of_an_hour_are_one_entry_and_those_of_the_next_hour_another(store: Store) -> None:
    ada, _ = add_readers(store)
    actor = Actor(kind=ActorKind.TOKEN, subscriber=ada, name="token 7")
    later = NOW + timedelta(hours=1)
    with store.begin_write() as tx:
        for amount, hour in ((3, NOW), (4, NOW), (1, later)):
            count_readings(tx, actor, AuditAction.READ_DIGESTS, "token 7", amount, hour)
        count_readings(tx, actor, AuditAction.READ_EDITIONS, "token 7", 1, NOW)
        count_readings(tx, actor, AuditAction.READ_DIGESTS, "token 8", 1, NOW)
        entries = [(entry.action, entry.subject, entry.amount, entry.at) for entry in list_entries(tx, 10)]
    assert sorted(entries) == [
        ("read-digests", "token 7", 1, later),
        ("read-digests", "token 7", 7, NOW),
        ("read-digests", "token 8", 1, NOW),
        ("read-editions", "token 7", 1, NOW),
    ]


def test_a_snapshot_has_no_tokens(store: Store) -> None:
    ada, _ = add_readers(store)
    add(store, "a" * 64, ada)
    with store.begin_read() as tx:
        assert "a" * 64 not in repr([(name, list(rows)) for name, (_, rows) in iter_tables(tx, NOW)])
