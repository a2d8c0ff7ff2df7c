"""Tokens that are made, found and used at the same time: one form makes one token, and no reader has too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select, update

from digest.core.subscribers.api_tokens import (
    LIFETIMES,
    MAX_TOKENS,
    NEW_TOKEN_RATE,
    Scope,
    TokenChoice,
    TokenError,
    TokenMistake,
    hash_api_token,
    make_api_token,
    read_choice,
)
from digest.core.subscribers.sessions import BrowserLabel, Session
from digest.jobs.subscribers.own_digests import NotOwnError
from digest.jobs.subscribers.tokens.api_tokens import TokenService, make_token_service
from digest.jobs.subscribers.tokens.used_tokens import UsedTokens
from digest.store.database.engine import Store
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.papers import buckets
from digest.store.operations.audit import AuditAction, list_entries
from digest.store.publishing.request_rates import forget_idle
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from tests.store.conftest import open_url
from tests.store.factories import NOW, run_concurrently

ADA = "ada@example.org"
THREADS = 8


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Both databases, as threads meet in them."""
    yield from open_url(request, tmp_path)


@pytest.fixture
def session(store: Store) -> Session:
    """A reader who is signed in."""
    with store.begin_write() as tx:
        tx.execute(insert(subscribers).values(address=ADA))
        subscriber = find_subscriber_id(tx, ADA)
    assert subscriber is not None
    return Session(
        id=1,
        subscriber=subscriber,
        address=ADA,
        label=BrowserLabel("", ""),
        created_at=NOW,
        seen_at=NOW,
        expires_at=NOW + timedelta(days=30),
    )


@pytest.fixture
def service(store: Store) -> TokenService:
    return make_token_service(store, [ADA.upper()])


def make_choice(name: str = "notebook", *scopes: Scope) -> TokenChoice:
    return TokenChoice(name=name, scopes=frozenset(scopes or {Scope.READ}), lifetime=LIFETIMES[0])


def try_to_make(service: TokenService, session: Session, name: str, key: str) -> str:
    """The secret of a new token, or why there is none."""
    try:
        return service.make_token(session, make_choice(name), key, NOW).secret
    except TokenError as error:
        return error.mistake.value


def test_one_form_makes_one_token_however_often_it_is_sent_at_the_same_time(
    service: TokenService, session: Session
) -> None:
    results = run_concurrently(
        *(lambda n=number: try_to_make(service, session, f"name {n}", "key") for number in range(THREADS))
    )

    assert Counter(results)[TokenMistake.REPEATED_FORM.value] == THREADS - 1
    assert len(service.list_tokens(session.subscriber, NOW)) == 1


def test_no_reader_has_too_many_tokens_or_two_of_one_name(service: TokenService, session: Session) -> None:
    for number in range(MAX_TOKENS - 2):
        service.make_token(session, make_choice(f"old {number}"), f"old {number}", NOW)

    results = run_concurrently(
        *(
            lambda n=number: try_to_make(service, session, f"new {n // 2}", f"key {n}")
            for number in range(THREADS)
        )
    )

    assert len(service.list_tokens(session.subscriber, NOW)) == MAX_TOKENS
    assert len([result for result in results if result.startswith("digest_")]) == 2
    names = [token.name for token in service.list_tokens(session.subscriber, NOW)]
    assert len(set(names)) == MAX_TOKENS


def test_revoking_tokens_does_not_let_a_reader_make_more_of_them(
    store: Store, service: TokenService, session: Session
) -> None:
    def make_and_revoke(name: str, now: datetime) -> None:
        secret = service.make_token(session, make_choice(name), f"{name} {now}", now).secret
        token = service.find_token(secret, now)
        assert token is not None
        service.revoke_token(session, token.id, now)

    for number in range(NEW_TOKEN_RATE.messages):
        make_and_revoke(f"name {number}", NOW)
    with pytest.raises(TokenError) as refused:
        make_and_revoke("one more", NOW)
    assert refused.value.mistake is TokenMistake.TOO_MANY_NEW
    later = NOW + NEW_TOKEN_RATE.compute_interval()
    make_and_revoke("one more", later)
    with pytest.raises(TokenError):
        make_and_revoke("and another", later)
    assert service.list_tokens(session.subscriber, later) == ()
    with store.begin_write() as tx:
        forget_idle(tx, NOW + timedelta(days=3))
        assert tx.execute(select(buckets.c.name)).all() == []


def test_a_form_that_was_refused_can_be_sent_again(service: TokenService, session: Session) -> None:
    service.make_token(session, make_choice(), "first", NOW)

    assert try_to_make(service, session, "notebook", "key") == TokenMistake.NAME_TAKEN.value
    assert try_to_make(service, session, "other", "key").startswith("digest_")


