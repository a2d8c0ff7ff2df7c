"""Slack, against services that speak its protocol and refuse what it documents to refuse."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from digest.channels.notify import Channel
from digest.channels.notify.slack_address import parse_slack_address
from digest.channels.notify.slack_errors import classify_response
from digest.errors import ConfigError
from digest.model import Chat, Deferred, Fault, Receipt, Refused, Sent, Span, Unknown
from tests.channels.http_service import (
    DROP,
    ENDLESS,
    RESET,
    SILENCE,
    Behaviour,
    CannedAnswer,
    HttpService,
    RecordedRequest,
    answer_in_turn,
    list_urls,
)
from tests.channels.test_notify import NASTY, SHOWN, SLACK, chat
from tests.support.cases import for_each_case
from tests.support.slack_rules import check_message, list_links, list_texts, read_text
from tests.support.timeouts import PATIENCE

BOT = "slack://xoxb-1234-1234-4ddbc191d40ee098cbaae6f3523ada2d/#papers"
SECRETS = ("TIiajkdnlazkcOXrIdevi7FQ", "4ddbc191d40ee098cbaae6f3523ada2d")
OK = CannedAnswer(body=b"ok")
Start = Callable[..., HttpService]


def deliver(url: str, *chats: Chat, timeout: float = PATIENCE) -> list[Receipt]:
    channel = Channel(urls={SHOWN: url}, timeout=timeout, slack_interval=0)
    return [receipt for _, receipt in channel.deliver(chats or [chat(NASTY)])]


def judge(request: RecordedRequest) -> CannedAnswer:
    """What Slack answers: "ok", or which rule a message breaks."""
    try:
        assert request.headers["content-type"] == "application/json; charset=utf-8"
        check_message(request.json)
    except (AssertionError, KeyError, ValueError):
        return CannedAnswer(status=400, body=b"invalid_payload")
    return OK


# --- what arrives ---------------------------------------------------------------------------------


def test_a_webhook_gets_blocks_and_nobody_is_called(start_services: Start) -> None:
    service = start_services(judge)
    assert deliver(SLACK, chat("One & two", NASTY)) == [Sent()]

    assert list_urls(service.requests) == [
        "hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
    ]
    [message] = [request.json for request in service.requests]
    texts = list(list_texts(message))
    assert texts[:2] == ["12 Jun llm: 2 new, A &amp; B", "2 new: complete"]
    assert message["text"] == texts[0]
    assert (
        texts[2] == "1. *<https://arxiv.org/abs/1?a=b&amp;c=(d)|One &amp; two>*\nA. Author, *B. Followed*\n"
    )
    assert "<!channel>" in read_text(texts[3]).words
    assert list_links(message) == [f"https://arxiv.org/abs/{n}?a=b&c=(d)" for n in (1, 2)]
    assert (message["unfurl_links"], message["unfurl_media"]) == (False, False)


def test_a_bot_posts_to_its_channel_with_its_token(start_services: Start) -> None:
    service = start_services(lambda _: CannedAnswer(body=b'{"ok":true,"ts":"1.2"}'))
    assert deliver(BOT, chat("One")) == [Sent()]

    [request] = service.requests
    assert list_urls([request]) == ["slack.com/api/chat.postMessage"]
    assert request.headers["authorization"] == "Bearer xoxb-1234-1234-4ddbc191d40ee098cbaae6f3523ada2d"
    assert request.json["channel"] == "#papers"
    check_message(request.json)


@for_each_case("count", [0, 1, 3, 20, 60, 200])
def test_an_edition_of_any_length_is_accepted(start_services: Start, count: int) -> None:
    service = start_services(judge)
    titles = [f"Paper {n} {'of some length ' * 6}" for n in range(1, count + 1)]
    [receipt] = deliver(SLACK, chat(*titles, long=600, page="https://d.example/e/1"))

    assert isinstance(receipt, Sent)
    assert 1 <= len(service.requests) <= 5
    links = [link for request in service.requests for link in list_links(request.json)]
    assert links[-1] == "https://d.example/e/1"
    assert links[:-1] == [f"https://arxiv.org/abs/{n}?a=b&c=(d)" for n in range(1, len(links))]
    shown = len(links) - 1
    last_text = list(list_texts(service.requests[-1].json))[-1]
    assert (f"{count - shown} more matching papers." in last_text) == (shown < count)


def test_a_notice_is_its_sentences(start_services: Start) -> None:
    service = start_services(judge)
    notice = Chat(
        delivery=1, address=SHOWN, title="Lab: a trouble", opening=((Span("One."),), (Span("Two."),))
    )
    assert deliver(SLACK, notice) == [Sent()]

    assert list(list_texts(service.requests[0].json)) == ["Lab: a trouble", "One.\nTwo."]


def test_a_repeat_goes_on_where_the_last_attempt_ended(start_services: Start) -> None:
    service = start_services(answer_in_turn(OK, CannedAnswer(status=503), OK))
    stated_chat = chat(*(f"Paper {n}." for n in range(1, 31)), long=900)
    [first] = deliver(SLACK, stated_chat)
    assert isinstance(first, Deferred)
    assert first.sent_parts == 1

    [second] = deliver(SLACK, replace(stated_chat, sent_parts=first.sent_parts))
    texts = [request.body for request in service.requests]
    assert second == Sent(answer=f"in {len(texts) - 1} messages")
    assert texts[1] == texts[2]
    assert len(set(texts)) == len(texts) - 1


def test_messages_to_one_address_keep_their_distance(
    start_services: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("digest.channels.notify.slack_service.time.sleep", pauses.append)
    start_services(lambda _: OK)
    channel = Channel(urls={SHOWN: SLACK}, slack_interval=100)
    list(channel.deliver([chat("One"), chat("Two")]))

    assert [pause > 90 for pause in pauses] == [False, True]


# --- troubles -------------------------------------------------------------------------------------


@for_each_case(
    ("status", "body", "kind", "blame"),
    [
        (400, "invalid_payload", Refused, Fault.OURS),
        (400, "invalid_blocks", Refused, Fault.OURS),
        (400, "no_text", Refused, Fault.OURS),
        (400, "user_not_found", Refused, Fault.ADDRESS),
        (403, "action_prohibited", Refused, Fault.ADDRESS),
        (403, "invalid_token", Refused, Fault.ADDRESS),
        (403, "<html>a proxy says no</html>", Deferred, Fault.ADDRESS),
        (404, "no_service", Refused, Fault.ADDRESS),
        (404, "channel_not_found", Refused, Fault.ADDRESS),
        (410, "channel_is_archived", Refused, Fault.ADDRESS),
        (429, "rate_limited", Deferred, Fault.DOMAIN),
        (500, "rollup_error", Deferred, Fault.DOMAIN),
        (503, "", Deferred, Fault.DOMAIN),
        (302, "", Deferred, Fault.ADDRESS),
        (200, '{"ok":false,"error":"not_in_channel"}', Refused, Fault.ADDRESS),
        (200, '{"ok":false,"error":"msg_blocks_too_long"}', Refused, Fault.OURS),
        (200, '{"ok":false,"error":"ratelimited"}', Deferred, Fault.DOMAIN),
        (200, '{"ok":false,"error":"an_error_of_tomorrow"}', Deferred, Fault.ADDRESS),
        (200, '{"ok":false,"error":"fatal_error"}', Unknown, None),
        (200, "", Unknown, None),
        (200, "[" * 60_000, Unknown, None),
        (200, "<html>who knows</html>", Unknown, None),
    ],
)
def test_an_error_is_the_address_s_ours_or_soon_over(
    status: int, body: str, kind: type, blame: Fault | None
) -> None:
    receipt = classify_response(status, "", body)

    assert (type(receipt), getattr(receipt, "fault", None)) == (kind, blame)
    assert receipt.answer.startswith(f"HTTP {status}")
    assert len(receipt.answer) <= 300


@pytest.mark.parametrize("url", [SLACK, BOT])
def test_who_is_asked_too_often_says_how_long_to_wait(start_services: Start, url: str) -> None:
    start_services(lambda _: CannedAnswer(status=429, headers=(("Retry-After", "35"),), body=b"rate_limited"))

    assert deliver(url) == [
        Deferred(answer="HTTP 429 rate_limited", fault=Fault.DOMAIN, retry_after=timedelta(seconds=35))
    ]


@pytest.mark.parametrize("url", [SLACK, BOT])
@pytest.mark.parametrize(
    ("say", "kind"),
    [
        (DROP, Unknown),
        (RESET, Unknown),
        (CannedAnswer(status=302, headers=(("Location", "https://elsewhere.example/"),)), Deferred),
        (
            CannedAnswer(status=500, body=b"T1JJ3T3L2 and xoxb-1234-1234-4ddbc191d40ee098cbaae6f3523ada2d"),
            Deferred,
        ),
    ],
)
def test_a_trouble_is_a_receipt_without_a_secret(
    start_services: Start, url: str, say: Behaviour, kind: type
) -> None:
    service = start_services(lambda _: say)
    [receipt] = deliver(url)

    assert type(receipt) is kind
    assert {request.host for request in service.requests} <= {"hooks.slack.com", "slack.com"}
    pieces = [piece for piece in url.partition("://")[2].split("/") if len(piece) > 4]
    assert not [piece for piece in pieces if piece in receipt.answer]


def test_a_service_that_is_not_there_does_not_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    [receipt] = deliver(SLACK)

    assert isinstance(receipt, Deferred)
    assert receipt.fault is Fault.DOMAIN


def test_a_service_that_is_not_slack_gets_nothing(
    start_services: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = start_services(lambda _: OK)
    monkeypatch.delenv("SSL_CERT_FILE")  # nobody vouches for it
    [receipt] = deliver(SLACK)

    assert isinstance(receipt, Deferred)
    assert receipt.fault is Fault.DOMAIN
    assert service.requests == []


@pytest.mark.parametrize("say", [SILENCE, ENDLESS])
def test_who_is_slow_is_left_and_may_have_it(start_services: Start, say: str) -> None:
    start_services(lambda _: say)

    assert deliver(SLACK, timeout=1.0) == [Unknown(answer="there was no answer within 1 seconds")]


def test_no_secret_reaches_a_log(start_services: Start, capfd: pytest.CaptureFixture[str]) -> None:
    start_services(answer_in_turn(CannedAnswer(status=500), DROP, OK))
    heard, root = io.StringIO(), logging.getLogger()
    handler, before = logging.StreamHandler(heard), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        for url in (SLACK, BOT):
            deliver(url, chat("a"), chat("b"), chat("c"))
        root.debug("this is heard")
    finally:
        root.setLevel(before)
        root.removeHandler(handler)

    out, err = capfd.readouterr()
    assert "this is heard" in heard.getvalue()
    shown = f"{heard.getvalue()}{out}{err}{Channel(urls={SHOWN: SLACK})!r}"
    assert [secret for secret in SECRETS if secret in shown] == []


# --- addresses ------------------------------------------------------------------------------------

HOOK = "https://hooks.slack.com/services/T1/B1/abc"
API = "https://slack.com/api/chat.postMessage"


@for_each_case(
    ("url", "expected"),
    [
        ("slack://T1/B1/abc", (HOOK, "", "", "")),
        ("SLACK://T1/B1/abc/", (HOOK, "", "", "")),
        ("slack://robot@T1/B1/abc/#papers", (HOOK, "", "#papers", "robot")),
        ("slack://T1/B1/abc/%23papers?footer=no&image=no", (HOOK, "", "#papers", "")),
        ("slack://xoxb-1-2/papers", (API, "xoxb-1-2", "#papers", "")),
        ("slack://xoxb-1-2/+C012", (API, "xoxb-1-2", "C012", "")),
        ("slack://xoxp-1-2/@me", (API, "xoxp-1-2", "@me", "")),
        ("slack://xoxb-1-2", (API, "xoxb-1-2", "#general", "")),
    ],
)
def test_an_address_says_where_messages_go(url: str, expected: tuple[str, ...]) -> None:
    assert parse_slack_address(url) == expected


@for_each_case(
    "url",
    [
        "ntfy://T1/B1/abc",
        "slack://",
        "slack://T1/B1",
        "slack://T1/B1/a-c",
        "slack://T1/B1/abc?mode=gov-hook",
        "slack://T1/B1/abc?template=/etc/x.json",
        "slack://T1/B1/abc/#one/#two",
        "slack://T1/B1/abc/D1?mode=workflow",
        "slack://xoxb-1-2/#papers:1234.5",
        "slack://xoxb-1-2/me@example.org",
        "slack://xoxb-1-2/#one,#two",
    ],
)
def test_what_only_apprise_understands_is_left_to_it(url: str) -> None:
    assert parse_slack_address(url) is None


@pytest.mark.usefixtures("unthrottled")
def test_several_channels_in_one_address_still_get_their_message(start_services: Start) -> None:
    service = start_services(lambda _: CannedAnswer(body=b'{"ok":true,"channel":"C1"}'))
    [receipt] = deliver("slack://xoxb-1234-1234-abc/#one/#two", *[chat("One")])

    assert receipt == Sent()
    assert [request.json["channel"] for request in service.requests] == ["#one", "#two"]


def test_slack_needs_no_apprise(monkeypatch: pytest.MonkeyPatch, start_services: Start) -> None:
    service = start_services(judge)
    monkeypatch.setitem(sys.modules, "apprise", None)  # as if it were not installed
    assert deliver(SLACK) == [Sent()]
    assert Channel(urls={SHOWN: SLACK}).check().startswith("known-by-this (Slack); ")

    assert len(service.requests) == 1
    with pytest.raises(ConfigError, match="pip install apprise"):
        Channel(urls={SHOWN: SLACK, "other": "ntfy://h/t"})


def test_a_hostile_paper_is_a_paper(start_services: Start) -> None:
    service = start_services(judge)
    hostile: list[Any] = [NASTY, "<!here>", "a|b>c", "*" * 300, "\u202e&lt;", '"\\', ":x:" * 100, "@" * 300]
    assert deliver(SLACK, chat(*hostile)) == [Sent()]

    [message] = [json.loads(request.body) for request in service.requests]
    assert len(list_links(message)) == len(hostile)
