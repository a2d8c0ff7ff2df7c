"""Chats and push, by Apprise, against services that speak their protocols: what arrives, and what each trouble is taken for."""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest import plugins
from digest.channels.notify import Channel
from digest.channels.notify.apprise_service import classify_failure
from digest.errors import ChannelError
from digest.model import Chat, Deferred, Fault, FileSet, Receipt, Refused, Sent, Span, Unknown
from digest.redaction import redact_answer
from tests.channels.http_service import (
    DROP,
    RESET,
    SILENCE,
    Behaviour,
    CannedAnswer,
    HttpService,
    RecordedRequest,
    answer_in_turn,
)
from tests.support.timeouts import PATIENCE

pytestmark = pytest.mark.usefixtures("unthrottled")

SHOWN = "known-by-this"
SLACK = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
DISCORD = "discord://123456789012345678/abcdefghijklmnopqrstuvwxyz"
TELEGRAM = "tgram://123456789:abcdefg_hijklmnop/12315544"
YES: dict[str, CannedAnswer] = {
    SLACK: CannedAnswer(body=b"ok"),
    DISCORD: CannedAnswer(status=204),
    TELEGRAM: CannedAnswer(body=b'{"ok":true,"result":{"message_id":1}}'),
}
NASTY = "On <b>@everyone</b> & <!channel> *stars* [x](https://evil.example) a_b_c `code`"


def paper(number: int, title: str, *, long: int = 0) -> tuple[Any, Any]:
    span = Span(title, f"https://arxiv.org/abs/{number}?a=b&c=(d)", strong=True)
    line = ((Span(f"{number}. "), span),)
    return (*line, (Span("A. Author, "), Span("B. Followed", strong=True)), (Span("w" * long),)), line


def chat(*titles: str, long: int = 0, left_out: int = 0, **facts: Any) -> Chat:
    papers = tuple(paper(number, title, long=long) for number, title in enumerate(titles, start=1))
    return Chat(
        delivery=1,
        address=SHOWN,
        title="12 Jun llm: 2 new, A & B",
        opening=((Span("2 new: complete"),),),
        papers=papers,
        omission_notices=tuple(
            f"{left_out + left} more matching papers." if left_out + left else ""
            for left in range(len(titles) + 1)
        ),
        page_label="The whole edition",
        **facts,
    )


def deliver(url: str, *chats: Chat, timeout: float = PATIENCE) -> list[Receipt]:
    channel = Channel(urls={SHOWN: url}, timeout=timeout, slack_interval=0)
    return [receipt for _, receipt in channel.deliver(chats or [chat(NASTY)])]


# --- what arrives ---------------------------------------------------------------------------------


def test_discord_gets_markdown_in_which_a_title_is_a_title(
    start_services: Callable[..., HttpService],
) -> None:
    service = start_services(lambda _: YES[DISCORD])
    assert deliver(DISCORD, chat("One & two", NASTY)) == [Sent()]

    text = service.requests[0].json["content"]
    assert text.startswith("**12 Jun llm: 2 new, A \\& B**")
    assert "**[One \\& two](https://arxiv.org/abs/1?a=b&c=%28d%29)**" in text
    assert "\\*stars\\*" in text
    assert "@everyone" not in text


def test_telegram_gets_html_that_it_can_read(start_services: Callable[..., HttpService]) -> None:
    service = start_services(lambda _: YES[TELEGRAM])
    assert deliver(TELEGRAM, chat("One & two", NASTY)) == [Sent()]

    document = service.requests[0].json
    assert document["parse_mode"] == "HTML"
    assert '<b><a href="https://arxiv.org/abs/1?a=b&amp;c=(d)">One &amp; two</a></b>' in document["text"]
    assert "&lt;b&gt;" in document["text"]
    assert document["text"].count("<b>") == document["text"].count("</b>")


def test_ntfy_gets_a_text_with_a_title() -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b'{"id":"1"}')) as service:
        assert deliver(f"ntfy://127.0.0.1:{service.port}/topic", chat("One & two")) == [Sent()]
    document = service.requests[0].json

    assert (document["topic"], document["title"]) == ("topic", "12 Jun llm: 2 new, A & B")
    assert "1. One & two\nhttps://arxiv.org/abs/1?a=b&c=(d)\nA. Author, B. Followed" in document["message"]


def test_gotify_and_mattermost_get_what_they_can_show() -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b'{"id":"1"}')) as service:
        assert deliver(f"gotify://127.0.0.1:{service.port}/tokentoken", chat("One")) == [Sent()]
        hook = "3ccdd113474722377935511fc85d3dd4"
        assert deliver(f"mmost://127.0.0.1:{service.port}/{hook}", chat("Two *")) == [Sent()]
    first, second = service.requests

    assert (first.json["title"], "1. One\nhttps://" in first.json["message"]) == (
        "12 Jun llm: 2 new, A & B",
        True,
    )
    assert "**[Two \\*](https://arxiv.org/abs/1?a=b&c=%28d%29)**" in second.json["text"]


