"""A report is counted once, belongs to its message, and decides what still goes to an address."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from digest.config import Destination
from digest.model import AddressKind, BounceClass, Sent
from digest.store.database.engine import Store
from digest.store.delivery import outbox, receipts, reports, suppressions
from digest.store.delivery.reports import BOUNCE, COMPLAINT, ReportedDelivery, StoredReport
from digest.store.subscribers.subscribers import list_subscribers
from tests.store.factories import NOW, add_to_now, declare, make_digest, make_due_edition, run_concurrently

FIRST = "0000@example.org"


def report(
    delivery: int = 1,
    finding: BounceClass = BounceClass.SOFT,
    *,
    mailbox: str = FIRST,
    at: datetime = NOW,
    kind: str = BOUNCE,
) -> StoredReport:
    return StoredReport(
        id=0,
        delivery=delivery,
        mailbox=mailbox,
        kind=kind,
        finding=finding,
        status="4.2.2",
        answer="full",
        road="mailbox",
        at=at,
        forgiven=False,
    )


def keep(store: Store, report: StoredReport) -> StoredReport | None:
    with store.begin_write() as tx:
        return reports.save_report(tx, report)


def kept(store: Store) -> list[tuple[int, BounceClass]]:
    with store.begin_read() as tx:
        return [(report.delivery, report.finding) for report in reports.list_recent(tx, limit=99)]


def sent(store: Store, count: int = 2) -> None:
    """That many deliveries, sent now."""
    make_due_edition(store, count)
    with store.begin_write() as tx:
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)
        receipts.record_receipts(tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], NOW)


# --- counting -------------------------------------------------------------------------------------


def test_a_bounce_that_is_told_again_is_not_counted_again(store: Store) -> None:
    first = keep(store, report())

    assert first is not None
    assert keep(store, replace(report(), road="ses", at=add_to_now(hours=1))) is None
    assert kept(store) == [(1, BounceClass.SOFT)]


def test_told_by_many_at_once_it_is_one(store: Store) -> None:
    reports = run_concurrently(*[lambda: keep(store, report())] * 4)

    assert sum(report is not None for report in reports) == 1


def test_the_worse_of_two_that_are_one_holds(store: Store) -> None:
    first = keep(store, report())

    worse = keep(store, report(finding=BounceClass.GONE))
    milder = keep(store, report(finding=BounceClass.SOFT))

    assert first is not None
    assert worse is not None
    assert (worse.id, milder) == (first.id, None)
    assert kept(store) == [(1, BounceClass.GONE)]


def test_a_worse_report_leaves_those_of_other_messages_and_readers_as_they_were(store: Store) -> None:
    mild = [report(1), report(1, mailbox="0001@example.org"), report(2), report(1, kind=COMPLAINT)]
    for one in mild:
        keep(store, one)

    keep(store, report(1, BounceClass.GONE))

    with store.begin_read() as tx:
        results = {
            (report.delivery, report.mailbox, report.kind): report.finding
            for report in reports.list_recent(tx, limit=99)
        }
    assert results == {
        (report.delivery, report.mailbox, report.kind): BounceClass.SOFT for report in mild
    } | {(1, FIRST, BOUNCE): BounceClass.GONE}


def test_a_complaint_is_another_thing_than_a_bounce(store: Store) -> None:
    keep(store, report())

    assert keep(store, report(finding=BounceClass.COMPLAINT, kind=COMPLAINT)) is not None
    assert keep(store, report(finding=BounceClass.COMPLAINT, kind=COMPLAINT)) is None


def test_what_was_forgiven_stays_so_however_often_it_is_told(store: Store) -> None:
    keep(store, report())
    with store.begin_write() as tx:
        reports.forgive_address(tx, FIRST)

    assert keep(store, report(finding=BounceClass.GONE)) is None
    with store.begin_read() as tx:
        assert reports.list_bounces(tx, FIRST, NOW - timedelta(days=30)) == ()


def test_marks_are_those_of_the_address_since_then(store: Store) -> None:
    keep(store, report(1))
    keep(store, report(2, at=add_to_now(days=-20)))
    keep(store, report(3, mailbox="0001@example.org"))
    keep(store, report(4, BounceClass.COMPLAINT, kind=COMPLAINT))

    with store.begin_read() as tx:
        assert reports.list_bounces(tx, FIRST, add_to_now(days=-14)) == ((NOW, BounceClass.SOFT),)
        assert reports.list_bounced(tx, add_to_now(days=-14)) == (FIRST, "0001@example.org")
        assert reports.count_by_finding(tx, add_to_now(days=-14)) == {"soft": 2, "complaint": 1}


# --- which message --------------------------------------------------------------------------------


def test_a_delivery_is_found_by_its_number(store: Store) -> None:
    sent(store)

    with store.begin_read() as tx:
        assert reports.find_by_id(tx, 1) == ReportedDelivery(
            delivery=1, destination=1, mailbox=FIRST, digest="systems", sent_at=NOW
        )
        assert reports.find_by_id(tx, 99) is None


def test_a_delivery_is_found_by_its_message_id_with_who_it_was_for(store: Store) -> None:
    sent(store)
    message = f"<{FIRST}>"

    with store.begin_read() as tx:
        by_address = reports.find_by_message_id(tx, message, NOW, mailbox=FIRST)
        by_place = reports.find_by_message_id(tx, message, NOW, destination=1)
        assert by_address is not None
        assert by_address == by_place
        assert by_address.delivery == 1
        assert reports.find_by_message_id(tx, message, NOW, mailbox="0001@example.org") is None
        assert reports.find_by_message_id(tx, "<other>", NOW, mailbox=FIRST) is None


def test_the_last_message_that_an_address_got_is_found(store: Store) -> None:
    sent(store)

    with store.begin_read() as tx:
        reported_delivery = reports.find_last_sent(tx, NOW, add_to_now(days=-30), mailbox=FIRST)
        assert reported_delivery is not None
        assert reported_delivery.delivery == 1
        assert reports.find_last_sent(tx, add_to_now(hours=-1), add_to_now(days=-30), mailbox=FIRST) is None
        assert reports.find_last_sent(tx, add_to_now(days=60), add_to_now(days=30), mailbox=FIRST) is None


def test_a_message_stood_that_nothing_came_back_about(store: Store) -> None:
    sent(store)
    keep(store, report(1))

    with store.begin_read() as tx:
        between = (add_to_now(days=-14), add_to_now(days=1))
        assert reports.list_undisputed_sends(tx, FIRST, *between) == ()
        assert reports.list_undisputed_sends(tx, "0001@example.org", *between) == (NOW,)
        assert (
            reports.list_undisputed_sends(tx, "0001@example.org", add_to_now(days=-14), add_to_now(days=-6))
            == ()
        )


# --- suppressing ----------------------------------------------------------------------------------


def suppress(store: Store, mailbox: str = FIRST, until: datetime | None = None) -> None:
    one = keep(store, report(mailbox=mailbox))
    assert one is not None
    with store.begin_write() as tx:
        suppressions.suppress_address(tx, mailbox, NOW, until=until, report=one.id)


def goes_to(store: Store) -> set[str]:
    with store.begin_read() as tx:
        return {
            subscriber.address
            for subscriber in list_subscribers(tx)
            if subscriber.active and not subscriber.digest_ended
        }


def states(store: Store) -> dict[str, tuple[str, str]]:
    with store.begin_read() as tx:
        return {
            delivery.address: (delivery.state, delivery.answer)
            for delivery in outbox.list_recent(tx, state=None, limit=9)
        }


def test_nothing_goes_to_a_suppressed_address_from_any_digest(store: Store) -> None:
    declare(
        store,
        make_digest("a", to=["Me@Example.org", "you@example.org"]),
        make_digest("b", to=["me@example.org"]),
    )

    suppress(store, "me@example.org")

    assert goes_to(store) == {"you@example.org"}


def test_what_waits_to_go_there_is_dropped_and_says_why(store: Store) -> None:
    make_due_edition(store, 2)

    suppress(store)

    assert states(store)[FIRST] == ("dropped", "its address is suppressed, because mail bounced")
    with store.begin_write() as tx:
        assert [delivery.address for delivery in outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)] == [
            "0001@example.org"
        ]


def test_a_destination_that_is_new_in_the_file_starts_suppressed(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org"]))
    suppress(store, "me@example.org")

    declare(
        store,
        make_digest("a", to=["me@example.org"]),
        make_digest("b", to=["ME@example.org", "you@example.org"]),
    )

    assert goes_to(store) == {"you@example.org"}


def test_one_that_left_the_file_and_comes_back_is_still_suppressed(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org"]))
    suppress(store, "me@example.org")

    declare(store)
    declare(store, make_digest("a", to=["me@example.org"]))

    assert goes_to(store) == set()


def test_the_editions_that_a_resting_address_misses_are_on_record(store: Store) -> None:
    make_due_edition(store, 1)
    suppress(store, until=add_to_now(days=7))

    with store.begin_write() as tx:
        assert outbox.claim_deliveries(tx, "smtp", 1, NOW, 10) == ()
    assert states(store)[FIRST] == (
        "dropped",
        "its address is suspended, because mail bounced several times",
    )


def test_a_rest_ends_by_itself_and_a_suppression_does_not(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org", "you@example.org"]))
    suppress(store, "me@example.org", until=add_to_now(days=7))
    suppress(store, "you@example.org")

    with store.begin_write() as tx:
        assert not suppressions.has_expired_rest(tx, add_to_now(days=6))
        assert suppressions.has_expired_rest(tx, add_to_now(days=7))
        assert suppressions.remove_expired_rests(tx, add_to_now(days=7)) == ("me@example.org",)

    assert goes_to(store) == {"me@example.org"}


def test_what_was_lifted_goes_there_again(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org"]), make_digest("b", to=["me@example.org"]))
    suppress(store, "me@example.org")

    with store.begin_write() as tx:
        assert suppressions.remove_suppression(tx, "me@example.org")
        assert not suppressions.remove_suppression(tx, "me@example.org")

    assert goes_to(store) == {"me@example.org"}


def test_lifting_brings_back_nobody_who_unsubscribed_or_left_the_file(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org"]), make_digest("b", to=["me@example.org"]))
    suppress(store, "me@example.org")
    declare(store, make_digest("a", to=["me@example.org"]))
    with store.begin_write() as tx:
        suppressions.stop_all_digests(tx, "me@example.org", "the reader complained")
        suppressions.remove_suppression(tx, "me@example.org")

    assert goes_to(store) == set()


def test_a_complaint_ends_all_digests_of_its_reader_and_of_nobody_else(store: Store) -> None:
    make_due_edition(store, 2)

    with store.begin_write() as tx:
        suppressions.stop_all_digests(tx, FIRST, "the reader complained")

    assert states(store)[FIRST] == ("dropped", "the reader complained")
    assert goes_to(store) == {"0001@example.org"}


def test_who_is_suppressed_is_told_with_the_report_because_of_which(store: Store) -> None:
    declare(store, make_digest("a", to=["me@example.org"]))
    suppress(store, "me@example.org")

    with store.begin_read() as tx:
        (suppression,) = suppressions.list_suppressions(tx, ["me@example.org"])
        assert suppressions.list_suppressions(tx, ["you@example.org"]) == ()
    assert (
        suppression.state,
        suppression.since,
        suppression.until,
        suppression.answer,
        suppression.road,
    ) == (
        "suppressed",
        NOW,
        None,
        "full",
        "mailbox",
    )


def test_a_folder_that_is_called_like_an_address_is_none(store: Store) -> None:
    declare(
        store,
        replace(
            make_digest("a"),
            destinations=(Destination(channel="maildir", kind=AddressKind.FOLDER, address="me@example.org"),),
        ),
    )
    suppress(store, "me@example.org")

    assert goes_to(store) == {"me@example.org"}
