"""Lookups of the parts of a query in the index of papers: terms, alone or adjacent, in the columns of the index.

For most parts a single lookup decides: a word, phrase or category matches wherever the index has it. For
spellings, words near each other and some compounds there is a second lookup, which only proposes candidates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple, Protocol

from digest.core.language.query import ByAuthor, Exact, Fact, InCategory, Phrase, Prefix, TextQuery, Unit
from digest.core.matching.name_keys import find_wanted_keys
from digest.core.matching.paper_terms import (
    AUTHOR,
    CATEGORY,
    JOINED,
    PRIMARY,
    SPELLED,
    Column,
    is_indexed_as_spelled,
    make_field_term,
    make_term,
    split_core_forms,
)
from digest.core.matching.percolator.terms import list_word_sequences
from digest.core.matching.positions import map_prefixes, map_wanted_forms
from digest.core.papers.taxonomy import covers
from digest.core.text.words import MAX_COMPOUND_PARTS, find_forms, find_query_forms, iter_parts

_MAX_TERM_SEQUENCES = 64
"""Maximum number of sequences of terms that are looked up for a phrase; a phrase with more is looked up by its words."""

# --- types ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AdjacentTerms:
    """Lookup of adjacent terms in this order, or of a single term."""

    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermPrefix:
    """Lookup of a term with a prefix, directly after adjacent terms."""

    prefix: str
    preceding: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NearTerms:
    """Lookup of words near each other, each with alternative terms.

    There may be at most ``max_gap`` other terms between the first and the last word. They must be in this
    order, or may be in any order if the database does not support that.
    """

    words: tuple[tuple[str, ...], ...]
    max_gap: int


@dataclass(frozen=True, slots=True)
class AllOf:
    """A conjunction of lookups in one column."""

    parts: tuple[Lookup, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A disjunction of lookups in one column."""

    parts: tuple[Lookup, ...]


Lookup = AdjacentTerms | NearTerms | TermPrefix | AllOf | AnyOf
NO_MATCH = AnyOf(())
"""A lookup that matches no paper."""


class TermDictionary(Protocol):
    """The terms of the index."""

    def find_terms(self, word_forms: Iterable[str]) -> Collection[str]:
        """Return the terms of words that have one of some forms, except terms that are such a form themselves."""

    def find_terms_by_prefix(self, prefix: str) -> Collection[str]:
        """Return the terms of words that have a form with a prefix, except terms that are such a form themselves."""


# --- leaves ---------------------------------------------------------------------------------------

TEXT_COLUMNS: dict[str, tuple[Column, ...]] = {
    "": ("title", "body"),
    "title": ("title",),
    "abstract": ("body",),
}


class LeafLookups(NamedTuple):
    """The lookups of a leaf of a query.

    Attributes:
        columns: the columns; a paper matches if one of them does.
        sure: a lookup that only matches papers that the leaf matches.
        possible: a lookup that, together with ``sure``, matches all papers that the leaf matches.
    """

    columns: tuple[Column, ...]
    sure: Lookup
    possible: Lookup = NO_MATCH


def build_leaf_lookups(
    leaf: TextQuery | InCategory | Fact | ByAuthor, dictionary: TermDictionary
) -> LeafLookups:
    """Build the lookups of a leaf, except facts about events, which are not facts about a paper.

    Args:
        leaf: the leaf; a person without a name is only found by ids that are printed on papers.
        dictionary: the terms of the index.
    """
    match leaf:
        case Phrase() | Exact() | Prefix():
            columns = TEXT_COLUMNS.get(leaf.field)
            sure, possible = _build_text_lookups(leaf, dictionary)
            return (
                LeafLookups(columns, sure, possible)
                if columns
                else _add_field_to_pair(leaf.field, sure, possible)
            )
        case InCategory():
            return LeafLookups(("body",), _build_category_lookup(leaf, dictionary))
        case Fact():
            return LeafLookups(("body",), AdjacentTerms((make_field_term(leaf.field, leaf.value),)))
        case ByAuthor():
            return LeafLookups(("body",), NO_MATCH, build_author_lookup(leaf))


def _add_field_to_pair(field: str, sure: Lookup, possible: Lookup) -> LeafLookups:
    """Return the lookups in a field whose terms have no positions: sequences of words are only possible matches."""
    lookups = _add_field(field, sure), _add_field(field, possible)
    if _has_sequences(sure):
        return LeafLookups(("body",), NO_MATCH, _build_any_of(lookups))
    return LeafLookups(("body",), *lookups)


def _build_category_lookup(query: InCategory, dictionary: TermDictionary) -> Lookup:
    prefix = make_field_term(PRIMARY if query.primary else CATEGORY, "")
    return build_any_term(
        category_term
        for category_term in dictionary.find_terms([prefix])
        if covers(query.code, category_term[len(prefix) :])
    )


