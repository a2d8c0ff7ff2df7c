"""Candidates miss no paper, and what is decided about them is right, whatever operators a query has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.query import And, ByAuthor, Exact, Fact, Not, Or, Phrase, Query
from digest.core.matching.evaluate import evaluate
from digest.core.matching.event_queries import EventSummary
from digest.core.matching.lookups import AdjacentTerms, AllOf, AnyOf, Lookup, NearTerms, TermPrefix
from digest.core.matching.paper_terms import PaperTerms, extract_paper_terms
from digest.core.matching.search.candidates import (
    CandidateBuilder,
    Difference,
    Documents,
    InColumns,
    Intersection,
    Union,
)
from digest.core.papers.document import build_document
from digest.model import Author, EventKind, Paper, PaperKey

WORDS = ("graph", "learning", "of-the", "GPs", "of", "the")
NEW, VERSION = EventSummary(EventKind.NEW, "arxiv"), EventSummary(EventKind.VERSION, "blog")
LEAVES: list[Query] = [
    *(Phrase(units=((word,),)) for word in ("graph", "learn", "of")),
    *(Phrase(units=(("of",), ("the",))), Phrase(units=(("graph",), ("the",)), near=3)),
    *(Exact(text="GPs"), Exact(text="of-the"), Phrase(field="title", units=(("learning",),))),
    *(ByAuthor(name="Wei Wang"), ByAuthor(ids=(("orcid", "1"),))),
    *(Fact(field="kind", value="new"), Fact(field="source", value="blog")),
]


def join(queries: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    several = st.lists(queries, min_size=2, max_size=3).map(tuple)
    return (
        several.map(lambda parts: And(queries=parts))
        | several.map(lambda parts: Or(queries=parts))
        | queries.map(lambda part: Not(query=part))
    )


QUERY: st.SearchStrategy[Query] = st.recursive(st.sampled_from(LEAVES), join, max_leaves=8)
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
AUTHOR = st.sampled_from([Author("Wei Wang"), Author("W. Wang"), Author("Ada", (), (("orcid", "1"),))])
PAPER = st.builds(
    lambda title, abstract, authors: Paper(
        key=PaperKey("arxiv:2606.00001"), title=title, abstract=abstract, authors=tuple(authors), url=""
    ),
    TEXT,
    TEXT,
    st.lists(AUTHOR, max_size=2),
)


class Dictionary:
    """The terms of some papers."""

    def __init__(self, papers: Sequence[PaperTerms]) -> None:
        self._forms = {pair for terms in papers for pair in terms.form_terms}

    def find_terms(self, word_forms: Iterable[str]) -> set[str]:
        wanted = {*word_forms}
        return {term for form, term in self._forms if form in wanted}

    def find_terms_by_prefix(self, prefix: str) -> set[str]:
        return {term for form, term in self._forms if form.startswith(prefix)}


def has(terms: PaperTerms, documents: Documents) -> bool:
    """Whether a paper is one of some documents."""
    match documents:
        case InColumns():
            return any(fits(getattr(terms, column), documents.lookup) for column in documents.columns)
        case Union():
            return any(has(terms, part) for part in documents.parts)
        case Intersection():
            return all(has(terms, part) for part in documents.parts)
        case Difference():
            return has(terms, documents.base) and not has(terms, documents.removed)


def fits(column: object, lookup: Lookup) -> bool:
    """Whether a column has what is looked up; near words count wherever they are."""
    words, others = column.words, column.unpositioned  # type: ignore[attr-defined]
    match lookup:
        case AdjacentTerms():
            size = len(lookup.terms)
            runs = [tuple(words[at : at + size]) for at in range(len(words))]
            return lookup.terms in runs or (size == 1 and lookup.terms[0] in others)
        case TermPrefix():
            return any(term.startswith(lookup.prefix) for term in (*words, *others))
        case NearTerms():
            return all(any(word in words for word in alternatives) for alternatives in lookup.words)
        case AllOf():
            return all(fits(column, part) for part in lookup.parts)
        case AnyOf():
            return any(fits(column, part) for part in lookup.parts)


@given(
    QUERY,
    st.lists(PAPER, min_size=1, max_size=4),
    st.lists(st.sampled_from([NEW, VERSION]), min_size=1, max_size=2, unique=True),
)
def test_no_paper_is_missed_and_what_is_decided_is_right(
    query: Query, papers: list[Paper], events: list[EventSummary]
) -> None:
    filed = [extract_paper_terms(paper, events) for paper in papers]
    candidates = CandidateBuilder(Dictionary(filed), lambda _: ()).build(query)

    for paper, terms in zip(papers, filed, strict=True):
        is_match = any(
            evaluate(query, build_document(paper, kind=event.kind, source=event.source)) for event in events
        )
        if is_match:
            assert has(terms, candidates.possible)
        if has(terms, candidates.possible) and not has(terms, candidates.undecided):
            assert is_match


@given(QUERY)
def test_a_paper_that_the_index_does_not_have_whole_is_always_a_candidate(query: Query) -> None:
    paper = Paper(key=PaperKey("arxiv:2606.00001"), title="word " * 300, url="")
    terms = extract_paper_terms(paper, [NEW])
    candidates = CandidateBuilder(Dictionary([terms]), lambda _: ()).build(query)

    assert has(terms, candidates.possible)
    assert has(terms, candidates.undecided)
