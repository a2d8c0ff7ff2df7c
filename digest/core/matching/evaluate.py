"""The meaning of queries: whether and why one query matches one paper.

This evaluator is the reference for the percolator and for the index of papers.
"""

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
from digest.core.papers.document import TEXT_FIELDS, Byline, PaperDocument
from digest.core.papers.taxonomy import covers
from digest.model import Confidence, Evidence, MatchResult


def evaluate(query: Query, document: PaperDocument) -> MatchResult | None:
    """Return whether and why a query matches a paper; None if it does not.

    The confidence of AND is that of its least certain part, the confidence of OR that of its most certain
    part. A *maybe* does not satisfy the query behind a NOT. The evidence of an OR is that of its most certain
    parts.
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
    """Return the evidence for a query that is known to match a paper: that of all its leaves that match.

    If a person's ids appear only on other papers, the person is found only if the document was built with the
    standings of its bylines (``BylineStanding``).
    """
    words_by_field = find_highlights(list_positive_leaves(query), document)
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in words_by_field])


def find_highlights(positive_leaves: Iterable[PositiveLeaf], document: PaperDocument) -> _FieldWords:
    """Return the evidence of a paper for the leaves of a query; for many papers, the query is split into leaves once.

    Returns:
        Pairs of a field and the words in it.
    """
    words_by_field: dict[str, dict[str, None]] = {}
    for leaf, field, required_forms in positive_leaves:
        # Most leaves without a match are sides of an OR; this test rules them out faster than a search.
        if required_forms and is_missing_forms(document.texts[field], required_forms):
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
    """A leaf of a query that is not behind a NOT.

    Attributes:
        field: for a phrase, the field in which it is looked for.
        required_forms: for a phrase, sets of forms; a matching text has at least one form of each set.
    """

    leaf: Leaf
    field: str = ""
    required_forms: tuple[frozenset[str], ...] = ()


def list_positive_leaves(query: Query) -> tuple[PositiveLeaf, ...]:
    """Return the leaves of a query, except those behind a NOT."""
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


_FIELD_ORDER = (*TEXT_FIELDS[1:], "author", "category")
"""Fields in the order in which evidence is shown; facts come last."""
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


# --- leaves ---------------------------------------------------------------------------------------

Leaf = TextQuery | ByAuthor | InCategory | Fact
"""A part of a query that is not composed of others."""
_FieldWords = Sequence[tuple[str, dict[str, None]]]
"""Pairs of a field and words of the paper, in their order."""


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
    """Return the words of a paper that a leaf matches; empty if it does not match."""
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
    if spans[0][0] >= title_length:  # the most frequent case
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
    """Return how certain it is that a byline is that of a person.

    An id outweighs the name, and another id of the same scheme excludes the person.

    Args:
        query: the person.
        byline: a byline of a paper.
        fit_names: returns how well the printed name matches.
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
