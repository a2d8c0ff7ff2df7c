"""Chats of readers: looked up for each delivery, posted to the host of their service, and never mixed with those of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from digest.channels.notify import Channel
from digest.core.subscribers.own_digest import ReaderService
from digest.core.subscribers.reader_addresses import parse_reader_address
from digest.errors import StoreError
from digest.model import Chat, Deferred, Receipt, Refused, Sent
from digest.ports import AddressBook, BookEntry
from tests.channels.http_service import CannedAnswer, list_urls
from tests.channels.test_notify import NASTY, SHOWN, SLACK, chat
from tests.channels.test_notify_slack import OK, Start

TOKEN = "a-b_C3" * 11
OFFERED = tuple(ReaderService)
TYPED = {
    1: "https://hooks.slack.com/services/T0/B0/VerySecret",
    2: f"https://discord.com/api/webhooks/123456789012345678/{TOKEN}",
    3: "https://ntfy.sh/very-secret-topic",
}
"""What readers typed, by the number of the delivery."""


@dataclass
class FakeBook(AddressBook):
    """The addresses of readers, by the number of the delivery."""

    entries: Mapping[int, BookEntry] = field(
        default_factory=lambda: {
            delivery: BookEntry(url=parse_reader_address(typed, OFFERED).url)
            for delivery, typed in TYPED.items()
        }
    )

    def find_entry(self, delivery: int) -> BookEntry | None:
        return self.entries.get(delivery)

    def resolve_host(self, host: str, port: int) -> Sequence[tuple[str, int]]:
        raise AssertionError(f"hosts of chats are fixed, and {host}:{port} is none")


def send(channel: Channel, *deliveries: int) -> list[Receipt]:
    """Deliver a chat to each of some destinations, all of which have the same public address."""
    chats: list[Chat] = [replace(chat(NASTY), delivery=delivery) for delivery in deliveries]
    return [receipt for _, receipt in channel.deliver(chats)]


def test_each_delivery_goes_to_the_chat_of_its_reader(start_services: Start) -> None:
    service = start_services(
        lambda request: OK if "slack" in request.host else CannedAnswer(body=b'{"id": "1"}')
    )
    channel = Channel(urls={SHOWN: SLACK}, address_book=FakeBook(), services=OFFERED, slack_interval=0)

    assert send(channel, 1, 2, 3, 99, 1) == [Sent()] * 5
    assert list_urls(service.requests) == [
        "hooks.slack.com/services/T0/B0/VerySecret",
        f"discord.com/api/webhooks/123456789012345678/{TOKEN}",
        "ntfy.sh/",
        "hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",  # that of the file
        "hooks.slack.com/services/T0/B0/VerySecret",
    ]
    assert service.requests[2].json["topic"] == "very-secret-topic"


def test_an_obstacle_is_the_answer_and_nothing_is_sent(start_services: Start) -> None:
    service = start_services(lambda _: OK)
    book = FakeBook({1: BookEntry(obstacle="its reader has removed this destination")})
    channel = Channel(urls={SHOWN: SLACK}, address_book=book)

    assert send(channel, 1) == [Refused(answer="its reader has removed this destination")]
    assert service.requests == []


def test_the_names_of_errors_of_slack_are_kept_and_no_other_words(start_services: Start) -> None:
    answers = iter(
        [b"no_service", b"rare_disease", b'{"error": "rare disease"}', b'{"error": "is_archived"}']
    )
    start_services(lambda _: CannedAnswer(status=403, body=next(answers)))
    channel = Channel(urls={}, address_book=FakeBook(), services=OFFERED, slack_interval=0)

    assert [receipt.answer for receipt in send(channel, 1, 1, 1, 1)] == [
        "HTTP 403 no_service",
        "HTTP 403",
        "HTTP 403",
        "HTTP 403 is_archived",
    ]


def test_the_words_of_other_services_are_not_kept(start_services: Start) -> None:
    start_services(lambda _: CannedAnswer(status=400, body=b'{"code": 40001, "error": "rare disease"}'))
    channel = Channel(urls={}, address_book=FakeBook(), services=OFFERED)

    assert [receipt.answer for receipt in send(channel, 2, 3)] == ["HTTP 400", "error 40001"]


def test_a_database_error_puts_off_the_chat_alone(start_services: Start) -> None:
    class BrokenBook(FakeBook):
        def find_entry(self, delivery: int) -> BookEntry | None:
            if delivery == 2:
                raise StoreError("database is locked")
            return FakeBook.find_entry(self, delivery)

    start_services(lambda _: OK)
    channel = Channel(urls={}, address_book=BrokenBook(), services=OFFERED, slack_interval=0)
    broken, sent = send(channel, 2, 1)

    assert isinstance(broken, Deferred)
    assert broken.is_local
    assert sent == Sent()


def test_an_answer_has_nothing_of_the_address(start_services: Start) -> None:
    start_services(
        lambda request: CannedAnswer(status=404, body=f"no {request.path} {request.body!r}".encode())
    )
    channel = Channel(urls={}, address_book=FakeBook(), services=OFFERED, slack_interval=0)
    receipts = send(channel, 1, 2, 3)

    assert receipts == [Refused(answer="HTTP 404")] * 3
    assert [text for text in ("VerySecret", TOKEN, "very-secret-topic") if text in repr(receipts)] == []
    assert "VerySecret" not in repr(channel)
