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

MOST = 5
"""So many messages tell of an edition, at the most."""
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&~$#|]")
_LIST = re.compile(r"(\d*)([-+=.)])(?=\s|$)")
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


def written(block: Block, markup: Markup) -> str:
    """Lines in a markup; what means something there stays a text.

    Args:
        block: the lines.
        markup: how to write them.
    """
    between = _BREAK[markup]
    return between.join(_LINES[markup](line) for line in block)


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip("\n")


def _as_text(line: Sequence[Span]) -> str:
    """The addresses stand behind what leads there: a phone makes links of them by itself."""
    said = "".join(_one_line(span.text) for span in line)
    links = [span.url for span in line if span.url and span.url != span.text]
    return "\n".join((said, *links))


def _as_markdown(line: Sequence[Span]) -> str:
    said = "".join(_span_in_markdown(span) for span in line)
    start = _LIST.match(said)
    return f"{start[1]}\\{start[2]}{said[start.end() :]}" if start else said


def _span_in_markdown(span: Span) -> str:
    text = _MARKDOWN.sub(r"\\\g<0>", _calm(span.text))
    if span.url:
        text = f"[{text}]({_quoted(span.url)})"
    return f"**{text}**" if span.strong and text.strip() else text


def _as_html(line: Sequence[Span]) -> str:
    return "".join(_span_in_html(span) for span in line)


def _span_in_html(span: Span) -> str:
    text = escape(_calm(span.text))
    if span.url:
        text = f'<a href="{escape(span.url)}">{text}</a>'
    return f"<b>{text}</b>" if span.strong else text


def _as_mrkdwn(line: Sequence[Span]) -> str:
    return "".join(_span_in_mrkdwn(span) for span in line)


def _span_in_mrkdwn(span: Span) -> str:
    text = re.sub(r"[\\\[\]<>]", r"\\\g<0>", _calm(span.text).translate(_ALIKE))
    if span.url:
        text = f"[{text}]({_quoted(span.url)})"
    return f"**{text}**" if span.strong and text.strip() else text


_ALIKE = str.maketrans({"*": "∗", "_": "ˍ", "~": "∼", "`": "ˋ", "|": "¦"})


def _calm(text: str) -> str:
    """A text on one line that calls nobody: in a chat, an @ before a name, or before ``everyone``, rings."""
    return _one_line(text).replace("@", "@\u200b")


def _quoted(url: str) -> str:
    """An address in which nothing ends it, be it in brackets or before a bar."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._", errors="replace")


_LINES: dict[Markup, Callable[[Sequence[Span]], str]] = {
    Markup.TEXT: _as_text,
    Markup.MARKDOWN: _as_markdown,
    Markup.HTML: _as_html,
    Markup.MRKDWN: _as_mrkdwn,
}

# --- messages -------------------------------------------------------------------------------------


def messages(said: Chat, markup: Markup, longest: int, *, most: int = MOST) -> tuple[str, ...]:
    """The messages of a chat, in their order; the same every time.

    Args:
        said: what is to be said; where that is nothing but a title, there is one message with nothing in it.
        markup: how to write it.
        longest: bytes of UTF-8 that a message may have, its title not counted; at least 500.
        most: so many messages at the most.
    """

    def packed(papers: Sequence[str]) -> tuple[str, ...]:
        opening = _pieces(said.opening, markup, longest)
        ending = _pieces(_ending(said, len(papers)), markup, longest)
        return tuple(_packed([*opening, *papers, *ending], _BETWEEN[markup], longest)) or ("",)

    in_full = packed([written(whole, markup) for whole, _ in said.papers])
    if len(in_full) <= most and all(_size(one) <= longest for one in in_full):
        return in_full
    lines = [_fitted(line, markup, longest) for _, line in said.papers]
    shown = len(lines)
    while len(made := packed(lines[:shown])) > most and shown:
        shown -= max(1, (len(made) - most) * shown // (2 * len(made)))
    return made if len(made) <= most else _cut(said, markup, longest, most)


def _cut(said: Chat, markup: Markup, longest: int, most: int) -> tuple[str, ...]:
    """What has no paper and is still too much: its first lines, and how many more there are."""
    lines = [_fitted((line,), markup, longest) for line in said.opening]
    ending = _pieces(_ending(said, 0), markup, longest)
    made: tuple[str, ...] = ()
    for kept in range(len(lines) - 1, -1, -1):
        left = len(lines) - kept
        more = f"{left:,} more {'line has' if left == 1 else 'lines have'} no room here."
        made = tuple(
            _packed([*lines[:kept], written(((Span(more),),), markup), *ending], _BETWEEN[markup], longest)
        )
        if len(made) <= most:
            break
    return made[:most]


def _pieces(block: Block, markup: Markup, longest: int) -> list[str]:
    """Lines that are no paper's: in one piece if that fits, else one by one."""
    whole = written(block, markup)
    if _size(whole) <= longest:
        return [whole] if block else []
    return [_fitted((line,), markup, longest) for line in block]


def _ending(said: Chat, shown: int) -> Block:
    """The last line: how many more there are, and where all of it is."""
    told = said.more[len(said.papers) - shown]
    lead = (Span(said.whole, said.page),) if said.page else ()
    spans = (Span(f"{told} "), *lead) if told and lead else (Span(told),) if told else lead
    return (spans,) if spans else ()


def _fitted(line: Block, markup: Markup, longest: int) -> str:
    """A line that goes into a message of its own; one that is longer is cut, and leads nowhere if that does not help."""
    text = written(line, markup)
    if _size(text) <= longest:
        return text
    bare = "".join(span.text for spans in line for span in spans)
    kept = bare.encode()[: longest // 8].decode(errors="ignore").rstrip()
    url = next((span.url for spans in line for span in spans if span.url), "")
    short = written(((Span(f"{kept} …", url),),), markup)
    return short if _size(short) <= longest else written(((Span(f"{kept} …"),),), markup)


def _packed(pieces: Iterable[str], between: str, longest: int) -> Iterator[str]:
    """Pieces put together, as many into a message as go into it."""
    packed = ""
    for piece in pieces:
        if packed and _size(packed) + len(between) + _size(piece) > longest:
            yield packed
            packed = piece
        else:
            packed = f"{packed}{between}{piece}" if packed else piece
    if packed:
        yield packed


def _size(text: str) -> int:
    return len(text.encode())


_BREAK = {Markup.TEXT: "\n", Markup.MARKDOWN: "  \n", Markup.HTML: "<br />\n", Markup.MRKDWN: "\n"}
_BETWEEN = {
    Markup.TEXT: "\n\n",
    Markup.MARKDOWN: "\n\n",
    Markup.HTML: "<br /><br />\n",
    Markup.MRKDWN: "\n\n",
}