def build_author_lookup(person: ByAuthor) -> Lookup:
    """Build the lookup of papers that a person may have signed, by printed ids or by the name."""
    by_id = [AdjacentTerms((make_field_term(AUTHOR, f"{scheme}:{value}"),)) for scheme, value in person.ids]
    return _build_any_of([*by_id, build_name_lookup([person.name] if person.name else [])])


def build_name_lookup(names: Iterable[str]) -> Lookup:
    """Build the lookup of papers that are signed with a name that matches one of some names."""
    wanted = [find_wanted_keys(name) for name in names]
    keys = frozenset[str]().union(*(entry.keys for entry in wanted))
    prefixes = frozenset[str]().union(*(entry.prefixes for entry in wanted))
    return _build_any_of(
        [
            *(AdjacentTerms((make_field_term(AUTHOR, key),)) for key in sorted(keys)),
            *(TermPrefix(make_field_term(AUTHOR, prefix)) for prefix in sorted(prefixes)),
        ]
    )


# --- words ----------------------------------------------------------------------------------------

_LookupPair = tuple[Lookup, Lookup]
"""Lookups for sure matches and for possible matches."""


class MatchingTerms(NamedTuple):
    """The terms for a word of a query: those whose words all match, and those whose words match only in part."""

    sure: Sequence[str]
    doubtful: Sequence[str]

    @property
    def combined(self) -> Sequence[str]:
        """All of them."""
        return (*self.sure, *self.doubtful)


def find_word_terms(wanted_forms: frozenset[str], dictionary: TermDictionary) -> MatchingTerms:
    """Return the terms for a word that has one of some forms."""
    known_terms = dictionary.find_terms(wanted_forms)
    sure = [
        known_term for known_term in known_terms if not wanted_forms.isdisjoint(split_core_forms(known_term))
    ]
    return MatchingTerms(sorted({*wanted_forms, *sure}), sorted({*known_terms} - {*sure, *wanted_forms}))


def _build_text_lookups(query: TextQuery, dictionary: TermDictionary) -> _LookupPair:
    match query:
        case Exact():
            return _build_exact_lookups(query.text)
        case Prefix():
            return _build_prefix_lookups(query.unit, dictionary)
        case Phrase():
            return _build_phrase_lookups(query, dictionary)


def _build_exact_lookups(text: str) -> _LookupPair:
    """Build the lookups for an exact spelling.

    A single part with capitals is in the index as printed. For others the index only has the words, and the
    text decides.
    """
    printed_parts = [part.printed for part in iter_parts(text)]
    if printed_parts == [text] and is_indexed_as_spelled(text):
        return AdjacentTerms((SPELLED + text,)), NO_MATCH
    complete_parts = printed_parts if len(printed_parts) == 1 else printed_parts[1:-1]
    spelled_terms = [
        AdjacentTerms((SPELLED + part,)) for part in complete_parts if is_indexed_as_spelled(part)
    ]
    return NO_MATCH, AllOf(
        (AdjacentTerms(tuple([make_term(find_forms(part)) for part in printed_parts])), *spelled_terms)
    )


def _build_phrase_lookups(query: Phrase, dictionary: TermDictionary) -> _LookupPair:
    word_sequences = list_word_sequences(query.units)
    if word_sequences is None:
        return NO_MATCH, _build_parts_lookup(query.units, dictionary)
    lookups = [
        _build_sequence_lookups([find_word_terms(find_query_forms(word), dictionary) for word in words])
        for words in word_sequences
    ]
    sure, possible = (_build_any_of(lookup_group) for lookup_group in zip(*lookups, strict=True))
    if not query.near:
        return sure, possible
    if len(word_sequences) > 1:
        return sure, _build_parts_lookup(query.units, dictionary)
    term_choices = [
        tuple(find_word_terms(find_query_forms(word), dictionary).sure) for word in word_sequences[0]
    ]
    if prod(map(len, term_choices)) > _MAX_TERM_SEQUENCES:
        return sure, _build_parts_lookup(query.units, dictionary)
    return sure, _build_any_of(
        (NearTerms(tuple(term_choices), query.near + max(0, len(term_choices) - 2)), possible)
    )


def _build_sequence_lookups(words: Sequence[MatchingTerms]) -> _LookupPair:
    """Build the lookups for adjacent words.

    Sequences of sure terms are sure matches. If a word is a compound or doubtful, the words may be anywhere,
    and the match is only possible.
    """
    if len(words) == 1:
        (word,) = words
        return build_any_term(_add_joined_terms(word.sure)), build_any_term(_add_joined_terms(word.doubtful))
    anywhere_lookups = [build_any_term(_add_joined_terms(word.combined)) for word in words]
    sequences = [AdjacentTerms(terms) for terms in _list_term_sequences(words)]
    if not sequences:
        return NO_MATCH, AllOf(tuple(anywhere_lookups))
    irregular_lookups = [
        build_any_term([*word.doubtful, *(JOINED + joined_term for joined_term in word.combined)])
        for word in words
    ]
    return AnyOf(tuple(sequences)), AnyOf(
        tuple(
            AllOf((irregular_lookups[index], *anywhere_lookups[:index], *anywhere_lookups[index + 1 :]))
            for index in range(len(words))
        )
    )


