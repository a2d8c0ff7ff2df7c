"""Placeholders: marks in the output of a template that each copy replaces with its own value.

A template is rendered with placeholders instead of texts, and its output is split at them. The marks are private-use
characters (Unicode, section 23.5), which no text should contain; a template whose texts contain some is not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from digest.render.environment import remove_unprintable
from digest.render.wrapping import wrap_text

_OPEN, _CLOSE, _WRAP, _LEAD, _TEXT, _END, _NUMBER = map(chr, range(0xF0000, 0xF0007))
_ANY_MARK = re.compile(f"[{_OPEN}-{_NUMBER}]")
_PIECE_PATTERN = re.compile(
    f"{_WRAP}(?P<indent>[^{_OPEN}-{_END}]*){_LEAD}(?P<lead>[^{_OPEN}-{_END}]*){_TEXT}"
    f"(?P<text>[^{_WRAP}-{_END}]*){_END}"
    f"|{_OPEN}(?P<name>[a-z_0-9]+){_CLOSE}|(?P<number>{_NUMBER})"
)
_PLACEHOLDER = re.compile(f"{_OPEN}([a-z_0-9]+){_CLOSE}")


class NotSplittable(Exception):  # noqa: N818 - no error: the plain path is taken
    """The output of a template depends on more than placeholders can replace."""


class Placeholder(NamedTuple):
    """The place of a text."""

    name: str


@dataclass(frozen=True, slots=True)
class NumberPlaceholder:
    """The place of a paper's number."""


class WrapPlaceholder(NamedTuple):
    """The place of lines that the filter ``wrapped`` makes of texts and placeholders.

    Each of its texts may contain the number of the paper, whose length determines where lines end.

    Attributes:
        parts: texts and, at every second position, the name of a placeholder.
    """

    indent: str
    lead: str
    parts: tuple[str, ...]


Piece = str | Placeholder | NumberPlaceholder | WrapPlaceholder


def make_placeholder(name: str) -> str:
    """Return the text that stands for a placeholder."""
    return f"{_OPEN}{name}{_CLOSE}"


def make_number_placeholder() -> str:
    """Return the text that stands for the number of a paper."""
    return _NUMBER


def wraps_number(placeholder: Placeholder | WrapPlaceholder) -> bool:
    """Whether lines that are wrapped contain the number of a paper."""
    return isinstance(placeholder, WrapPlaceholder) and any(
        _NUMBER in text for text in (placeholder.indent, placeholder.lead, *placeholder.parts[::2])
    )


def wrap_around_number(text: str, indent: str, lead: str, digits: int) -> list[str]:
    """Wrap a text as the filter ``wrapped`` does, and split the lines at each place of a paper's number.

    Args:
        text: a text on one line.
        indent: the indent of each line but the first.
        lead: the indent of the first line.
        digits: the length of the number.
    """
    number = _NUMBER * digits
    text, indent, lead = (part.replace(_NUMBER, number) for part in (text, indent, lead))
    return wrap_text(text, indent, first=lead).split(number)


def has_marks(text: str) -> bool:
    """Whether a text contains a mark."""
    return _ANY_MARK.search(text) is not None


def wrap_later(text: str, indent: str = "", *, first: str | None = None) -> str:
    """Wrap a text as the filter ``wrapped`` does; one with placeholders is marked, and wrapped when it has values."""
    lead = indent if first is None else first
    if _OPEN not in text and _NUMBER not in f"{indent}{lead}{text}":
        return wrap_text(text, indent, first=first)
    return f"{_WRAP}{indent}{_LEAD}{lead}{_TEXT}{text}{_END}"


def split_pieces(text: str) -> Iterator[Piece]:
    """Split a text into its placeholders and the texts between them.

    Lines are wrapped before their text is cleaned.

    Raises:
        NotSplittable: there are marks that are not placeholders.
    """
    position = 0
    for match in _PIECE_PATTERN.finditer(text):
        yield from _check_literal(text[position : match.start()])
        position = match.end()
        if match["name"]:
            yield Placeholder(match["name"])
        elif match["number"]:
            yield NumberPlaceholder()
        else:
            parts = tuple(_PLACEHOLDER.split(match["text"]))
            if any(map(has_marks, "".join(parts[::2]).split(_NUMBER))):
                raise NotSplittable
            yield WrapPlaceholder(match["indent"], match["lead"], parts)
    yield from _check_literal(text[position:])


def _check_literal(text: str) -> Iterator[str]:
    if has_marks(text):
        raise NotSplittable
    if text:
        yield remove_unprintable(text)
