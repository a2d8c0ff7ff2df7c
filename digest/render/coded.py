"""Pieces of a mail's parts, encoded once and joined as they are.

Those of the HTML are ASCII with references, which anything can follow. Those of the text are quoted-printable, each by
itself: one that does not end a line ends in a soft break, so that whatever comes next begins a line of its own and
none gets longer than 76 characters (RFC 2045, section 6.7).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import escape

from digest.render.environment import printable
from digest.render.holes import Hole, NotToBeCut, Number, Piece, Wrap
from digest.render.mime import excess, excess_in_ascii, has_raw_signs, in_ascii, quoted_printable
from digest.render.wrapping import wrapped

_SOFT = b"=\r\n"
PAGE = "page"
"""The hole of a paper that stays open until its mail is made, as those for numbers do."""


class Coded(NamedTuple):
    """A text that is encoded.

    Attributes:
        content: in quoted-printable.
        size: the bytes of the text, in HTML with its references.
        excess: how much shorter base64 would be.
    """

    content: bytes
    size: int
    excess: int


def coded(text: str) -> Coded:
    """Something of a text part, encoded, that anything can follow.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in text:
        raise NotToBeCut
    raw = text.encode()
    lines = raw.replace(b"\n", b"\r\n")
    content = quoted_printable(lines) if lines.endswith(b"\n") or not lines else _open_ended(lines)
    return Coded(content, len(raw), excess(lines))


def _open_ended(lines: bytes) -> bytes:
    # A sign more, so that there is room for the soft break.
    content = quoted_printable(lines + b"x")[:-1]
    return content if content.endswith(_SOFT) else content + _SOFT


def coded_html(html: str) -> Coded:
    """Something of an HTML part, encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in html:
        raise NotToBeCut
    if html.isascii():
        return Coded(
            html.replace("\n", "\r\n").encode(), len(html), -len(html)
        )  # 3 - 4: what there is of excess
    references = in_ascii(html)
    return Coded(references.replace("\n", "\r\n").encode(), len(references), excess_in_ascii(html))


@lru_cache(maxsize=4096)
def plain(text: str) -> Coded:
    """A text in a text part."""
    return coded(printable(text))


@lru_cache(maxsize=4096)
def escaped(text: str) -> Coded:
    """A text in an HTML part."""
    return coded_html(printable(str(escape(text))))


def in_lines(text: str, indent: str, lead: str) -> Coded:
    """A text in lines in a text part.

    Reasons are in many mails, and a long text that is not is soon forgotten: they must not drive each other out.
    """
    return (_short_in_lines if len(text) < _SHORT else _long_in_lines)(text, indent, lead)


def _in_lines(text: str, indent: str, lead: str) -> Coded:
    return coded(printable(wrapped(text, indent, first=lead)))


_SHORT = 200
"""Characters: few reasons have more, and few abstracts less."""
_short_in_lines = lru_cache(maxsize=1 << 15)(_in_lines)
_long_in_lines = lru_cache(maxsize=4096)(_in_lines)


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
        size: the bytes of what stands there; ``excess`` likewise.
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

    def joined(
        self,
        papers: Mapping[str, Sheaf],
        values: Mapping[str, str],
        fill: Callable[[Hole | Wrap, Mapping[str, str]], Coded],
    ) -> Sheaf:
        """A copy with something in each hole.

        Nothing is copied: that is done once, when the message is.

        Args:
            papers: what goes into some of the holes.
            values: what goes into the others,
            fill: encoded by this.
        """
        contents: list[bytes] = []
        size, more, done = self.size, self.excess, 0
        for place, hole in self.holes:
            contents += self.contents[done:place]
            some = papers.get(hole[0])  # for lines it is an indent, and no paper's
            if some is None:
                content, its_size, its_excess = fill(hole, values)
                contents.append(content)
            else:
                content_of, its_size, its_excess = some
                contents += content_of
            size += its_size
            more += its_excess
            done = place + 1
        contents += self.contents[done:]
        return Sheaf(contents, size, more)


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
        contents: in pieces; empty where something is missing.
        numbers: which of them are to be numbers.
        pages: which of them are to be that address.
    """

    contents: Sequence[bytes]
    numbers: tuple[int, ...]
    pages: tuple[int, ...]
    size: int
    excess: int


class Mould(NamedTuple):
    """What many copies are filled from, in each of which a few pieces are left: all between what is missing is joined.

    Attributes:
        pieces: those of a copy; empty where something is missing, or is to be joined.
        joins: which of them are to be joined, each of what stands between some of the holes.
        holes: what is to be filled in, in its order.
        numbers: as those of a copy; so are ``pages``.
    """

    pieces: tuple[bytes, ...]
    joins: tuple[tuple[int, tuple[bytes, ...]], ...]
    holes: tuple[Hole | Wrap, ...]
    numbers: tuple[int, ...]
    pages: tuple[int, ...]
    size: int
    excess: int

    def filled(self, fillings: Iterable[Coded]) -> Filled:
        """A copy with something in each hole."""
        pieces = list(self.pieces)
        size, more = self.size, self.excess
        left = iter(fillings)
        for at, between in self.joins:
            here = [between[0]]
            for stands, (content, its_size, its_excess) in zip(between[1:], left, strict=False):
                here += (content, stands)
                size += its_size
                more += its_excess
            pieces[at] = b"".join(here)
        return Filled(pieces, self.numbers, self.pages, size, more)


def mould(made: Hollow) -> Mould:
    """What copies of something are filled from."""
    holes = dict(made.holes)
    pages = {place for place, hole in made.holes if hole == _PAGE}
    missing = sorted((*made.numbers, *pages))
    pieces: list[bytes] = []
    joins = []
    for begin, end in zip((-1, *missing), (*missing, len(made.contents)), strict=True):
        between = [b""]
        for place in range(begin + 1, end):
            if place in holes:
                between.append(b"")
            else:
                between[-1] += made.contents[place]
        if len(between) > 1:
            joins.append((len(pieces), tuple(between)))
        pieces += (b"" if len(between) > 1 else between[0], b"")
    return Mould(
        pieces=tuple(pieces),
        joins=tuple(joins),
        holes=tuple([hole for _, hole in made.holes if hole != _PAGE]),
        numbers=tuple([2 * at + 1 for at, place in enumerate(missing) if place not in pages]),
        pages=tuple([2 * at + 1 for at, place in enumerate(missing) if place in pages]),
        size=made.size,
        excess=made.excess,
    )


def hollow_html(pieces: Iterable[Piece]) -> Hollow:
    """Pieces of an HTML part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line, or they cannot be ASCII.
    """
    some = list(pieces)
    if has_raw_signs("".join([piece for piece in some if isinstance(piece, str)])):
        raise NotToBeCut
    return _hollow(some, coded_html)


def hollow_text(pieces: Iterable[Piece]) -> Hollow:
    """Pieces of a text part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line.
    """
    return _hollow(pieces, coded)


def _hollow(pieces: Iterable[Piece], code: Callable[[str], Coded]) -> Hollow:
    made: list[_Piece] = []
    size = more = 0
    for piece in pieces:
        if not isinstance(piece, str):
            made.append(piece)
            continue
        one = code(piece)
        made.append(one.content)
        size += one.size
        more += one.excess
    return _laid_out(made, size, more)


def numbered(number: int) -> tuple[Coded, Coded]:
    """A number as it stands in HTML, and in text."""
    return coded_html(str(number)), coded(str(number))


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
