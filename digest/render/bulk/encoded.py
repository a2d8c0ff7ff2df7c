"""Pieces of the two parts of a mail, encoded once and joined without further encoding.

HTML pieces are ASCII with character references, so any piece can follow any other. Text pieces have their octets encoded as
quoted-printable; lines are broken after the pieces are joined, so a mail has the same bytes whichever way it is made.

The piece of a paper lacks the paper's number and the address of the edition's page. Both replace marks when the mail is made.
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
    wrap_around_number,
    wraps_number,
)
from digest.render.delivery.mime import encode_html_ascii, encode_octets, has_raw_characters
from digest.render.environment import remove_unprintable
from digest.render.wrapping import wrap_text

_NUMBER_MARK, _PAGE_MARK = b"\x01", b"\x04"
"""Marks: characters that occur neither in printable text nor in quoted-printable."""
PAGE_NAME = "page"
"""The placeholder that stays a mark until the mail is made."""


def encode_text(text: str) -> bytes:
    """Encode the octets of a piece of the text part.

    Raises:
        NotSplittable: the piece may end within a line break.
    """
    if "\r" in text:
        raise NotSplittable
    return encode_octets(text.replace("\n", "\r\n").encode())


def encode_html(html: str) -> bytes:
    """Encode a piece of the HTML part.

    Raises:
        NotSplittable: the piece may end within a line break.
    """
    if "\r" in html:
        raise NotSplittable
    return encode_html_ascii(html)


@lru_cache(maxsize=4096)
def encode_plain(text: str) -> bytes:
    """Encode a plain text for the text part."""
    return encode_text(remove_unprintable(text))


@lru_cache(maxsize=4096)
def encode_escaped(text: str) -> bytes:
    """Escape and encode a plain text for the HTML part."""
    return encode_html(remove_unprintable(str(escape(text))))


def encode_wrapped(text: str, indent: str, lead: str) -> bytes:
    """Wrap a text into lines and encode it for the text part.

    Reasons and excerpts (about twenty a paper) have separate caches, so that neither evicts the other.
    """
    return (_encode_short_wrapped if len(text) < _MIN_LONG_TEXT else _encode_long_wrapped)(text, indent, lead)


def _encode_wrapped(text: str, indent: str, lead: str) -> bytes:
    return encode_text(remove_unprintable(wrap_text(text, indent, first=lead)))


_MIN_LONG_TEXT = 200
"""Limit between the two caches, in characters: few reasons are longer, few abstracts are shorter."""
_MAX_WRAPPED_TEXTS = 1 << 13
_encode_short_wrapped = lru_cache(maxsize=_MAX_WRAPPED_TEXTS)(_encode_wrapped)
_encode_long_wrapped = lru_cache(maxsize=_MAX_WRAPPED_TEXTS)(_encode_wrapped)


class Skeleton(NamedTuple):
    """The output of a template, encoded between its placeholders.

    Attributes:
        literals: the texts before, between and after the placeholders.
        placeholders: one fewer than the literals.
    """

    literals: tuple[bytes, ...]
    placeholders: tuple[Placeholder | WrapPlaceholder, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the placeholders."""
        return frozenset([name for placeholder in self.placeholders for name in _list_names(placeholder)])

    @property
    def has_wrapping(self) -> bool:
        """Whether a value has to be wrapped into lines."""
        return any(isinstance(placeholder, WrapPlaceholder) for placeholder in self.placeholders)

    @property
    def has_number(self) -> bool:
        """Whether a number is still to be inserted."""
        return self.wraps_number or any(_NUMBER_MARK in literal for literal in self.literals)

    @property
    def wraps_number(self) -> bool:
        """Whether the length of a number determines where lines end."""
        return any(map(wraps_number, self.placeholders))

    def fill(self, values: Sequence[bytes]) -> bytes:
        """Return a copy in which every placeholder has a value."""
        pieces = [b""] * (2 * len(values) + 1)
        pieces[::2], pieces[1::2] = self.literals, values
        return b"".join(pieces)

    def fill_named(
        self, names: Container[str], make_value: Callable[[Placeholder | WrapPlaceholder], bytes]
    ) -> Skeleton:
        """Return a copy in which some placeholders have values.

        Args:
            names: the placeholders to fill; a placeholder that also needs other names stays open.
            make_value: returns the value of a placeholder.
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
    """Encode the pieces of an HTML part between their placeholders.

    Raises:
        NotSplittable: a piece may end within a line break, or cannot be ASCII.
    """
    piece_list = list(pieces)
    if has_raw_characters("".join([piece for piece in piece_list if isinstance(piece, str)])):
        raise NotSplittable
    return _build_skeleton(_encode_pieces(piece_list, encode_html))


def make_text_skeleton(pieces: Iterable[Piece]) -> Skeleton:
    """Encode the pieces of a text part between their placeholders.

    Raises:
        NotSplittable: a piece may end within a line break.
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
"""The numbers of papers, encoded for the HTML part; ``TEXT_NUMBERS`` likewise for the text part."""
TEXT_NUMBERS = [encode_text(str(number)) for number in range(_MAX_NUMBERS)]


def insert_numbers(papers: Iterable[bytes], numbers: Iterable[bytes]) -> bytes:
    """Join papers and insert their numbers.

    Args:
        papers: the encoded papers of one part of a mail, in order.
        numbers: the encoded number of each.
    """
    return b"".join(map(bytes.replace, papers, repeat(_NUMBER_MARK), numbers))


def insert_page_address(content: bytes, page_address: bytes) -> bytes:
    """Insert the address of the edition's page, encoded for the part."""
    return content.replace(_PAGE_MARK, page_address)


def encode_html_value(placeholder: Placeholder | WrapPlaceholder, values: Mapping[str, str]) -> bytes:
    """Encode the value of a placeholder in the HTML part, which has none for wrapped lines."""
    assert isinstance(placeholder, Placeholder)
    return encode_escaped(values[placeholder.name])


def encode_text_value(placeholder: Placeholder | WrapPlaceholder, values: Mapping[str, str]) -> bytes:
    """Encode the value of a placeholder in the text part."""
    if isinstance(placeholder, Placeholder):
        return encode_plain(values[placeholder.name])
    return encode_wrapped(_join_parts(placeholder, values), placeholder.indent, placeholder.lead)


def encode_numbered_value(
    placeholder: Placeholder | WrapPlaceholder, values: Mapping[str, str], digits: int
) -> bytes:
    """Encode the value of a placeholder in the text part of a paper whose number has so many digits."""
    if isinstance(placeholder, Placeholder) or not wraps_number(placeholder):
        return encode_text_value(placeholder, values)
    texts = wrap_around_number(_join_parts(placeholder, values), placeholder.indent, placeholder.lead, digits)
    return _NUMBER_MARK.join(map(encode_plain, texts))


def _join_parts(placeholder: WrapPlaceholder, values: Mapping[str, str]) -> str:
    prefix, *remainder = placeholder.parts
    if not prefix and len(remainder) == 2 and not remainder[1]:  # nearly always
        return values[remainder[0]]
    return "".join([values[part] if index % 2 else part for index, part in enumerate(placeholder.parts)])
