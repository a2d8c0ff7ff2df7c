"""Rendering of a chat into messages that its service accepts: markup, length, and division.

Messages are divided between papers only. If there are too many messages, each paper is reduced to a line. If
there are still too many, papers are omitted, and the last line says how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from html import escape
from typing import TypeVar
from urllib.parse import quote

from digest.model import Block, Chat, Span

Rendered = TypeVar("Rendered")
"""A rendered message."""
MAX_MESSAGES = 5
"""Maximum number of messages for an edition."""
_MARKDOWN_SPECIAL = re.compile(r"[\\`*_\[\]<>&~$#|]")
_LIST_MARKER = re.compile(r"(\d*)([-+=.)])(?=\s|$)")
_BLANKS = re.compile(r"\s+")


class Markup(StrEnum):
    """The markup that a service accepts."""

    TEXT = "text"
    MARKDOWN = "markdown"
    """CommonMark (https://spec.commonmark.org/0.31.2/)."""
    HTML = "html"
    MRKDWN = "mrkdwn"
    """Markdown that is converted to Slack's own (https://docs.slack.dev/messaging/formatting-message-text).

    That has no escapes for its special characters, so similar characters replace them.
    """


# --- markup ---------------------------------------------------------------------------------------


def render_block(block: Block, markup: Markup) -> str:
    """Render lines in a markup; special characters in their texts are escaped.

    Args:
        block: the lines.
        markup: the markup.
    """
    separator = _LINE_BREAKS[markup]
    return separator.join(_LINE_RENDERERS[markup](line) for line in block)


def _join_lines(text: str) -> str:
    return _BLANKS.sub(" ", text).strip("\n")


def _render_text(line: Sequence[Span]) -> str:
    """Render a line as plain text, followed by its addresses, which clients convert to links."""
    text = "".join(_join_lines(span.text) for span in line)
    links = [span.url for span in line if span.url and span.url != span.text]
    return "\n".join((text, *links))


def _render_markdown(line: Sequence[Span]) -> str:
    text = _join_spans(map(_render_markdown_span, line))
    start = _LIST_MARKER.match(text)
    return f"{start[1]}\\{start[2]}{text[start.end() :]}" if start else text


def _render_markdown_span(span: Span) -> str:
    text = _MARKDOWN_SPECIAL.sub(r"\\\g<0>", _escape_mentions(span.text))
    if span.url:
        text = f"[{text}]({_quote_url(span.url)})"
    return f"**{text}**" if span.strong and text.strip() else text


def _render_html(line: Sequence[Span]) -> str:
    return "".join(_render_html_span(span) for span in line)


def _render_html_span(span: Span) -> str:
    text = escape(_escape_mentions(span.text))
    if span.url:
        text = f'<a href="{escape(span.url)}">{text}</a>'
    return f"<b>{text}</b>" if span.strong else text


def _render_mrkdwn(line: Sequence[Span]) -> str:
    return _join_spans(map(_render_mrkdwn_span, line))


def _join_spans(texts: Iterable[str]) -> str:
    """Join spans in Markdown; an exclamation mark before a link is separated, because together they are an image."""
    return re.sub(r"!(?=\[)", "!\u200b", "".join(texts))


def _render_mrkdwn_span(span: Span) -> str:
    text = re.sub(r"[\\\[\]<>]", r"\\\g<0>", _escape_mentions(span.text).translate(_LOOKALIKES))
    if span.url:
        text = f"[{text}]({_quote_url(span.url)})"
    return f"**{text}**" if span.strong and text.strip() else text


_LOOKALIKES = str.maketrans({"*": "∗", "_": "ˍ", "~": "∼", "`": "ˋ", "|": "¦"})


def _escape_mentions(text: str) -> str:
    """Return a text in one line without mentions: an @ before a name or ``everyone`` would notify people."""
    return _join_lines(text).replace("@", "@\u200b")


def _quote_url(url: str) -> str:
    """Percent-encode the characters of an address that would end it in brackets or before a bar."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._", errors="replace")


_LINE_RENDERERS: dict[Markup, Callable[[Sequence[Span]], str]] = {
    Markup.TEXT: _render_text,
    Markup.MARKDOWN: _render_markdown,
    Markup.HTML: _render_html,
    Markup.MRKDWN: _render_mrkdwn,
}

# --- messages -------------------------------------------------------------------------------------


def make_messages(
    chat: Chat, markup: Markup, max_bytes: int, *, max_messages: int = MAX_MESSAGES
) -> tuple[str, ...]:
    """Render a chat into messages; the result is deterministic.

    Args:
        chat: the content; one that is only a title gives one empty message.
        markup: the markup.
        max_bytes: maximum length of a message without its title, in bytes of UTF-8; at least 500.
        max_messages: maximum number of messages.
    """

    def pack(opening: Block, papers: Sequence[Block], ending: Block) -> tuple[str, ...]:
        pieces = [
            *_split_block(opening, markup, max_bytes),
            *(_shorten_line(paper, markup, max_bytes) for paper in papers),
            *_split_block(ending, markup, max_bytes),
        ]
        return tuple(_join_pieces(pieces, _PARAGRAPH_BREAKS[markup], max_bytes)) or ("",)

    def fits(block: Block) -> bool:
        return _count_bytes(render_block(block, markup)) <= max_bytes

    return fit_messages(chat, pack, fits, max_messages)


def fit_messages(
    chat: Chat,
    pack: Callable[[Block, Sequence[Block], Block], tuple[Rendered, ...]],
    fits: Callable[[Block], bool],
    max_messages: int = MAX_MESSAGES,
) -> tuple[Rendered, ...]:
    """Render a chat into few enough messages.

    Args:
        chat: the content.
        pack: renders the opening, the papers and the ending into messages, each as long as possible.
        fits: whether a paper in full is short enough for a message.
        max_messages: maximum number of messages.
    """
    full_blocks = [full for full, _ in chat.papers]
    if all(map(fits, full_blocks)):
        messages = pack(chat.opening, full_blocks, _make_ending(chat, len(full_blocks)))
        if len(messages) <= max_messages:
            return messages
    lines = [line for _, line in chat.papers]
    line_count = len(lines)
    while True:
        messages = pack(chat.opening, lines[:line_count], _make_ending(chat, line_count))
        if len(messages) <= max_messages or not line_count:
            break
        line_count -= max(1, (len(messages) - max_messages) * line_count // (2 * len(messages)))
    return messages if len(messages) <= max_messages else _shorten_opening(chat, pack, max_messages)


def _shorten_opening(
    chat: Chat, pack: Callable[[Block, Sequence[Block], Block], tuple[Rendered, ...]], max_messages: int
) -> tuple[Rendered, ...]:
    """Render a chat that is too long even without papers: its first lines, and how many are omitted."""
    messages: tuple[Rendered, ...] = ()
    for line_count in range(len(chat.opening) - 1, -1, -1):
        omitted = len(chat.opening) - line_count
        notice = f"{omitted:,} more {'line is' if omitted == 1 else 'lines are'} not shown."
        messages = pack((*chat.opening[:line_count], (Span(notice),)), (), _make_ending(chat, 0))
        if len(messages) <= max_messages:
            break
    return messages[:max_messages]


def _split_block(block: Block, markup: Markup, max_bytes: int) -> list[str]:
    """Render a block in one piece if it is short enough, or else line by line."""
    text = render_block(block, markup)
    if _count_bytes(text) <= max_bytes:
        return [text] if block else []
    return [_shorten_line((line,), markup, max_bytes) for line in block]


def _make_ending(chat: Chat, shown_count: int) -> Block:
    """Return the last line: how many papers are omitted, and the link to the whole page."""
    more_text = chat.omission_notices[len(chat.papers) - shown_count]
    link = (Span(chat.page_label, chat.page),) if chat.page else ()
    spans = (
        (Span(f"{more_text} "), *link) if more_text and link else (Span(more_text),) if more_text else link
    )
    return (spans,) if spans else ()


def _shorten_line(line: Block, markup: Markup, max_bytes: int) -> str:
    """Render a line such that it fits into a message: truncate it, and drop its link if it is still too long."""
    text = render_block(line, markup)
    if _count_bytes(text) <= max_bytes:
        return text
    plain = "".join(span.text for spans in line for span in spans)
    excerpt = plain.encode()[: max_bytes // 8].decode(errors="ignore").rstrip()
    url = next((span.url for spans in line for span in spans if span.url), "")
    shortened = render_block(((Span(f"{excerpt} …", url),),), markup)
    return (
        shortened
        if _count_bytes(shortened) <= max_bytes
        else render_block(((Span(f"{excerpt} …"),),), markup)
    )


def _join_pieces(pieces: Iterable[str], separator: str, max_bytes: int) -> Iterator[str]:
    """Join pieces into messages, each as long as possible."""
    message = ""
    for piece in pieces:
        if message and _count_bytes(message) + len(separator) + _count_bytes(piece) > max_bytes:
            yield message
            message = piece
        else:
            message = f"{message}{separator}{piece}" if message else piece
    if message:
        yield message


def _count_bytes(text: str) -> int:
    return len(text.encode())


_LINE_BREAKS = {Markup.TEXT: "\n", Markup.MARKDOWN: "  \n", Markup.HTML: "<br />\n", Markup.MRKDWN: "\n"}
_PARAGRAPH_BREAKS = {
    Markup.TEXT: "\n\n",
    Markup.MARKDOWN: "\n\n",
    Markup.HTML: "<br /><br />\n",
    Markup.MRKDWN: "\n\n",
}
