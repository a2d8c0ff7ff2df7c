"""Summary of a search: how many papers it finds, and their facets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from digest.core.matching.event_queries import parse_event_summary
from digest.core.matching.search.document_numbers import find_day
from digest.core.matching.search.totals import CountKind, Facet, Facets, Total
from digest.core.papers.taxonomy import canonicalize_category
from digest.jobs.matching.search.evaluation import CandidateEvaluator
from digest.jobs.matching.search.narrowing import CandidateNarrower
from digest.jobs.matching.search.window import MAX_CANDIDATES, MAX_DECIDED, SearchWindow
from digest.store.matching.indexed_papers import IndexedPaper

_MAX_READ = 300
"""Maximum number of candidates whose texts are read only to count exactly; it takes some 20 ms."""


def summarize_window(
    window: SearchWindow, narrower: CandidateNarrower, evaluator: CandidateEvaluator
) -> tuple[Total, Facets]:
    """Count the papers of a window and their facets, without those that do not match, as far as that is known.

    Args:
        window: the newest candidates.
        narrower: the narrower of the query; it reads more candidates if the counts are then exact.
        evaluator: the evaluator of the query; it evaluates a few more candidates if the counts are then exact.
    """
    newest = window.indexed[:MAX_CANDIDATES]
    is_complete = not window.first and len(window.indexed) <= MAX_CANDIDATES
    if is_complete and not (narrower.needs_texts and len(narrower.select_open(newest)) > _MAX_READ):
        newest = narrower.narrow(newest)
    pending = [
        indexed for indexed in narrower.select_open(newest) if indexed.document not in evaluator.results
    ]
    if len(pending) <= MAX_DECIDED:
        evaluator.evaluate(pending)
        pending = []
    found = [indexed for indexed in newest if evaluator.results.get(indexed.document, True)]
    kind = CountKind.MORE_THAN
    if is_complete:
        kind = CountKind.AT_MOST if pending else CountKind.EXACT
    return Total(len(found), kind), _count_facets(found)


# --- facets ---------------------------------------------------------------------------------------


def _count_facets(papers: Collection[IndexedPaper]) -> Facets:
    years = Counter[int]()
    for day, number in Counter([find_day(indexed.document) for indexed in papers]).items():
        if day:
            years[day.year] += number
    return Facets(
        categories=_count_values([indexed.categories for indexed in papers], _split_categories),
        years=tuple(Facet(str(year), count) for year, count in sorted(years.items(), reverse=True)),
        sources=_count_values([indexed.events for indexed in papers], _split_sources),
        with_code=sum([bool(indexed.has_code) for indexed in papers]),
    )


def _count_values(texts: Iterable[str], split: Callable[[str], Collection[str]]) -> tuple[Facet, ...]:
    """Count the values in texts; equal texts, of which there are many, are split once."""
    counts = Counter[str]()
    for text, times in Counter(texts).items():
        for value in split(text):
            counts[value] += times
    return tuple(Facet(*item) for item in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _split_categories(text: str) -> set[str]:
    return {canonicalize_category(category) for category in text.split("\n") if category}


def _split_sources(text: str) -> set[str]:
    return {parse_event_summary(event).source for event in text.split("\n") if event}