def matrix(request: RecordedRequest) -> CannedAnswer:
    if request.path.endswith("/login"):
        return CannedAnswer(
            body=json.dumps(
                {"access_token": "t", "home_server": "h", "user_id": "@u:h", "device_id": "D"}
            ).encode()
        )
    if "/directory/room/" in request.path or "/join" in request.path:
        return CannedAnswer(body=b'{"room_id": "!abc:h"}')
    if "joined_rooms" in request.path:
        return CannedAnswer(body=b'{"joined_rooms": []}')
    return CannedAnswer(body=b'{"event_id": "$1"}' if "/send/" in request.path else b"{}")


def test_matrix_gets_html_in_its_room() -> None:
    with HttpService(answer=matrix) as service:
        url = f"matrix://user:pass@127.0.0.1:{service.port}/#room?discovery=no"
        assert deliver(url, chat("One & two")) == [Sent()]
    [sent] = [request for request in service.requests if "/send/m.room.message" in request.path]

    assert "One &amp; two</a>" in sent.json["formatted_body"]


# --- one message or several -----------------------------------------------------------------------


def test_what_is_too_long_is_said_in_several_messages_that_end_between_papers(
    start_services: Callable[..., HttpService],
) -> None:
    service = start_services(lambda _: YES[DISCORD])
    [receipt] = deliver(DISCORD, chat(*(f"Paper {n}." for n in range(1, 13)), long=300))

    texts = [request.json["content"] for request in service.requests]
    assert receipt == Sent(answer=f"in {len(texts)} messages")
    assert 1 < len(texts) <= 5
    assert max(len(text) for text in texts) <= 2000
    assert [text.startswith("**1") or text[0].isdigit() for text in texts] == [True] * len(texts)
    assert "".join(texts).count("arxiv.org/abs/") == 12


def test_where_that_would_be_too_many_each_is_a_line_and_then_a_number(
    start_services: Callable[..., HttpService],
) -> None:
    service = start_services(lambda _: YES[DISCORD])
    titles = [f"Paper {n} {'of some length ' * 8}" for n in range(1, 101)]
    deliver(DISCORD, chat(*titles, long=1500, page="https://d.example/e/1", left_out=7))

    texts = [request.json["content"] for request in service.requests]
    count = "".join(texts).count("arxiv.org/abs/")
    assert len(texts) == 5
    assert f"{107 - count} more matching papers. [The whole edition](https://d.example/e/1)" in texts[-1]
    assert 0 < count < 100


def test_a_repeat_goes_on_where_the_last_attempt_ended(start_services: Callable[..., HttpService]) -> None:
    service = start_services(answer_in_turn(YES[DISCORD], CannedAnswer(status=503), YES[DISCORD]))
    stated_chat = chat(*(f"Paper {n}." for n in range(1, 13)), long=300)
    [first] = deliver(DISCORD, stated_chat)
    assert isinstance(first, Deferred)
    assert first.sent_parts == 1

    [second] = deliver(DISCORD, replace(stated_chat, sent_parts=first.sent_parts))
    texts = [request.json["content"] for request in service.requests]
    assert isinstance(second, Sent)
    assert texts[1] == texts[2]
    assert len(set(texts)) == len(texts) - 1


def test_a_lost_answer_to_the_second_message_tells_that_the_first_one_is_there() -> None:
    with HttpService(answer=answer_in_turn(CannedAnswer(body=b"{}"), DROP)) as service:
        url = f"mmost://127.0.0.1:{service.port}/3ccdd113474722377935511fc85d3dd4"
        [receipt] = deliver(url, chat(*(f"Paper {n}." for n in range(1, 13)), long=500))

    assert isinstance(receipt, Unknown)
    assert receipt.sent_parts == 1


# --- troubles -------------------------------------------------------------------------------------

RATE = CannedAnswer(
    status=429,
    body=b'{"ok":false,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}',
)


@pytest.mark.parametrize("url", [SLACK, DISCORD, TELEGRAM])
@pytest.mark.parametrize(
    ("say", "kind", "blame"),
    [
        (CannedAnswer(status=400, body=b'{"ok":false,"description":"Bad"}'), Refused, Fault.OURS),
        (CannedAnswer(status=404, body=b'{"ok":false,"description":"no hook"}'), Refused, Fault.ADDRESS),
        (CannedAnswer(status=403, body=b'{"ok":false,"description":"not you"}'), Deferred, Fault.ADDRESS),
        (CannedAnswer(status=500, body=b"{}"), Deferred, Fault.DOMAIN),
        (RATE, Deferred, Fault.DOMAIN),
        (
            CannedAnswer(status=302, headers=(("Location", "https://elsewhere.example/"),)),
            Deferred,
            Fault.ADDRESS,
        ),
        (DROP, Unknown, None),
        (RESET, Unknown, None),
    ],
)
def test_a_trouble_is_a_receipt_without_a_secret(
    start_services: Callable[..., HttpService], url: str, say: Behaviour, kind: type, blame: Fault | None
) -> None:
    service = start_services(lambda _: say)
    [receipt] = deliver(url)

    assert (type(receipt), getattr(receipt, "fault", None)) == (kind, blame)
    assert {request.host for request in service.requests} <= {
        "hooks.slack.com",
        "discord.com",
        "api.telegram.org",
    }
    assert not [piece for piece in url.partition("://")[2].split("/") if piece in receipt.answer]