def test_a_reader_who_deleted_everything_gets_no_token(
    store: Store, service: TokenService, session: Session
) -> None:
    with store.begin_write() as tx:
        tx.execute(update(subscribers).values(address="erased-1"))

    with pytest.raises(NotOwnError):
        service.make_token(session, make_choice(), "key", NOW)


def test_only_the_scopes_of_the_reader_are_given(store: Store, session: Session) -> None:
    service = make_token_service(store, [])
    token = service.make_token(session, make_choice("all", *Scope), "key", NOW)

    found = service.find_token(token.secret, NOW)
    assert found is not None
    assert found.scopes == {Scope.READ, Scope.FOLLOW}
    assert token.secret not in repr(token)


# --- what is read ---------------------------------------------------------------------------------


def test_readings_of_several_processes_are_added_in_one_entry(
    store: Store, service: TokenService, session: Session
) -> None:
    token = service.find_token(service.make_token(session, make_choice(), "key", NOW).secret, NOW)
    assert token is not None
    processes = [UsedTokens(store, lambda: NOW) for _ in range(THREADS)]
    for used_tokens in processes:
        used_tokens.note(token, None)
        used_tokens.note(token, AuditAction.READ_DIGESTS)

    run_concurrently(*(used_tokens.save for used_tokens in processes))
    for used_tokens in processes:
        used_tokens.save()  # there is nothing left

    with store.begin_read() as tx:
        (entry,) = list_entries(tx, 10)
    assert (entry.amount, entry.subject, entry.address) == (THREADS, f"token {token.id}", ADA)
    hour = NOW.replace(minute=0)
    assert entry.at == hour
    (listed,) = service.list_tokens(session.subscriber, NOW)
    assert listed.used_at == hour


def test_what_a_revoked_token_has_read_is_recorded_and_of_a_deleted_reader_nothing_is(
    store: Store, service: TokenService, session: Session
) -> None:
    used_tokens = UsedTokens(store, lambda: NOW)
    token = service.find_token(service.make_token(session, make_choice(), "key", NOW).secret, NOW)
    assert token is not None
    used_tokens.note(token, AuditAction.READ_DIGESTS)
    service.revoke_token(session, token.id, NOW)
    used_tokens.save()
    with store.begin_read() as tx:
        assert len(list_entries(tx, 10)) == 1

    used_tokens.note(token, AuditAction.READ_EDITIONS)
    with store.begin_write() as tx:
        tx.exec_driver_sql("DELETE FROM audit_entries")
        tx.execute(delete(subscribers))
    used_tokens.save()
    with store.begin_read() as tx:
        assert list_entries(tx, 10) == ()


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_what_was_read_while_the_store_was_busy_is_recorded_later(
    store: Store, service: TokenService, session: Session
) -> None:
    used_tokens = UsedTokens(store, lambda: NOW)
    token = service.find_token(service.make_token(session, make_choice(), "key", NOW).secret, NOW)
    assert token is not None
    used_tokens.note(token, AuditAction.READ_DIGESTS)
    with store.begin_write() as tx:
        tx.exec_driver_sql(
            "CREATE TRIGGER busy BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, ''); END"
        )
    used_tokens.save()
    with store.begin_write() as tx:
        tx.exec_driver_sql("DROP TRIGGER busy")
    used_tokens.save()

    with store.begin_read() as tx:
        (entry,) = list_entries(tx, 10)
    assert entry.amount == 1


# --- tokens and choices ---------------------------------------------------------------------------


def test_tokens_are_long_random_and_found_by_their_beginning() -> None:
    tokens = {make_api_token() for _ in range(1_000)}

    assert len(tokens) == 1_000
    assert {token[:7] for token in tokens} == {"digest_"}
    assert {len(token) for token in tokens} == {50}
    assert len({hash_api_token(token) for token in tokens}) == 1_000


@given(st.text() | st.from_regex(r"digest_[A-Za-z0-9]{40,46}\n?", fullmatch=True))
def test_only_what_has_the_form_of_a_token_has_a_hash(text: str) -> None:
    is_token = len(text) == 50 and text.startswith("digest_") and text[7:].isascii() and text[7:].isalnum()

    assert bool(hash_api_token(text)) is is_token


@given(st.text(), st.lists(st.sampled_from([*Scope, "all", ""])), st.integers(-(10**20), 10**20))
def test_a_choice_is_one_that_the_form_offers_or_is_refused(name: str, scopes: list[str], days: int) -> None:
    try:
        choice = read_choice(name, scopes, days)
    except TokenError:
        return
    assert choice.lifetime in LIFETIMES
    assert choice.scopes <= set(Scope)
    assert choice.scopes
    assert 0 < len(choice.name) <= 60
    assert choice.name.isprintable()
