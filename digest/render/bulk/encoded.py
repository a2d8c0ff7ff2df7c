"""Pieces of a mail's parts, encoded once and joined as they are.

Those of the HTML are ASCII with references, which anything can follow. Of those of the text the octets are encoded as
quoted-printable has them; its lines are broken when all pieces stand together, so that a mail is the same bytes
whichever way it was made.

A paper is a piece without its number, and without the address of the edition's page: these take the place of marks when
its mail is made.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from markupsafe import escape

from digest.render.bulk.placeholder import Hole, NotToBeCut, Number, Piece, Wrap
from digest.render.delivery.mime import encode_octets, has_raw_signs, in_ascii
from digest.render.environment import printable
from digest.render.wrapping import wrapped

_NUMBER, _PAGE = b"\x01", b"\x04"
"""The marks: nothing that is printable has them, nor has quoted-printable."""
PAGE = "page"
"""The hole that is a mark until its mail is made."""


def coded(text: str) -> bytes:
    """Something of a text part, its octets encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in text:
        raise NotToBeCut
    return encode_octets(text.replace("\n", "\r\n").encode())


def coded_html(html: str) -> bytes:
    """Something of an HTML part, encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in html:
        raise NotToBeCut
    return in_ascii(html)


@lru_cache(maxsize=4096)
def plain(text: str) -> bytes:
    """A text in a text part."""
    return coded(printable(text))


@lru_cache(maxsize=4096)
def escaped(text: str) -> bytes:
    """A text in an HTML part."""
    return coded_html(printable(str(escape(text))))


def in_lines(text: str, indent: str, lead: str) -> bytes:
    """A text in lines in a text part.

    Reasons are in many mails, and so are the twenty or so excerpts of a paper: they must not drive each other out.
    """
    return (_short_in_lines if len(text) < _SHORT else _long_in_lines)(text, indent, lead)


def _in_lines(text: str, indent: str, lead: str) -> bytes:
    return coded(printable(wrapped(text, indent, first=lead)))


_SHORT = 200
"""Characters: few reasons have more, and few abstracts less."""
_MOST_IN_LINES = 1 << 13
_short_in_lines = lru_cache(maxsize=_MOST_IN_LINES)(_in_lines)
_long_in_lines = lru_cache(maxsize=_MOST_IN_LINES)(_in_lines)


class Hollow(NamedTuple):
    """What a template made, encoded between its holes.

    Attributes:
        between: what stands before, between and behind the holes.
        holes: where a text goes, and which.
    """

    between: tuple[bytes, ...]
    holes: tuple[Hole | Wrap, ...]

    @property
    def names(self) -> frozenset[str]:
        """What its holes are for."""
        return frozenset([name for hole in self.holes for name in _names(hole)])

    @property
    def has_lines(self) -> bool:
        """Whether lines are to be made of what goes into it."""
        return any(isinstance(hole, Wrap) for hole in self.holes)

    @property
    def has_number(self) -> bool:
        """Whether a number is missing in it."""
        return any(_NUMBER in stands for stands in self.between)

    def filled(self, fillings: Sequence[bytes]) -> bytes:
        """A copy with something in each hole."""
        pieces = [b""] * (2 * len(fillings) + 1)
        pieces[::2], pieces[1::2] = self.between, fillings
        return b"".join(pieces)

    def settled(self, names: Container[str], fill: Callable[[Hole | Wrap], bytes]) -> Hollow:
        """A copy with some holes filled for good.

        Args:
            names: of these; what has others, too, is left open.
            fill: gives what goes into one.
        """
        pieces: list[bytes | Hole | Wrap] = [self.between[0]]
        for hole, stands in zip(self.holes, self.between[1:], strict=True):
            settles = all(name in names for name in _names(hole))
            pieces += (fill(hole) if settles else hole, stands)
        return _laid_out(pieces)


def _laid_out(pieces: Iterable[bytes | Hole | Wrap]) -> Hollow:
    between, holes = [b""], []
    for piece in pieces:
        if isinstance(piece, bytes):
            between[-1] += piece
        else:
            holes.append(piece)
            between.append(b"")
    return Hollow(tuple(between), tuple(holes))


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


def _encoded(pieces: Iterable[Piece], code: Callable[[str], bytes]) -> Iterator[bytes | Hole | Wrap]:
    for piece in pieces:
        if isinstance(piece, str):
            yield code(piece)
        elif isinstance(piece, Number):
            yield _NUMBER
        else:
            yield _PAGE if piece == _THE_PAGE else piece


_THE_PAGE = Hole(PAGE)
_MOST_NUMBERS = 2_000
IN_HTML = [coded_html(str(number)) for number in range(_MOST_NUMBERS)]
"""Numbers, as they are encoded there; so ``IN_TEXT``."""
IN_TEXT = [coded(str(number)) for number in range(_MOST_NUMBERS)]


def numbered(papers: Sequence[bytes], numbers: Sequence[bytes], first: int = 1) -> bytes:
    """Papers one behind the other, each with its number.

    Args:
        papers: of one part of a mail.
        numbers: as they are encoded there.
        first: the number of the first of them.
    """
    return b"".join(map(bytes.replace, papers, repeat(_NUMBER), numbers[first : first + len(papers)]))


def linked(content: bytes, page: bytes) -> bytes:
    """A part with the address of the edition's page, encoded for it."""
    return content.replace(_PAGE, page)


def in_html(hole: Hole | Wrap, values: Mapping[str, str]) -> bytes:
    """What goes into a hole of an HTML part, where none is for lines."""
    assert isinstance(hole, Hole)
    return escaped(values[hole.name])


def in_text(hole: Hole | Wrap, values: Mapping[str, str]) -> bytes:
    """What goes into a hole of a text part."""
    if isinstance(hole, Hole):
        return plain(values[hole.name])
    before, name, *others = hole.parts
    text = values[name]
    if before or others != [""]:
        text = "".join([values[part] if place % 2 else part for place, part in enumerate(hole.parts)])
    return in_lines(text, hole.indent, hole.lead)