def test_who_is_asked_too_often_may_say_how_long_to_wait(start_services: Callable[..., HttpService]) -> None:
    start_services(lambda _: RATE)
    [receipt] = deliver(TELEGRAM)

    assert isinstance(receipt, Deferred)
    assert receipt.retry_after is not None
    assert receipt.retry_after.total_seconds() == 35


def test_who_is_slow_is_left_and_may_have_it() -> None:
    with HttpService(answer=lambda _: SILENCE) as service:
        url = f"ntfy://127.0.0.1:{service.port}/topic?rto=0.2"
        [receipt] = deliver(url)

    assert isinstance(receipt, Unknown)


def test_who_answers_a_byte_now_and_then_is_left_when_the_time_is_over() -> None:
    with HttpService(answer=lambda _: "endless") as service:
        [receipt] = deliver(f"ntfy://127.0.0.1:{service.port}/topic", timeout=0.3)

    assert receipt == Unknown(answer="there was no answer within 0.3 seconds")


def test_a_service_that_is_not_there_does_not_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    [cloud], [own] = deliver(DISCORD), deliver("ntfy://127.0.0.1:9/topic")

    assert isinstance(cloud, Deferred)
    assert isinstance(own, Deferred)
    assert (cloud.fault, own.fault) == (Fault.DOMAIN, Fault.DOMAIN)


def test_an_address_that_cannot_be_read_is_refused_and_found_by_a_check() -> None:
    [receipt] = deliver("slack://no-such-token")

    assert isinstance(receipt, Refused)
    assert "no-such-token" not in receipt.answer
    with pytest.raises(ChannelError, match="Apprise does not understand the address known-by-this"):
        Channel(urls={SHOWN: "slack://no-such-token"}).check()


def test_a_check_says_nothing_to_anybody() -> None:
    with HttpService() as service:
        url = f"ntfy://127.0.0.1:{service.port}/topic"
        assert "known-by-this (ntfy)" in Channel(urls={SHOWN: url}).check()
    assert service.requests == []


def test_no_secret_reaches_a_log(
    start_services: Callable[..., HttpService], capfd: pytest.CaptureFixture[str]
) -> None:
    start_services(answer_in_turn(CannedAnswer(status=500), DROP, YES[SLACK]))
    heard, root = io.StringIO(), logging.getLogger()
    handler, before = logging.StreamHandler(heard), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        deliver(SLACK, chat("a"), chat("b"), chat("c"))
        root.debug("this is heard")
    finally:
        root.setLevel(before)
        root.removeHandler(handler)

    out, err = capfd.readouterr()
    assert "this is heard" in heard.getvalue()
    assert "TIiajkdnlazkcOXrIdevi7FQ" not in f"{heard.getvalue()}{out}{err}{Channel(urls={SHOWN: SLACK})!r}"


def test_what_has_only_a_title_is_said() -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b"{}")) as service:
        bare = Chat(delivery=1, address=SHOWN, title="Lab: a trouble")
        assert deliver(f"ntfy://127.0.0.1:{service.port}/topic", bare) == [Sent()]

    assert (service.requests[0].json["title"], service.requests[0].json["message"]) == ("Lab: a trouble",) * 2


def test_lines_that_begin_at_the_same_time_say_what_they_have_to() -> None:
    receipts: list[Receipt] = []
    together = threading.Barrier(4)

    def line(url: str) -> None:
        together.wait()
        receipts.extend(deliver(url, chat("One"), chat("Two")))

    with HttpService(answer=lambda _: CannedAnswer(body=b"{}")) as service:
        threads = [
            threading.Thread(target=line, args=[f"gotify://127.0.0.1:{service.port}/token{n}token"])
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert receipts == [Sent()] * 8
    assert len(service.requests) == 8


def test_an_address_that_left_the_file_is_waited_for() -> None:
    channel = Channel(urls={})
    [(_, receipt)] = channel.deliver([chat("a")])

    assert isinstance(receipt, Deferred)


def test_what_is_said_of_an_address_is_said_without_it() -> None:
    url = "ntfys://user:p%40ss-word@host.example/my-topic?auth=basic"

    assert redact_answer("p@ss-word and p%40ss-word at my-topic failed", url) == "… and … at … failed"


def test_where_apprise_says_nothing_it_is_tried_again() -> None:
    assert classify_failure([]) == Deferred(answer="Apprise gives no reason")


def test_only_chats_can_be_said_and_the_channel_is_made_of_options() -> None:
    channel = plugins.build(plugins.load("channels", "notify"), {"urls": {SHOWN: SLACK}})

    with pytest.raises(TypeError, match="accepts chats"):
        list(channel.deliver([FileSet(delivery=1, folder="/", files=())]))
