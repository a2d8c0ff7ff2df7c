"""What operators are shown, and the audit log, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from digest.jobs.operations.decisions import (
    drop_deliveries,
    drop_held_run,
    release_run,
    retry_deliveries,
)
from digest.jobs.subscribers.decisions.readers import (
    AddressNumber,
    AddressOwner,
    find_destination,
    find_number,
    load_address,
)
from digest.model import BounceClass
from digest.store.database.engine import Store
from digest.store.database.tables.digests import destinations
from digest.store.database.tables.readers import reports, suppressions
from digest.store.delivery.decisions import DeliveryFilter, count_by_state, list_deliveries
from digest.store.delivery.reports import count_by_finding, list_newest
from digest.store.delivery.suppressions import count_by_state as count_suppressed
from digest.store.delivery.suppressions import find_suppression
from digest.store.delivery.suppressions import list_newest as list_suppressed
from digest.store.editions.held_runs import hold_run
from digest.store.operations.audit import Actor, ActorKind, AuditAction, count_repetition, list_entries
from digest.store.operations.delivery_counts import count_by_domain, count_of_run, find_last_delivery
from digest.store.operations.growth import ReaderEvent, count_event, count_subscribers, list_weeks
from digest.store.operations.notices import list_newest as list_notices
from digest.store.operations.notices import record_notice
from digest.store.operations.readers import find_destinations, load_edition_periods
from digest.store.operations.run_summaries import find_run, list_runs
from digest.store.subscribers.accounts.sessions import add_subscriber
from tests.store.factories import NOW, SHELL, make_due_edition, run_concurrently


@pytest.fixture
def due_store(store: Store) -> Store:
    """A run with five deliveries that are due, one of them to another domain."""
    make_due_edition(store, 5)
    with store.begin_write() as tx:
        other = destinations.c.address == "0004@example.org"
        tx.execute(update(destinations).where(other).values(domain="a.org"))
    return store


def list_changes(store: Store) -> list[tuple[str, str, int]]:
    with store.begin_read() as tx:
        return [(entry.action, entry.subject, entry.amount) for entry in reversed(list_entries(tx, 99))]


# --- deliveries and runs --------------------------------------------------------------------------


def test_deliveries_are_counted_by_domain_and_of_a_run(due_store: Store) -> None:
    with due_store.begin_read() as tx:
        assert [(entry.domain, entry.states) for entry in count_by_domain(tx, 9)] == [
            ("example.org", {"ready": 4}),
            ("a.org", {"ready": 1}),
        ]
        assert [entry.domain for entry in count_by_domain(tx, 1)] == ["example.org"]
        (run,) = list_runs(tx, 9)
        assert count_of_run(tx, run.id) == {"ready": 5}
        assert find_run(tx, run.id) == run
        assert (run.is_held, find_run(tx, 99), list_runs(tx, 9, run.id)) == (False, None, ())
        assert find_last_delivery(tx) == 5


def test_deliveries_are_found_in_a_range_and_by_a_destination(due_store: Store) -> None:
    with due_store.begin_read() as tx:
        numbers = [entry.id for entry in list_deliveries(tx, DeliveryFilter(numbers=range(2, 4)), 9)]
        assert numbers == [3, 2]
        assert count_by_state(tx, DeliveryFilter(numbers=range(1, 1))) == {}
        (destination,) = find_destinations(tx, {"0002@example.org"}).values()
        (only,) = list_deliveries(tx, DeliveryFilter(destination=destination), 9)
        assert only.address == "0002@example.org"
        assert list_deliveries(tx, DeliveryFilter(destination=999), 9) == ()


def test_of_two_retries_with_one_key_one_has_an_effect(due_store: Store) -> None:
    def retry() -> int:
        return retry_deliveries(due_store, SHELL, DeliveryFilter(state="ready"), NOW, "key").changed

    assert sorted(run_concurrently(retry, retry, retry)) == [0, 0, 5]
    assert list_changes(due_store) == [("retry-deliveries", "", 5)]
    assert retry_deliveries(due_store, SHELL, DeliveryFilter(state="ready"), NOW, "other").changed == 5


def test_of_two_decisions_about_a_held_run_the_first_counts(due_store: Store) -> None:
    with due_store.begin_write() as tx:
        hold_run(tx, 1, "it is large")

    def decide() -> list[int | None]:
        return [release_run(due_store, SHELL, 1, NOW), drop_held_run(due_store, SHELL, 1, NOW)]

    results = [result for pair in run_concurrently(decide, decide) for result in pair]
    assert len([result for result in results if result is not None]) == 1
    assert len(list_changes(due_store)) == 1


def test_what_changes_nothing_is_not_recorded(due_store: Store) -> None:
    assert drop_deliveries(due_store, SHELL, DeliveryFilter(run=99), NOW).changed == 0
    assert drop_deliveries(due_store, SHELL, DeliveryFilter(ids=[99]), NOW).changed == 0
    assert retry_deliveries(due_store, SHELL, DeliveryFilter(state="sent"), NOW).counts == {}
    assert release_run(due_store, SHELL, 1, NOW) is None
    assert drop_held_run(due_store, SHELL, 1, NOW) is None
    assert list_changes(due_store) == []
    assert drop_deliveries(due_store, SHELL, DeliveryFilter(run=1), NOW).changed == 5
    assert drop_deliveries(due_store, SHELL, DeliveryFilter(run=1), NOW).counts == {"dropped": 5}
    assert list_changes(due_store) == [("drop-run", "run 1", 5)]


# --- addresses ------------------------------------------------------------------------------------


def test_an_address_has_a_number_whoever_it_belongs_to(due_store: Store) -> None:
    with due_store.begin_write() as tx:
        subscriber = add_subscriber(tx, "ops@example.org")
        assert add_subscriber(tx, "ops@example.org") == subscriber
        assert count_subscribers(tx) == 1
    assert find_number(due_store, "OPS@example.org") == AddressNumber(
        kind=AddressOwner.SUBSCRIBER, number=subscriber
    )
    assert find_number(due_store, "nobody@example.org") is None
    assert find_number(due_store, "") is None
    number = find_number(due_store, "0002@EXAMPLE.org")
    assert number is not None
    overview = load_address(due_store, number, NOW)
    assert overview is not None
    assert (overview.address, overview.subscriber) == ("0002@example.org", None)
    (destination,) = overview.destinations
    assert overview.periods[destination.digest_id].count == 1
    assert find_destination(due_store, "0002@example.org") == number.number == destination.destination
    assert load_address(due_store, AddressNumber(kind=AddressOwner.DESTINATION, number=99), NOW) is None
    assert load_address(due_store, AddressNumber(kind=AddressOwner.SUBSCRIBER, number=1 << 70), NOW) is None
    with due_store.begin_read() as tx:
        assert load_edition_periods(tx, []) == {}


def test_reports_and_suppressions_are_listed_from_the_newest(store: Store) -> None:
    mailboxes = [f"{number}@example.org" for number in range(3)]
    with store.begin_write() as tx:
        for number, mailbox in enumerate(mailboxes, 1):
            row = {"delivery": number, "mailbox": mailbox, "kind": "bounce", "finding": "gone", "at": NOW}
            tx.execute(insert(reports).values(row | {"status": "", "answer": "", "road": "smtp"}))
            values = {"mailbox": mailbox, "state": "suppressed", "since": NOW, "report_id": number}
            tx.execute(insert(suppressions).values(values))
        assert [report.mailbox for report in list_newest(tx, 2)] == mailboxes[:0:-1]
        assert [report.id for report in list_newest(tx, 9, 3)] == [2, 1]
        assert [entry.report for entry in list_suppressed(tx, 9, 3)] == [2, 1]
        found = find_suppression(tx, 2)
        assert found is not None
        assert found.mailbox == mailboxes[1]
        assert find_suppression(tx, 9) is None
        assert count_suppressed(tx) == {"suppressed": 3}
        assert count_by_finding(tx, NOW - timedelta(days=7)) == {BounceClass.GONE.value: 3}
        assert count_by_finding(tx, NOW) == {}


# --- logs and growth ------------------------------------------------------------------------------


def test_notices_are_listed_page_by_page(store: Store) -> None:
    with store.begin_write() as tx:
        for number in range(3):
            record_notice(tx, f"n{number}", "A problem.", NOW + timedelta(minutes=number))
        assert [notice.name for notice in list_notices(tx, 2)] == ["n2", "n1"]
        assert [notice.name for notice in list_notices(tx, 2, 2)] == ["n0"]


def test_repetitions_of_one_actor_in_a_row_are_one_entry(store: Store) -> None:
    other = Actor(kind=ActorKind.SHELL, name="other")
    with store.begin_write() as tx:
        for actor, minutes in ((SHELL, 0), (SHELL, 10), (other, 11), (SHELL, 12), (SHELL, 90)):
            count_repetition(tx, actor, AuditAction.INVITE_READERS, NOW + timedelta(minutes=minutes))
    assert [amount for _, _, amount in list_changes(store)] == [2, 1, 1, 1]


def test_the_log_has_pages(store: Store) -> None:
    with store.begin_write() as tx:
        for number in range(3):
            count_repetition(tx, SHELL, AuditAction.INVITE_READERS, NOW + timedelta(hours=number))
        first = list_entries(tx, 2)
        assert [entry.id for entry in list_entries(tx, 2, first[-1].id)] == [first[-1].id - 1]


def test_weeks_are_counted_apart_and_by_concurrent_requests_too(store: Store) -> None:
    def unsubscribe() -> None:
        with store.begin_write() as tx:
            count_event(tx, ReaderEvent.UNSUBSCRIPTION, NOW)

    run_concurrently(*[unsubscribe] * 4)
    with store.begin_write() as tx:
        count_event(tx, ReaderEvent.SIGN_UP, NOW + timedelta(days=7))
    with store.begin_read() as tx:
        later, week = list_weeks(tx, 9)
        assert list_weeks(tx, 1) == (later,)
    assert (week.monday.isoweekday(), later.monday - week.monday) == (1, timedelta(days=7))
    assert (week.counts, later.counts) == ({ReaderEvent.UNSUBSCRIPTION: 4}, {ReaderEvent.SIGN_UP: 1})
