"""The terms of a paper in the index of papers, and how a set of forms becomes one term.

The index has a posting list with positions for each term. Each word of a text has one term, so phrases can be
looked up. A term consists of the base forms that all words with this term share. A query for one of these
forms therefore matches every word of the term, and the index alone decides. The other forms of a word lead to
its term by a dictionary (``PaperTerms.form_groups``): for them the index only proposes papers, and the text,
which the index stores as well, decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from digest.core.generation_cache import ComputedCache
from digest.core.matching.event_queries import EventSummary
from digest.core.matching.name_keys import list_printed_keys
from digest.core.papers.document import iter_facts, list_text_lines
from digest.core.text.accents import decode_tex_accents
from digest.core.text.inflection import find_bases, find_inflected_bases, is_uninflected
from digest.core.text.tex import tex_to_unicode
from digest.core.text.words import SURROUNDING_SIGNS, find_forms, scan_parts, split_new_piece
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

TERM_SEPARATOR = "\n"
"""Separator of joined terms."""
FIELD_SEPARATOR = "¦"
"""Delimiter around the name of a field in a term; no word begins with it."""
_FORM_SEPARATOR = "·"
"""Separator of the base forms in a term; it occurs in no word."""
_MAX_TERMS = 10_000
"""Maximum number of terms of a paper. PostgreSQL has no position above 16,383."""
_MAX_REPEATS = 250
"""Maximum number of positions of a term in a paper. PostgreSQL stores 255."""
_MAX_TERM_LENGTH = 400
"""Maximum length of a term, in characters. PostgreSQL allows 2,046 bytes."""


FormTerms = frozenset[tuple[str, str]]
"""Pairs of a form and a term of words with this form."""


class ColumnTerms(NamedTuple):
    """The terms of one column.

    Attributes:
        joined_words: terms in the order of the text, one for each part, separated by ``TERM_SEPARATOR``.
        unpositioned: terms without a position.
        text: the readable text of the words, for queries that only the text can decide.
    """

    joined_words: str
    unpositioned: Sequence[str]
    text: str

    @property
    def words(self) -> Sequence[str]:
        """Terms in the order of the text, one for each part."""
        return self.joined_words.split(TERM_SEPARATOR) if self.joined_words else ()


class PaperTerms(NamedTuple):
    """The terms of a paper.

    Attributes:
        title: terms of the title.
        body: terms of the abstract, and, with a field as prefix, of other texts, categories, authors and
            facts.
        form_groups: pairs of a form and a term of words with this form, in sets that papers share; a form that is
            its own term is left out.
        is_complete: whether these are all terms; False if the paper exceeds the limits of the index.
    """

    title: ColumnTerms
    body: ColumnTerms
    form_groups: AbstractSet[FormTerms]
    is_complete: bool = True

    @property
    def form_terms(self) -> FormTerms:
        """All pairs of a form and a term."""
        return frozenset[tuple[str, str]]().union(*self.form_groups)


def extract_paper_terms(paper: Paper, events: Collection[EventSummary] = ()) -> PaperTerms:
    """Return the terms of a paper.

    Args:
        paper: the merged paper.
        events: its events.
    """
    event_terms, event_forms = _extract_event_terms(tuple(events))
    form_groups: set[FormTerms] = {event_forms}
    texts = {
        field: "\n".join(map(tex_to_unicode, lines))
        for field, lines in list_text_lines(paper).items()
        if lines
    }
    title_text, abstract_text = texts.pop("title", ""), texts.pop("abstract", "")
    title, title_others = _extract_text_terms(title_text, form_groups)
    abstract, body_others = _extract_text_terms(abstract_text, form_groups)
    for field, text in texts.items():
        body_others += _extract_field_terms(field, text, form_groups)
    body_others += _extract_fact_terms(paper, form_groups)
    body_others += event_terms
    terms = PaperTerms(
        title=ColumnTerms(title, list(dict.fromkeys(title_others)), title_text),
        body=ColumnTerms(abstract, list(dict.fromkeys(body_others)), abstract_text),
        form_groups=form_groups,
    )
    if _is_indexable(terms):
        return terms
    return PaperTerms(
        title=ColumnTerms("", (), ""),
        body=ColumnTerms("", (UNREAD_TERM, *event_terms), ""),
        form_groups={event_forms},
        is_complete=False,
    )


def _is_indexable(terms: PaperTerms) -> bool:
    columns = terms.title, terms.body
    unpositioned = [*terms.title.unpositioned, *terms.body.unpositioned]
    word_count = sum([column.joined_words.count(TERM_SEPARATOR) + 1 for column in columns])
    if (
        word_count + len(unpositioned) > _MAX_TERMS
        or max(map(len, unpositioned), default=0) > _MAX_TERM_LENGTH
    ):
        return False
    if word_count <= _MAX_REPEATS:
        return True
    return max(Counter([*terms.title.words, *terms.body.words]).values()) <= _MAX_REPEATS


# --- words ----------------------------------------------------------------------------------------


def _extract_text_terms(text: str, form_groups: set[FormTerms]) -> tuple[str, list[str]]:
    """Return the joined terms of the words of a text, and its terms without a position; extends ``form_groups``."""
    pieces = _piece_terms.get_all([printed.strip(SURROUNDING_SIGNS) for printed in text.split()])
    unpositioned = list(chain.from_iterable([others for _, others, _ in pieces if others]))
    form_groups.update([forms for _, _, forms in pieces if forms])
    return TERM_SEPARATOR.join([words for words, _, _ in pieces if words]), unpositioned


_PieceTerms = tuple[str, Sequence[str], FormTerms]
"""The terms of the text between two blanks: joined words, terms without a position, and pairs of form and term.

