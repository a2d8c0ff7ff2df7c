"""Excerpts of abstracts: whole sentences that say what is new, and why a paper matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from digest.core.papers.excerpts.key_sentences import KeySentences, find_key_sentences, make_key_excerpt
from digest.core.text.highlights import find_highlights
from digest.core.text.sentences import find_sentences
from digest.model import Abstracts

_ELLIPSIS = " …"
_MAX_ABSTRACT = 4_000
"""Maximum length of a whole abstract, in characters."""


def shorten_line(text: str, max_chars: int) -> str:
    """Shorten a line to at most ``max_chars`` characters, at a space if there is one in its second half."""
    if len(text) <= max_chars:
        return text
    end = text.rfind(" ", 0, max_chars - 1)
    return text[: end if end > max_chars // 2 else max_chars - 2].rstrip(" ,;:") + _ELLIPSIS


def make_excerpt(
    abstract: str, abstracts: Abstracts, count: int, words: Sequence[str], title: str = ""
) -> str:
    """Return what is shown of an abstract: whole sentences in their order, with an ellipsis where some are omitted.

    Args:
        abstract: the whole abstract, on one line.
        abstracts: how much of it is shown.
        count: the most sentences, unless it is shown whole.
        words: matched words that the reader would otherwise not see; one sentence with them is shown.
        title: the title of the paper, which helps to find the sentence that says what is new.
    """
    if not abstract or abstracts is Abstracts.NONE:
        return ""
    if abstracts is Abstracts.FULL:
        return shorten_line(abstract, _MAX_ABSTRACT)
    is_key = abstracts is Abstracts.KEY
    sentences = _find_key_sentences(abstract, title) if is_key else _find_first_sentences(abstract)
    followed = find_highlights(abstract, words) if words and count > 1 else ()
    return make_key_excerpt(sentences, followed, count=count)


# Cached because thousands of editions show the same paper.
@lru_cache(maxsize=4096)
def _find_key_sentences(abstract: str, title: str) -> KeySentences:
    return find_key_sentences(abstract, title)


@lru_cache(maxsize=4096)
def _find_first_sentences(abstract: str) -> KeySentences:
    spans = tuple(find_sentences(abstract))
    return KeySentences(abstract, spans, tuple(range(len(spans))))
