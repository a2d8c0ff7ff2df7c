"""What Slack documents about messages, and how it reads their texts: what it would refuse is an error.

Blocks, their kinds and lengths: https://docs.slack.dev/reference/block-kit/blocks and
https://docs.slack.dev/reference/block-kit/composition-objects/text-object; control sequences in texts:
https://docs.slack.dev/messaging/formatting-message-text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_CONTROL = re.compile(r"<([^<>]*)>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">"}
_EMPHASIS = re.compile(r"(?:(?<=[^\w*])|^)([*_~])(?=\S)((?:(?!\1).)+?)(?<=\S)\1(?:(?=[^\w*])|$)", re.ASCII)
MAX_TOTAL = 13_000
"""Characters of all blocks, markup and all, from which on Slack has refused messages."""


class SlackText(NamedTuple):
    """A text as it is shown: its words, the targets and labels of its links, and what is emphasized in it."""

    words: str
    links: tuple[tuple[str, str], ...]
    emphasized: tuple[str, ...]


def check_message(message: Mapping[str, Any]) -> None:
    """Check a message against all documented limits and types, as Slack does when it gets one."""
    assert set(message) <= {"text", "blocks", "unfurl_links", "unfurl_media", "channel", "username"}
    assert message["unfurl_links"] is message["unfurl_media"] is False
    read_text(message["text"])
    assert 1 <= len(message["text"]) <= 4_000
    assert 1 <= len(message["blocks"]) <= 50
    assert len(json.dumps(message["blocks"], ensure_ascii=False)) <= MAX_TOTAL
    for block in message["blocks"]:
        _check_block(block)


def _check_block(block: Mapping[str, Any]) -> None:
    match block:
        case {"type": "header", "text": text, **rest}:
            _check_text(text, "plain_text", 150)
        case {"type": "section", "text": text, "expand": True, **rest}:
            _check_text(text, "mrkdwn", 3_000)
        case {"type": "context", "elements": [*elements], **rest}:
            assert 1 <= len(elements) <= 10
            for element in elements:
                _check_text(element, "mrkdwn", 3_000)
        case {"type": "divider", **rest}:
            pass
        case _:
            raise AssertionError(block)
    assert rest == {}


def _check_text(text: Mapping[str, Any], kind: str, longest: int) -> None:
    assert text["type"] == kind
    assert set(text) == ({"type", "text"} if kind == "plain_text" else {"type", "text", "verbatim"})
    assert isinstance(text["text"], str)
    assert 1 <= len(text["text"].encode("utf-16-le")) // 2 <= longest
    words = read_text(text["text"]).words
    if kind == "mrkdwn":
        assert "`" not in words
        assert not re.search(r"^&gt;", text["text"], re.MULTILINE)  # a quotation


def read_text(text: str) -> SlackText:
    """Read a text as Slack does; a mention, a command, a stray sign or an emoji is an error."""
    links = tuple(map(_read_link, _CONTROL.findall(text)))
    bare = _CONTROL.sub(lambda match: match[1].partition("|")[2] or match[1], text)
    assert not re.search(r"[<>]|&(?!(?:amp|lt|gt);)", bare), text
    words = _decode(bare)
    assert not re.search(r"@\w", words), text
    for label in (*(label for _, label in links), _decode(_CONTROL.sub(" ", text))):
        assert not re.search(r":[\w+'-]+:", label), text
    without_links = _CONTROL.sub("L", text)
    emphasized = tuple(match[2] for line in without_links.split("\n") for match in _EMPHASIS.finditer(line))
    return SlackText(words, links, emphasized)


def _read_link(control: str) -> tuple[str, str]:
    url, _, label = control.partition("|")
    assert re.match(r"https?://[^\s|]+$", url), control  # neither <!channel> nor <@U1> nor <#C1>
    assert "|" not in label
    return _decode(url), _decode(label)


def _decode(text: str) -> str:
    return _ENTITY.sub(lambda match: _CHARACTERS[match[1]], text)


def list_texts(message: Mapping[str, Any]) -> Iterator[str]:
    """List the texts of a message's blocks, from top to bottom."""
    for block in message["blocks"]:
        texts = block.get("elements") or [block["text"]] if block["type"] != "divider" else []
        yield from (text["text"] for text in texts)


def list_links(message: Mapping[str, Any]) -> list[str]:
    """List the targets of all links of a message, from top to bottom."""
    return [url for text in list_texts(message) for url, _ in read_text(text).links]
