"""Texts that are too long: their beginning, and the sentence that a reader is looking for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from digest.core.text.highlights import first_highlight

_SENTENCE_END = re.compile(r"(?<!\bal)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?][)\"'”’]*\s+(?=[^\W_a-z])")
_MORE = " …"
_AROUND = 100
"""Characters on each side of what is looked for, where its sentence is a long one."""


def shorten(text: str, most: int) -> str:
    """The first sentences of a text, up to about so many characters; an ellipsis says that there are more.

    It is cut at a blank where no sentence ends in the second half, and not at all for a few words.
    """
    text = " ".join(text.split())
    if len(text) <= most + most // 8:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, most)]
    end = ends[-1] if ends and ends[-1] > most // 2 else text.rfind(" ", 0, most) + 1
    return text[: end or most].rstrip() + _MORE


def shorten_line(text: str, most: int) -> str:
    """A line of at most so many characters, cut at a blank if there is one in its second half."""
    if len(text) <= most:
        return text
    end = text.rfind(" ", 0, most - 1)
    return text[: end if end > most // 2 else most - 2].rstrip(" ,;:") + _MORE


def excerpt(short: str, whole: str, words: Sequence[str]) -> str:
    """The beginning of a text; where it holds none of some words, half of it and the first sentence that holds one.

    Args:
        short: its beginning, as ``shorten`` makes it.
        whole: all of it.
        words: as they stand in it.
    """
    cut = len(short) - len(_MORE)
    if not words or cut >= len(whole) - len(_MORE) or first_highlight(short, words):
        return short
    place = first_highlight(whole, words, cut)
    if place is None:
        return short
    first, last = place
    half = _half(whole, cut // 2)
    begin = len(half) - len(_MORE)
    starts, ends = _sentence_ends(whole)
    before, behind = bisect_left(ends, first) - 1, bisect_left(starts, last)
    start = ends[before] if before >= 0 and starts[before] >= begin else begin
    end = ends[behind] if behind < len(ends) else len(whole)
    if first - start > _AROUND:
        start = whole.find(" ", first - _AROUND, first) + 1 or first
    if end - last > _AROUND:
        end = max(whole.rfind(" ", last, last + _AROUND), last)
    return f"{half} {whole[start:end].strip()}{_MORE if end < len(whole) else ''}"


# Of a paper that thousands of readers are told of for other reasons, these are the same.
_half = lru_cache(maxsize=4096)(shorten)


@lru_cache(maxsize=4096)
def _sentence_ends(text: str) -> tuple[Sequence[int], Sequence[int]]:
    """Where what ends a sentence and what parts it from the next one begins, and where that ends."""
    found = [one.span() for one in _SENTENCE_END.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]
