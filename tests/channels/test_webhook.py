"""Webhooks: each answer and each silence of a server is the receipt that it should be, and who listens can trust them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket
from pathlib import Path

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from digest.channels.webhook import Channel, classify_response, make_signature_headers
from digest.errors import ChannelError
from digest.model import Deferred, Document, Fault, FileSet, Receipt, Refused, Sent, Unknown
from tests.channels.http_service import (
    DROP,
    ENDLESS,
    RESET,
    SILENCE,
    Behaviour,
    CannedAnswer,
    HttpService,
    RecordedRequest,
)
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE

SECRET = "a secret that is long enough".replace(" ", "-")
SHOWN = "https://example.org/…/00ff00ff"


def hook(
    service: HttpService, *, timeout: float = PATIENCE, path: str = "/in?x=1", ca_file: str = ""
) -> Channel:
    scheme = "https" if service.tls else "http"
    return Channel(
        urls={SHOWN: f"{scheme}://127.0.0.1:{service.port}{path}"},
        secrets={SHOWN: SECRET},
        timeout=timeout,
        ca_file=ca_file,
        clock=lambda: 1_765_432_100.9,
    )


def post(channel: Channel, content: bytes = b'{"a":1}', address: str = SHOWN) -> Receipt:
    [(_, receipt)] = channel.deliver(
        [Document(delivery=1, address=address, idempotency_key="msg7", content=content)]
    )
    return receipt


def receipt(say: Behaviour, *, timeout: float = PATIENCE) -> Receipt:
    with HttpService(answer=lambda _: say) as service:
        return post(hook(service, timeout=timeout))


def test_who_listens_can_tell_who_it_was_when_and_whether_it_was_here_before() -> None:
    with HttpService() as service:
        assert post(hook(service), b'{"a":1}') == Sent(answer="HTTP 200")
    [request] = service.requests

    assert (request.method, request.path, request.body) == ("POST", "/in?x=1", b'{"a":1}')
    assert request.headers["content-type"] == "application/json; charset=utf-8"
    assert (request.headers["webhook-id"], request.headers["webhook-timestamp"]) == ("msg7", "1765432100")
    what = b'msg7.1765432100.{"a":1}'
    right = base64.b64encode(hmac.new(SECRET.encode(), what, hashlib.sha256).digest()).decode()
    assert request.headers["webhook-signature"] == f"v1,{right}"


def test_the_signature_is_that_of_the_published_example() -> None:
    # https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    headers = make_signature_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    )

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@given(st.binary(), st.text("abc123_", min_size=1), st.integers(1, 2**40))
def test_while_a_secret_is_changed_either_one_is_right(content: bytes, number: str, at: int) -> None:
    one, two = (
        make_signature_headers(number, at, content, secret)["webhook-signature"]
        for secret in ("old-one", "new-one")
    )

    assert (
        make_signature_headers(number, at, content, "old-one new-one")["webhook-signature"] == f"{one} {two}"
    )


@for_each_case(
    ("status", "expected"),
    [
        (200, Sent(answer="HTTP 200")),
        (204, Sent(answer="HTTP 204")),
        (302, Deferred(answer="HTTP 302 no")),
        (400, Refused(answer="HTTP 400 no", fault=Fault.OURS)),
        (401, Deferred(answer="HTTP 401 no")),
        (404, Deferred(answer="HTTP 404 no")),
        (410, Refused(answer="HTTP 410 no")),
        (413, Refused(answer="HTTP 413 no", fault=Fault.OURS)),
        (500, Deferred(answer="HTTP 500 no")),
        (503, Deferred(answer="HTTP 503 no", fault=Fault.DOMAIN)),
    ],
)
def test_an_answer_is_a_receipt(status: int, expected: Receipt) -> None:
    assert receipt(CannedAnswer(status=status, body=b"no")) == expected


def test_a_host_that_is_asked_too_often_says_how_long_to_wait() -> None:
    answer = receipt(CannedAnswer(status=429, headers=(("Retry-After", "90"),), body=b"slow\ndown\x07"))

    assert isinstance(answer, Deferred)
    assert answer.retry_after is not None
    assert (answer.answer, answer.fault, answer.retry_after.total_seconds()) == (
        "HTTP 429 slow down",
        Fault.DOMAIN,
        90,
    )


@pytest.mark.parametrize("say", [DROP, RESET])
def test_an_answer_that_is_lost_may_have_been_a_yes(say: str) -> None:
    answer = receipt(say)

    assert isinstance(answer, Unknown)
    assert answer.answer.startswith("there was no answer")


@pytest.mark.parametrize("say", [SILENCE, ENDLESS])
def test_who_is_slow_is_left_and_may_have_it(say: str) -> None:
    assert isinstance(receipt(say, timeout=0.2), Unknown)


def test_a_host_that_is_not_there_does_not_have_it() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        answer = post(Channel(urls={SHOWN: url}, secrets={SHOWN: SECRET}))

    assert answer == Deferred(answer="it cannot be reached: Connection refused", fault=Fault.DOMAIN)


def test_a_redirect_is_not_followed() -> None:
    with HttpService() as other:
        elsewhere = CannedAnswer(status=307, headers=(("Location", f"http://127.0.0.1:{other.port}/"),))
        with HttpService(answer=lambda _: elsewhere) as service:
            assert isinstance(post(hook(service)), Deferred)
        assert other.requests == []


def test_a_certificate_has_to_be_trusted(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with HttpService(authority=authority, tls=True) as service:
        strange = post(hook(service))
        assert post(hook(service, ca_file=str(tmp_path / "ca.pem"))) == Sent(answer="HTTP 200")

    assert isinstance(strange, Deferred)
    assert "its certificate is not trusted" in strange.answer
    assert len(service.requests) == 1


def test_one_host_in_trouble_is_not_told_of_another() -> None:
    with HttpService(answer=lambda request: DROP if request.path == "/bad" else CannedAnswer()) as service:
        port = service.port
        channel = Channel(
            urls={"a": f"http://127.0.0.1:{port}/bad", "b": f"http://127.0.0.1:{port}/good"},
            secrets={"a": SECRET, "b": SECRET},
        )
        documents = [
            Document(delivery=n, address=a, idempotency_key=a, content=b"{}") for n, a in enumerate("abab")
        ]
        receipts = [type(answer) for _, answer in channel.deliver(documents)]

    assert receipts == [Unknown, Sent, Unknown, Sent]


def test_an_address_that_left_the_file_is_waited_for() -> None:
    with HttpService() as service:
        assert isinstance(post(hook(service), address="https://gone/"), Deferred)
    assert service.requests == []


def test_a_check_posts_nothing() -> None:
    with HttpService() as service:
        channel = hook(service)
        assert f"{SHOWN} can be reached" in channel.check()
    assert service.requests == []
    with pytest.raises(ChannelError, match=r"https://example\.org/…/00ff00ff cannot be reached: "):
        channel.check()


def test_who_repeats_what_he_was_asked_is_told_of_without_it() -> None:
    def say(asked: RecordedRequest) -> CannedAnswer:
        return CannedAnswer(status=500, body=f"Cannot POST {asked.path} with {SECRET}".encode())

    with HttpService(answer=say) as service:
        receipt = post(hook(service, path="/hooks/secret-path?key=secret-query"))

    assert receipt == Deferred(answer="HTTP 500 Cannot POST …?… with …")


def test_no_secret_is_shown() -> None:
    with HttpService() as service:
        channel = hook(service, path="/very-secret")

    assert SECRET not in repr(channel)
    assert "very-secret" not in repr(channel)
    assert "very-secret" not in repr(post(channel))


@given(st.integers(100, 599), st.text(), st.text())
def test_whatever_is_answered_is_told_on_one_line(status: int, retry_after: str, said: str) -> None:
    answer = classify_response(status, retry_after, said)

    assert answer.answer.isprintable()
    assert len(answer.answer) < 320


def test_only_documents_can_be_posted() -> None:
    with pytest.raises(TypeError, match="accepts documents"):
        list(Channel(urls={}, secrets={}).deliver([FileSet(delivery=1, folder="/", files=())]))
