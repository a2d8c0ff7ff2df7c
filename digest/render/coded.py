"""Pieces of a mail's parts, encoded once and joined as they are.

Each piece is quoted-printable by itself: one that does not end a line ends in a soft break, so that whatever comes next
begins a line of its own and none gets longer than 76 characters (RFC 2045, section 6.7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import escape

from digest.render.environment import printable
from digest.render.holes import Hole, NotToBeCut, Number, Piece, Wrap
from digest.render.mime import excess, quoted_printable
from digest.render.wrapping import wrapped

_SOFT = b"=\r\n"


class Coded(NamedTuple):
    """A text that is encoded.

    Attributes:
        content: in quoted-printable.
        size: the bytes of the text.
        excess: how much shorter base64 would be.
    """

    content: bytes
    size: int
    excess: int


def coded(text: str) -> Coded:
    """A text, encoded, that any other can follow.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in text:
        raise NotToBeCut
    raw = text.encode()
    lines = raw.replace(b"\n", b"\r\n")
    if lines.endswith(b"\n") or not lines:
        content = quoted_printable(lines)
    else:
        # A sign more, so that there is room for the soft break.
        content = quoted_printable(lines + b"x")[:-1]
        content += b"" if content.endswith(_SOFT) else _SOFT
    return Coded(content, len(raw), excess(lines))


@lru_cache(maxsize=4096)
def plain(text: str) -> Coded:
    """A text in a text part."""
    return coded(printable(text))


@lru_cache(maxsize=4096)
def escaped(text: str) -> Coded:
    """A text in an HTML part."""
    return coded(printable(str(escape(text))))


@lru_cache(maxsize=4096)
def in_lines(text: str, indent: str, lead: str) -> Coded:
    """A text in lines in a text part."""
    return coded(printable(wrapped(text, indent, first=lead)))


class Sheaf(NamedTuple):
    """A text that is encoded, in pieces."""

    contents: list[bytes]
    size: int
    excess: int


Fill = Callable[[Hole | Wrap], Coded]
"""What goes into a hole."""


class Hollow(NamedTuple):
    """What a template made, encoded between its holes.

    Attributes:
        pieces: what stands there, or where something goes.
        size: the bytes of what stands there, with numbers; ``excess`` likewise.
    """

    pieces: tuple[bytes | Hole | Number | Wrap, ...]
    size: int
    excess: int

    def settled(self, values: Mapping[str, str], encode: Callable[[str], Coded]) -> Hollow:
        """A copy with some holes filled for good.

        Args:
            values: what goes into them.
            encode: makes a piece of a value; lines are made as in a text part.
        """
        made: list[bytes | Hole | Number | Wrap] = []
        size, more = self.size, self.excess
        for piece in self.pieces:
            one = _settled(piece, values, encode)
            if not isinstance(one, Coded):
                made.append(one)
                continue
            size += one.size
            more += one.excess
            made.append(one.content)
        return Hollow(tuple(_merged(made)), size, more)

    def joined(self, fill: Callable[[Hole | Wrap], Coded | Sheaf]) -> Sheaf:
        """A copy with something in each hole; there are none for numbers.

        Nothing is copied: that is done once, when the message is.
        """
        contents: list[bytes] = []
        size, more = self.size, self.excess
        for piece in self.pieces:
            if isinstance(piece, bytes):
                contents.append(piece)
                continue
            if isinstance(piece, Number):
                raise NotToBeCut
            one = fill(piece)
            size += one.size
            more += one.excess
            if isinstance(one, Sheaf):
                contents += one.contents
            else:
                contents.append(one.content)
        return Sheaf(contents, size, more)

    def filled(self, fill: Fill) -> Filled:
        """A copy with something in each hole but those for numbers."""
        runs: list[bytes] = []
        content: list[bytes] = []
        size, more = self.size, self.excess
        for piece in self.pieces:
            if isinstance(piece, bytes):
                content.append(piece)
            elif isinstance(piece, Number):
                runs.append(b"".join(content))
                content = [_SOFT]
            else:
                one = fill(piece)
                content.append(one.content)
                size += one.size
                more += one.excess
        return Filled((*runs, b"".join(content)), size, more)


def _settled(
    piece: bytes | Hole | Number | Wrap, values: Mapping[str, str], encode: Callable[[str], Coded]
) -> bytes | Hole | Number | Wrap | Coded:
    match piece:
        case Hole(name) if name in values:
            return encode(values[name])
        case Wrap() if values.keys() >= set(piece.parts[1::2]):
            return in_lines(text_of(piece, values), piece.indent, piece.lead)
        case _:
            return piece


def _merged(pieces: Iterable[bytes | Hole | Number | Wrap]) -> Iterator[bytes | Hole | Number | Wrap]:
    for is_ready, run in groupby(pieces, key=lambda piece: isinstance(piece, bytes)):
        if is_ready:
            yield b"".join([piece for piece in run if isinstance(piece, bytes)])
        else:
            yield from run


class Filled(NamedTuple):
    """A copy in which only numbers are missing.

    Attributes:
        runs: what stands between the numbers.
    """

    runs: tuple[bytes, ...]
    size: int
    excess: int


def hollow(pieces: Iterable[Piece]) -> Hollow:
    """Pieces, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line.
    """
    made: list[bytes | Hole | Number | Wrap] = []
    size = more = 0
    for piece in pieces:
        if isinstance(piece, str):
            one = coded(piece)
            made.append(one.content)
            size += one.size
            more += one.excess
        else:
            made.append(piece)
            if isinstance(piece, Number):
                size += piece.digits
                more -= piece.digits
    return Hollow(tuple(made), size, more)


def text_of(piece: Wrap, values: Mapping[str, str]) -> str:
    """What is to be put into lines."""
    return "".join([values[part] if place % 2 else part for place, part in enumerate(piece.parts)])
