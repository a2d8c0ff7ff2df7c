"""Placeholders: marks in the output of a template that each copy replaces with its own value.

A template is rendered with placeholders instead of texts, and its output is split at them. The marks are private-use
characters (Unicode, section 23.5), which no text should contain; a template whose texts contain some is not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from digest.render.environment import remove_unprintable
from digest.render.wrapping import wrap_text

_OPEN, _CLOSE, _WRAP, _LEAD, _TEXT, _END, _NUMBER = map(chr, range(0xF0000, 0xF0007))
_ANY_MARK = re.compile(f"[{_OPEN}-{_NUMBER}]")
_PIECE_PATTERN = re.compile(
    f"{_WRAP}(?P<indent>[^{_OPEN}-{_NUMBER}]*){_LEAD}(?P<lead>[^{_OPEN}-{_NUMBER}]*){_TEXT}"
    f"(?P<text>[^{_WRAP}-{_NUMBER}]*){_END}"
    f"|{_OPEN}(?P<name>[a-z_0-9]+){_CLOSE}|(?P<number>{_NUMBER}+)"
)
_PLACEHOLDER = re.compile(f"{_OPEN}([a-z_0-9]+){_CLOSE}")


class NotSplittable(Exception):  # noqa: N818 - no error: the plain path is taken
    """The output of a template depends on more than placeholders can replace."""


class Placeholder(NamedTuple):
    """The place of a text."""

    name: str


class NumberPlaceholder(NamedTuple):
    """The place of a paper's number, with a known number of digits."""

    digits: int


class WrapPlaceholder(NamedTuple):
    """The place of lines that the filter ``wrapped`` makes of texts and placeholders.

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


def make_number_placeholder(digits: int) -> str:
    """Return a placeholder for a number, as long as the number itself."""
    return _NUMBER * digits


def has_marks(text: str) -> bool:
    """Whether a text contains a mark."""
    return _ANY_MARK.search(text) is not None


def wrap_later(text: str, indent: str = "", *, first: str | None = None) -> str:
    """Wrap a text as the filter ``wrapped`` does; one with placeholders is marked, and wrapped when it has values.

    Raises:
        NotSplittable: it contains the number of a paper, whose length determines where lines end.
    """
    if _NUMBER in text or _NUMBER in (first or ""):
        raise NotSplittable
    if _OPEN not in text:
        return wrap_text(text, indent, first=first)
    return f"{_WRAP}{indent}{_LEAD}{indent if first is None else first}{_TEXT}{text}{_END}"


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
            yield NumberPlaceholder(len(match["number"]))
        else:
            parts = tuple(_PLACEHOLDER.split(match["text"]))
            if any(map(has_marks, parts)):
                raise NotSplittable
            yield WrapPlaceholder(match["indent"], match["lead"], parts)
    yield from _check_literal(text[position:])


def _check_literal(text: str) -> Iterator[str]:
    if has_marks(text):
        raise NotSplittable
    if text:
        yield remove_unprintable(text)
