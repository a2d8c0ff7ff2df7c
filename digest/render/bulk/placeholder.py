"""Holes: marks in what a template made, where something else goes into each copy of it.

A template is rendered with holes instead of texts, and what it made is cut at them. The marks are characters of a
private plane (Unicode, section 23.5) that no text should have; what is to be cut is refused if a text of it has some.
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


class NotSplittable(Exception):  # noqa: N818 - no error: the other road is taken
    """What a template made depends on more than can be put into holes."""


class Placeholder(NamedTuple):
    """Where a text goes."""

    name: str


class NumberPlaceholder(NamedTuple):
    """Where a place goes, ``3``: as many digits as were promised."""

    digits: int


class WrapPlaceholder(NamedTuple):
    """Where lines go that are made of texts and holes, by the filter ``wrapped``.

    Attributes:
        parts: every second one is the name of a hole.
    """

    indent: str
    lead: str
    parts: tuple[str, ...]


Piece = str | Placeholder | NumberPlaceholder | WrapPlaceholder


def make_placeholder(name: str) -> str:
    """A hole as a text."""
    return f"{_OPEN}{name}{_CLOSE}"


def make_number_placeholder(digits: int) -> str:
    """A hole for a number, as long as the number."""
    return _NUMBER * digits


def has_marks(text: str) -> bool:
    """Whether there is a mark in a text."""
    return _ANY_MARK.search(text) is not None


def wrap_later(text: str, indent: str = "", *, first: str | None = None) -> str:
    """The filter ``wrapped`` where there are holes: the lines are made when it is known what goes into them."""
    if _OPEN not in text:
        return wrap_text(text, indent, first=first)
    return f"{_WRAP}{indent}{_LEAD}{indent if first is None else first}{_TEXT}{text}{_END}"


def split_pieces(text: str) -> Iterator[Piece]:
    """Split a text into what stands between its placeholders, and the placeholders.

    Lines are made of their text before that is cleaned.

    Raises:
        NotSplittable: there are marks that are no placeholders.
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
