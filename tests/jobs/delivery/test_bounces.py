"""What comes back is matched with its message, counted once by whichever road, and never punishes who is not at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from digest import ports
from digest.config import Destination
from digest.core.delivery.bounces.address_status import parse_bounce
from digest.core.delivery.bounces.refused_alike import MIN_REFUSED
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.core.delivery.retries import RetryPolicy
from digest.errors import ReportError
from digest.jobs.delivery.bounces.bounce_events import (
    CountedReport,
    MailboxRead,
    ReportAction,
    UncountedReason,
)
from digest.jobs.delivery.bounces.counting import count_refusals, count_report
from digest.jobs.delivery.bounces.receiver import ReportReceiver, request_mailbox_read, resume_rested
from digest.mailboxes.maildir import Mailbox
from digest.model import AddressKind, BounceClass, Deferred, Fault, MatchKeys, Refused, Report, Sent
from digest.ports import Connection
from digest.store.database.engine import Store
from digest.store.delivery import outbox, receipts, reports, suppressions
from digest.store.operations import notices
from tests.core.delivery.bounces.returned_mails import MAILS, make_arf, make_dsn, make_text_bounce
from tests.jobs.delivery.dispatchers import FakeChannel, FakeClock, make_connections, run_dispatcher
from tests.store.factories import (
    NOW,
    declare,
    load_active_digests,
    make_digest,
    make_due_edition,
    run_concurrently,
    save_due_editions,
)
from tests.store.store_copies import open_filled_copy

KEYS = (b"k" * 32,)
PATH = ReturnPath(address="bounces@example.org", keys=KEYS)
PAGES = OwnPages(url="https://digest.example.org", keys=KEYS)
FIRST, SECOND = "0000@example.org", "0001@example.org"
DAY = timedelta(days=1)


def hearing(
    store: Store, clock: FakeClock | None = None, *, path: ReturnPath | None = PATH
) -> ReportReceiver:
    return ReportReceiver(
        store=store, return_path=path, pages=PAGES, sender="digest@example.org", clock=clock or FakeClock()
    )


def send(store: Store, count: int = 2, at: datetime = NOW) -> None:
    """So many deliveries, sent."""
    make_due_edition(store, count)
    with store.begin_write() as tx:
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)
        receipts.record_receipts(tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], at)


@pytest.fixture
def box(tmp_path: Path) -> Mailbox:
    (tmp_path / "box" / "new").mkdir(parents=True)
    return Mailbox(folder=tmp_path / "box")


def arrived(box: Mailbox, *texts: str, delivery: int = 1) -> None:
    link = PAGES.make_unsubscribe_url(delivery).rpartition("/")[2]
    for number, text in enumerate(texts):
        content = text.replace("{path}", PATH.make_address(delivery)).replace("{link}", link)
        (box.folder / "new" / f"{delivery}-{number}").write_text(content, encoding="utf-8")


def heard(
    store: Store, box: ports.Mailbox, clock: FakeClock | None = None
) -> tuple[list[CountedReport], MailboxRead]:
    mailbox = list(hearing(store, clock).read_mailbox(box))
    assert isinstance(mailbox[-1], MailboxRead)
    return [one for one in mailbox if isinstance(one, CountedReport)], mailbox[-1]


def goes_to(store: Store) -> set[str]:
    """Where the next edition goes."""
    with store.begin_read() as tx:
        away = {suppression.mailbox for suppression in suppressions.list_suppressions(tx)}
        ways = {
            address
            for active_digest in load_active_digests(tx)
            for _, _, address, _ in active_digest.destinations
        }
        return ways - away


def gone(reader: str = FIRST) -> str:
    return make_dsn("5.1.1", "smtp; 550 5.1.1 no such user", to=reader)


# --- the mailbox ----------------------------------------------------------------------------------


def test_a_bounce_of_an_address_that_does_not_exist_ends_all_mail_to_it(store: Store, box: Mailbox) -> None:
    send(store)
    arrived(box, gone())

    (report,), ended = heard(store, box)

    assert (report.report.mailbox, report.action, report.report.delivery) == (
        FIRST,
        ReportAction.SUPPRESSED,
        1,
    )
    assert report.text == (
        f"{FIRST}: there is no such address (550 5.1.1 no such user). Nothing is sent there until you use `digest subscribers resume`."
    )
    assert (ended.messages, ended.left_by_reason, ended.error) == (1, {}, "")
    assert goes_to(store) == {SECOND}


def test_what_was_read_is_marked_and_not_read_again(store: Store, box: Mailbox) -> None:
    send(store)
    arrived(box, gone())
    heard(store, box)

    assert [file.name for file in (box.folder / "cur").iterdir()] == ["1-0:2,S"]
    assert heard(store, box) == ([], MailboxRead())


class Forgetful(Mailbox):
    """A mailbox whose marks are lost, as by a crash just before them."""

    def mark_read(self, name: str) -> None:
        raise ReportError(f"{name} cannot be marked")


def test_a_crash_before_a_message_is_marked_loses_nothing_and_counts_nothing_twice(
    store: Store, box: Mailbox
) -> None:
    send(store)
    arrived(box, gone(), gone(SECOND).replace("{path}", PATH.make_address(2)))

    broken, ended = heard(store, Forgetful(folder=box.folder))
    assert ended.error
    assert [report.report.mailbox for report in broken] == []  # it was not told, and is kept
    assert goes_to(store) == {SECOND}

    again, ended = heard(store, box)
    assert [report.report.mailbox for report in again] == [SECOND]
    assert ended.left_by_reason == {UncountedReason.KNOWN: 1}
    assert goes_to(store) == set()


def test_mail_that_is_forged_foreign_or_an_automatic_answer_is_left_and_counted(
    store: Store, box: Mailbox
) -> None:
    send(store)
    forged = gone().replace("{path}", PATH.make_address(1).replace("+1.", "+2."))
    other = ReturnPath(address="bounces@example.org", keys=(b"x" * 32,))
    stranger = make_dsn("5.1.1").replace("{path}", "somebody@example.net")
    away = make_text_bounce("I am away", sender=FIRST, subject="Away", extra="Auto-Submitted: auto-replied\n")
    arrived(box, forged, gone().replace("{path}", other.make_address(1)), stranger, away, "\x00", gone("x"))

    reports, ended = heard(store, box)

    assert ended.messages == 6
    assert ended.left_by_reason == {
        UncountedReason.FORGED: 2,
        UncountedReason.FOREIGN: 1,
        UncountedReason.NOTHING: 2,
    }
    assert [report.report.finding for report in reports] == [
        BounceClass.SOFT
    ]  # the last one: signed, about another address
    assert goes_to(store) == {FIRST, SECOND}


def test_a_bounce_that_only_shows_what_the_mail_showed_proves_nothing(store: Store, box: Mailbox) -> None:
    send(store)
    text = gone().replace("{path}", "bounces@example.org")  # the link and the Message-ID are in it

    arrived(box, text)

    assert heard(store, box)[1].left_by_reason == {UncountedReason.FOREIGN: 1}
    assert goes_to(store) == {FIRST, SECOND}


def send_to_one(store: Store) -> None:
    send(store, 1)


@pytest.mark.parametrize(("source", "text", "finding", "status"), MAILS)
def test_only_a_bounce_that_blames_the_address_suppresses_and_only_a_complaint_unsubscribes(
    tmp_path: Path, source: str, text: str, finding: BounceClass, status: str
) -> None:
    store = open_filled_copy(tmp_path, send_to_one)
    content = text.replace("reader@example.com", FIRST).replace("{path}", PATH.make_address(1))

    taken = hearing(store).receive_mail(
        content.replace("{link}", PAGES.make_unsubscribe_url(1).rpartition("/")[2]).encode()
    )

    expected = {
        BounceClass.GONE: ReportAction.SUPPRESSED,
        BounceClass.COMPLAINT: ReportAction.UNSUBSCRIBED,
    }.get(finding, ReportAction.NOTHING)
    assert (taken.action if isinstance(taken, CountedReport) else ReportAction.NOTHING) is expected, (
        source,
        status,
    )
    assert isinstance(taken, CountedReport) == (finding is not BounceClass.NOTHING)
    assert goes_to(store) == (set() if expected is not ReportAction.NOTHING else {FIRST})
    store.close()


def test_a_mailbox_that_cannot_be_read_is_told_to_the_operator_and_stops_nothing(
    store: Store, tmp_path: Path
) -> None:
    reports, ended = heard(store, Mailbox(folder=tmp_path / "nowhere"))

    assert reports == []
    assert "is not a Maildir" in ended.error
    with store.begin_read() as tx:
        (notice,) = notices.list_due(tx, NOW)
    assert notice.name == "bounces"


def test_it_is_read_when_its_time_has_come_or_somebody_asks(store: Store, box: Mailbox) -> None:
    clock = FakeClock()
    report_receiver, duration = hearing(store, clock), timedelta(minutes=5)
    assert report_receiver.is_mailbox_due(duration)

    list(report_receiver.read_due(box, duration))
    assert not report_receiver.is_mailbox_due(duration)
    assert list(report_receiver.read_due(box, duration)) == []

    clock.now += duration
    assert report_receiver.is_mailbox_due(duration)
    list(report_receiver.read_due(box, duration))
    with store.begin_write() as tx:
        request_mailbox_read(tx)
    assert report_receiver.is_mailbox_due(duration)


def test_a_clock_that_was_wrong_stops_nobody_from_reading(store: Store, box: Mailbox) -> None:
    clock = FakeClock(NOW + 400 * DAY)
    list(hearing(store, clock).read_due(box, timedelta(minutes=5)))

    assert hearing(store).is_mailbox_due(timedelta(minutes=5))


# --- what becomes of an address -------------------------------------------------------------------


def soft(store: Store, number: int, at: datetime) -> CountedReport | UncountedReason:
    """A soft bounce of one of many messages to one address."""
    report = Report(
        bounce_class=BounceClass.SOFT,
        answer="452 4.2.2 full",
        match_keys=MatchKeys(senders=(PATH.make_address(number),)),
    )
    return hearing(store, FakeClock(at)).receive(report, "mailbox")


def compose(store: Store) -> None:
    """An edition of each digest, due now."""
    with store.begin_write() as tx:
        save_due_editions(tx, lambda entry, _number, _address: f"<{entry.id}>")


def many_to_one(store: Store, count: int) -> None:
    """So many digests to one address, each with a message that was sent."""
    names = [f"d{number}" for number in range(count)]
    declare(store, *(make_digest(name, to=[FIRST]) for name in names))
    compose(store)
    with store.begin_write() as tx:
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 99)
        receipts.record_receipts(tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], NOW)


def test_five_soft_bounces_on_three_days_make_an_address_rest_for_a_week_and_no_longer(store: Store) -> None:
    many_to_one(store, 5)

    results = [soft(store, number, NOW + DAY * (number // 2)) for number in range(1, 6)]

    assert [one.action for one in results if isinstance(one, CountedReport)] == [
        *[ReportAction.NOTHING] * 4,
        ReportAction.RESTS,
    ]
    assert goes_to(store) == set()
    assert resume_rested(store, NOW + 8 * DAY) == ()
    assert resume_rested(store, NOW + 9 * DAY) == (FIRST,)
    assert goes_to(store) == {FIRST}


def test_one_bounce_that_is_told_five_times_is_one(store: Store) -> None:
    many_to_one(store, 5)

    entries = [soft(store, 1, NOW + DAY * number) for number in range(5)]

    assert [one for one in entries if one is UncountedReason.KNOWN] == [UncountedReason.KNOWN] * 4
    assert goes_to(store) == {FIRST}


def test_a_refusal_that_is_ours_is_told_to_the_operator_once_a_day_and_punishes_nobody(store: Store) -> None:
    many_to_one(store, 20)
    blamed = make_dsn("5.7.26", "smtp; 550 5.7.26 unauthenticated", to=FIRST)

    for number in range(1, 21):
        content = blamed.replace("{path}", PATH.make_address(number)).encode()
        taken = hearing(store, FakeClock(NOW + DAY * number / 24)).receive_mail(content)
        assert isinstance(taken, CountedReport)
        assert taken.action is ReportAction.NOTHING

    assert goes_to(store) == {FIRST}
    with store.begin_read() as tx:
        (notice,) = notices.list_recent(tx, NOW - DAY)
    assert "no address is suppressed for it" in notice.text
    assert "550 5.7.26 unauthenticated" in notice.text


def test_where_mail_goes_on_to_others_one_of_them_that_is_gone_suppresses_nobody(
    store: Store, box: Mailbox
) -> None:
    send(store)
    arrived(box, gone("former.member@example.net"))

    (report,), _ = heard(store, box)

    assert (report.report.finding, report.action) == (BounceClass.SOFT, ReportAction.NOTHING)


def test_a_complaint_ends_all_digests_of_who_complained(store: Store, box: Mailbox) -> None:
    many_to_one(store, 3)
    arrived(box, make_arf("abuse"))

    (report,), _ = heard(store, box)

    assert report.action is ReportAction.UNSUBSCRIBED
    assert goes_to(store) == set()


def test_a_complaint_that_only_has_what_the_mail_showed_does_what_its_link_does(
    store: Store, box: Mailbox
) -> None:
    many_to_one(store, 3)
    arrived(box, make_arf("abuse").replace("{path}", "x@example.org"))

    (report,), _ = heard(store, box)

    assert report.action is ReportAction.UNSUBSCRIBED
    with store.begin_read() as tx:
        ways = {
            active_digest.name: len(active_digest.destinations) for active_digest in load_active_digests(tx)
        }
    assert ways == {"d0": 0, "d1": 1, "d2": 1}


# --- providers ------------------------------------------------------------------------------------


def trusted(sender: str = "digest@example.org", at: datetime | None = None) -> Report:
    clues = MatchKeys(senders=(sender,), recipients=(FIRST.upper(),))
    return Report(
        bounce_class=BounceClass.GONE, answer="HardBounce", match_keys=clues, is_trusted=True, at=at
    )


def test_a_provider_that_tells_only_the_recipient_speaks_of_the_last_message_to_it(store: Store) -> None:
    send(store)

    taken = hearing(store).receive(trusted(), "postmark")

    assert isinstance(taken, CountedReport)
    assert (taken.report.delivery, taken.report.road, taken.action) == (
        1,
        "postmark",
        ReportAction.SUPPRESSED,
    )


def test_what_a_provider_tells_of_mail_from_others_is_left(store: Store) -> None:
    send(store)

    assert hearing(store).receive(trusted("shop@example.org"), "postmark") is UncountedReason.FOREIGN
    assert hearing(store, FakeClock(NOW + 40 * DAY)).receive(trusted(), "postmark") is UncountedReason.FOREIGN
    assert goes_to(store) == {FIRST, SECOND}


def test_a_bounce_told_by_two_roads_is_one(store: Store, box: Mailbox) -> None:
    send(store)
    arrived(box, gone())
    heard(store, box)

    assert hearing(store).receive(trusted(), "postmark") is UncountedReason.KNOWN


# --- what servers say at once ---------------------------------------------------------------------


def test_an_address_that_a_server_refuses_for_good_gets_nothing_more_and_that_is_told(store: Store) -> None:
    make_due_edition(store, 2)

    def answer(mail: object) -> Refused | Sent:
        first = getattr(mail, "recipient", "") == FIRST
        return Refused(answer="550 5.1.1 no such user") if first else Sent(answer="250 ok")

    events = run_dispatcher(store, make_connections(FakeChannel(answer=answer)))

    (report,) = [event for event in events if isinstance(event, CountedReport)]
    assert (report.report.mailbox, report.report.road, report.action) == (
        FIRST,
        "smtp",
        ReportAction.SUPPRESSED,
    )
    assert goes_to(store) == {SECOND}


def test_a_refusal_that_is_ours_suppresses_nobody(store: Store) -> None:
    make_due_edition(store, 2)

    events = run_dispatcher(
        store,
        make_connections(FakeChannel(answer=lambda _: Refused(answer="550 5.7.1 spam", fault=Fault.OURS))),
    )

    assert not [event for event in events if isinstance(event, CountedReport)]
    assert goes_to(store) == {FIRST, SECOND}
    with store.begin_read() as tx:
        assert [notice.name for notice in notices.list_recent(tx, NOW - DAY)] == ["refused:example.org"]


# --- many of one domain, refused alike ------------------------------------------------------------


UNKNOWN = "550 5.1.1 no such user"


def answered(store: Store, *refused: str, count: int, words: str = UNKNOWN) -> list[CountedReport]:
    """A run to so many addresses, of which some are refused; gives what was done because of it."""
    make_due_edition(store, count)

    def answer(mail: object) -> Refused | Sent:
        recipient = getattr(mail, "recipient", "")
        return Refused(answer=words) if recipient in refused else Sent(answer="250 ok")

    return [
        event
        for event in run_dispatcher(store, make_connections(FakeChannel(answer=answer)))
        if isinstance(event, CountedReport)
    ]


def mailboxes(*numbers: int, domain: str = "example.org") -> list[str]:
    return [f"{number:04}@{domain}" for number in numbers]


def test_where_a_domain_refuses_many_with_the_same_words_nobody_is_suppressed_and_the_operator_is_told(
    store: Store,
) -> None:
    everybody = mailboxes(*range(8))

    sent_reports = answered(store, *everybody, count=8)

    assert goes_to(store) == set(everybody)
    assert {report.action for report in sent_reports[MIN_REFUSED:]} == {ReportAction.BLAMED_US}
    with store.begin_read() as tx:
        assert {report.finding for report in reports.list_recent(tx, limit=99)} == {BounceClass.OURS}
        (notice,) = notices.list_recent(tx, NOW - DAY)
    assert notice.name == "refused-alike:example.org"
    assert "addresses at example.org were refused with the same words" in notice.text
    assert UNKNOWN in notice.text
    assert "nobody is suppressed" in notice.text


def at_many_domains(store: Store, unknown: int, known_count: int) -> set[str]:
    """A run to so many domains, of which some are said not to exist; gives where the next edition goes."""
    unknown_ones = [f"reader@unknown{number}.example" for number in range(unknown)]
    known_ones = [f"reader@known{number}.example" for number in range(known_count)]
    make_due_edition(store, 0, to=[*known_ones, *unknown_ones])

    def answer(mail: object) -> Refused | Sent:
        _, _, host = str(getattr(mail, "recipient", "")).partition("@")
        message = f"556 5.1.10 no MX record for {host}: domain {host} not found"
        return Refused(answer=message) if host.startswith("unknown") else Sent(answer="250 ok")

    run_dispatcher(store, make_connections(FakeChannel(answer=answer)))
    return goes_to(store) & set(unknown_ones)


def test_where_a_name_server_knows_no_domain_any_more_nobody_is_suppressed(store: Store) -> None:
    assert len(at_many_domains(store, 8, 3)) == 8
    with store.begin_read() as tx:
        (notice,) = notices.list_recent(tx, NOW - DAY)
    assert notice.name == "refused-alike"
    assert "domains were unknown in one run" in notice.text


def test_some_domains_that_ended_among_many_that_did_not_are_suppressed(store: Store) -> None:
    assert at_many_domains(store, 6, 40) == set()


def test_some_that_ended_among_many_that_did_not_are_suppressed(store: Store) -> None:
    everybody, ended = mailboxes(*range(40)), mailboxes(3, 9, 15, 21, 27, 33)

    answered(store, *ended, count=40)

    assert goes_to(store) == set(everybody) - set(ended)


def test_the_first_that_are_refused_of_many_are_suppressed_while_the_others_have_not_answered(
    store: Store,
) -> None:
    everybody, ended = mailboxes(*range(60)), mailboxes(*range(MIN_REFUSED + 1))

    answered(store, *ended, count=60)

    assert goes_to(store) == set(everybody) - set(ended)
    with store.begin_read() as tx:
        assert notices.list_recent(tx, NOW - DAY) == ()


def test_where_all_of_a_large_domain_are_refused_nobody_is_suppressed_in_the_end(store: Store) -> None:
    everybody = mailboxes(*range(60))

    answered(store, *everybody, count=60)

    assert goes_to(store) == set(everybody)


def test_a_few_of_a_small_domain_are_suppressed(store: Store) -> None:
    everybody = mailboxes(*range(4))

    answered(store, *everybody, count=4)

    assert goes_to(store) == set()


def test_refusals_with_different_words_or_at_different_domains_are_not_added_up(store: Store) -> None:
    words = [f"550 5.1.1 no such {word}" for word in ("user", "mailbox", "recipient", "address", "account")]
    places = [f"a@{letter}.example" for letter in "vwxyz"]
    make_due_edition(store, 0, to=[*mailboxes(*range(5)), *places])
    messages = dict(zip(mailboxes(*range(5)), words, strict=True))

    def answer(mail: object) -> Refused:
        return Refused(answer=messages.get(getattr(mail, "recipient", ""), UNKNOWN))

    run_dispatcher(store, make_connections(FakeChannel(answer=answer)))

    assert goes_to(store) == set()


def test_several_messages_to_one_address_are_one_address(store: Store) -> None:
    many_to_one(store, 9)

    for number in range(1, 10):
        hearing(store).receive(bounced(number), "mailbox")

    assert goes_to(store) == set()


def bounced(number: int, reader: str = "") -> Report:
    recipients = (reader,) if reader else ()
    clues = MatchKeys(senders=(PATH.make_address(number),), recipients=recipients)
    return Report(bounce_class=BounceClass.GONE, status="5.1.1", answer=UNKNOWN, match_keys=clues)


REJECTED = "Recipient address rejected: "


@pytest.mark.parametrize("words", ["User unknown", "Access denied"])
def test_a_refusal_that_blames_us_by_itself_does_not_excuse_readers_who_are_gone(
    store: Store, words: str
) -> None:
    """Of 200 readers eight are gone, and that comes back over some days, as does one refusal that is ours."""
    make_due_edition(store, 200)
    with store.begin_write() as tx:
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 200)
        receipts.record_receipts(tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], NOW)

    def comes_back(number: int, answer: str, day: int) -> None:
        finding, status, bounce = parse_bounce("", answer)
        clues = MatchKeys(senders=(PATH.make_address(number),))
        report = Report(bounce_class=finding, status=status, answer=bounce, match_keys=clues)
        hearing(store, FakeClock(NOW + DAY * day)).receive(report, "mailbox")

    comes_back(1, f"554 5.7.1 {REJECTED}Access denied", 0)
    for number in range(2, 10):
        comes_back(number, f"550 5.1.1 {REJECTED}{words}", number // 3)

    assert goes_to(store) == set(mailboxes(*range(200))) - set(mailboxes(*range(1, 9)))


def test_refusals_with_the_name_of_a_session_in_letters_are_alike(store: Store) -> None:
    everybody = mailboxes(*range(12))
    make_due_edition(store, 12)
    names = iter(["qXyzAbC", "RtuvWkl", "mNopQrs", "zYxwVut", "kLmnOpq", "hIjkLmn"] * 2)

    def answer(_mail: object) -> Refused:
        return Refused(answer=f"550 5.1.1 User unknown ({next(names)})", fault=Fault.ADDRESS)

    run_dispatcher(store, make_connections(FakeChannel(answer=answer)))

    assert goes_to(store) == set(everybody)


def test_bounces_that_come_back_by_mail_one_by_one_are_seen_to_be_alike_too(store: Store) -> None:
    send(store, 9)

    results = [hearing(store).receive(bounced(number), "mailbox") for number in range(1, 10)]

    # Who took the mail and may still bounce counts for the readers: the first ones are suppressed, and that is taken back.
    assert isinstance(results[0], CountedReport)
    assert results[0].action is ReportAction.SUPPRESSED
    assert isinstance(results[-1], CountedReport)
    assert results[-1].action is ReportAction.BLAMED_US
    assert goes_to(store) == set(mailboxes(*range(9)))


def test_what_was_dropped_because_of_a_suppression_that_is_taken_back_goes_out(store: Store) -> None:
    """A second digest of the same morning waits for addresses that the first one was refused at."""
    everybody = mailboxes(*range(6))
    declare(store, make_digest("first", to=everybody), make_digest("second", to=everybody))
    compose(store)
    with store.begin_write() as tx:
        first = [
            delivery
            for delivery in outbox.claim_deliveries(tx, "smtp", 1, NOW, 99)
            if delivery.digest == "first"
        ]
        second = [
            delivery
            for delivery in outbox.list_recent(tx, state=None, limit=99)
            if delivery.digest == "second"
        ]
        outbox.return_untried(tx, second)

    with store.begin_write() as tx:
        for delivery in first:
            receipt = Refused(answer=UNKNOWN)
            receipts.record_receipts(tx, [(delivery, receipt)], NOW)
            count_refusals(tx, [(delivery, receipt)], NOW, RetryPolicy())

    with store.begin_read() as tx:
        states = {
            delivery.digest: delivery.state for delivery in outbox.list_recent(tx, state=None, limit=99)
        }
    assert states == {"first": "refused", "second": "ready"}
    assert goes_to(store) == set(everybody)


def test_several_processes_that_hear_of_them_at_once_see_all_of_them(store: Store) -> None:
    send(store, 5)

    def hear(number: int) -> CountedReport | UncountedReason:
        return hearing(store).receive(bounced(number), "mailbox")

    run_concurrently(*(lambda number=number: hear(number) for number in range(1, 6)))

    assert goes_to(store) == set(mailboxes(*range(5)))


def test_two_that_count_several_bounces_each_do_not_wait_for_each_other(store: Store) -> None:
    """One blames us at first and then ends an address, the other the other way round."""
    send(store, 4)
    first_has_begun, second_has_begun = Event(), Event()

    def counts(
        order: Sequence[tuple[int, BounceClass]], begun: Event, other: Event
    ) -> list[CountedReport | UncountedReason]:
        results = []
        with store.begin_write() as tx:
            for number, finding in order:
                about = reports.find_by_id(tx, number)
                assert about is not None
                words = UNKNOWN if finding is BounceClass.GONE else "550 5.7.1 listed as spam"
                report = Report(bounce_class=finding, status="", answer=words)
                results.append(count_report(tx, about, report, "smtp", NOW))
                begun.set()
                other.wait(0.3)  # where only one goes on at a time, the other has not begun
        return results

    entries = run_concurrently(
        lambda: counts([(1, BounceClass.OURS), (2, BounceClass.GONE)], first_has_begun, second_has_begun),
        lambda: counts([(3, BounceClass.GONE), (4, BounceClass.OURS)], second_has_begun, first_has_begun),
    )

    assert [isinstance(one, CountedReport) for results in entries for one in results] == [True] * 4
    assert goes_to(store) == set(mailboxes(0, 3))


def test_a_reader_who_unsubscribed_or_was_suppressed_before_stays_so(store: Store) -> None:
    send(store, 8)
    hearing(store).receive(trusted(), "postmark")  # with other words
    with store.begin_write() as tx:
        suppressions.stop_all_digests(tx, SECOND, "the reader complained")

    for number in range(2, 9):
        hearing(store).receive(bounced(number), "mailbox")

    assert goes_to(store) == set(mailboxes(*range(2, 8)))


def test_a_webhook_that_is_gone_is_no_bounce(store: Store) -> None:
    hook = Destination(
        channel="webhook", kind=AddressKind.URL, address="https://example.org/", service="example.org"
    )
    declare(store, replace(make_digest(), destinations=(hook,)))
    compose(store)
    channel = FakeChannel(answer=lambda _: Refused(answer="410 gone for good"))

    run_dispatcher(store, [Connection(channel="webhook", server="", make_channel=lambda: channel)])

    assert channel.recipients == ["https://example.org/"]
    with store.begin_read() as tx:
        assert reports.list_recent(tx, limit=9) == ()


def test_what_is_put_off_counts_when_it_is_given_up_and_once(store: Store) -> None:
    make_due_edition(store, 1)
    clock = FakeClock()
    full = make_connections(FakeChannel(answer=lambda _: Deferred(answer="452 4.2.2 full")))

    for _ in range(40):
        run_dispatcher(store, full, clock)
        clock.now += timedelta(hours=6)

    with store.begin_read() as tx:
        (report,) = reports.list_recent(tx, limit=9)
        assert [delivery.state for delivery in outbox.list_recent(tx, state=None, limit=9)] == ["expired"]
    assert report.finding is BounceClass.SOFT
    assert goes_to(store) == {FIRST}
