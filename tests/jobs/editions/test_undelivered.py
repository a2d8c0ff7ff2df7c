"""What could not reach its reader is named by the next mail to the same place, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest

from digest.config import Destination
from digest.jobs.delivery.bounces.counting import count_report
from digest.jobs.delivery.bounces.receiver import resume_rested
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.model import (
    AddressKind,
    BounceClass,
    Deferred,
    Delivery,
    Edition,
    Fault,
    Message,
    Receipt,
    Refused,
    Report,
    Sent,
    Unknown,
)
from digest.store.database.engine import Store
from digest.store.delivery import decisions, outbox, suppressions
from digest.store.delivery.decisions import DeliveryFilter
from digest.store.delivery.reports import ReportedDelivery
from tests.jobs.delivery.dispatchers import (
    FakeChannel,
    FakeClock,
    count_by_state,
    make_connections,
    run_dispatcher,
    write_message,
)
from tests.store.factories import NOW, announce, declare, make_digest, make_new_listing

DAY = timedelta(days=1)
LETTERS = MessageIds(key=b"key", domain="example.org")
FULL = Deferred(answer="452 4.2.2 mailbox full", fault=Fault.ADDRESS)
SPAM = Refused(answer="550 5.7.1 looks like spam", fault=Fault.OURS)
GONE = Refused(answer="550 5.1.1 no such user", fault=Fault.ADDRESS)


@dataclass
class EditionScenario:
    """A digest's readers, day by day.

    Attributes:
        answers: what their server says; by the address before the @, else yes.
        notices: of each mail that was written: to whom, of which day, and which days it names.
    """

    store: Store
    answers: dict[str, Receipt] = field(default_factory=dict)
    notices: list[tuple[str, str, list[str]]] = field(default_factory=list)
    channel: str = "smtp"
    number: int = 0
    now: datetime = NOW

    def subscribe(self, *to: Destination) -> None:
        expected = make_digest(schedule="daily 7:30")
        declare(self.store, replace(expected, destinations=to))

    def publish_edition(self) -> None:
        """An edition is made."""
        self.number += 1
        announce(self.store, make_new_listing(self.number, title=f"KV cache {self.number}"))
        fire_slots(self.store, {}, self.now)
        match(self.store)
        close_runs(self.store, {}, self.now, wait=False)
        compose_editions(self.store, LETTERS, 1, self.now)

    def delivered(self) -> list[tuple[str, str, list[str]]]:
        """All mails of a pass, as ``told`` has them."""
        self.notices = []
        channel = FakeChannel(lambda mail: self.answers.get(mail.recipient.partition("@")[0], Sent()))
        ways = [replace(line, channel=self.channel) for line in make_connections(channel)]
        run_dispatcher(self.store, ways, FakeClock(self.now), write=self.writing(write_message))
        return self.notices

    def return_mail(self, name: str, finding: BounceClass, ago: int = 0) -> None:
        """The last mail to somebody, or one before it, which had been taken."""
        with self.store.begin_write() as tx:
            last = [
                delivery for delivery in outbox.list_recent(tx, limit=9) if delivery.address.startswith(name)
            ][ago]
            about = ReportedDelivery(
                delivery=last.id,
                destination=last.destination,
                mailbox=last.address,
                digest=last.digest,
                sent_at=last.sent_at,
            )
            count_report(tx, about, Report(bounce_class=finding), "dsn", self.now)

    def writing(
        self, write: Callable[[Edition, Delivery], Message]
    ) -> Callable[[Edition, Delivery], Message]:
        def written(edition: Edition, delivery: Delivery) -> Message:
            named = [missed_edition.period.partition("T")[0] for missed_edition in edition.missed]
            self.notices.append((delivery.address.partition("@")[0], edition.period.partition("T")[0], named))
            return write(edition, delivery)

        return written

    def day(self, days: int, **answers: Receipt) -> list[tuple[str, str, list[str]]]:
        """Let an edition come out and be delivered on that day."""
        self.now, self.answers = NOW + days * DAY, answers
        self.publish_edition()
        return self.delivered()


@pytest.fixture
def scenario(store: Store) -> EditionScenario:
    paper = EditionScenario(store)
    paper.subscribe(
        *(
            Destination(channel="smtp", kind=AddressKind.MAILBOX, address=f"{name}@example.org")
            for name in ("ada", "bob")
        )
    )
    return paper


def test_the_next_mail_names_what_was_refused_and_no_later_one_does(scenario: EditionScenario) -> None:
    assert scenario.day(0, ada=SPAM) == [("ada", "2026-06-12", []), ("bob", "2026-06-12", [])]

    assert scenario.day(1) == [("ada", "2026-06-13", ["2026-06-12"]), ("bob", "2026-06-13", [])]
    assert scenario.day(2) == [("ada", "2026-06-14", []), ("bob", "2026-06-14", [])]


def test_what_was_given_up_is_named_by_a_mail_that_goes_afterwards(scenario: EditionScenario) -> None:
    scenario.day(0, bob=FULL)
    assert ("bob", "2026-06-13", []) in scenario.day(1, bob=FULL), "it may still arrive"

    while "ready" in count_by_state(scenario.store):
        scenario.now += timedelta(hours=6)
        scenario.delivered()
    assert count_by_state(scenario.store) == {"sent": 2, "expired": 2}

    assert scenario.day(4) == [("ada", "2026-06-16", []), ("bob", "2026-06-16", ["2026-06-12", "2026-06-13"])]
    assert scenario.day(5) == [("ada", "2026-06-17", []), ("bob", "2026-06-17", [])]


def test_what_came_out_while_an_address_rested_is_named_when_it_gets_mail_again(
    scenario: EditionScenario,
) -> None:
    for day in range(5):
        scenario.day(day)
        scenario.return_mail("ada", BounceClass.SOFT)
    for day in (5, 6):
        assert [name for name, *_ in scenario.day(day)] == ["bob"], "it rests"

    assert resume_rested(scenario.store, NOW + 12 * DAY) == ("ada@example.org",)

    missed = [f"2026-06-{day}" for day in range(12, 19)]
    assert ("ada", "2026-06-24", missed) in scenario.day(12)
    assert ("ada", "2026-06-25", []) in scenario.day(13)


@pytest.mark.parametrize("text", ["at once", "later"])
def test_what_came_out_while_an_address_was_suppressed_is_named_when_it_gets_mail_again(
    scenario: EditionScenario, text: str
) -> None:
    scenario.day(0, **({"ada": GONE} if text == "at once" else {}))
    if text == "later":
        scenario.return_mail("ada", BounceClass.GONE)
    for day in (1, 2):
        assert [name for name, *_ in scenario.day(day)] == ["bob"], "it is suppressed"

    with scenario.store.begin_write() as tx:
        suppressions.remove_suppression(tx, "ada@example.org")

    assert ("ada", "2026-06-15", ["2026-06-12", "2026-06-13", "2026-06-14"]) in scenario.day(3)
    assert ("ada", "2026-06-16", []) in scenario.day(4)


def test_what_waited_when_its_address_was_suppressed_is_named(scenario: EditionScenario) -> None:
    scenario.day(0)
    scenario.day(1, ada=FULL)
    scenario.return_mail("ada", BounceClass.GONE, ago=1)
    with scenario.store.begin_write() as tx:
        suppressions.remove_suppression(tx, "ada@example.org")

    assert ("ada", "2026-06-14", ["2026-06-12", "2026-06-13"]) in scenario.day(2)


def test_what_an_operator_has_sent_after_all_is_not_missing(scenario: EditionScenario) -> None:
    scenario.day(0)
    scenario.return_mail("ada", BounceClass.GONE)
    scenario.day(1)
    with scenario.store.begin_write() as tx:
        suppressions.remove_suppression(tx, "ada@example.org")
        assert decisions.retry_deliveries(tx, DeliveryFilter(state="dropped"), scenario.now) == 1

    assert scenario.delivered() == [("ada", "2026-06-13", ["2026-06-12"])]
    assert ("ada", "2026-06-14", []) in scenario.day(2)


def test_what_was_dropped_for_another_reason_is_not_missing(scenario: EditionScenario) -> None:
    scenario.now = NOW
    scenario.publish_edition()
    with scenario.store.begin_write() as tx:
        decisions.drop_deliveries(tx, DeliveryFilter(address="ada@example.org"), "an operator dropped it")

    assert ("ada", "2026-06-13", []) in scenario.day(1)


def test_what_may_have_arrived_is_not_said_to_be_missing(scenario: EditionScenario) -> None:
    scenario.day(0, ada=Unknown(answer="the connection ended"))
    for hours in (1, 2, 12):
        scenario.now, scenario.answers = NOW + timedelta(hours=hours), {"ada": Unknown(answer="again")}
        scenario.delivered()
    assert count_by_state(scenario.store) == {"sent": 1, "unknown": 1}

    assert ("ada", "2026-06-13", []) in scenario.day(1)


def test_a_mail_that_is_sent_again_says_the_same_again(scenario: EditionScenario) -> None:
    scenario.day(0, ada=SPAM)
    assert ("ada", "2026-06-13", ["2026-06-12"]) in scenario.day(1, ada=FULL)

    scenario.now += timedelta(hours=1)
    scenario.answers = {}

    assert scenario.delivered() == [("ada", "2026-06-13", ["2026-06-12"])]
    assert ("ada", "2026-06-14", []) in scenario.day(2)


def test_where_the_mail_that_names_it_does_not_arrive_the_next_one_names_both(
    scenario: EditionScenario,
) -> None:
    scenario.day(0, ada=SPAM)
    scenario.day(1, ada=SPAM)

    assert ("ada", "2026-06-14", ["2026-06-12", "2026-06-13"]) in scenario.day(2)
    assert ("ada", "2026-06-15", []) in scenario.day(3)


@pytest.mark.parametrize("finding", [BounceClass.SOFT, BounceClass.DOMAIN, BounceClass.OURS])
def test_what_was_taken_and_came_back_is_named(scenario: EditionScenario, finding: BounceClass) -> None:
    scenario.day(0)
    scenario.return_mail("ada", finding)

    assert ("ada", "2026-06-13", ["2026-06-12"]) in scenario.day(1)
    assert ("ada", "2026-06-14", []) in scenario.day(2)


def test_where_the_mail_that_names_it_comes_back_the_next_one_names_both(scenario: EditionScenario) -> None:
    scenario.day(0, ada=SPAM)
    scenario.day(1)
    scenario.return_mail("ada", BounceClass.SOFT)

    assert ("ada", "2026-06-14", ["2026-06-12", "2026-06-13"]) in scenario.day(2)
    assert ("ada", "2026-06-15", []) in scenario.day(3)


def test_of_two_mails_at_once_one_names_it(scenario: EditionScenario) -> None:
    scenario.day(0, ada=SPAM)
    scenario.now = NOW + DAY
    scenario.publish_edition()

    assert ("ada", "2026-06-14", []) in scenario.day(2)
    named = [notice for notice in scenario.notices if notice[0] == "ada"]
    assert named == [("ada", "2026-06-13", ["2026-06-12"]), ("ada", "2026-06-14", [])]


def test_folders_of_files_name_nothing(store: Store) -> None:
    paper = EditionScenario(store)
    paper.channel = "files"
    paper.subscribe(Destination(channel="files", kind=AddressKind.FOLDER, address="folder"))

    assert paper.day(0, folder=SPAM) == [("folder", "2026-06-12", [])]
    assert paper.day(1) == [("folder", "2026-06-13", [])]
