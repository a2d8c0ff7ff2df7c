"""Webhooks of readers: connected to where the address book says and nowhere else, as the host that the address names."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import trustme

from digest.channels.webhook import Channel, make_signature_headers
from digest.core.subscribers.sealed_addresses import make_webhook_secret
from digest.errors import HostBlockedError, StoreError
from digest.model import Deferred, Document, Fault, Message, Receipt, Refused, Sent, Unknown
from digest.ports import AddressBook, BookEntry
from tests.channels.http_service import ENDLESS, SILENCE, CannedAnswer, HttpService, RecordedRequest
from tests.support.timeouts import PATIENCE

HOST, URL = "lab.example.org", "https://lab.example.org/hooks/very-secret?key=more"
SHOWN, SECRET = "https://lab.example.org/…/00ff00ff", make_webhook_secret()
OURS = 7
"""A delivery to a destination of the file; all others go to a reader's."""


@dataclass
class FakeBook(AddressBook):
    """An address book in which each host is at some places, and which knows who was looked up."""

    places: Sequence[tuple[str, int]]
    entry: BookEntry = BookEntry(url=URL, secret=SECRET)  # noqa: RUF009 - frozen
    blocked: str = ""
    looked_up: list[tuple[str, int]] = field(default_factory=list)

    def find_entry(self, delivery: int) -> BookEntry | None:
        return None if delivery == OURS else self.entry

    def resolve_host(self, host: str, port: int) -> Sequence[tuple[str, int]]:
        self.looked_up.append((host, port))
        if self.blocked:
            raise HostBlockedError(self.blocked)
        return self.places


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def service(authority: trustme.CA) -> Iterator[HttpService]:
    with HttpService(authority=authority, tls=True, name=HOST) as service:
        yield service


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    return str(tmp_path / "ca.pem")


def make_channel(book: FakeBook, ca_file: str, *, timeout: float = PATIENCE) -> Channel:
    return Channel(
        urls={},
        secrets={},
        address_book=book,
        ca_file=ca_file,
        reader_timeout=timeout,
        clock=lambda: 1_765_432_100.9,
    )


def post(channel: Channel, delivery: int = 1) -> Receipt:
    document = Document(delivery=delivery, address=SHOWN, idempotency_key="msg7", content=b'{"a":1}')
    [(_, receipt)] = channel.deliver([document])
    return receipt


def find_places(service: HttpService) -> list[tuple[str, int]]:
    return [("127.0.0.1", service.port)]


def test_a_request_goes_to_the_checked_address_as_the_host_and_is_signed(
    service: HttpService, ca_file: str
) -> None:
    book = FakeBook(find_places(service))

    assert post(make_channel(book, ca_file)) == Sent(answer="HTTP 200")
    (request,) = service.requests
    assert (request.host, request.path) == (HOST, "/hooks/very-secret?key=more")
    expected = make_signature_headers("msg7", 1_765_432_100, b'{"a":1}', SECRET)
    assert {name: request.headers[name] for name in expected} == expected
    assert book.looked_up == [(HOST, 443)]


def test_a_host_that_is_not_public_gets_no_connection(service: HttpService, ca_file: str) -> None:
    book = FakeBook(find_places(service), blocked="no request is sent there")

    assert post(make_channel(book, ca_file)) == Refused(answer="no request is sent there")
    assert service.requests == []


@pytest.mark.parametrize("status", [400, 405, 410, 413, 422, 501])
def test_a_refusal_for_good_counts_against_the_address_whatever_the_status(
    service: HttpService, ca_file: str, status: int
) -> None:
    service.answer = lambda _: CannedAnswer(status=status, body=b"")

    assert post(make_channel(FakeBook(find_places(service)), ca_file)) == Refused(answer=f"HTTP {status}")


def test_an_obstacle_is_the_answer(service: HttpService, ca_file: str) -> None:
    book = FakeBook(find_places(service), entry=BookEntry(obstacle="its reader has removed this destination"))

    assert post(make_channel(book, ca_file)) == Refused(answer="its reader has removed this destination")
    assert (service.requests, book.looked_up) == ([], [])