def _build_parts_lookup(units: Sequence[Unit], dictionary: TermDictionary) -> Lookup:
    """Build a lookup that every text with a phrase matches: for each part, a run of parts that contains it, anywhere."""
    part_lookups = []
    for unit in units:
        runs = {
            run: _add_joined_terms(find_word_terms(wanted_forms, dictionary).combined)
            for run, wanted_forms in map_wanted_forms(unit).items()
        }
        for part_number in range(min(len(unit), MAX_COMPOUND_PARTS)):
            term_lists = [run_terms for (start, end), run_terms in runs.items() if start <= part_number < end]
            part_lookups.append(
                build_any_term(run_term for run_terms in term_lists for run_term in run_terms)
            )
    return AllOf(tuple(part_lookups))


def _build_prefix_lookups(unit: Unit, dictionary: TermDictionary) -> _LookupPair:
    """Build the lookups for a prefix; complete parts before it are adjacent words, or are joined with it."""
    sure: list[Lookup] = []
    possible: list[Lookup] = []
    for (start, _), prefixes in map_prefixes(unit).items():
        preceding_words = [find_word_terms(find_query_forms(part), dictionary) for part in unit[:start]]
        anywhere = _build_parts_lookup([unit[:start]], dictionary) if preceding_words else None
        for prefix in prefixes:
            # Lookups of the prefix find the terms that begin with it.
            terms = {
                known_term
                for known_term in dictionary.find_terms_by_prefix(prefix)
                if not known_term.startswith(prefix)
            }
            sure_terms = {
                known_term
                for known_term in terms
                if any(form.startswith(prefix) for form in split_core_forms(known_term))
            }
            prefix_lookups = [
                TermPrefix(prefix),
                TermPrefix(JOINED + prefix),
                build_any_term(_add_joined_terms(sorted(terms))),
            ]
            if anywhere is not None:
                sure += [TermPrefix(prefix, preceding) for preceding in _list_term_sequences(preceding_words)]
                possible.append(AllOf((anywhere, _build_any_of(prefix_lookups))))
            else:
                sure += [*prefix_lookups[:2], build_any_term(_add_joined_terms(sorted(sure_terms)))]
                possible.append(build_any_term(_add_joined_terms(sorted(terms - sure_terms))))
    return _build_any_of(sure), _build_any_of(possible)


def _list_term_sequences(words: Sequence[MatchingTerms]) -> Iterable[tuple[str, ...]]:
    """Return the sequences of sure terms for adjacent words; none if there are too many to look up."""
    return (
        product(*(word.sure for word in words))
        if prod(len(word.sure) for word in words) <= _MAX_TERM_SEQUENCES
        else ()
    )


def _has_sequences(lookup: Lookup) -> bool:
    match lookup:
        case AdjacentTerms():
            return len(lookup.terms) > 1
        case TermPrefix():
            return bool(lookup.preceding)
        case NearTerms():
            return True
        case _:
            return any(map(_has_sequences, lookup.parts))


def _add_field(field: str, lookup: Lookup) -> Lookup:
    """Return a lookup for a field: its terms have the field as prefix and no positions."""
    match lookup:
        case AdjacentTerms():
            return AllOf(
                tuple(AdjacentTerms((make_field_term(field, lookup_term),)) for lookup_term in lookup.terms)
            )
        case TermPrefix():
            prefix_lookup = TermPrefix(make_field_term(field, lookup.prefix))
            return AllOf(
                (
                    *(
                        AdjacentTerms((make_field_term(field, lookup_term),))
                        for lookup_term in lookup.preceding
                    ),
                    prefix_lookup,
                )
            )
        case NearTerms():
            return AllOf(
                tuple(
                    build_any_term(make_field_term(field, lookup_term) for lookup_term in word)
                    for word in lookup.words
                )
            )
        case AllOf():
            return AllOf(tuple(_add_field(field, part) for part in lookup.parts))
        case AnyOf():
            return _build_any_of(_add_field(field, part) for part in lookup.parts)


def build_any_term(terms: Iterable[str]) -> Lookup:
    """Build a lookup of any of some terms."""
    return _build_any_of([AdjacentTerms((lookup_term,)) for lookup_term in terms])


def _build_any_of(lookups: Iterable[Lookup]) -> Lookup:
    """Build a disjunction of lookups, without those that match nothing."""
    matching_lookups = tuple([lookup for lookup in lookups if lookup is not NO_MATCH])
    return AnyOf(matching_lookups) if matching_lookups else NO_MATCH


def _add_joined_terms(terms: Iterable[str]) -> list[str]:
    """Return each term as it is for a part and as it is for a compound."""
    return [variant for base_term in terms for variant in (base_term, JOINED + base_term)]
