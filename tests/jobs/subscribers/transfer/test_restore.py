"""The archive of an account, imported into another one, gives the same archive, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count

from hypothesis import HealthCheck, given, settings

from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.core.subscribers.transfer.archive import (
    DEFAULT_SCHEDULE,
    ArchivedDigest,
    read_digests,
    write_digests,
)
from digest.core.subscribers.transfer.imported import make_library_follow
from digest.core.times.schedule import parse_schedule
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.search_digests import make_search_digest
from digest.jobs.subscribers.transfer.account_archive import load_account_archive
from digest.jobs.subscribers.transfer.restore import DigestRestorer
from digest.model import DigestOptions, PaperKey
from digest.store.database.engine import Store
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.own_digests import list_names
from tests.core.subscribers.transfer.strategies import make_archived_digests
from tests.store.factories import NOW

NUMBERS = count()


def make_account(store: Store) -> tuple[int, str]:
    """A reader who has deleted their only digest."""
    address = f"reader{next(NUMBERS)}@example.org"
    digest = make_search_digest("graph", "en")
    assert digest is not None
    with store.begin_planning() as tx:
        subscribe(tx, digest, address, language="en", zone="UTC", now=NOW)
        subscriber = find_subscriber_id(tx, address)
        assert subscriber is not None
        (digest_id,) = list_names(tx, subscriber)
    OwnDigestEditor(store=store, subscriber=subscriber, now=NOW).end(digest_id)
    return subscriber, address


def make_restorer(store: Store, account: tuple[int, str]) -> DigestRestorer:
    subscriber, address = account
    return DigestRestorer(
        store=store, subscriber=subscriber, address=address, languages=("en", "de", "zh"), now=NOW
    )


def export(store: Store, account: tuple[int, str]) -> str:
    return write_digests(load_account_archive(store, account[0]).digests)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(make_archived_digests())
def test_what_one_account_exports_another_imports_and_exports_the_same(
    store: Store, digests: tuple[ArchivedDigest, ...]
) -> None:
    first, second = make_account(store), make_account(store)
    make_restorer(store, first).restore(digests)
    exported = export(store, first)
    assert exported == write_digests(digests)
    for _ in range(2):  # a second import changes nothing
        make_restorer(store, second).restore(read_digests(exported).digests)
        assert export(store, second) == exported


def test_what_is_there_stays_as_it_is_and_what_was_deleted_begins_again(store: Store) -> None:
    account = make_account(store)
    digest = ArchivedDigest(
        name="one",
        title="One",
        schedule=parse_schedule("weekly tue 07:00", zone="UTC"),
        options=DigestOptions(),
        follows=(make_library_follow(PaperKey("arxiv:2401.00001"), "A paper"),),
    )
    restorer = make_restorer(store, account)
    restorer.restore([digest])
    restorer.restore([replace(digest, title="Two", follows=())])
    assert export(store, account) == write_digests([digest])
    with store.begin_read() as tx:
        digest_id = max(list_names(tx, account[0]))
    OwnDigestEditor(store=store, subscriber=account[0], now=NOW).end(digest_id)
    restorer.restore([replace(digest, title="Two")])
    assert export(store, account) == write_digests([replace(digest, title="Two")])


def test_a_pause_that_is_over_is_over_and_an_unknown_language_is_the_readers(store: Store) -> None:
    account = make_account(store)
    digest = ArchivedDigest(
        name="one",
        title="One",
        schedule=None,
        options=DigestOptions(language="xx"),
        is_paused=True,
        paused_until=NOW - timedelta(days=1),
    )
    make_restorer(store, account).restore([digest])
    (restored,) = load_account_archive(store, account[0]).digests
    assert (restored.is_paused, restored.options.language) == (False, "en")
    assert restored.schedule == DEFAULT_SCHEDULE


def test_the_plan_says_what_has_room_and_no_more_is_added(store: Store) -> None:
    account = make_account(store)
    digests = [
        ArchivedDigest(name=f"d{number}", title="Title", schedule=None, options=DigestOptions())
        for number in range(MAX_DIGESTS + 2)
    ]
    restorer = make_restorer(store, account)
    restorer.restore(digests[:3])
    plan = restorer.plan(digests)
    assert (len(plan.added), len(plan.present), len(plan.left_out)) == (MAX_DIGESTS - 3, 3, 2)
    restorer.restore(digests)
    assert len(load_account_archive(store, account[0]).digests) == MAX_DIGESTS
