"""The terms of a paper in the index of papers, and how a set of word forms becomes one term.

The index is a posting list for each term, with positions. Each word of a text gets one term, so phrases can be looked
up. A term is made of the base forms that all words with this term have in common, so whoever asks for one of these
forms fits every word of the term, and the index decides alone. The other forms of a word lead to its term by a
dictionary (``PaperTerms.form_terms``): there the index only proposes, and the text decides, which it keeps, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, NamedTuple

from digest.core.names.fitting import make_index_keys
from digest.core.papers.document import LINE_BREAK, PaperDocument, Text, build_document
from digest.core.text.inflection import find_bases
from digest.core.text.words import SURROUNDING_SIGNS, find_forms, split_piece
from digest.model import Paper

VERSION = 4
"""Version of the terms. Raise it when terms or texts of any paper change: all papers are indexed again then."""

Column = Literal["title", "body"]
"""Posting lists are kept for two texts of a paper: its title, and its abstract with all that is not words of either."""

JOINED = "‿"
"""Prefix of a term made of several parts that hyphens join."""
SPELLED = "≡"
"""Prefix of a term that is a part with capitals, exactly as printed."""
CATEGORY, PRIMARY, AUTHOR = "category", "primary", "author"
"""Fields of terms that are no words; ``make_field_term`` joins them with their value."""

_FIELD_SEPARATOR = "¦"
"""Around the name of a field."""
_FORM_SEPARATOR = "·"
"""Between the base forms in a term; no word has it."""
_MAX_TERMS = 10_000
"""Most terms of a column. PostgreSQL knows no position beyond 16,383."""
_MAX_REPEATS = 255
"""Most positions of one term in a column: PostgreSQL keeps no more."""
_MAX_TERM_LENGTH = 400
"""Longest term in characters; PostgreSQL takes 2,046 bytes."""


class ColumnTerms(NamedTuple):
    """The terms of one column.

    Attributes:
        words: in the order of the text, one for each part.
        unpositioned: terms without a position.
        text: what the words stand in, readable: for what is asked for and only the text itself tells.
    """

    words: Sequence[str]
    unpositioned: Sequence[str]
    text: str


class PaperTerms(NamedTuple):
    """The terms of a paper.

    Attributes:
        title: of the title.
        body: of the abstract, and with a field in front those of other texts, categories, authors and facts.
        form_terms: pairs of a form and a term that words with this form have; a form that is its own term is left out.
    """

    title: ColumnTerms
    body: ColumnTerms
    form_terms: AbstractSet[tuple[str, str]]


def extract_paper_terms(paper: Paper) -> PaperTerms | None:
    """The terms of a paper; None for a paper that does not fit into the index, and has to be evaluated each time."""
    paper_document = build_document(paper)
    form_terms: set[tuple[str, str]] = set()
    title, title_others = _extract_text_terms(paper_document.texts["title"], form_terms)
    abstract, abstract_others = _extract_text_terms(paper_document.texts["abstract"], form_terms)
    body_others = dict.fromkeys([*abstract_others, *_extract_field_terms(paper_document, form_terms)])
    terms = PaperTerms(
        title=ColumnTerms(title, list(dict.fromkeys(title_others)), paper_document.texts["title"].text),
        body=ColumnTerms(abstract, list(body_others), paper_document.texts["abstract"].text),
        form_terms=form_terms,
    )
    return terms if _is_indexable(terms.title) and _is_indexable(terms.body) else None


def _is_indexable(column: ColumnTerms) -> bool:
    words, unpositioned, _ = column
    if (
        len(words) + len(unpositioned) > _MAX_TERMS
        or max(map(len, (*words, *unpositioned)), default=0) > _MAX_TERM_LENGTH
    ):
        return False
    return len(words) <= _MAX_REPEATS or max(Counter(words).values()) <= _MAX_REPEATS


def _extract_text_terms(text: Text, form_terms: set[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The terms of the words of a text in their order, and its terms without a position; adds to the dictionary."""
    words: list[str] = []
    unpositioned: list[str] = []
    if text.source_lines:
        for piece_terms in [
            _extract_piece_terms(printed.strip(SURROUNDING_SIGNS)) for printed in text.split_pieces()
        ]:
            part_terms, piece_others, piece_pairs = piece_terms
            words += part_terms
            if piece_others:
                unpositioned += piece_others
            if piece_pairs:
                form_terms.update(piece_pairs)
    return words, unpositioned


@lru_cache(maxsize=1 << 16)
def _extract_piece_terms(
    printed: str,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The terms of what stands between two blanks: of its words, others, and pairs of form and term.

    Most pieces come again.
    """
    if printed == LINE_BREAK:
        return (), (), ()
    parts, compounds = split_piece(printed)
    part_forms = [find_forms(part) for part in parts]
    compound_forms = [find_forms(word) for _, _, word in compounds]
    pairs = [
        (form, form_term)
        for word_forms in (*part_forms, *compound_forms)
        for form_term in (make_term(word_forms),)
        for form in word_forms
        if form != form_term
    ]
    unpositioned = [JOINED + make_term(word_forms) for word_forms in compound_forms]
    unpositioned += [SPELLED + part for part in parts if is_indexed_as_spelled(part)]
    return tuple(map(make_term, part_forms)), tuple(unpositioned), tuple(pairs)


def is_indexed_as_spelled(part: str) -> bool:
    """Whether the index has a part as it is printed, too."""
    return part != part.lower()


def _extract_field_terms(paper_document: PaperDocument, form_terms: set[tuple[str, str]]) -> Iterator[str]:
    """The terms of all that is neither title nor abstract."""
    for field in ("comment", "journal", "institution"):
        words, unpositioned = _extract_text_terms(paper_document.texts[field], form_terms)
        for word in (*words, *unpositioned):
            yield make_field_term(field, word)
    for field, codes in ((CATEGORY, paper_document.categories), (PRIMARY, paper_document.categories[:1])):
        for code in codes:
            category_term = make_field_term(field, code)
            form_terms.add((make_field_term(field, ""), category_term))
            yield category_term
    for byline in paper_document.bylines:
        for handle in make_index_keys(byline.name):
            yield make_field_term(AUTHOR, handle)
        for scheme, value in byline.ids:
            yield make_field_term(AUTHOR, f"{scheme}:{value}")
    for field, value in paper_document.facts:
        if field not in EVENT_FIELDS:
            yield make_field_term(field, value)


EVENT_FIELDS = frozenset(("kind", "source"))
"""Facts of an event; the others are facts of its paper."""


def make_field_term(field: str, value: str) -> str:
    """The term of a value of a field: no word begins like this."""
    return f"{_FIELD_SEPARATOR}{field}{_FIELD_SEPARATOR}{value}"


@lru_cache(maxsize=1 << 16)
def make_term(forms: frozenset[str]) -> str:
    """The term of words that have these forms: those of the forms that are no inflection of another one."""
    if len(forms) == 1:
        (only_form,) = forms
        return only_form
    core_form_list = [
        form for form in forms if all(base == form or base not in forms for base in find_bases(form))
    ]
    return _FORM_SEPARATOR.join(sorted(core_form_list or forms))


def split_core_forms(index_term: str) -> frozenset[str]:
    """The forms that every word with a term has."""
    return frozenset(index_term.removeprefix(JOINED).split(_FORM_SEPARATOR))
