"""The spans of matched words and phrases in a text, for highlighting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from digest.core.text.words import scan_parts


def find_highlights(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of some words in a text: start and end of each, in order, without overlaps.

    Args:
        text: readable, without TeX.
        words: words and phrases as printed in the text; case-sensitive.
    """
    spans: list[tuple[int, int]] = []
    for word in set(words):
        span = _find_word(word, text, 0)
        while span:
            spans.append(span)
            span = _find_word(word, text, span[1])
    if len(spans) < 2:
        return spans
    spans.sort()
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def find_first_highlight(text: str, words: Sequence[str], begin: int = 0) -> tuple[int, int] | None:
    """Return start and end of the first of some words in a text, from ``begin`` on; None if there is none."""
    first_span = None
    for word in words:
        span = _find_word(word, text, begin)
        if span and (first_span is None or span < first_span):
            first_span = span
    return first_span


def _find_word(word: str, text: str, begin: int) -> tuple[int, int] | None:
    """Find the first occurrence of a word as a whole word, from ``begin`` on: C does not occur in C++."""
    start = text.find(word, begin) if word else -1
    while start >= 0:
        end = start + len(word)
        if _is_whole_word(text, word, start, end):
            return start, end
        start = text.find(word, start + 1)
    return None


_SEPARATORS = frozenset(' \n,;:!?()[]{}<>=/|"“”-')
"""Signs that separate words whatever is next to them."""


def _is_whole_word(text: str, word: str, start: int, end: int) -> bool:
    """Whether a slice of a text begins and ends where words of the text do."""
    before, after = text[start - 1 : start], text[end : end + 1]
    # For nearly all marked words the neighbouring characters decide, and the text need not be tokenized.
    if word.isascii() and word[0].isalnum() and word[-1].isalnum():
        if (after.isascii() and after.isalnum()) or (before.isascii() and before.isalnum()):
            return False
        is_end = not after or after in _SEPARATORS or (after == "." and not text[end + 1 : end + 2].isalnum())
        if is_end and (not before or before in _SEPARATORS):
            return True
    own_starts, own_ends = _find_edges(word)
    starts, ends = _find_edges(text)
    return bool(own_starts) and start + min(own_starts) in starts and start + max(own_ends) in ends


@lru_cache(maxsize=32)
def _find_edges(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return where the parts of a text start and where they end; cached for the other words that are marked in it."""
    spans = [(start, start + len(printed)) for start, printed, _ in scan_parts(text)]
    return frozenset(start for start, _ in spans), frozenset(end for _, end in spans)
