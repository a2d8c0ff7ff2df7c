"""Rendering of a chat into messages of Slack: blocks of text in its markup, within its limits.

Blocks: https://docs.slack.dev/reference/block-kit/blocks; markup:
https://docs.slack.dev/messaging/formatting-message-text. Three characters have escapes; for the others that
can be markup, similar ones are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from digest.core.delivery.chat import fit_messages
from digest.model import Block, Chat, Span

SlackBlock = Mapping[str, Any]
SlackMessage = Mapping[str, Any]
"""A message as ``chat.postMessage`` and incoming webhooks accept it, without its channel."""

MAX_BLOCKS = 50
"""Maximum number of blocks in a message."""
MAX_HEADER_LENGTH = 150
"""Maximum length of the text of a header, in UTF-16 units, of which no count of characters is longer."""
MAX_TEXT_LENGTH = 3_000
"""Maximum length of the text of a section, in UTF-16 units."""
MAX_MESSAGE_BYTES = 10_000
"""Maximum size of the blocks of a message as JSON, in bytes.

Slack names no maximum, but answers ``msg_blocks_too_long`` from about 13,000 characters on
(https://github.com/slackapi/bolt-js/issues/2509).
"""
_MAX_EXCERPT_LENGTH = 200
"""Maximum length of what is shown of a text that is too long for a section, in characters."""

_DIVIDER: SlackBlock = {"type": "divider"}
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_EMPHASIS = str.maketrans({"*": "∗", "_": "ˍ", "~": "∼"})
_EMPHASIS_START = re.compile(r"(?<![A-Za-z0-9])[*_~](?=\S|$)")
"""A character that begins emphasis, which may end in the next span; those within or after a word do not."""
_EMPHASIS_EDGE = re.compile(r"(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])")
"""A character that begins or ends emphasis; those within a word do neither."""
_EMOJI_START = re.compile(r":(?=[\w+'-]*(?::|$))")
"""The beginning of the name of an emoji, such as ``:100:`` in a ratio; the next span may have its end."""
_BLANKS = re.compile(r"\s+")
_ZERO_WIDTH_SPACE = "\u200b"


def make_slack_messages(chat: Chat) -> tuple[SlackMessage, ...]:
    """Render a chat into messages; the result is deterministic.

    The title is the header, and of an edition the first line is small print below it. A paper in full is a
    section of its own; lines share sections. Pages of links are not previewed.
    """

    def pack(opening: Block, papers: Sequence[Block], ending: Block) -> tuple[tuple[SlackBlock, ...], ...]:
        return _pack_blocks(chat.title, opening, papers, ending)

    messages = fit_messages(chat, pack, _fits)
    return tuple(
        {
            "text": _shorten_title(chat.title, f" ({number}/{len(messages)})" if len(messages) > 1 else ""),
            "blocks": blocks,
            "unfurl_links": False,
            "unfurl_media": False,
        }
        for number, blocks in enumerate(messages, start=1)
    )


# --- blocks ---------------------------------------------------------------------------------------


def _pack_blocks(
    title: str, opening: Block, papers: Sequence[Block], ending: Block
) -> tuple[tuple[SlackBlock, ...], ...]:
    builder = _MessageBuilder()
    builder.add(_make_header(title))
    summary, others = (opening[:1], opening[1:]) if papers else ((), opening)
    for line in summary:
        builder.add(_make_context(_render_short((line,))))
    for line in others:
        builder.add_line(_render_short((line,)))
    if papers:
        builder.add(_DIVIDER)
    for paper in papers:
        _add_paper(builder, paper)
    if ending:
        builder.add(_make_section(_render_short(ending)))
    return builder.build()


def _add_paper(builder: _MessageBuilder, paper: Block) -> None:
    """Add a paper in full as a section, or as a line of one; a heading begins a section."""
    has_heading = _has_heading(paper)
    if len(paper) - has_heading > 1:
        builder.add(_make_section(_render_short(paper)))
        return
    if has_heading:
        builder.end_section()
    builder.add_line(_render_short(paper))


def _has_heading(paper: Block) -> bool:
    first_line = paper[0]
    return len(paper) > 1 and len(first_line) == 1 and first_line[0].strong and not first_line[0].url


class _MessageBuilder:
    """Collects blocks into messages, each as long as the limits allow."""

    def __init__(self) -> None:
        self._messages: list[list[SlackBlock]] = [[]]
        self._lines = ""
        """The text of the last block, if it can have more lines."""

    def add(self, block: SlackBlock) -> None:
        """Add a block, in a new message if the last one has no room for it."""
        self.end_section()
        self._append(block)

    def add_line(self, text: str) -> None:
        """Add a line to the last section, if that consists of lines and has room, or in a new section."""
        blocks = self._messages[-1]
        lines = f"{self._lines}\n{text}"
        if self._lines and _count_units(lines) <= MAX_TEXT_LENGTH:
            section = _make_section(lines)
            if _measure_blocks([*blocks[:-1], section]) <= MAX_MESSAGE_BYTES:
                blocks[-1] = section
                self._lines = lines
                return
        self._append(_make_section(text))
        self._lines = text

    def end_section(self) -> None:
        """Begin a new section with the next line."""
        self._lines = ""

    def build(self) -> tuple[tuple[SlackBlock, ...], ...]:
        """Return the blocks of each message."""
        return tuple(map(tuple, self._messages))

    def _append(self, block: SlackBlock) -> None:
        blocks = self._messages[-1]
        if len(blocks) == MAX_BLOCKS or _measure_blocks([*blocks, block]) > MAX_MESSAGE_BYTES:
            if blocks[-1] is _DIVIDER:
                blocks.pop()
            self._messages.append([block])
        else:
            blocks.append(block)


def _make_header(title: str) -> SlackBlock:
    return {"type": "header", "text": {"type": "plain_text", "text": _shorten_title(title)}}


def _make_context(text: str) -> SlackBlock:
    return {"type": "context", "elements": [_make_text(text)]}


def _make_section(text: str) -> SlackBlock:
    # Slack hides most of a long section behind a link unless it is expanded.
    return {"type": "section", "text": _make_text(text), "expand": True}


def _make_text(text: str) -> Mapping[str, object]:
    # Texts that are not verbatim are searched for addresses, channels and names.
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _measure_blocks(blocks: Sequence[SlackBlock]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False).encode(errors="replace"))


# --- markup ---------------------------------------------------------------------------------------


def _fits(paper: Block) -> bool:
    return _count_units(_render(paper)) <= MAX_TEXT_LENGTH


def _render(block: Block) -> str:
    return "\n".join(map(_render_line, block))


def _render_short(block: Block) -> str:
    """Render a block such that it fits into a section: truncate it, and drop its link if it is still too long."""
    text = _render(block)
    if _count_units(text) <= MAX_TEXT_LENGTH:
        return text or _ZERO_WIDTH_SPACE
    plain = " ".join("".join(span.text for span in line) for line in block)
    excerpt = f"{plain[:_MAX_EXCERPT_LENGTH].rstrip()} …"
    url = next((span.url for line in block for span in line if span.url), "")
    shortened = _render_line((Span(excerpt, url),))
    return shortened if _count_units(shortened) <= MAX_TEXT_LENGTH else _render_line((Span(excerpt),))


def _render_line(line: Sequence[Span]) -> str:
    pieces = [
        _render_span(span, "".join(_get_texts(line[:index]))[-1:], "".join(_get_texts(line[index + 1 :]))[:1])
        for index, span in enumerate(line)
    ]
    text = "".join(pieces)
    return f"{_ZERO_WIDTH_SPACE}{text}" if text.startswith("&gt;") else text  # or it would be a quotation


def _get_texts(line: Sequence[Span]) -> Iterator[str]:
    return (span.text for span in line)


def _render_span(span: Span, left: str, right: str) -> str:
    """Render a span.

    Args:
        span: the span.
        left: the character before it, or "".
        right: the character after it, or "".
    """
    text = _escape(span.text, is_marked=span.strong or bool(span.url))
    if span.url:
        text = f"<{_quote_url(span.url)}|{text}>" if text.strip() else f"<{_quote_url(span.url)}>"
    core = text.strip()
    if not span.strong or not core:
        return text
    return text.replace(core, f"{_make_boundary(left)}*{core}*{_make_boundary(right)}", 1)


def _make_boundary(neighbour: str) -> str:
    """Return what separates emphasis from a character: Slack expects a blank or a sign, and knows only those of ASCII."""
    is_boundary = not neighbour or neighbour.isspace() or (neighbour.isascii() and not neighbour.isalnum())
    return "" if is_boundary else _ZERO_WIDTH_SPACE


def _escape(text: str, *, is_marked: bool) -> str:
    """Return a text as one line without markup, mentions and emoji.

    Args:
        text: the text.
        is_marked: whether it is a link or emphasized, so that no part of it may end that.
    """
    line = _BLANKS.sub(" ", text).replace("`", "ˋ")
    pattern = _EMPHASIS_EDGE if is_marked else _EMPHASIS_START
    line = pattern.sub(lambda match: match[0].translate(_EMPHASIS), line)
    return _escape_signs(line.replace("|", "¦") if is_marked else line)


def _escape_signs(line: str) -> str:
    line = _EMOJI_START.sub(f":{_ZERO_WIDTH_SPACE}", line.replace("@", f"@{_ZERO_WIDTH_SPACE}"))
    return line.translate(_ESCAPES)


def _shorten_title(title: str, counter: str = "") -> str:
    """Return a title as plain text that fits into a header, with a counter at its end."""
    line = _BLANKS.sub(" ", title).strip() or "…"
    text = f"{_escape_signs(line)}{counter}"
    length = len(line)
    while _count_units(text) > MAX_HEADER_LENGTH:
        length -= 1
        text = f"{_escape_signs(line[:length].rstrip())} …{counter}"
    return text


def _quote_url(url: str) -> str:
    """Percent-encode the characters of an address that would end it, and escape it."""
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~-._", errors="replace").translate(_ESCAPES)


def _count_units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le", "replace")) // 2
