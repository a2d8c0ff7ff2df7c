"""The terms of a paper in the index of papers, and how a set of forms becomes one term.

The index has a posting list with positions for each term. Each word of a text has one term, so phrases can be
looked up. A term consists of the base forms that all words with this term share. A query for one of these
forms therefore matches every word of the term, and the index alone decides. The other forms of a word lead to
its term by a dictionary (``PaperTerms.form_terms``): for them the index only proposes papers, and the text,
which the index stores as well, decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, NamedTuple

from digest.core.matching.event_queries import EVENT_FIELDS, EventSummary
from digest.core.matching.name_keys import list_printed_keys
from digest.core.papers.document import LINE_BREAK, SECONDARY_TEXT_FIELDS, PaperDocument, Text, build_document
from digest.core.text.inflection import find_bases
from digest.core.text.words import SURROUNDING_SIGNS, find_forms, split_piece
from digest.model import Paper

VERSION = 5
"""Version of the terms. Raise it when the terms or texts of any paper change; all papers are then indexed again."""

Column = Literal["title", "body"]
"""Column of the index: the title, or the abstract together with the terms of all other fields."""

JOINED = "‿"
"""Prefix of a term for several parts that are joined by hyphens."""
SPELLED = "≡"
"""Prefix of a term for a part with capitals, exactly as printed."""
CATEGORY, PRIMARY, AUTHOR, EVENT = "category", "primary", "author", "event"
"""Fields of terms that are not words; ``make_field_term`` joins them with their value."""
UNREAD_TERM = "¦unread¦"
"""The only term, besides events, of a paper that exceeds the limits of the index and must be evaluated each time."""

_FIELD_SEPARATOR = "¦"
"""Delimiter around the name of a field in a term."""
_FORM_SEPARATOR = "·"
"""Separator of the base forms in a term; it occurs in no word."""
_MAX_TERMS = 10_000
"""Maximum number of terms in a column. PostgreSQL has no position above 16,383."""
_MAX_REPEATS = 255
"""Maximum number of positions of a term in a column. PostgreSQL stores no more."""
_MAX_TERM_LENGTH = 400
"""Maximum length of a term, in characters. PostgreSQL allows 2,046 bytes."""


class ColumnTerms(NamedTuple):
    """The terms of one column.

    Attributes:
        words: terms in the order of the text, one for each part.
        unpositioned: terms without a position.
        text: the readable text of the words, for queries that only the text can decide.
    """

    words: Sequence[str]
    unpositioned: Sequence[str]
    text: str


class PaperTerms(NamedTuple):
    """The terms of a paper.

    Attributes:
        title: terms of the title.
        body: terms of the abstract, and, with a field as prefix, of other texts, categories, authors and
            facts.
        form_terms: pairs of a form and a term of words with this form; a form that is its own term is left
            out.
        is_complete: whether these are all terms; False if the paper exceeds the limits of the index.
    """

    title: ColumnTerms
    body: ColumnTerms
    form_terms: AbstractSet[tuple[str, str]]
    is_complete: bool = True


def extract_paper_terms(paper: Paper, events: Collection[EventSummary] = ()) -> PaperTerms:
    """Return the terms of a paper.

    Args:
        paper: the merged paper.
        events: its events.
    """
    event_terms = [make_field_term(EVENT, str(event)) for event in events]
    event_form_terms = {(make_field_term(EVENT, ""), event_term) for event_term in event_terms}
    form_terms = set(event_form_terms)
    paper_document = build_document(paper)
    title, title_others = _extract_text_terms(paper_document.texts["title"], form_terms)
    abstract, abstract_others = _extract_text_terms(paper_document.texts["abstract"], form_terms)
    body_others = dict.fromkeys(
        [*abstract_others, *_extract_field_terms(paper_document, form_terms), *event_terms]
    )
    terms = PaperTerms(
        title=ColumnTerms(title, list(dict.fromkeys(title_others)), paper_document.texts["title"].text),
        body=ColumnTerms(abstract, list(body_others), paper_document.texts["abstract"].text),
        form_terms=form_terms,
    )
    if _is_indexable(terms.title) and _is_indexable(terms.body):
        return terms
    return PaperTerms(
        title=ColumnTerms((), (), ""),
        body=ColumnTerms((), (UNREAD_TERM, *event_terms), ""),
        form_terms=event_form_terms,
        is_complete=False,
    )


def _is_indexable(column: ColumnTerms) -> bool:
    words, unpositioned, _ = column
    if (
        len(words) + len(unpositioned) > _MAX_TERMS
        or max(map(len, (*words, *unpositioned)), default=0) > _MAX_TERM_LENGTH
    ):
        return False
    return len(words) <= _MAX_REPEATS or max(Counter(words).values()) <= _MAX_REPEATS


def _extract_text_terms(text: Text, form_terms: set[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Return the terms of the words of a text in order, and its terms without a position; extends ``form_terms``."""
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
    """Return the terms of the text between two blanks: those of words, others, and pairs of form and term.

    Cached, because most pieces recur.
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
    """Whether the index has a term for a part as it is printed."""
    return part != part.lower()


def _extract_field_terms(paper_document: PaperDocument, form_terms: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the terms of all fields except title and abstract."""
    for field in SECONDARY_TEXT_FIELDS:
        words, unpositioned = _extract_text_terms(paper_document.texts[field], form_terms)
        for word in (*words, *unpositioned):
            yield make_field_term(field, word)
    for field, codes in ((CATEGORY, paper_document.categories), (PRIMARY, paper_document.categories[:1])):
        for code in codes:
            category_term = make_field_term(field, code)
            form_terms.add((make_field_term(field, ""), category_term))
            yield category_term
    for byline in paper_document.bylines:
        for key in list_printed_keys(byline.name):
            yield make_field_term(AUTHOR, key)
        for scheme, value in byline.ids:
            yield make_field_term(AUTHOR, f"{scheme}:{value}")
    for field, value in paper_document.facts:
        if field not in EVENT_FIELDS:
            yield make_field_term(field, value)


def make_field_term(field: str, value: str) -> str:
    """Return the term for a value of a field; no word begins like it."""
    return f"{_FIELD_SEPARATOR}{field}{_FIELD_SEPARATOR}{value}"


@lru_cache(maxsize=1 << 16)
def make_term(forms: frozenset[str]) -> str:
    """Return the term of words that have these forms: the forms that are not inflections of others."""
    if len(forms) == 1:
        (only_form,) = forms
        return only_form
    core_form_list = [
        form for form in forms if all(base == form or base not in forms for base in find_bases(form))
    ]
    return _FORM_SEPARATOR.join(sorted(core_form_list or forms))


def split_core_forms(index_term: str) -> frozenset[str]:
    """Return the forms that every word with a term has."""
    return frozenset(index_term.removeprefix(JOINED).split(_FORM_SEPARATOR))
