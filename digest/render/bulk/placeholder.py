"""Holes: marks in what a template made, where something else goes into each copy of it.

A template is rendered with holes instead of texts, and what it made is cut at them. The marks are characters of a
private plane (Unicode, section 23.5) that no text should have; what is to be cut is refused if a text of it has some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from digest.render.environment import printable
from digest.render.wrapping import wrapped

_OPEN, _CLOSE, _WRAP, _LEAD, _TEXT, _END, _NUMBER = map(chr, range(0xF0000, 0xF0007))
_MARK = re.compile(f"[{_OPEN}-{_NUMBER}]")
_PIECE = re.compile(
    f"{_WRAP}(?P<indent>[^{_OPEN}-{_NUMBER}]*){_LEAD}(?P<lead>[^{_OPEN}-{_NUMBER}]*){_TEXT}"
    f"(?P<text>[^{_WRAP}-{_NUMBER}]*){_END}"
    f"|{_OPEN}(?P<name>[a-z_0-9]+){_CLOSE}|(?P<number>{_NUMBER}+)"
)
_HOLE = re.compile(f"{_OPEN}([a-z_0-9]+){_CLOSE}")


class NotToBeCut(Exception):  # noqa: N818 - no error: the other road is taken
    """What a template made depends on more than can be put into holes."""


class Hole(NamedTuple):
    """Where a text goes."""

    name: str


class Number(NamedTuple):
    """Where a place goes, ``3``: as many digits as were promised."""

    digits: int


class Wrap(NamedTuple):
    """Where lines go that are made of texts and holes, by the filter ``wrapped``.

    Attributes:
        parts: every second one is the name of a hole.
    """

    indent: str
    lead: str
    parts: tuple[str, ...]


Piece = str | Hole | Number | Wrap


def hole(name: str) -> str:
    """A hole as a text."""
    return f"{_OPEN}{name}{_CLOSE}"


def number(digits: int) -> str:
    """A hole for a number, as long as the number."""
    return _NUMBER * digits


def marked(text: str) -> bool:
    """Whether there is a mark in a text."""
    return _MARK.search(text) is not None


def wrapped_later(text: str, indent: str = "", *, first: str | None = None) -> str:
    """The filter ``wrapped`` where there are holes: the lines are made when it is known what goes into them."""
    if _OPEN not in text:
        return wrapped(text, indent, first=first)
    return f"{_WRAP}{indent}{_LEAD}{indent if first is None else first}{_TEXT}{text}{_END}"


def pieces(text: str) -> Iterator[Piece]:
    """What stands between the holes of a text, and the holes; lines are made of their text before that is cleaned.

    Raises:
        NotToBeCut: there are marks that are no holes.
    """
    done = 0
    for found in _PIECE.finditer(text):
        yield from _literal(text[done : found.start()])
        done = found.end()
        if found["name"]:
            yield Hole(found["name"])
        elif found["number"]:
            yield Number(len(found["number"]))
        else:
            parts = tuple(_HOLE.split(found["text"]))
            if any(map(marked, parts)):
                raise NotToBeCut
            yield Wrap(found["indent"], found["lead"], parts)
    yield from _literal(text[done:])


def _literal(text: str) -> Iterator[str]:
    if marked(text):
        raise NotToBeCut
    if text:
        yield printable(text)
