"""What a follow would bring: how much, what came lately, and narrower or wider queries if that is too much or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import PaperDocument
from digest.core.subscribers.follow_preview import FollowPreview, QuerySuggestion
from digest.errors import QueryError
from digest.jobs.matching.query_preview import PaperMatch, QueryPreview, load_events, try_query
from digest.jobs.matching.recent_events import build_event_document
from digest.model import Event
from digest.store.database.engine import Store
from digest.store.matching.event_index import EventCache

_DAYS = 30
"""Number of days that are searched."""
_MAX_PAPERS = 400
"""Number of found papers after which no earlier days are searched: the rate is known well enough."""
_RECENT = timedelta(days=7)
_MAX_RECENT = 5
"""Number of recent papers that are shown."""
_SAMPLE = 40
"""Number of found papers on which narrower queries are tried; of these they all are a part."""
_MANY_A_DAY = 8.0
"""Number of papers a day from which narrower queries are suggested."""


def preview_follow(store: Store, text: str, now: datetime, cache: EventCache) -> FollowPreview:
    """Return what a query would bring.

    Args:
        store: the store.
        text: the query as typed.
        now: the current time, UTC.
        cache: the events of the preview before.

    Raises:
        QueryError: it is no query.
    """
    result = try_query(store, text, _DAYS, now, max_papers=_MAX_PAPERS, load=cache.load)
    matches = sorted(result.matches, key=lambda match: -match.seq)
    day_count = len(result.days)
    papers_a_day = len(matches) / day_count if day_count else None
    recent = [match for match in matches if match.day > (now - _RECENT).date()]
    is_much = papers_a_day is not None and papers_a_day >= _MANY_A_DAY
    sample = _choose_evenly(matches, _SAMPLE) if is_much else []
    events = load_events(store, [*recent[:_MAX_RECENT], *sample])
    narrower: tuple[QuerySuggestion, ...] = ()
    if is_much and papers_a_day is not None:
        narrower = _suggest_narrower(text, papers_a_day, [events[match.seq] for match in sample])
    return FollowPreview(
        read_as=result.reading.display_text,
        hints=result.reading.hints,
        papers_a_day=papers_a_day,
        recent_count=len(recent),
        recent=tuple(events[match.seq] for match in recent[:_MAX_RECENT]),
        narrower=narrower,
        wider=_list_wider(result, day_count),
    )


def _choose_evenly(matches: Sequence[PaperMatch], limit: int) -> list[PaperMatch]:
    step = max(1, len(matches) / limit)
    return [matches[int(number * step)] for number in range(min(limit, len(matches)))]


def _suggest_narrower(text: str, papers_a_day: float, sample: Sequence[Event]) -> tuple[QuerySuggestion, ...]:
    """Suggest narrower queries, each with the share of a sample of the found papers that it finds, too."""
    documents = [build_event_document(event) for event in sample]
    suggestions = []
    for candidate in _iter_narrower(text, sample):
        query = _parse(candidate)
        share = _compute_share(query, documents) if query else 0.0
        if 0 < share < 1:
            suggestions.append(QuerySuggestion(query=candidate, papers_a_day=papers_a_day * share))
    return tuple(suggestions)


def _iter_narrower(text: str, sample: Sequence[Event]) -> Iterator[str]:
    words = text.split()
    if len(words) > 1 and all(word.isalnum() and word not in {"AND", "OR", "NOT"} for word in words):
        yield f'"{text}"'
    yield f"title:({text})" if len(words) > 1 else f"title:{text}"
    categories = Counter(event.paper.categories[0] for event in sample if event.paper.categories)
    yield from (f"({text}) category:{category}" for category, _ in categories.most_common(2))


def _parse(text: str) -> Query | None:
    try:
        return parse(text)
    except QueryError:
        return None  # a field within a field


def _compute_share(query: Query, documents: Sequence[PaperDocument]) -> float:
    return sum(bool(evaluate(query, document)) for document in documents) / len(documents)


def _list_wider(result: QueryPreview, day_count: int) -> tuple[QuerySuggestion, ...]:
    return tuple(
        QuerySuggestion(
            query=str(relaxed.query), papers_a_day=count / max(1, day_count), removed=relaxed.removed_text
        )
        for relaxed, count in result.wider
        if count
    )
