"""Excerpts of abstracts: the sentence that says what is new, and the sentence with what a reader follows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from digest.core.papers.excerpts.contribution import rank_sentences
from digest.core.text.sentences import find_sentences

MAX_SENTENCE_LENGTH = 600
"""Longest sentence, in characters, that an excerpt has whole."""
_CONTEXT = 200
"""Characters before the followed words at which the window on a longer sentence begins, approximately."""
_CLAUSE_END = re.compile(r"[,;:–—] ")
_GAP = " … "


@dataclass(frozen=True, slots=True)
class KeySentences:
    """The sentences of an abstract, made once a paper for all readers.

    Attributes:
        text: the abstract, as printed.
        spans: start and end of each sentence.
        ranked: indices of the sentences, that which says best what is new first.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    ranked: tuple[int, ...]

    def find_sentence(self, position: int) -> int:
        """Return the index of the sentence with a position of the text; a blank belongs to the sentence before it."""
        return max(bisect_right(self.spans, (position, len(self.text))) - 1, 0)


def find_key_sentences(abstract: str, title: str = "") -> KeySentences:
    """Split an abstract, and find the sentence that says what is new.

    Args:
        abstract: as printed, without TeX.
        title: as printed; "" if it is unknown.
    """
    spans = tuple(find_sentences(abstract))
    sentences = [abstract[start:end] for start, end in spans]
    return KeySentences(abstract, spans, tuple(rank_sentences(sentences, title)))


def make_key_excerpt(
    key_sentences: KeySentences, followed: Iterable[tuple[int, int]] = (), *, count: int = 2
) -> str:
    """Return the sentence that says what is new, and a second one: the first with a followed word, or the next best.

    The sentences are whole and in their order. An ellipsis stands between them unless they are neighbours. Only
    a sentence of more than ``MAX_SENTENCE_LENGTH`` characters is cut, at the end of a clause or at a blank, with an
    ellipsis.

    Args:
        key_sentences: of the paper.
        followed: spans of the words of the abstract that the reader follows, in any order.
        count: the most sentences, 1 or 2; a single one is the one that says what is new.
    """
    if not key_sentences.spans:
        return ""
    first_spans: dict[int, tuple[int, int]] = {}
    for span in sorted(followed):
        first_spans.setdefault(key_sentences.find_sentence(span[0]), span)
    shown = list(key_sentences.ranked[:count])
    if count > 1 and first_spans and first_spans.keys().isdisjoint(shown):
        shown = [*key_sentences.ranked[: count - 1], min(first_spans)]
    shown.sort()
    pieces = [_cut_sentence(key_sentences, index, first_spans.get(index)) for index in shown]
    if len(pieces) == 1:
        return pieces[0]
    return _join(pieces, _find_gap(key_sentences, shown))


def _find_gap(key_sentences: KeySentences, shown: Sequence[int]) -> str:
    """Return what stands between two sentences: what the abstract has there if they are neighbours, or an ellipsis."""
    before, after = shown
    if after > before + 1:
        return _GAP
    return key_sentences.text[key_sentences.spans[before][1] : key_sentences.spans[after][0]]


def _join(pieces: Sequence[str], gap: str) -> str:
    """Join two sentences; the ellipsis of one that was cut next to the gap serves for both."""
    before, after = pieces
    if before.endswith("…") or after.startswith("…"):
        return f"{before.removesuffix('…').rstrip()}{_GAP}{after.removeprefix('…').lstrip()}"
    return f"{before}{gap}{after}"


def _cut_sentence(key_sentences: KeySentences, index: int, focus: tuple[int, int] | None) -> str:
    """Return a sentence; of one that is too long, the beginning or the part around the followed words."""
    text = key_sentences.text
    start, end = key_sentences.spans[index]
    if end - start <= MAX_SENTENCE_LENGTH:
        return text[start:end]
    first = start
    if focus and focus[1] - start > MAX_SENTENCE_LENGTH - _CONTEXT:
        first = _find_clause_end(text, max(focus[0] - 2 * _CONTEXT, start), max(focus[0] - _CONTEXT, start))
    last = end
    if end - first > MAX_SENTENCE_LENGTH:
        last = _find_clause_end(text, first + MAX_SENTENCE_LENGTH // 2, first + MAX_SENTENCE_LENGTH)
    before, after = "… " * (first > start), " …" * (last < end)
    return f"{before}{text[first:last].strip().rstrip(',;:–— ' if after else '')}{after}"


def _find_clause_end(text: str, start: int, stop: int) -> int:
    """Return the end of the last clause in a part of a text; if there is none, the last blank, or its end."""
    ends = [match.end() for match in _CLAUSE_END.finditer(text, start, stop)]
    return ends[-1] if ends else (text.rfind(" ", start, stop) + 1 or stop)
