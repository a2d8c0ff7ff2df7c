"""Pieces of a mail's parts, encoded once and joined as they are.

Each piece of a text is quoted-printable by itself: one that does not end a line ends in a soft break, so that whatever comes next
begins a line of its own and none gets longer than 76 characters (RFC 2045, section 6.7). HTML is ASCII, which needs none of that.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import escape

from digest.render.cutting import HTML, TEXT
from digest.render.environment import printable
from digest.render.holes import Hole, NotToBeCut, Number, Piece, Wrap
from digest.render.mime import excess, excess_in_ascii, in_ascii, quoted_printable
from digest.render.wrapping import wrapped

_SOFT = b"=\r\n"
PAGE = "page"
"""The hole of a paper that stays open until its mail is made, as those for numbers do."""


class Coded(NamedTuple):
    """A text that is encoded.

    Attributes:
        content: in quoted-printable, or HTML in ASCII.
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
    content = quoted_printable(lines) if lines.endswith(b"\n") or not lines else _open_ended(lines)
    return Coded(content, len(raw), excess(lines))


def coded_html(html: str) -> Coded:
    """HTML, encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in html:
        raise NotToBeCut
    plain = in_ascii(html)
    return Coded(plain.replace("\n", "\r\n").encode("ascii"), len(plain), excess_in_ascii(html))


def _open_ended(lines: bytes) -> bytes:
    # A sign more, so that there is room for the soft break.
    content = quoted_printable(lines + b"x")[:-1]
    return content if content.endswith(_SOFT) else content + _SOFT


@lru_cache(maxsize=4096)
def plain(text: str) -> Coded:
    """A text in a text part."""
    return coded(printable(text))


@lru_cache(maxsize=4096)
def escaped(text: str) -> Coded:
    """A text in an HTML part."""
    return coded_html(printable(str(escape(text))))


@lru_cache(maxsize=4096)
def in_lines(text: str, indent: str, lead: str) -> Coded:
    """A text in lines in a text part."""
    return coded(printable(wrapped(text, indent, first=lead)))


class Sheaf(NamedTuple):
    """A text that is encoded, in pieces."""

    contents: list[bytes]
    size: int
    excess: int


class Hollow(NamedTuple):
    """What a template made, encoded between its holes.

    Attributes:
        contents: what stands there; empty where something goes.
        holes: where a text goes, and which.
        numbers: where a number goes.
        size: the bytes of what stands there, with numbers; ``excess`` likewise.
    """

    contents: tuple[bytes, ...]
    holes: tuple[tuple[int, Hole | Wrap], ...]
    numbers: tuple[int, ...]
    size: int
    excess: int

    @property
    def names(self) -> frozenset[str]:
        """What its holes are for."""
        return frozenset([name for _, hole in self.holes for name in _names(hole)])

    @property
    def has_lines(self) -> bool:
        """Whether lines are to be made of what goes into it."""
        return any(isinstance(hole, Wrap) for _, hole in self.holes)

    def settled(self, names: Container[str], fill: Callable[[Hole | Wrap], Coded]) -> Hollow:
        """A copy with some holes filled for good.

        Args:
            names: of these; what has others, too, is left open.
            fill: gives what goes into one.
        """
        pieces: list[_Piece] = list(self.contents)
        size, more = self.size, self.excess
        for place, hole in self.holes:
            if all(name in names for name in _names(hole)):
                pieces[place], its_size, its_excess = fill(hole)
                size += its_size
                more += its_excess
            else:
                pieces[place] = hole
        return _laid_out(pieces, size, more)

    def joined(self, fill: Callable[[Hole | Wrap], Coded | Sheaf]) -> Sheaf:
        """A copy with something in each hole.

        Nothing is copied: that is done once, when the message is.
        """
        contents: list[bytes] = []
        size, more, done = self.size, self.excess, 0
        for place, hole in self.holes:
            contents += self.contents[done:place]
            one = fill(hole)
            if isinstance(one, Sheaf):
                contents += one.contents
            else:
                contents.append(one.content)
            size += one.size
            more += one.excess
            done = place + 1
        contents += self.contents[done:]
        return Sheaf(contents, size, more)

    def filled(self, fill: Callable[[Hole | Wrap], Coded]) -> Filled:
        """A copy with something in each hole but those for numbers and for the edition's page."""
        contents = list(self.contents)
        size, more = self.size, self.excess
        pages = []
        for place, hole in self.holes:
            if hole == _PAGE:
                pages.append(place)
                continue
            contents[place], its_size, its_excess = fill(hole)
            size += its_size
            more += its_excess
        return Filled(contents, self.numbers, tuple(pages), size, more)


_PAGE = Hole(PAGE)
_Piece = bytes | Hole | Number | Wrap


def _laid_out(pieces: Iterable[_Piece], size: int, more: int) -> Hollow:
    contents: list[bytes] = []
    holes: list[tuple[int, Hole | Wrap]] = []
    numbers: list[int] = []
    for piece in _merged(pieces):
        if isinstance(piece, Number):
            numbers.append(len(contents))
        elif not isinstance(piece, bytes):
            holes.append((len(contents), piece))
        contents.append(piece if isinstance(piece, bytes) else b"")
    return Hollow(tuple(contents), tuple(holes), tuple(numbers), size, more)


def _names(hole: Hole | Wrap) -> Sequence[str]:
    return [hole.name] if isinstance(hole, Hole) else hole.parts[1::2]


def _merged(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    for is_ready, run in groupby(pieces, key=lambda piece: isinstance(piece, bytes)):
        if is_ready:
            yield b"".join([piece for piece in run if isinstance(piece, bytes)])
        else:
            yield from run


class Filled(NamedTuple):
    """A copy in which only numbers are missing, and the address of the edition's page.

    Attributes:
        contents: in pieces.
        numbers: which of them are to be numbers.
        pages: which of them are to be that address.
    """

    contents: Sequence[bytes]
    numbers: tuple[int, ...]
    pages: tuple[int, ...]
    size: int
    excess: int


def hollow(pieces: Iterable[Piece], code: Callable[[str], Coded] = coded) -> Hollow:
    """Pieces, encoded between their holes.

    Args:
        pieces: of a text, or of HTML.
        code: encodes a piece.

    Raises:
        NotToBeCut: a piece may end within the end of a line.
    """
    made: list[_Piece] = []
    size = more = 0
    for piece in pieces:
        if isinstance(piece, str):
            one = code(piece)
            made.append(one.content)
            size += one.size
            more += one.excess
        else:
            made.append(piece)
            if isinstance(piece, Number):
                size += piece.digits
                more -= piece.digits
    return _laid_out(made, size, more)


def numbered(number: str) -> bytes:
    """A number in a text part."""
    return number.encode("ascii") + _SOFT


def numbered_html(number: str) -> bytes:
    """A number in an HTML part."""
    return number.encode("ascii")


def in_html(hole: Hole | Wrap, values: Mapping[str, str]) -> Coded:
    """What goes into a hole of an HTML part, where none is for lines."""
    assert isinstance(hole, Hole)
    return escaped(values[hole.name])


def in_text(hole: Hole | Wrap, values: Mapping[str, str]) -> Coded:
    """What goes into a hole of a text part."""
    if isinstance(hole, Hole):
        return plain(values[hole.name])
    text = "".join([values[part] if place % 2 else part for place, part in enumerate(hole.parts)])
    return in_lines(text, hole.indent, hole.lead)


CODERS = {HTML: coded_html, TEXT: coded}
"""What encodes a piece, by the template that makes it."""
