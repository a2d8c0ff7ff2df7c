"""How often the terms of a paper occur in its title and abstract, in some 100 bytes for the index of papers.

Posting lists tell which papers have a term, but not, on every database, how often and where. Most terms occur
once in the abstract and nowhere else; only the others are stored: those of the title, and those that the
abstract has at least twice. Each has a code of two bytes. Terms with equal codes count as one, which affects
one word of some 1,500.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

_MAX_IN_ABSTRACT = 5
"""Highest frequency in an abstract that is stored; BM25 hardly distinguishes higher ones."""
_MAX_TERMS = 500
"""Maximum number of stored terms; longer texts are no abstracts."""
_FIRST_CODE, _CODES = 0x100, 0xD700
"""The codes are numbers whose higher byte is not 0, so no two neighbours look like a separator."""
_SEPARATOR = bytes(2)


class TermFrequency(NamedTuple):
    """How often a term occurs in a paper.

    Attributes:
        in_title: 1 if it is in the title, however often; else 0.
        in_abstract: how often it is in the abstract, at most 5.
    """

    in_title: int
    in_abstract: int


ONCE = TermFrequency(0, 1)
"""The frequency of the terms that are not stored."""
STORED = (
    *(TermFrequency(0, count) for count in range(2, _MAX_IN_ABSTRACT + 1)),
    *(TermFrequency(1, count) for count in range(_MAX_IN_ABSTRACT + 1)),
)
"""The frequencies that are stored, each as one group of codes, in this order."""


@lru_cache(maxsize=1 << 16)
def make_code(term: str) -> bytes:
    """Return the code of a term."""
    return (_FIRST_CODE + crc32(term.encode("utf-8", "surrogatepass")) % _CODES).to_bytes(2, "little")


def encode_frequencies(title_terms: Iterable[str], abstract_terms: Iterable[str]) -> bytes:
    """Encode how often terms occur.

    Args:
        title_terms: the terms of the words of the title.
        abstract_terms: the terms of the words of the abstract.
    """
    in_abstract = Counter(abstract_terms)
    in_title = dict.fromkeys(title_terms)
    repeated = [term for term, count in in_abstract.items() if count > 1 and term not in in_title]
    groups: dict[TermFrequency, list[bytes]] = {frequency: [] for frequency in STORED}
    for term in (*in_title, *repeated)[:_MAX_TERMS]:
        frequency = TermFrequency(int(term in in_title), min(in_abstract[term], _MAX_IN_ABSTRACT))
        groups[frequency].append(make_code(term))
    return _SEPARATOR.join(b"".join(sorted(codes)) for codes in groups.values())


def find_group(frequencies: bytes, code: bytes) -> int | None:
    """Return the number of the group of ``STORED`` to which a term belongs in a paper; None if it is not stored.

    A code may also be found where two others meet; that is as rare as two terms with equal codes.

    Args:
        frequencies: what ``encode_frequencies`` returned for the paper.
        code: the code of the term.
    """
    index = frequencies.find(code)
    return frequencies.count(_SEPARATOR, 0, index) if index >= 0 else None
