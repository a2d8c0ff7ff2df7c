"""Editions of every length in the services people use: each message is one that the service takes, and reads well."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from digest.channels.notify import Channel
from digest.model import Confidence, Edition, Sent
from digest.render.delivery.chat import make_chat
from tests.channels.http_service import CannedAnswer, HttpService, RecordedRequest
from tests.channels.test_notify import DISCORD, SHOWN, SLACK, TELEGRAM, matrix
from tests.render.samples import SITE, make_edition, make_item, make_reason
from tests.support.slack_rules import check_message, list_texts
from tests.support.timeouts import PATIENCE

pytestmark = pytest.mark.usefixtures("unthrottled")
PAGE = "https://digest.example.org/editions/token"
TEAMS = "workflows://prod.logic.azure.com:443/workflow-id/signature-of-it"
COUNTS = (3, 20, 60, 200)


class ServiceCase(NamedTuple):
    """A service and what it takes.

    Attributes:
        url: its address; PORT is that of a service of ours.
        path: the end of the path of requests that carry messages.
        measure: the size of a message in the unit of its limit; fails if it is of a wrong kind.
        limit: what the service takes at most.
        read: the text that people see.
    """

    url: str
    path: str
    measure: Callable[[RecordedRequest], int]
    limit: int
    read: Callable[[RecordedRequest], str]


def measure_slack(request: RecordedRequest) -> int:
    check_message(request.json)
    return len(request.body)


def measure_utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def strip_tags(text: str) -> str:
    assert set(re.findall(r"</?(\w+)", text)) <= {"a", "b", "br"}
    assert text.count("<b>") == text.count("</b>")
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def read_card(request: RecordedRequest) -> str:
    texts: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("text"), str):
                texts.append(value["text"])
            value = list(value.values())
        for child in value if isinstance(value, list) else ():
            walk(child)

    walk(request.json)
    return "\n".join(texts)


SERVICES = {
    # https://docs.slack.dev/reference/block-kit/blocks
    "slack": ServiceCase(
        SLACK, "FQ", measure_slack, 13_000, lambda request: "\n".join(list_texts(request.json))
    ),
    # https://docs.discord.com/developers/resources/webhook: content
    "discord": ServiceCase(
        DISCORD, "yz", lambda request: len(request.json["content"]), 2_000, lambda r: str(r.json["content"])
    ),
    # https://core.telegram.org/bots/api: sendMessage, text after the entities are parsed
    "telegram": ServiceCase(
        TELEGRAM,
        "/sendMessage",
        lambda request: measure_utf16(request.json["text"]),
        4_096,
        lambda request: strip_tags(request.json["text"]),
    ),
    # https://docs.ntfy.sh/publish: limitations
    "ntfy": ServiceCase(
        "ntfy://127.0.0.1:PORT/topic",
        "/",
        lambda request: len(request.json["message"].encode()),
        4_096,
        lambda request: f"{request.json['title']}\n{request.json['message']}",
    ),
    # https://spec.matrix.org/v1.15/client-server-api/#size-limits
    "matrix": ServiceCase(
        "matrix://user:pass@127.0.0.1:PORT/#room?discovery=no",
        "",
        lambda request: len(request.body),
        65_536,
        lambda request: strip_tags(request.json["formatted_body"]),
    ),
    # https://docs.mattermost.com: posts of up to 16,383 characters, 4,000 in old databases
    "mattermost": ServiceCase(
        "mmost://127.0.0.1:PORT/3ccdd113474722377935511fc85d3dd4",
        "d4",
        lambda request: len(request.json["text"]),
        4_000,
        lambda request: str(request.json["text"]),
    ),
    # https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: 28 KB
    "teams": ServiceCase(TEAMS, "", lambda request: len(request.body), 28_000, read_card),
    "gotify": ServiceCase(
        "gotify://127.0.0.1:PORT/tokentoken",
        "",
        lambda request: len(request.body),
        40_000,
        lambda request: f"{request.json['title']}\n{request.json['message']}",
    ),
}


def answer(request: RecordedRequest) -> CannedAnswer:
    if request.host == "hooks.slack.com":
        return CannedAnswer(body=b"ok")
    if request.host == "discord.com":
        return CannedAnswer(status=204)
    if request.host == "api.telegram.org":
        return CannedAnswer(body=b'{"ok":true,"result":{"message_id":1}}')
    return matrix(request) if "_matrix" in request.path else CannedAnswer(body=b'{"id":"1"}')


def make_long_edition(count: int) -> Edition:
    title = "How Large Language Models Serve Long Contexts on Small Machines & What It Takes"
    why = [
        make_reason('title:"KV cache" or inference', title=["Serve"]),
        make_reason('author:"Yipin Guo"', Confidence.SURELY, author=["Yipin Guo"]),
    ]
    abstract = (
        "We study where the time of serving goes. We propose a lossless compressor of the KV cache. " * 4
    )
    items = (
        make_item(n, reasons=why, title=f"{title} ({n})", abstract=abstract) for n in range(1, count + 1)
    )
    return make_edition(*items)


def deliver(
    case: ServiceCase, start_services: Callable[..., HttpService], count: int
) -> list[RecordedRequest]:
    """Deliver an edition; the requests that carry its messages."""
    chat = make_chat(make_long_edition(count), SITE, delivery=1, address=SHOWN, page=PAGE)
    service = start_services(answer)
    with HttpService(answer=answer) as own_service:
        url = case.url.replace("PORT", str(own_service.port))
        channel = Channel(urls={SHOWN: url}, timeout=PATIENCE, slack_interval=0)
        [(_, receipt)] = channel.deliver([chat])
        requests = [*service.requests, *own_service.requests]
    assert isinstance(receipt, Sent), receipt
    messages = [request for request in requests if request.path.endswith(case.path)]
    return [request for request in messages if "_matrix" not in request.path or "/send/" in request.path]


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("count", COUNTS)
def test_each_message_is_one_that_the_service_takes(
    start_services: Callable[..., HttpService], name: str, count: int
) -> None:
    case = SERVICES[name]
    messages = deliver(case, start_services, count)
    sizes = [case.measure(request) for request in messages]
    texts = [case.read(request) for request in messages]

    assert max(sizes) <= case.limit
    assert 1 <= len(messages) <= 5
    shown = [int(number) for text in texts for number in re.findall(r"Takes \\?\(?(\d+)\\?\)", text)]
    more = re.search(r"([\d,]+) more matching papers?", texts[-1])
    assert shown == list(range(1, len(shown) + 1))
    assert len(shown) + (int(more[1]) if more else 0) == count
    assert "The whole edition" in texts[-1]
    assert "12 Jun" in texts[0]
    assert "Yipin Guo" in texts[0]
