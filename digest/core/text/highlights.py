"""Where words and phrases that were found stand in a text, to be marked there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from digest.core.text.words import spelled


def highlights(text: str, printed: Sequence[str]) -> list[tuple[int, int]]:
    """Where to mark words in a text: start and end of each place, in order, none over another.

    Args:
        text: readable, without TeX.
        printed: words and phrases as they stand in it; case counts.
    """
    places: list[tuple[int, int]] = []
    for word in set(printed):
        place = _standing(word, text, 0)
        while place:
            places.append(place)
            place = _standing(word, text, place[1])
    if len(places) < 2:
        return places
    places.sort()
    apart: list[tuple[int, int]] = []
    for start, end in places:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def first_highlight(text: str, printed: Sequence[str], begin: int = 0) -> tuple[int, int] | None:
    """Where the first of some words stands in a text behind a place: its start and end; None where there is none."""
    first = None
    for word in printed:
        place = _standing(word, text, begin)
        if place and (first is None or place < first):
            first = place
    return first


def _standing(word: str, text: str, begin: int) -> tuple[int, int] | None:
    """Where a word first stands in a text, behind a place, as a whole word: C does not stand in C++."""
    start = text.find(word, begin) if word else -1
    while start >= 0:
        end = start + len(word)
        if _is_whole(text, word, start, end):
            return start, end
        start = text.find(word, start + 1)
    return None


_APART = frozenset(' \n,;:!?()[]{}<>=/|"“”-')
"""Signs that part words whatever stands beside them."""


def _is_whole(text: str, word: str, start: int, end: int) -> bool:
    """Whether a slice of a text begins and ends where words of the text do."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    if (
        word.isascii() and word[0].isalnum() and word[-1].isalnum()
    ):  # as nearly all that is marked: no need to read the text
        if (behind.isascii() and behind.isalnum()) or (before.isascii() and before.isalnum()):
            return False
        stops = not behind or behind in _APART or (behind == "." and not text[end + 1 : end + 2].isalnum())
        if stops and (not before or before in _APART):
            return True
    own_starts, own_ends = _edges(word)
    starts, ends = _edges(text)
    return bool(own_starts) and start + min(own_starts) in starts and start + max(own_ends) in ends


@lru_cache(maxsize=32)
def _edges(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Where the parts of a text start, and where they end; kept for the other words that are marked in it."""
    found = [(start, start + len(printed)) for start, printed, _ in spelled(text)]
    return frozenset(start for start, _ in found), frozenset(end for _, end in found)
