"""The words that queries ask for, filed so that the texts of a day find those that are in them.

A phrase is filed under the keys of its words, one behind the other. What is filed under what no text of the day has
is never looked at; and looking the texts up is the work of the interpreter's own sets and dictionaries.

Under most keys all words of the day and all that is asked for share a form: there, to have the key is to fit. Where
they do not (``GPS`` and ``GPs``), the forms of the words that stand there are looked at. What is no row of words is
looked for in the texts that have a key of each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, count, product
from json import JSONDecoder
from math import prod
from typing import Any, NamedTuple

from digest.core.language.query import Exact, Phrase, Prefix, load_compiled
from digest.core.matching.bitmaps import make_bitmap
from digest.core.matching.percolator.batch import TextBatch
from digest.core.matching.percolator.postings import (
    add_phrase,
    add_posting,
    list_postings,
    remove_phrase,
    remove_posting,
)
from digest.core.matching.percolator.terms import list_word_sequences, make_keys
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.matching.positions import map_wanted_forms
from digest.core.papers.document import Text
from digest.core.text.words import MAX_COMPOUND_PARTS, find_forms, find_query_forms, iter_parts

CompiledLeaf = str
"""A part of a query that has no parts, compiled."""
_Forms = frozenset[str]
_Word = tuple[str, _Forms]
"""A key of a word that is asked for, and the forms of which a word of a text must have one."""
_WordSequence = Sequence[_Word]
"""Words that follow each other."""


class _UncommonPhrase(NamedTuple):
    """A phrase with a word that asks for no form which all others ask for who ask for words with the same key."""

    leaf: CompiledLeaf


def _get_leaf(entry: CompiledLeaf | _UncommonPhrase) -> CompiledLeaf:
    return entry if isinstance(entry, str) else entry.leaf


class TermIndex:
    """What is asked for in texts of one kind."""

    def __init__(self) -> None:
        self._words: dict[str, Any] = {}
        """By key: single words."""
        self._phrases: dict[str, Any] = {}
        """By the keys of their words (``add_phrase``): phrases of two words or more."""
        self._searched: dict[str, Any] = {}
        """By the keys of their words: what is no row of words."""
        self._prefixes: dict[CompiledLeaf, Prefix] = {}
        """What asks for the beginning of a word."""
        self._key_counts: dict[str, int] = {}
        """By key: how often it is asked for."""
        self._common_forms: dict[str, _Forms] = {}
        """By key: the forms that all who ask have in common, but for the odd ones."""

    def add(self, leaf: CompiledLeaf) -> None:
        """File a leaf."""
        if leaf[2] == "b":
            self._prefixes[leaf] = _load_prefix(leaf)
            return
        sequences = _list_sequences(leaf)
        if sequences is None:
            required_words = list(_iter_required_words(leaf))
            self._count_words(chain.from_iterable(required_words))
            for key, _ in max(required_words, key=_measure_rareness):
                add_posting(self._searched, key, leaf)
            return
        for sequence in sequences:
            entry = _UncommonPhrase(leaf) if self._count_words(sequence) else leaf
            if len(sequence) == 1:
                add_posting(self._words, sequence[0][0], entry)
            else:
                add_phrase(self._phrases, [key for key, _ in sequence], entry)

    def remove(self, leaf: CompiledLeaf) -> None:
        """Take a leaf out that was filed."""
        if leaf[2] == "b":
            del self._prefixes[leaf]
            return
        sequences = _list_sequences(leaf)
        if sequences is None:
            required_words = list(_iter_required_words(leaf))
            for key, _ in max(required_words, key=_measure_rareness):
                remove_posting(self._searched, key, leaf)
            self._discount_words(chain.from_iterable(required_words))
            return
        for sequence in sequences:
            is_uncommon = any(
                self._common_forms[key].isdisjoint(wanted_forms) for key, wanted_forms in sequence
            )
            entry = _UncommonPhrase(leaf) if is_uncommon else leaf
            if len(sequence) == 1:
                remove_posting(self._words, sequence[0][0], entry)
            else:
                remove_phrase(self._phrases, [key for key, _ in sequence], entry)
        self._discount_words(chain.from_iterable(sequences))

    def _count_words(self, words: Iterable[_Word]) -> bool:
        """Count who asks for words; whether one of them is odd."""
        key_counts, common_forms = self._key_counts, self._common_forms
        is_uncommon = False
        for key, wanted_forms in words:
            key_counts[key] = key_counts.get(key, 0) + 1
            shared_so_far = common_forms.setdefault(key, wanted_forms)
            if shared_so_far is not wanted_forms and not shared_so_far <= wanted_forms:
                if shared := shared_so_far & wanted_forms:
                    common_forms[key] = shared
                else:
                    is_uncommon = True
        return is_uncommon

    def _discount_words(self, words: Iterable[_Word]) -> None:
        for key, _ in words:
            self._key_counts[key] -= 1
            if not self._key_counts[key]:
                del self._key_counts[key], self._common_forms[key]

    def match_texts(self, texts: Sequence[Text]) -> dict[CompiledLeaf, int]:
        """The texts that each leaf fits: a row of bits for each leaf that fits any."""
        if not self._key_counts and not self._prefixes:
            return {}
        if queries := self._list_direct_searches():
            return {leaf: bitmap for leaf, query in queries if (bitmap := _search_texts(query, texts))}
        batch = TextBatch(texts, self._common_forms)
        texts_by_key = batch.find_texts_by_key(self._words.keys() | self._searched.keys())
        bitmaps = self._match_phrases(batch)
        for leaf, bitmap in chain(
            self._match_single_words(batch, texts_by_key), self._match_other_leaves(batch, texts_by_key)
        ):
            if bitmap:
                bitmaps[leaf] |= bitmap
        return bitmaps

    def _list_direct_searches(self) -> list[tuple[CompiledLeaf, Phrase | Exact]]:
        """All that is asked for, where that is but a few leaves that are no rows of words; else none.

        For so few, to look for each in each text takes half as long as to find the texts that have their words first.
        """
        if self._words or self._phrases or self._prefixes or len(self._searched) > _MAX_DIRECT_SEARCHES:
            return []
        leaves = {leaf for posting in self._searched.values() for leaf in list_postings(posting)}
        return (
            [(leaf, _load_query(leaf)) for leaf in sorted(leaves)]
            if len(leaves) <= _MAX_DIRECT_SEARCHES
            else []
        )

    def _match_single_words(
        self, batch: TextBatch, texts_by_key: Mapping[str, int]
    ) -> Iterator[tuple[CompiledLeaf, int]]:
        """Single words, and texts that they fit: perhaps not all at once.

        Args:
            batch: the texts.
            texts_by_key: the texts that have a key.
        """
        unresolved_keys = set(batch.doubtful_keys)
        for key, bitmap in texts_by_key.items():
            for entry in list_postings(self._words.get(key)):
                if not isinstance(entry, str):
                    unresolved_keys.add(key)
                elif key not in batch.doubtful_keys:
                    yield entry, bitmap
        for key, bitmaps_by_form in batch.find_forms(unresolved_keys & texts_by_key.keys()).items():
            for entry in list_postings(self._words.get(key)):
                leaf = _get_leaf(entry)
                for ((_, wanted_forms),) in _filter_sequences(leaf, (key,)):
                    for text_forms, bitmap in bitmaps_by_form.items():
                        yield leaf, 0 if wanted_forms.isdisjoint(text_forms) else bitmap

    def _match_phrases(self, batch: TextBatch) -> dict[CompiledLeaf, int]:
        """The texts that each phrase of several words fits."""
        bitmaps: dict[CompiledLeaf, int] = defaultdict(int)
        starts_to_verify: dict[CompiledLeaf, set[int]] = defaultdict(set)
        for position, posting, doubtful in batch.find_phrases(self._phrases):
            for entry in (posting,) if type(posting) is str else list_postings(posting):
                if isinstance(entry, str) and not doubtful:
                    bitmaps[entry] |= batch.text_bits[position]
                else:
                    starts_to_verify[_get_leaf(entry)].add(position)
        for leaf, positions in starts_to_verify.items():
            for sequence in _list_sequences(leaf) or ():
                if bitmap := batch.make_bitmap(batch.find_phrase_ends(positions, sequence)):
                    bitmaps[leaf] |= bitmap
        return bitmaps

    def _match_other_leaves(
        self, batch: TextBatch, texts_by_key: Mapping[str, int]
    ) -> Iterator[tuple[CompiledLeaf, int]]:
        """What is no row of words, and texts that it fits."""
        candidates: dict[CompiledLeaf, int] = {}
        for key, bitmap in texts_by_key.items():
            for leaf in list_postings(self._searched.get(key)):
                candidates[leaf] = candidates.get(leaf, 0) | bitmap
        for leaf, candidate_texts in candidates.items():
            required_keys = [{key for key, _ in words} for words in _iter_required_words(leaf)]
            yield (
                leaf,
                batch.match_query(_load_query(leaf), batch.filter_by_keys(required_keys, candidate_texts)),
            )
        for leaf, query in self._prefixes.items():
            yield leaf, batch.match_prefix(query)


_MAX_DIRECT_SEARCHES = 4
"""Most leaves that are looked for in each text."""


def _search_texts(query: Phrase | Exact, texts: Sequence[Text]) -> int:
    """The row of the texts in which something stands."""
    return make_bitmap(compress(count(), map(TextReader(query).has_match, texts)))


# --- filing ---------------------------------------------------------------------------------------

_decode = JSONDecoder().raw_decode


def _load_query(leaf: CompiledLeaf) -> Phrase | Exact:
    query = load_compiled(leaf)
    assert isinstance(query, Phrase | Exact)
    return query


def _load_prefix(leaf: CompiledLeaf) -> Prefix:
    query = load_compiled(leaf)
    assert isinstance(query, Prefix)
    return query


@lru_cache(maxsize=1 << 16)
def _make_word_keys(printed: str) -> tuple[_Word, ...]:
    """The keys of a word of a query, each with what it asks for."""
    wanted_forms = find_query_forms(printed)
    return tuple([(key, wanted_forms) for key in make_keys(wanted_forms)])


def _measure_rareness(words: _WordSequence) -> int:
    """Roughly how rare texts are that have one of some words: the shortest decides."""
    return min(len(key) for key, _ in words)


def _list_sequences(leaf: CompiledLeaf) -> Sequence[_WordSequence] | None:
    """The rows of words that a phrase can be printed as; None for what is no such row, or too many."""
    if leaf[2] != "p":
        return None
    _, _, near, *units = _decode(leaf)[0]
    if near:
        return None
    if max(map(len, units)) == 1:  # most are phrases of words without hyphens, and most words have one key
        word_keys = [_make_word_keys(unit[0]) for unit in units]
        if max(map(len, word_keys)) == 1:
            return ([word for (word,) in word_keys],)
    word_sequences = list_word_sequences([tuple(unit) for unit in units])
    if word_sequences is None:
        return None
    sequences: list[_WordSequence] = []
    for words in word_sequences:
        word_keys = [_make_word_keys(word) for word in words]
        if prod(map(len, word_keys)) > _MAX_KEY_SEQUENCES:
            return None
        sequences += product(*word_keys)
    return sequences


_MAX_KEY_SEQUENCES = 16
"""More rows of keys than this nobody's phrase has, unless it is made of words that have two keys."""


def _filter_sequences(leaf: CompiledLeaf, keys: tuple[str, ...]) -> Iterator[_WordSequence]:
    """The rows of a leaf that have these keys."""
    return (
        sequence for sequence in _list_sequences(leaf) or () if tuple([key for key, _ in sequence]) == keys
    )


def _iter_required_words(leaf: CompiledLeaf) -> Iterator[_WordSequence]:
    """For each part of each word that is asked for, the words that it may stand in: each text has one of these.

    Of a word of very many parts the first ones will do.
    """
    query = _load_query(leaf)
    if isinstance(query, Exact):
        for part in iter_parts(query.text):
            wanted_forms = find_forms(part.printed)
            yield [(make_keys(wanted_forms)[0], wanted_forms)]
        return
    for unit in query.units:
        runs = [
            (run, [(key, wanted_forms) for key in make_keys(wanted_forms)])
            for run, wanted_forms in map_wanted_forms(unit).items()
        ]
        for index in range(min(len(unit), MAX_COMPOUND_PARTS)):
            yield [word for (start, end), words in runs if start <= index < end for word in words]
