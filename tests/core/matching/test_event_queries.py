"""What a query about an event asks of its paper."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.query import And, Fact, Not, Or, Phrase, Query
from digest.core.matching.evaluate import evaluate
from digest.core.matching.event_queries import (
    EventSummary,
    group_events,
    has_event_facts,
    parse_event_summary,
    replace_event_facts,
)
from digest.core.papers.document import build_document
from digest.model import EventKind, Paper, PaperKey

DOCUMENT = build_document(
    Paper(key=PaperKey("arxiv:2606.00001"), title="Graph learning", url="", code_urls=("https://x",)),
    kind=None,
)
EVENTS = [
    EventSummary(kind, source)
    for kind in (None, EventKind.NEW, EventKind.GROWN, EventKind.VERSION)
    for source in ("arxiv", "Blog")
]
LEAVES: list[Query] = [
    *(Phrase(units=((word,),)) for word in ("graph", "learning", "quantum")),
    *(Fact(field="kind", value=value) for value in ("new", "version", "picked")),
    *(Fact(field="source", value=value) for value in ("arxiv", "blog")),
    *(Fact(field="has", value="code"), Fact(field="id", value="arxiv:2606.00002")),
]


def join(queries: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    several = st.lists(queries, min_size=2, max_size=3).map(tuple)
    return (
        several.map(lambda parts: And(queries=parts))
        | several.map(lambda parts: Or(queries=parts))
        | queries.map(lambda part: Not(query=part))
    )


QUERY: st.SearchStrategy[Query] = st.recursive(st.sampled_from(LEAVES), join, max_leaves=8)


@given(QUERY, st.sampled_from(EVENTS))
def test_what_is_left_without_the_event_decides_the_same(query: Query, event: EventSummary) -> None:
    rest = replace_event_facts(query, event.facts)
    expected = evaluate(query, replace(DOCUMENT, facts=DOCUMENT.facts | event.facts))

    assert isinstance(rest, bool) or not has_event_facts(rest)
    assert (rest if isinstance(rest, bool) else bool(evaluate(rest, DOCUMENT))) == bool(expected)


@given(QUERY)
def test_events_are_grouped_by_what_is_left(query: Query) -> None:
    groups = group_events(query, EVENTS)

    assert False not in groups
    for event in EVENTS:
        rest = replace_event_facts(query, event.facts)
        assert (rest is False) or event in groups[rest]
    assert sum(map(len, groups.values())) <= len(EVENTS)


def test_a_summary_is_written_and_read() -> None:
    for event in EVENTS:
        assert parse_event_summary(str(event)) == event
    assert parse_event_summary(":a:b") == EventSummary(None, "a:b")
