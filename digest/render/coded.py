"""Pieces of a mail's parts, encoded once and joined as they are.

Those of the HTML are ASCII with references, which anything can follow. Those of the text are quoted-printable, each by
itself: one that does not end a line ends in a soft break, so that whatever comes next begins a line of its own and
none gets longer than 76 characters (RFC 2045, section 6.7).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from operator import mul
from typing import NamedTuple

from markupsafe import escape

from digest.render.environment import printable
from digest.render.holes import Hole, NotToBeCut, Number, Piece, Wrap
from digest.render.mime import excess, excess_in_ascii, has_raw_signs, in_ascii, quoted_printable
from digest.render.wrapping import wrapped

_SOFT = b"=\r\n"
_NUMBER, _PAGE = b"\x01", b"\x04"
"""Stand for what is missing: nothing that is printable has them, nor has quoted-printable."""
_MOST_NUMBERS = 2_000
PAGE = "page"
"""The hole that stays open until its mail is made, as those for numbers do."""


class Coded(NamedTuple):
    """A text that is encoded; the paper's number and the address of the edition's page may be missing in it.

    Attributes:
        content: in quoted-printable, or in ASCII as HTML.
        size: the bytes of the text, in HTML with its references, but for what is missing; ``excess`` likewise.
        excess: how much shorter base64 would be.
        numbers: how often the number is missing.
        pages: how often the address is.
    """

    content: bytes
    size: int
    excess: int
    numbers: int = 0
    pages: int = 0

    def linked(self, page: Coded) -> Coded:
        """With the address of the edition's page."""
        if not self.pages:
            return self
        return Coded(
            self.content.replace(_PAGE, page.content),
            self.size + self.pages * page.size,
            self.excess + self.pages * page.excess,
        )


NOTHING = Coded(b"", 0, 0)


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

    Reasons are in many mails, and so are the twenty or so excerpts of a paper: they must not drive each other out.
    """
    return (_short_in_lines if len(text) < _SHORT else _long_in_lines)(text, indent, lead)


def _in_lines(text: str, indent: str, lead: str) -> Coded:
    return coded(printable(wrapped(text, indent, first=lead)))


_SHORT = 200
"""Characters: few reasons have more, and few abstracts less."""
_short_in_lines = lru_cache(maxsize=1 << 15)(_in_lines)
_long_in_lines = lru_cache(maxsize=1 << 15)(_in_lines)


class Hollow(NamedTuple):
    """What a template made, encoded between its holes.

    Attributes:
        between: what stands before, between and behind the holes.
        holes: where a text goes, and which.
        bare: it with nothing in them.
    """

    between: tuple[bytes, ...]
    holes: tuple[Hole | Wrap, ...]
    bare: Coded

    @property
    def names(self) -> frozenset[str]:
        """What its holes are for."""
        return frozenset([name for hole in self.holes for name in _names(hole)])

    @property
    def has_lines(self) -> bool:
        """Whether lines are to be made of what goes into it."""
        return any(isinstance(hole, Wrap) for hole in self.holes)

    def filled(self, fillings: Sequence[Coded]) -> Coded:
        """A copy with something in each hole."""
        if not fillings:
            return self.bare
        contents, sizes, excesses, numbers, pages = zip(*fillings, strict=True)
        pieces = [b""] * (len(contents) + len(self.between))
        pieces[::2], pieces[1::2] = self.between, contents
        _, size, more, missing, linked = self.bare
        return Coded(
            b"".join(pieces),
            size + sum(sizes),
            more + sum(excesses),
            missing + sum(numbers),
            linked + sum(pages),
        )

    def settled(self, names: Container[str], fill: Callable[[Hole | Wrap], Coded]) -> Hollow:
        """A copy with some holes filled for good.

        Args:
            names: of these; what has others, too, is left open.
            fill: gives what goes into one.
        """
        pieces: list[Coded | Hole | Wrap] = [self.bare._replace(content=self.between[0])]
        for hole, stands in zip(self.holes, self.between[1:], strict=True):
            settles = all(name in names for name in _names(hole))
            pieces += (fill(hole) if settles else hole, Coded(stands, 0, 0))
        return _laid_out(pieces)


def _laid_out(pieces: Iterable[Coded | Hole | Wrap]) -> Hollow:
    between, holes, counts = [b""], [], [0, 0, 0, 0]
    for piece in pieces:
        if isinstance(piece, Coded):
            between[-1] += piece.content
            counts = [known + more for known, more in zip(counts, piece[1:], strict=True)]
        else:
            holes.append(piece)
            between.append(b"")
    return Hollow(tuple(between), tuple(holes), Coded(b"".join(between), *counts))


def _names(hole: Hole | Wrap) -> Sequence[str]:
    return [hole.name] if isinstance(hole, Hole) else hole.parts[1::2]


def hollow_html(pieces: Iterable[Piece]) -> Hollow:
    """Pieces of an HTML part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line, or they cannot be ASCII.
    """
    some = list(pieces)
    if has_raw_signs("".join([piece for piece in some if isinstance(piece, str)])):
        raise NotToBeCut
    return _laid_out(_encoded(some, coded_html))


def hollow_text(pieces: Iterable[Piece]) -> Hollow:
    """Pieces of a text part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line.
    """
    return _laid_out(_encoded(pieces, coded))


def _encoded(pieces: Iterable[Piece], code: Callable[[str], Coded]) -> Iterator[Coded | Hole | Wrap]:
    for piece in pieces:
        if isinstance(piece, str):
            yield code(piece)
        elif isinstance(piece, Number):
            yield Coded(_NUMBER, 0, 0, numbers=1)
        elif piece == _THE_PAGE:
            yield Coded(_PAGE, 0, 0, pages=1)
        else:
            yield piece


_THE_PAGE = Hole(PAGE)
_DIGITS = [len(str(number)) for number in range(_MOST_NUMBERS)]
IN_HTML = [coded_html(str(number)).content for number in range(_MOST_NUMBERS)]
"""Numbers, as they are encoded there; ``IN_TEXT`` likewise."""
IN_TEXT = [coded(str(number)).content for number in range(_MOST_NUMBERS)]


def row(papers: Sequence[Coded], numbers: Sequence[bytes], first: int = 1) -> Coded:
    """Papers one behind the other, each with its number.

    Args:
        papers: of one part of a mail.
        numbers: as they are encoded there.
        first: the number of the first of them.
    """
    if not papers:
        return NOTHING
    contents, sizes, excesses, missing, pages = zip(*papers, strict=True)
    behind = first + len(papers)
    digits = sum(map(mul, missing, _DIGITS[first:behind]))
    content = b"".join(map(bytes.replace, contents, repeat(_NUMBER), numbers[first:behind]))
    return Coded(content, sum(sizes) + digits, sum(excesses) - digits, 0, sum(pages))


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
