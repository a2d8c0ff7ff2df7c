"""The terms of a paper in the index of papers, and how a set of word forms becomes one term.

The index is a posting list for each term, with positions. Each word of a text gets one term, so phrases can be looked
up. A term is made of the base forms that all words with this term have in common, so whoever asks for one of these
forms fits every word of the term, and the index decides alone. The other forms of a word lead to its term by a
dictionary (``PaperTerms.forms``): there the index only proposes, and the text decides, which it keeps, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, NamedTuple

from digest.core.names.fitting import handles
from digest.core.papers.document import LINE_BREAK, Document, Text, document
from digest.core.text.inflection import bases
from digest.core.text.words import AROUND, forms, piece
from digest.model import Paper

VERSION = 3
"""Version of the terms. Raise it when terms or texts of any paper change: all papers are indexed again then."""

Column = Literal["title", "body"]
"""Posting lists are kept for two texts of a paper: its title, and its abstract with all that is not words of either."""

JOINED = "‿"
"""Prefix of a term made of several parts that hyphens join."""
SPELLED = "≡"
"""Prefix of a term that is a part with capitals, exactly as printed."""
CATEGORY, PRIMARY, AUTHOR = "category", "primary", "author"
"""Fields of terms that are no words; ``field_term`` joins them with their value."""

_FIELD = "¦"
"""Around the name of a field."""
_BETWEEN = "·"
"""Between the base forms in a term; no word has it."""
_MOST_TERMS = 10_000
"""Most terms of a column. PostgreSQL knows no position beyond 16,383."""
_MOST_REPEATS = 255
"""Most positions of one term in a column: PostgreSQL keeps no more."""
_LONGEST = 400
"""Longest term in characters; PostgreSQL takes 2,046 bytes."""


class ColumnTerms(NamedTuple):
    """The terms of one column.

    Attributes:
        words: in the order of the text, one for each part.
        others: terms without a position.
        text: what the words stand in, readable: for what is asked for and only the text itself tells.
    """

    words: Sequence[str]
    others: Sequence[str]
    text: str


class PaperTerms(NamedTuple):
    """The terms of a paper.

    Attributes:
        title: of the title.
        body: of the abstract, and with a field in front those of other texts, categories, authors and facts.
        forms: pairs of a form and a term that words with this form have; a form that is its own term is left out.
    """

    title: ColumnTerms
    body: ColumnTerms
    forms: AbstractSet[tuple[str, str]]


def paper_terms(paper: Paper) -> PaperTerms | None:
    """The terms of a paper; None for a paper that does not fit into the index, and has to be evaluated each time."""
    about = document(paper)
    dictionary: set[tuple[str, str]] = set()
    title, of_title = _text_terms(about.texts["title"], dictionary)
    abstract, of_abstract = _text_terms(about.texts["abstract"], dictionary)
    others = dict.fromkeys([*of_abstract, *_field_terms(about, dictionary)])
    found = PaperTerms(
        title=ColumnTerms(title, list(dict.fromkeys(of_title)), about.texts["title"].text),
        body=ColumnTerms(abstract, list(others), about.texts["abstract"].text),
        forms=dictionary,
    )
    return found if _fits(found.title) and _fits(found.body) else None


def _fits(column: ColumnTerms) -> bool:
    words, others, _ = column
    if len(words) + len(others) > _MOST_TERMS or max(map(len, (*words, *others)), default=0) > _LONGEST:
        return False
    return len(words) <= _MOST_REPEATS or max(Counter(words).values()) <= _MOST_REPEATS


def _text_terms(text: Text, dictionary: set[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The terms of the words of a text in their order, and its terms without a position; adds to the dictionary."""
    words: list[str] = []
    others: list[str] = []
    if text.announced:
        for piece_terms in [_piece_terms(printed.strip(AROUND)) for printed in text.pieces()]:
            of_parts, more, pairs = piece_terms
            words += of_parts
            if more:
                others += more
            if pairs:
                dictionary.update(pairs)
    return words, others


@lru_cache(maxsize=1 << 16)
def _piece_terms(printed: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The terms of what stands between two blanks: of its words, others, and pairs of form and term.

    Most pieces come again.
    """
    if printed == LINE_BREAK:
        return (), (), ()
    parts, joined = piece(printed)
    of_parts = [forms(part) for part in parts]
    of_compounds = [forms(word) for _, _, word in joined]
    pairs = [
        (form, known)
        for some in (*of_parts, *of_compounds)
        for known in (term(some),)
        for form in some
        if form != known
    ]
    others = [JOINED + term(some) for some in of_compounds]
    others += [SPELLED + part for part in parts if is_spelled(part)]
    return tuple(map(term, of_parts)), tuple(others), tuple(pairs)


def is_spelled(part: str) -> bool:
    """Whether the index has a part as it is printed, too."""
    return part != part.lower()


def _field_terms(about: Document, dictionary: set[tuple[str, str]]) -> Iterator[str]:
    """The terms of all that is neither title nor abstract."""
    for field in ("comment", "journal", "institution"):
        words, others = _text_terms(about.texts[field], dictionary)
        for word in (*words, *others):
            yield field_term(field, word)
    for field, codes in ((CATEGORY, about.categories), (PRIMARY, about.categories[:1])):
        for code in codes:
            known = field_term(field, code)
            dictionary.add((field_term(field, ""), known))
            yield known
    for byline in about.bylines:
        for handle in handles(byline.name):
            yield field_term(AUTHOR, handle)
        for scheme, value in byline.ids:
            yield field_term(AUTHOR, f"{scheme}:{value}")
    for field, value in about.facts:
        if field not in EVENT_FIELDS:
            yield field_term(field, value)


EVENT_FIELDS = frozenset(("kind", "source"))
"""Facts of an event; the others are facts of its paper."""


def field_term(field: str, value: str) -> str:
    """The term of a value of a field: no word begins like this."""
    return f"{_FIELD}{field}{_FIELD}{value}"


@lru_cache(maxsize=1 << 16)
def term(some: frozenset[str]) -> str:
    """The term of words that have these forms: those of the forms that are no inflection of another one."""
    if len(some) == 1:
        (only,) = some
        return only
    core = [form for form in some if all(base == form or base not in some for base in bases(form))]
    return _BETWEEN.join(sorted(core or some))


def core_forms(known: str) -> frozenset[str]:
    """The forms that every word with a term has."""
    return frozenset(known.removeprefix(JOINED).split(_BETWEEN))
