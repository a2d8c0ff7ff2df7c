"""The mailer of links: what it tries again, what it does not, and what waits for what."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from digest.core.delivery.signup_links import SignupRequest
from digest.errors import StoreBusyError
from digest.jobs.subscribers.signup.link_mailer import LinkMailer, LinkRequest
from digest.model import Deferred, Mail, Receipt, Refused, Sent, Unknown
from tests.support.timeouts import PATIENCE

ADA, BOB = "ada@example.org", "bob@example.org"


def make_request(address: str) -> SignupRequest:
    return SignupRequest(address=address, public_digest="dc", language="en")


def make_mail(request: LinkRequest) -> Mail:
    return Mail(
        delivery=0, sender="digest@example.org", recipient=request.address, message_id="<1@x>", content=b""
    )


@contextmanager
def running(mailer: LinkMailer) -> Iterator[LinkMailer]:
    mailer.start()
    yield mailer
    mailer.stop()


def wait_for(sent: list[str], count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(sent) < count and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("receipt", "attempts"),
    [
        (Sent(), 1),
        (Refused(answer="550 5.1.1 no such user"), 1),
        (Unknown(answer="the connection ended"), 1),
        (Deferred(answer="451 later"), 3),
        (None, 1),
    ],
)
def test_a_mail_is_sent_again_only_if_the_server_has_certainly_not_taken_it(
    receipt: Receipt | None, attempts: int
) -> None:
    sent: list[str] = []

    def deliver(mail: Mail) -> Receipt | None:
        sent.append(mail.recipient)
        return receipt

    with running(LinkMailer(make_mail, deliver, retry_seconds=0.05, max_delay=0.0)) as mailer:
        mailer.submit(make_request(ADA))
        wait_for(sent, attempts)
        time.sleep(0.5)
    assert sent == [ADA] * attempts


def test_mails_are_sent_at_times_that_do_not_follow_from_those_of_their_requests() -> None:
    sent: list[str] = []

    def deliver(mail: Mail) -> Receipt | None:
        sent.append(mail.recipient)
        return Sent()

    addresses = [f"reader{number}@example.org" for number in range(30)]
    with running(LinkMailer(make_mail, deliver, max_delay=1.0)) as mailer:
        for address in addresses:
            mailer.submit(make_request(address))
        wait_for(sent, 30)
    assert sorted(sent) == sorted(addresses)
    assert sent != addresses


def test_a_server_that_hangs_or_defers_keeps_nobody_else_waiting() -> None:
    sent: list[str] = []
    release = Event()

    def deliver(mail: Mail) -> Receipt | None:
        if mail.recipient == ADA:
            release.wait(PATIENCE)
            return Deferred(answer="451 later")
        sent.append(mail.recipient)
        return Sent()

    with running(LinkMailer(make_mail, deliver, retry_seconds=PATIENCE, max_delay=0.0)) as mailer:
        for _ in range(3):
            mailer.submit(make_request(ADA))
        mailer.submit(make_request(BOB))
        wait_for(sent, 1)
        assert sent == [BOB]
        release.set()


def test_a_store_that_is_busy_is_asked_again_and_no_error_tells_the_address(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent: list[str] = []
    errors: list[Exception] = [StoreBusyError("locked"), ValueError(f"{BOB} is wrong")]

    def prepare(request: LinkRequest) -> Mail:
        if errors:
            raise errors.pop(0)
        return make_mail(request)

    def deliver(mail: Mail) -> Receipt | None:
        sent.append(mail.recipient)
        raise ValueError(mail.recipient)

    with running(LinkMailer(prepare, deliver, retry_seconds=0.05, max_delay=0.0)) as mailer:
        mailer.submit(make_request(ADA))
        mailer.submit(make_request(BOB))
        wait_for(sent, 1)
        time.sleep(0.2)
    assert sent == [ADA]
    assert "ValueError" in caplog.text
    assert "example.org" not in caplog.text


def test_a_mailer_that_stops_handles_what_is_due_and_waits_for_nothing_else() -> None:
    sent: list[str] = []

    def deliver(mail: Mail) -> Receipt | None:
        sent.append(mail.recipient)
        return Deferred(answer="451 later")

    begun = time.monotonic()
    with running(LinkMailer(make_mail, deliver, retry_seconds=600)) as mailer:
        for _ in range(5):
            mailer.submit(make_request(ADA))
    assert len(sent) == 5
    assert time.monotonic() - begun < PATIENCE


def test_no_more_requests_wait_than_memory_should_hold() -> None:
    mailer = LinkMailer(make_mail, lambda _: Sent())

    assert [mailer.submit(make_request(ADA)) for _ in range(1_001)] == [True] * 1_000 + [False]
