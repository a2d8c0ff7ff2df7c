"""What is said in a chat, put into messages that its service takes: their markup, their length, and where they end.

A message ends between papers, never within one. Where all would be too many messages each paper becomes a line, and
where that is still too much, the last one says how many more there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from html import escape
from urllib.parse import quote

from digest.model import Block, Chat, Span

MAX_MESSAGES = 5
"""So many messages tell of an edition, at the most."""
_MARKDOWN_SPECIAL = re.compile(r"[\\`*_\[\]<>&~$#|]")
_LIST_MARKER = re.compile(r"(\d*)([-+=.)])(?=\s|$)")
_BLANKS = re.compile(r"\s+")


class Markup(StrEnum):
    """How a service has its messages written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    """CommonMark (https://spec.commonmark.org/0.31.2/)."""
    HTML = "html"
    MRKDWN = "mrkdwn"
    """Markdown that becomes Slack's own (https://docs.slack.dev/messaging/formatting-message-text), which has no escape
    for its marks: signs that look the same stand in their place."""


# --- markup ---------------------------------------------------------------------------------------


def render_block(block: Block, markup: Markup) -> str:
    """Lines in a markup; what means something there stays a text.

    Args:
        block: the lines.
        markup: how to write them.
    """
    separator = _LINE_BREAKS[markup]
    return separator.join(_LINE_RENDERERS[markup](line) for line in block)


def _join_lines(text: str) -> str:
    return _BLANKS.sub(" ", text).strip("\n")


def _render_text(line: Sequence[Span]) -> str:
    """The addresses stand behind what leads there: a phone makes links of them by itself."""
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
    """Spans in Markdown side by side: an exclamation mark right before a link would make an image of it."""
    return re.sub(r"!(?=\[)", "!\u200b", "".join(texts))


def _render_mrkdwn_span(span: Span) -> str:
    text = re.sub(r"[\\\[\]<>]", r"\\\g<0>", _escape_mentions(span.text).translate(_LOOKALIKES))
    if span.url:
        text = f"[{text}]({_quote_url(span.url)})"
    return f"**{text}**" if span.strong and text.strip() else text


_LOOKALIKES = str.maketrans({"*": "∗", "_": "ˍ", "~": "∼", "`": "ˋ", "|": "¦"})


def _escape_mentions(text: str) -> str:
    """A text on one line that calls nobody: in a chat, an @ before a name, or before ``everyone``, rings."""
    return _join_lines(text).replace("@", "@\u200b")


def _quote_url(url: str) -> str:
    """An address in which nothing ends it, be it in brackets or before a bar."""
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
    """The messages of a chat, in their order; the same every time.

    Args:
        chat: what is to be said; where that is nothing but a title, there is one message with nothing in it.
        markup: how to write it.
        max_bytes: bytes of UTF-8 that a message may have, its title not counted; at least 500.
        max_messages: so many messages at the most.
    """

    def pack_messages(papers: Sequence[str]) -> tuple[str, ...]:
        opening = _split_block(chat.opening, markup, max_bytes)
        ending = _split_block(_make_ending(chat, len(papers)), markup, max_bytes)
        return tuple(_join_pieces([*opening, *papers, *ending], _PARAGRAPH_BREAKS[markup], max_bytes)) or (
            "",
        )

    full_messages = pack_messages([render_block(block, markup) for block, _ in chat.papers])
    if len(full_messages) <= max_messages and all(
        _count_bytes(message) <= max_bytes for message in full_messages
    ):
        return full_messages
    lines = [_shorten_line(line, markup, max_bytes) for _, line in chat.papers]
    line_count = len(lines)
    while len(messages := pack_messages(lines[:line_count])) > max_messages and line_count:
        line_count -= max(1, (len(messages) - max_messages) * line_count // (2 * len(messages)))
    return (
        messages if len(messages) <= max_messages else _shorten_opening(chat, markup, max_bytes, max_messages)
    )


def _shorten_opening(chat: Chat, markup: Markup, max_bytes: int, max_messages: int) -> tuple[str, ...]:
    """What has no paper and is still too much: its first lines, and how many more there are."""
    lines = [_shorten_line((line,), markup, max_bytes) for line in chat.opening]
    ending = _split_block(_make_ending(chat, 0), markup, max_bytes)
    messages: tuple[str, ...] = ()
    for line_count in range(len(lines) - 1, -1, -1):
        omitted = len(lines) - line_count
        notice = f"{omitted:,} more {'line is' if omitted == 1 else 'lines are'} not shown."
        messages = tuple(
            _join_pieces(
                [*lines[:line_count], render_block(((Span(notice),),), markup), *ending],
                _PARAGRAPH_BREAKS[markup],
                max_bytes,
            )
        )
        if len(messages) <= max_messages:
            break
    return messages[:max_messages]


def _split_block(block: Block, markup: Markup, max_bytes: int) -> list[str]:
    """Lines that are no paper's: in one piece if that fits, else one by one."""
    text = render_block(block, markup)
    if _count_bytes(text) <= max_bytes:
        return [text] if block else []
    return [_shorten_line((line,), markup, max_bytes) for line in block]


def _make_ending(chat: Chat, shown_count: int) -> Block:
    """The last line: how many more there are, and where all of it is."""
    more_text = chat.omission_notices[len(chat.papers) - shown_count]
    link = (Span(chat.page_label, chat.page),) if chat.page else ()
    spans = (
        (Span(f"{more_text} "), *link) if more_text and link else (Span(more_text),) if more_text else link
    )
    return (spans,) if spans else ()


def _shorten_line(line: Block, markup: Markup, max_bytes: int) -> str:
    """A line that goes into a message of its own; one that is longer is cut, and leads nowhere if that does not help."""
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
    """Pieces put together, as many into a message as go into it."""
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
