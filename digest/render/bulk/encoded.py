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

from digest.render.bulk.placeholder import (
    NotSplittable,
    NumberPlaceholder,
    Piece,
    Placeholder,
    WrapPlaceholder,
)
from digest.render.delivery.mime import encode_html_ascii, encode_octets, has_raw_characters
from digest.render.environment import remove_unprintable
from digest.render.wrapping import wrap_text

_NUMBER_MARK, _PAGE_MARK = b"\x01", b"\x04"
"""The marks: nothing that is printable has them, nor has quoted-printable."""
PAGE_NAME = "page"
"""The hole that is a mark until its mail is made."""


def encode_text(text: str) -> bytes:
    """Something of a text part, its octets encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in text:
        raise NotSplittable
    return encode_octets(text.replace("\n", "\r\n").encode())


def encode_html(html: str) -> bytes:
    """Something of an HTML part, encoded.

    Raises:
        NotToBeCut: it may end within the end of a line.
    """
    if "\r" in html:
        raise NotSplittable
    return encode_html_ascii(html)


@lru_cache(maxsize=4096)
def encode_plain(text: str) -> bytes:
    """A text in a text part."""
    return encode_text(remove_unprintable(text))


@lru_cache(maxsize=4096)
def encode_escaped(text: str) -> bytes:
    """A text in an HTML part."""
    return encode_html(remove_unprintable(str(escape(text))))


def encode_wrapped(text: str, indent: str, lead: str) -> bytes:
    """A text in lines in a text part.

    Reasons are in many mails, and so are the twenty or so excerpts of a paper: they must not drive each other out.
    """
    return (_encode_short_wrapped if len(text) < _MIN_LONG_TEXT else _encode_long_wrapped)(text, indent, lead)


def _encode_wrapped(text: str, indent: str, lead: str) -> bytes:
    return encode_text(remove_unprintable(wrap_text(text, indent, first=lead)))


_MIN_LONG_TEXT = 200
"""Characters: few reasons have more, and few abstracts less."""
_MAX_WRAPPED_TEXTS = 1 << 13
_encode_short_wrapped = lru_cache(maxsize=_MAX_WRAPPED_TEXTS)(_encode_wrapped)
_encode_long_wrapped = lru_cache(maxsize=_MAX_WRAPPED_TEXTS)(_encode_wrapped)


class Skeleton(NamedTuple):
    """What a template made, encoded between its holes.

    Attributes:
        literals: what stands before, between and behind the holes.
        placeholders: where a text goes, and which.
    """

    literals: tuple[bytes, ...]
    placeholders: tuple[Placeholder | WrapPlaceholder, ...]

    @property
    def names(self) -> frozenset[str]:
        """What its holes are for."""
        return frozenset([name for placeholder in self.placeholders for name in _list_names(placeholder)])

    @property
    def has_wrapping(self) -> bool:
        """Whether lines are to be made of what goes into it."""
        return any(isinstance(placeholder, WrapPlaceholder) for placeholder in self.placeholders)

    @property
    def has_number(self) -> bool:
        """Whether a number is missing in it."""
        return any(_NUMBER_MARK in literal for literal in self.literals)

    def fill(self, values: Sequence[bytes]) -> bytes:
        """A copy with something in each hole."""
        pieces = [b""] * (2 * len(values) + 1)
        pieces[::2], pieces[1::2] = self.literals, values
        return b"".join(pieces)

    def fill_named(
        self, names: Container[str], make_value: Callable[[Placeholder | WrapPlaceholder], bytes]
    ) -> Skeleton:
        """A copy with some holes filled for good.

        Args:
            names: of these; what has others, too, is left open.
            make_value: gives what goes into one.
        """
        pieces: list[bytes | Placeholder | WrapPlaceholder] = [self.literals[0]]
        for placeholder, literal in zip(self.placeholders, self.literals[1:], strict=True):
            is_named = all(name in names for name in _list_names(placeholder))
            pieces += (make_value(placeholder) if is_named else placeholder, literal)
        return _build_skeleton(pieces)


def _build_skeleton(pieces: Iterable[bytes | Placeholder | WrapPlaceholder]) -> Skeleton:
    literals, placeholders = [b""], []
    for piece in pieces:
        if isinstance(piece, bytes):
            literals[-1] += piece
        else:
            placeholders.append(piece)
            literals.append(b"")
    return Skeleton(tuple(literals), tuple(placeholders))


def _list_names(placeholder: Placeholder | WrapPlaceholder) -> Sequence[str]:
    return [placeholder.name] if isinstance(placeholder, Placeholder) else placeholder.parts[1::2]


def make_html_skeleton(pieces: Iterable[Piece]) -> Skeleton:
    """Pieces of an HTML part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line, or they cannot be ASCII.
    """
    piece_list = list(pieces)
    if has_raw_characters("".join([piece for piece in piece_list if isinstance(piece, str)])):
        raise NotSplittable
    return _build_skeleton(_encode_pieces(piece_list, encode_html))


def make_text_skeleton(pieces: Iterable[Piece]) -> Skeleton:
    """Pieces of a text part, encoded between their holes.

    Raises:
        NotToBeCut: a piece may end within the end of a line.
    """
    return _build_skeleton(_encode_pieces(pieces, encode_text))


def _encode_pieces(
    pieces: Iterable[Piece], encode: Callable[[str], bytes]
) -> Iterator[bytes | Placeholder | WrapPlaceholder]:
    for piece in pieces:
        if isinstance(piece, str):
            yield encode(piece)
        elif isinstance(piece, NumberPlaceholder):
            yield _NUMBER_MARK
        else:
            yield _PAGE_MARK if piece == _PAGE_PLACEHOLDER else piece


_PAGE_PLACEHOLDER = Placeholder(PAGE_NAME)
_MAX_NUMBERS = 2_000
HTML_NUMBERS = [encode_html(str(number)) for number in range(_MAX_NUMBERS)]
"""Numbers, as they are encoded there; so ``TEXT_NUMBERS``."""
TEXT_NUMBERS = [encode_text(str(number)) for number in range(_MAX_NUMBERS)]


def insert_numbers(papers: Sequence[bytes], numbers: Sequence[bytes], first_number: int = 1) -> bytes:
    """Papers one behind the other, each with its number.

    Args:
        papers: of one part of a mail.
        numbers: as they are encoded there.
        first_number: the number of the first of them.
    """
    return b"".join(
        map(bytes.replace, papers, repeat(_NUMBER_MARK), numbers[first_number : first_number + len(papers)])
    )


def insert_page_address(content: bytes, page_address: bytes) -> bytes:
    """A part with the address of the edition's page, encoded for it."""
    return content.replace(_PAGE_MARK, page_address)


def encode_html_value(placeholder: Placeholder | WrapPlaceholder, values: Mapping[str, str]) -> bytes:
    """What goes into a hole of an HTML part, where none is for lines."""
    assert isinstance(placeholder, Placeholder)
    return encode_escaped(values[placeholder.name])


def encode_text_value(placeholder: Placeholder | WrapPlaceholder, values: Mapping[str, str]) -> bytes:
    """What goes into a hole of a text part."""
    if isinstance(placeholder, Placeholder):
        return encode_plain(values[placeholder.name])
    prefix, name, *remainder = placeholder.parts
    text = values[name]
    if prefix or remainder != [""]:
        text = "".join([values[part] if index % 2 else part for index, part in enumerate(placeholder.parts)])
    return encode_wrapped(text, placeholder.indent, placeholder.lead)
