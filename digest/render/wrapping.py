"""Text in lines for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

WIDTH = 72
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    "\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f\U0001f900-\U0001f9ff\U00016fe0-\U0001b2ff\U00020000-\U0003fffd"
)
"""What takes two columns of a terminal (Unicode Standard Annex 11)."""
_HANGUL = "\u1100-\u115f\ua960-\ua97f\uac00-\ud7a3"
_BEGINS = "([{‘“〈《「『【〔〖（［｛"
_ENDS = ")\\]}’”,.;:!?%…·、。〉》」』】〕〗，．；：！？）］｝—"
_TWO_COLUMNS = re.compile(f"[{_WIDE}]")
_BETWEEN_SIGNS = re.compile(
    f"(?:(?<=[{_WIDE}])(?<![{_HANGUL}])|(?=[{_WIDE}])(?![{_HANGUL}]))(?![{_ENDS}])(?<![{re.escape(_BEGINS)}])"
)
"""Where a line of Chinese or Japanese may end within what has no blank: not before what closes, nor behind what opens."""


def wrapped(text: str, indent: str = "", *, first: str | None = None) -> str:
    """The text in lines of at most 72 columns; a word, and so an address, is never broken.

    Args:
        text: on one line.
        indent: stands before each line.
        first: stands before the first line instead.
    """
    lead = indent if first is None else first
    if not text.isascii() and _TWO_COLUMNS.search(text):
        return "\n".join(_wide_lines(text, lead, indent))
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


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else len(text) + len(_TWO_COLUMNS.findall(text))


def _wide_lines(text: str, lead: str, indent: str) -> Iterator[str]:
    line, blank, is_empty = lead, "", True
    for word in text.split(" "):
        for part in filter(None, _BETWEEN_SIGNS.split(word)):
            if not is_empty and columns(line) + len(blank) + columns(part) > WIDTH:
                yield line
                line, blank = indent, ""
            line, blank, is_empty = f"{line}{blank}{part}", "", False
        blank = "" if is_empty else " "
    yield line


def _plain(text: str) -> bool:
    """Whether there are words, with one blank between two of them and no other blanks that ``textwrap`` acts upon."""
    if text and text.isprintable() and text.strip() == text and "  " not in text:  # nearly all
        return True
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
