"""The index of words: the leaves of queries that the texts of a batch match.

A phrase is in a trie under the keys of its words. A leaf whose keys occur in no text of the batch is never
touched, and the lookups are set and dictionary operations of the interpreter.

For most keys, all words of the batch and all queries share a form: having the key is then a match. If they do
not (``GPS`` and ``GPs``), the forms of the words in question are compared. Leaves that are not a sequence of
words are evaluated in the texts that contain a key of each word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, count, product
from json import JSONDecoder
from math import prod
from typing import Any, NamedTuple

from digest.core.language.query import CompiledLeaf, Exact, Phrase, Prefix, load_compiled
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

_Forms = frozenset[str]
_Word = tuple[str, _Forms]
"""A key of a word of a query, and the forms of that word; a matching word of a text has one of them."""
_WordSequence = Sequence[_Word]
"""Adjacent words."""


class _UncommonPhrase(NamedTuple):
    """A phrase with an uncommon word: its forms are disjoint from the common forms of its key."""

    leaf: CompiledLeaf


def _get_leaf(entry: CompiledLeaf | _UncommonPhrase) -> CompiledLeaf:
    return entry if isinstance(entry, str) else entry.leaf


class TermIndex:
    """Index of the leaves for texts of one kind."""

    def __init__(self) -> None:
        self._words: dict[str, Any] = {}
        """Leaves that are a single word, by key."""
        self._phrases: dict[str, Any] = {}
        """Trie (``add_phrase``) of the phrases of two words or more, by the keys of their words."""
        self._searched: dict[str, Any] = {}
        """Leaves that are not a sequence of words, by the keys of their rarest part."""
        self._prefixes: dict[CompiledLeaf, Prefix] = {}
        """Leaves that are a prefix."""
        self._key_counts: dict[str, int] = {}
        """Number of uses of each key."""
        self._common_forms: dict[str, _Forms] = {}
        """Common forms of each key: those of all its words, except uncommon ones."""

    def add(self, leaf: CompiledLeaf) -> None:
        """Add a leaf."""
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
        """Remove a leaf that was added."""
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
        """Count one more use of the keys of words; return whether one of the words is uncommon."""
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
        """Return a bitmap of the texts that each leaf matches; leaves without matches are left out."""
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
        """Return all leaves if they are few and none is a sequence of words; else an empty list.

        For so few leaves, searching each text for each leaf takes half the time of first finding the texts
        with their words.
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
        """Yield leaves that are single words, each with a bitmap of texts that it matches; leaves may recur.

        Args:
            batch: the texts.
            texts_by_key: bitmap of the texts with a key, by key.
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
        """Return a bitmap of the texts that each phrase of several words matches."""
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
        """Yield leaves that are not a sequence of words, and bitmaps of the texts that they match."""
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
"""Maximum number of leaves for which every text is searched."""


def _search_texts(query: Phrase | Exact, texts: Sequence[Text]) -> int:
    """Return a bitmap of the texts that a query matches."""
    return make_bitmap(compress(count(), map(TextReader(query).has_match, texts)))


# --- index keys of leaves -------------------------------------------------------------------------

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
    """Return the keys of a word of a query, each with the forms that it asks for."""
    wanted_forms = find_query_forms(printed)
    return tuple([(key, wanted_forms) for key in make_keys(wanted_forms)])


def _measure_rareness(words: _WordSequence) -> int:
    """Estimate how rare texts with one of some words are: by the length of the shortest key."""
    return min(len(key) for key, _ in words)


def _list_sequences(leaf: CompiledLeaf) -> Sequence[_WordSequence] | None:
    """Return the sequences of words as which a phrase can be printed; None for too many, or for other leaves."""
    if leaf[2] != "p":
        return None
    _, _, near, *units = _decode(leaf)[0]
    if near:
        return None
    # The most frequent case: no word has hyphens, and each has one key.
    if max(map(len, units)) == 1:
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
"""Maximum number of sequences of keys for a sequence of words; only a phrase made of words with two keys has more."""


def _filter_sequences(leaf: CompiledLeaf, keys: tuple[str, ...]) -> Iterator[_WordSequence]:
    """Yield the sequences of a leaf that have exactly these keys."""
    return (
        sequence for sequence in _list_sequences(leaf) or () if tuple([key for key, _ in sequence]) == keys
    )


def _iter_required_words(leaf: CompiledLeaf) -> Iterator[_WordSequence]:
    """Yield, for each part of each word of a leaf, the words that may contain it; a matching text has one of them.

    For a word of very many parts, the first ones suffice.
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
