"""Whether and why a query fits a paper: the plain meaning of the language, one query and one paper at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from digest.core.language.query import (
    And,
    ByAuthor,
    Exact,
    Fact,
    InCategory,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    TextQuery,
)
from digest.core.matching.positions import collect_required_forms, find_spans, is_missing_forms
from digest.core.names.fitting import NameMatch, match_names
from digest.core.papers.document import Byline, PaperDocument
from digest.core.papers.taxonomy import covers
from digest.model import Confidence, Evidence, MatchResult


def evaluate(query: Query, document: PaperDocument) -> MatchResult | None:
    """Whether and why a query fits a paper; None if it does not.

    AND is as sure as its least sure part, OR as its surest one; NOT takes nothing away by a maybe. The evidence
    of an OR is that of its surest parts.
    """
    match query:
        case Not():
            inner = evaluate(query.query, document)
            return (
                None
                if inner and inner.confidence >= Confidence.LIKELY
                else MatchResult(confidence=Confidence.SURELY, evidence=())
            )
        case And():
            match_results = []
            for part in query.queries:
                match_result = evaluate(part, document)
                if match_result is None:
                    return None
                match_results.append(match_result)
            return _combine_results(
                min(match_result.confidence for match_result in match_results), match_results, match_results
            )
        case Or():
            matches = [match_result for part in query.queries if (match_result := evaluate(part, document))]
            best_confidence = max(
                (match_result.confidence for match_result in matches), default=Confidence.NOT
            )
            return (
                _combine_results(
                    best_confidence,
                    matches,
                    [match_result for match_result in matches if match_result.confidence is best_confidence],
                )
                if matches
                else None
            )
        case _:
            return _evaluate_leaf(query, document)


def collect_evidence(query: Query, document: PaperDocument) -> tuple[Evidence, ...]:
    """What to show of a paper that a query is known to fit: the evidence of all that it asks for and that is there.

    A person who was known by nothing but ids of other papers is found only if the bylines have their standings.
    """
    words_by_field = find_highlights(list_positive_leaves(query), document)
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in words_by_field])


def find_highlights(positive_leaves: Iterable[PositiveLeaf], document: PaperDocument) -> _FieldWords:
    """The same for what a query asks for: who shows many papers of it takes it apart once.

    Returns:
        Fields, and the words in each.
    """
    words_by_field: dict[str, dict[str, None]] = {}
    for leaf, field, required_forms in positive_leaves:
        if required_forms and is_missing_forms(
            document.texts[field], required_forms
        ):  # most fit by another side of an OR
            continue
        for evidence_field, leaf_words in _find_leaf_words(leaf, document):
            if evidence_field in words_by_field:
                words_by_field[evidence_field].update(leaf_words)
            else:
                words_by_field[evidence_field] = leaf_words
    return [
        (evidence_field, words_by_field[evidence_field])
        for evidence_field in (
            words_by_field if len(words_by_field) < 2 else sorted(words_by_field, key=_rank_field)
        )
    ]


class PositiveLeaf(NamedTuple):
    """A part of a query that asks for something.

    Attributes:
        field: of a phrase, where it is looked for.
        required_forms: of a phrase, what a text must have for it.
    """

    leaf: Leaf
    field: str = ""
    required_forms: tuple[frozenset[str], ...] = ()


def list_positive_leaves(query: Query) -> tuple[PositiveLeaf, ...]:
    """What a query asks for, without what it takes out."""
    match query:
        case And() | Or():
            return tuple(
                [positive_leaf for part in query.queries for positive_leaf in list_positive_leaves(part)]
            )
        case Not():
            return ()
        case Phrase():
            return (PositiveLeaf(query, query.field, collect_required_forms(query.units)),)
        case _:
            return (PositiveLeaf(query),)


def _combine_results(
    confidence: Confidence, match_results: Sequence[MatchResult], evidence_results: Sequence[MatchResult]
) -> MatchResult:
    return MatchResult(
        confidence=confidence,
        evidence=_merge_evidence(evidence_results),
        in_title=any(match_result.in_title for match_result in match_results),
        author_confidence=max(match_result.author_confidence for match_result in match_results),
    )


_FIELD_ORDER = ("title", "abstract", "comment", "journal", "institution", "author", "category")
"""In the order in which they are shown; facts come behind."""
_FIELD_RANKS = {name: rank for rank, name in enumerate(_FIELD_ORDER)}


def _rank_field(field: str) -> int:
    return _FIELD_RANKS.get(field, len(_FIELD_ORDER))


def _merge_evidence(match_results: Iterable[MatchResult]) -> tuple[Evidence, ...]:
    words_by_field: dict[str, dict[str, None]] = {}
    for match_result in match_results:
        for evidence in match_result.evidence:
            words_by_field.setdefault(evidence.field, {}).update(dict.fromkeys(evidence.words))
    return tuple(
        Evidence(field=field, words=tuple(words_by_field[field]))
        for field in sorted(words_by_field, key=_rank_field)
    )


# --- what a query asks for ------------------------------------------------------------------------

Leaf = TextQuery | ByAuthor | InCategory | Fact
"""What stands by itself in a query."""
_FieldWords = Sequence[tuple[str, dict[str, None]]]
"""Words of a paper, in their order, by their field."""


def _evaluate_leaf(query: Leaf, document: PaperDocument) -> MatchResult | None:
    if isinstance(query, ByAuthor):
        return _evaluate_author(query, document)
    words_by_field = _find_leaf_words(query, document)
    if not words_by_field:
        return None
    evidence = tuple([Evidence(field=field, words=tuple(words)) for field, words in words_by_field])
    is_text_query = not isinstance(query, InCategory | Fact)
    return MatchResult(
        confidence=Confidence.SURELY,
        evidence=evidence,
        in_title=is_text_query and words_by_field[0][0] == "title",
    )


def _find_leaf_words(query: Leaf, document: PaperDocument) -> _FieldWords:
    """What of a paper a query is fitted by; nothing if it does not fit."""
    match query:
        case Phrase() | Exact() | Prefix():
            return _find_text_words(query, document)
        case ByAuthor():
            match_result = _evaluate_author(query, document)
            return (
                [(evidence.field, dict.fromkeys(evidence.words)) for evidence in match_result.evidence]
                if match_result
                else ()
            )
        case InCategory():
            candidate_codes = document.categories[:1] if query.primary else document.categories
            matching_codes = [code for code in candidate_codes if covers(query.code, code)]
            return [("category", dict.fromkeys(matching_codes))] if matching_codes else ()
        case Fact():
            return (
                [(query.field, {query.value: None})] if (query.field, query.value) in document.facts else ()
            )


def _find_text_words(query: TextQuery, document: PaperDocument) -> _FieldWords:
    field = query.field
    text = document.texts[field]
    spans = find_spans(text, query)
    if not spans:
        return ()
    content = text.text
    words = [content[start:end] for start, end in spans]
    if field:
        return [(field, dict.fromkeys(words))]
    title_length = len(document.texts["title"].text)
    if spans[0][0] >= title_length:  # as it is mostly
        return [("abstract", dict.fromkeys(words))]
    if spans[-1][0] < title_length:
        return [("title", dict.fromkeys(words))]
    title_count = sum([start < title_length for start, _ in spans])
    return [("title", dict.fromkeys(words[:title_count])), ("abstract", dict.fromkeys(words[title_count:]))]


# --- persons --------------------------------------------------------------------------------------


def _evaluate_author(query: ByAuthor, document: PaperDocument) -> MatchResult | None:
    confidences = [match_byline(query, byline) for byline in document.bylines]
    best_confidence = max(confidences, default=Confidence.NOT)
    if best_confidence is Confidence.NOT:
        return None
    names = dict.fromkeys(
        byline.name
        for byline, confidence in zip(document.bylines, confidences, strict=True)
        if confidence is best_confidence
    )
    return MatchResult(
        confidence=best_confidence,
        evidence=(Evidence(field="author", words=tuple(names)),),
        author_confidence=best_confidence,
    )


def match_byline(
    query: ByAuthor, byline: Byline, fit_names: Callable[[str, str], NameMatch] = match_names
) -> Confidence:
    """How surely a byline is that person; an id says more than a name, and another id of a kind says no.

    Args:
        query: the person.
        byline: of a paper.
        fit_names: says how well the printed name fits.
    """
    if not byline.ids.isdisjoint(query.ids):
        return Confidence.SURELY
    name_match = fit_names(query.name, byline.name) if query.name else NameMatch.NOT
    if not byline.standing.ids.isdisjoint(query.ids):
        return Confidence.NOT if query.name and name_match is NameMatch.NOT else Confidence.LIKELY
    schemes = {scheme for scheme, _ in query.ids}
    if any(scheme in schemes for scheme, _ in byline.ids | byline.standing.ids):
        return Confidence.NOT
    if name_match is NameMatch.FULL and byline.standing.is_sole_bearer:
        return Confidence.LIKELY
    return Confidence.NOT if name_match is NameMatch.NOT else Confidence.MAYBE