It is a plain tuple, because there are a hundred of them in each text.
"""


def _extract_piece_terms(printed: str) -> _PieceTerms:
    """Return the terms of the text between two blanks, without ``SURROUNDING_SIGNS``."""
    parts, compounds = split_new_piece(printed)
    words = [_word_terms[part] for part in parts]
    joined_words = TERM_SEPARATOR.join([word.term for word in words])
    unpositioned: list[str] = []
    for _, _, compound in compounds:
        word = _extract_word_terms(compound)
        unpositioned.append(JOINED + word.term)
        words.append(word)
    if is_indexed_as_spelled(printed):
        unpositioned += [SPELLED + part for part in parts if is_indexed_as_spelled(part)]
    if len(joined_words) > _MAX_TERM_LENGTH:
        # Only terms without a position are checked later, because there are fewer of them.
        unpositioned += [word.term for word in words if len(word.term) > _MAX_TERM_LENGTH]
    form_groups = [word.form_terms for word in words if word.form_terms]
    form_terms = form_groups[0] if len(form_groups) == 1 else _NO_FORMS.union(*form_groups)
    return joined_words, tuple(unpositioned), form_terms


_NO_FORMS: FormTerms = frozenset()


class _WordTerms(NamedTuple):
    """The term of a word, and pairs of its other forms and the term."""

    term: str
    form_terms: FormTerms = _NO_FORMS


def _extract_word_terms(word: str) -> _WordTerms:
    if word.isascii() and word.isalnum():  # the forms are the bases, and are not cached: the word is new
        lower = word.lower()
        if is_uninflected(lower):
            return _WordTerms(lower)
        forms = find_inflected_bases(word, lower)
    else:
        forms = find_forms(word)
    if len(forms) == 1:
        return _WordTerms(next(iter(forms)))
    term = _join_core_forms(forms)
    return _WordTerms(term, frozenset([(form, term) for form in forms if form != term]))


_word_terms = ComputedCache(_extract_word_terms, max_entries=1 << 15)
_piece_terms = ComputedCache(_extract_piece_terms, max_entries=1 << 17)


def map_printed_words(text: str) -> dict[str, str]:
    """Return a word as it is printed in a text for each term, in lower case if it is so anywhere."""
    printed_words: dict[str, str] = {}
    for _, printed, _ in scan_parts(text):
        term = _word_terms[printed].term
        if term not in printed_words or (printed.islower() and not printed_words[term].islower()):
            printed_words[term] = printed
    return printed_words


def is_indexed_as_spelled(part: str) -> bool:
    """Whether the index has a term for a part as it is printed."""
    return part != part.lower()


# --- other fields ---------------------------------------------------------------------------------


def _extract_field_terms(field: str, text: str, form_groups: set[FormTerms]) -> list[str]:
    """Return the terms of another text than title and abstract; extends ``form_groups``."""
    joined_words, unpositioned = _extract_text_terms(text, form_groups)
    words = joined_words.split(TERM_SEPARATOR) if joined_words else []
    return [make_field_term(field, word) for word in (*words, *unpositioned)]


def _extract_fact_terms(paper: Paper, form_groups: set[FormTerms]) -> list[str]:
    """Return the terms of categories, authors and facts; extends ``form_groups``."""
    terms = list(chain.from_iterable(_author_terms.get_all([author.name for author in paper.authors])))
    for author in paper.authors:
        if author.ids:
            terms += [make_field_term(AUTHOR, f"{scheme}:{value}") for scheme, value in author.ids]
    if paper.categories:
        category_terms, forms = _extract_category_terms(paper.categories)
        terms += category_terms
        form_groups.add(forms)
    return terms + [make_field_term(field, value) for field, value in iter_facts(paper)]


def _extract_author_terms(name: str) -> tuple[str, ...]:
    """Return the terms of the name of an author, with TeX accents."""
    return tuple([make_field_term(AUTHOR, key) for key in list_printed_keys(decode_tex_accents(name))])


_author_terms = ComputedCache(_extract_author_terms, max_entries=1 << 15)


@lru_cache(maxsize=1 << 12)
def _extract_category_terms(categories: tuple[str, ...]) -> tuple[tuple[str, ...], FormTerms]:
    """Return the terms of the categories of a paper, and their pairs of form and term."""
    terms = [
        (field, make_field_term(field, code))
        for field, codes in ((CATEGORY, categories), (PRIMARY, categories[:1]))
        for code in codes
    ]
    pairs = frozenset([(make_field_term(field, ""), category_term) for field, category_term in terms])
    return tuple([category_term for _, category_term in terms]), pairs


@lru_cache(maxsize=1 << 10)
def _extract_event_terms(events: tuple[EventSummary, ...]) -> tuple[tuple[str, ...], FormTerms]:
    """Return the terms of the events of a paper, and their pairs of form and term."""
    terms = tuple([make_field_term(EVENT, str(event)) for event in events])
    return terms, frozenset([(make_field_term(EVENT, ""), event_term) for event_term in terms])


def make_field_term(field: str, value: str) -> str:
    """Return the term for a value of a field; no word begins like it."""
    return f"{FIELD_SEPARATOR}{field}{FIELD_SEPARATOR}{value}"


@lru_cache(maxsize=1 << 14)
def make_term(forms: frozenset[str]) -> str:
    """Return the term of words that have these forms: the forms that are not inflections of others."""
    return next(iter(forms)) if len(forms) == 1 else _join_core_forms(forms)


def _join_core_forms(forms: frozenset[str]) -> str:
    core_forms = [
        form for form in forms if all(base == form or base not in forms for base in find_bases(form))
    ]
    return _FORM_SEPARATOR.join(sorted(core_forms or forms))


def split_core_forms(index_term: str) -> frozenset[str]:
    """Return the forms that every word with a term has."""
    return frozenset(index_term.removeprefix(JOINED).split(_FORM_SEPARATOR))
