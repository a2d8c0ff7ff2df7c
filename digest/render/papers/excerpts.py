"""Excerpts of long texts: their beginning, and the sentence with matched words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from digest.core.text.highlights import find_first_highlight

_SENTENCE_END = re.compile(r"(?<!\bal)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?][)\"'”’]*\s+(?=[^\W_a-z])")
_ELLIPSIS = " …"
_CONTEXT_CHARS = 100
"""Maximum number of characters of a long sentence shown on each side of the matched words."""


def shorten(text: str, max_chars: int) -> str:
    """Shorten a text to about ``max_chars`` characters, at the end of a sentence, with an ellipsis.

    If no sentence ends in the second half, it is cut at a space. A text that is at most an eighth longer is
    not cut.
    """
    text = " ".join(text.split())
    if len(text) <= max_chars + max_chars // 8:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, max_chars)]
    end = ends[-1] if ends and ends[-1] > max_chars // 2 else text.rfind(" ", 0, max_chars) + 1
    return text[: end or max_chars].rstrip() + _ELLIPSIS


def shorten_line(text: str, max_chars: int) -> str:
    """Shorten a line to at most ``max_chars`` characters, at a space if there is one in its second half."""
    if len(text) <= max_chars:
        return text
    end = text.rfind(" ", 0, max_chars - 1)
    return text[: end if end > max_chars // 2 else max_chars - 2].rstrip(" ,;:") + _ELLIPSIS


def make_excerpt(beginning: str, text: str, words: Sequence[str]) -> str:
    """Return the beginning of a text; if it has no matched word, half of it and the first sentence that has one.

    Args:
        beginning: the beginning of the text, as returned by ``shorten``.
        text: the whole text.
        words: the matched words, as they occur in it.
    """
    cut_length = len(beginning) - len(_ELLIPSIS)
    if not words or cut_length >= len(text) - len(_ELLIPSIS) or find_first_highlight(beginning, words):
        return beginning
    span = find_first_highlight(text, words, cut_length)
    if span is None:
        return beginning
    span_start, span_end = span
    first_half = _shorten_cached(text, cut_length // 2)
    half_length = len(first_half) - len(_ELLIPSIS)
    starts, ends = _find_sentence_gaps(text)
    previous_gap, next_gap = bisect_left(ends, span_start) - 1, bisect_left(starts, span_end)
    start = ends[previous_gap] if previous_gap >= 0 and starts[previous_gap] >= half_length else half_length
    end = ends[next_gap] if next_gap < len(ends) else len(text)
    if span_start - start > _CONTEXT_CHARS:
        start = text.find(" ", span_start - _CONTEXT_CHARS, span_start) + 1 or span_start
    if end - span_end > _CONTEXT_CHARS:
        end = max(text.rfind(" ", span_end, span_end + _CONTEXT_CHARS), span_end)
    return f"{first_half} {text[start:end].strip()}{_ELLIPSIS if end < len(text) else ''}"


# Cached because thousands of editions show the same paper for different reasons.
_shorten_cached = lru_cache(maxsize=4096)(shorten)


@lru_cache(maxsize=4096)
def _find_sentence_gaps(text: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return where the gaps between sentences begin, and where they end; a gap includes the closing punctuation."""
    spans = [match.span() for match in _SENTENCE_END.finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]
