"""Excerpts of abstracts: whole sentences that say what is new, and why a paper matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from digest.core.papers.contribution import rank_sentences
from digest.core.text.highlights import find_first_highlight
from digest.core.text.sentences import find_sentences
from digest.model import Abstracts

_ELLIPSIS = " …"
_MAX_ABSTRACT = 4_000
"""Maximum length of a whole abstract, in characters."""
_MAX_FIRST = 280
"""Approximate maximum length of the first sentences of an abstract, in characters."""
_MAX_SENTENCE = 420
"""Maximum length of a sentence of an excerpt, in characters."""


def shorten_line(text: str, max_chars: int) -> str:
    """Shorten a line to at most ``max_chars`` characters, at a space if there is one in its second half."""
    if len(text) <= max_chars:
        return text
    end = text.rfind(" ", 0, max_chars - 1)
    return text[: end if end > max_chars // 2 else max_chars - 2].rstrip(" ,;:") + _ELLIPSIS


def make_excerpt(abstract: str, abstracts: Abstracts, count: int, words: Sequence[str]) -> str:
    """Return what is shown of an abstract: whole sentences in their order, with an ellipsis where some are omitted.

    Args:
        abstract: the whole abstract, on one line.
        abstracts: how much of it is shown.
        count: the most sentences.
        words: matched words that the reader would otherwise not see; one sentence with them is shown.
    """
    if not abstract or abstracts is Abstracts.NONE:
        return ""
    if abstracts is Abstracts.FULL:
        return shorten_line(abstract, _MAX_ABSTRACT)
    ranked = _find_first(abstract) if abstracts is Abstracts.FIRST else _rank_sentences(abstract)
    chosen = ranked[:count]
    if count > 1 and words and not any(_has_words(abstract, index, words) for index in chosen):
        matched = _find_matched_sentence(abstract, words)
        chosen = chosen if matched is None else (*ranked[: count - 1], matched)
    return _join_sentences(abstract, tuple(sorted(chosen)))


def _has_words(abstract: str, index: int, words: Sequence[str]) -> bool:
    return find_first_highlight(_get_sentence(abstract, index), words) is not None


def _find_matched_sentence(abstract: str, words: Sequence[str]) -> int | None:
    spans = _find_sentences(abstract)
    return next((index for index in range(len(spans)) if _has_words(abstract, index, words)), None)


# Cached because thousands of editions show the same paper.
@lru_cache(maxsize=4096)
def _find_sentences(abstract: str) -> Sequence[tuple[int, int]]:
    return find_sentences(abstract)


def _get_sentence(abstract: str, index: int) -> str:
    start, end = _find_sentences(abstract)[index]
    return abstract[start:end]


@lru_cache(maxsize=4096)
def _find_first(abstract: str) -> tuple[int, ...]:
    """Return the first sentences, as many as have room, and at least one."""
    ends = [end for _, end in _find_sentences(abstract)]
    return tuple([index for index, end in enumerate(ends) if not index or end <= _MAX_FIRST])


@lru_cache(maxsize=4096)
def _rank_sentences(abstract: str) -> tuple[int, ...]:
    return tuple(rank_sentences([abstract[start:end] for start, end in _find_sentences(abstract)]))


@lru_cache(maxsize=8192)
def _join_sentences(abstract: str, indices: tuple[int, ...]) -> str:
    excerpt, previous = "", None
    for index in indices:
        sentence = shorten_line(_get_sentence(abstract, index), _MAX_SENTENCE)
        if previous is None:
            excerpt = sentence
        elif index == previous + 1 or excerpt.endswith(_ELLIPSIS):
            excerpt += f" {sentence}"
        else:
            excerpt += f"{_ELLIPSIS} {sentence}"
        previous = index
    return excerpt