def test_a_certificate_of_another_host_is_not_trusted(authority: trustme.CA, ca_file: str) -> None:
    with HttpService(authority=authority, tls=True, name="other.example.org") as service:
        receipt = post(make_channel(FakeBook(find_places(service)), ca_file))

    assert isinstance(receipt, Deferred)
    assert receipt.fault is Fault.DOMAIN
    assert "its certificate is not trusted" in receipt.answer
    assert service.requests == []


def test_a_redirect_leads_nowhere(service: HttpService, ca_file: str) -> None:
    with HttpService() as other:
        headers = (("Location", f"http://127.0.0.1:{other.port}/"),)
        service.answer = lambda _: CannedAnswer(status=307, headers=headers, body=b"")
        book = FakeBook(find_places(service))
        assert post(make_channel(book, ca_file)) == Deferred(answer="HTTP 307")
        assert other.requests == []
    assert book.looked_up == [(HOST, 443)]


def test_the_next_checked_address_is_tried_and_no_unchecked_one(service: HttpService, ca_file: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        closed = ("127.0.0.1", nobody.getsockname()[1])
        good = find_places(service)
        assert post(make_channel(FakeBook([closed, *good]), ca_file)) == Sent(answer="HTTP 200")
        receipts = [
            post(make_channel(FakeBook(places), ca_file)) for places in ([closed], [closed] * 9 + good)
        ]

    assert receipts == [Deferred(answer="it cannot be reached: Connection refused", fault=Fault.DOMAIN)] * 2


@pytest.mark.parametrize("behaviour", [SILENCE, ENDLESS])
def test_a_slow_host_is_left_after_its_own_time(service: HttpService, ca_file: str, behaviour: str) -> None:
    service.answer = lambda _: behaviour
    channel = replace(make_channel(FakeBook(find_places(service)), ca_file), reader_timeout=0.5)

    assert isinstance(post(channel), Unknown)


def test_a_host_that_never_finishes_the_handshake_is_left(ca_file: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        book = FakeBook([("127.0.0.1", silent.getsockname()[1])])
        receipt = post(make_channel(book, ca_file, timeout=0.3))

    assert isinstance(receipt, Deferred)
    assert receipt.fault is Fault.DOMAIN


@contextmanager
def open_black_hole() -> Iterator[tuple[str, int]]:
    """An address that answers no attempt to connect: its queue is full."""
    with ExitStack() as stack:
        black_hole = stack.enter_context(socket.socket())
        black_hole.bind(("127.0.0.1", 0))
        black_hole.listen(0)
        for _ in range(6):
            client = stack.enter_context(socket.socket())
            client.settimeout(0)
            client.connect_ex(black_hole.getsockname())
        yield black_hole.getsockname()


def test_a_first_address_that_is_dead_leaves_time_for_the_second(service: HttpService, ca_file: str) -> None:
    def answer_slowly(_request: RecordedRequest) -> CannedAnswer:
        time.sleep(0.7)  # longer than the shortest time for a connection
        return CannedAnswer()

    service.answer = answer_slowly
    with open_black_hole() as dead:
        book = FakeBook([dead, *find_places(service)])
        assert post(make_channel(book, ca_file, timeout=6)) == Sent(answer="HTTP 200")


def test_a_name_that_is_not_resolved_in_time_is_left(service: HttpService, ca_file: str) -> None:
    class SlowBook(FakeBook):
        def resolve_host(self, host: str, port: int) -> Sequence[tuple[str, int]]:
            is_over.wait(PATIENCE)
            return FakeBook.resolve_host(self, host, port)

    is_over = threading.Event()
    channel = make_channel(SlowBook(find_places(service)), ca_file, timeout=0.5)
    started_at = time.monotonic()
    receipt = post(channel)
    seconds = time.monotonic() - started_at
    is_over.set()

    assert receipt == Deferred(answer="it cannot be reached: it took too long", fault=Fault.DOMAIN)
    assert seconds < PATIENCE / 2
    assert service.requests == []


def test_a_reader_whose_webhooks_are_slow_waits_and_others_do_not(service: HttpService, ca_file: str) -> None:
    service.answer = lambda _: SILENCE
    book = FakeBook(find_places(service), entry=BookEntry(url=URL, secret=SECRET, reader=1))
    channel = replace(make_channel(book, ca_file, timeout=0.5), max_reader_seconds=0.4)

    assert isinstance(post(channel), Unknown)
    receipt = post(channel)
    assert isinstance(receipt, Deferred)
    assert receipt.is_local
    assert len(service.requests) == 1
    service.answer = lambda _: CannedAnswer()
    book.entry = BookEntry(url=URL, secret=SECRET, reader=2)
    assert post(channel) == Sent(answer="HTTP 200")


def test_a_webhook_of_the_file_does_not_wait_for_slow_hosts_of_many_readers(
    service: HttpService, ca_file: str
) -> None:
    class CrowdBook(FakeBook):
        def find_entry(self, delivery: int) -> BookEntry | None:
            return None if delivery == OURS else BookEntry(url=URL, secret=SECRET, reader=delivery)

    service.answer = lambda _: SILENCE
    with HttpService() as private:
        channel = replace(
            make_channel(CrowdBook(find_places(service)), ca_file, timeout=0.5),
            urls={SHOWN: f"http://127.0.0.1:{private.port}/file"},
            secrets={SHOWN: "a secret that is long enough"},
            max_reader_seconds=0.8,
        )
        documents: list[Message] = [
            Document(delivery=delivery, address=SHOWN, idempotency_key="msg", content=b"{}")
            for delivery in (1, 2, 3, 4, OURS)
        ]
        receipts = [
            (message.delivery, type(receipt).__name__) for message, receipt in channel.deliver(documents)
        ]

    assert receipts[0] == (OURS, "Sent")
    assert receipts[1] == (1, "Unknown")
    assert receipts[-1] == (4, "Deferred")
    assert len(service.requests) < 4


@pytest.mark.parametrize("status", [302, 410, 422, 500, 503])
def test_nothing_of_what_a_host_answers_is_kept_but_the_status(
    service: HttpService, ca_file: str, status: int
) -> None:
    def repeat(request: RecordedRequest) -> CannedAnswer:
        return CannedAnswer(status=status, body=f"no {request.path} {SECRET} {request.body!r}".encode())

    service.answer = repeat
    receipt = post(make_channel(FakeBook(find_places(service)), ca_file))

    assert receipt.answer == f"HTTP {status}"


def test_nothing_of_an_answer_is_kept_that_is_no_http(authority: trustme.CA, ca_file: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def babble() -> None:
            with context.wrap_socket(listening.accept()[0], server_side=True) as client:
                client.recv(65_536)
                client.sendall(b"rare disease\r\n\r\n")
                client.recv(65_536)

        thread = threading.Thread(target=babble)
        thread.start()
        receipt = post(make_channel(FakeBook([listening.getsockname()]), ca_file))
        thread.join()

    assert isinstance(receipt, Unknown)
    assert receipt.answer == "there was no answer: its answer is not valid HTTP (BadStatusLine)"


def test_a_database_error_puts_off_the_delivery_alone(service: HttpService, ca_file: str) -> None:
    class BrokenBook(FakeBook):
        def find_entry(self, delivery: int) -> BookEntry | None:
            if delivery == OURS:
                raise StoreError("database is locked")
            return FakeBook.find_entry(self, delivery)

    channel = make_channel(BrokenBook(find_places(service)), ca_file)
    receipts = [post(channel, delivery) for delivery in (OURS, 1)]

    assert [isinstance(receipt, Deferred) and receipt.is_local for receipt in receipts] == [True, False]
    assert receipts[1] == Sent(answer="HTTP 200")


def test_a_destination_of_the_file_does_not_get_what_is_for_a_reader(
    service: HttpService, ca_file: str
) -> None:
    with HttpService() as private:
        book = FakeBook(find_places(service))
        channel = replace(
            make_channel(book, ca_file),
            urls={SHOWN: f"http://127.0.0.1:{private.port}/file"},
            secrets={SHOWN: "a secret that is long enough"},
        )
        assert [post(channel, delivery) for delivery in (OURS, 1)] == [Sent(answer="HTTP 200")] * 2

    assert private.list_paths() == ["/file"]  # hosts of the file may be private
    assert service.list_paths() == ["/hooks/very-secret?key=more"]
    book.entry = BookEntry(obstacle="removed")
    assert post(channel, 1) == Refused(answer="removed")
    assert SECRET not in repr(channel)
