"""What queries about events (``kind:``, ``source:``) mean for papers.

A digest matches events, and search finds papers. A paper matches a query if the query matches one of its events,
whatever kind that has: ``kind:version source:arxiv`` finds papers of which arXiv announced a new version, and
``graph NOT kind:new`` those about graphs that have an event of another kind. A paper without events, because it was
imported, matches no ``kind:``; its sources are those that describe it.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from digest.core.language.query import And, Fact, Not, Or, Query
from digest.core.papers.document import make_event_facts
from digest.model import EventKind

EVENT_FIELDS = frozenset(("kind", "source"))
"""Fields of facts about an event; all others are facts about its paper."""


class EventSummary(NamedTuple):
    """A kind of event of a paper, and the source that announced it.

    Attributes:
        kind: None for a source that describes a paper without events.
        source: its name.
    """

    kind: EventKind | None
    source: str

    def __str__(self) -> str:
        return f"{self.kind.value if self.kind else ''}:{self.source}"

    @property
    def facts(self) -> frozenset[tuple[str, str]]:
        """The facts about the event: pairs of field and value."""
        return make_event_facts(self.kind, self.source)


def parse_event_summary(text: str) -> EventSummary:
    """Return the event summary with a text."""
    kind, _, source = text.partition(":")
    return EventSummary(EventKind(kind) if kind else None, source)


def has_event_facts(query: Query) -> bool:
    """Whether a query depends on kinds or sources of events."""
    match query:
        case Fact():
            return query.field in EVENT_FIELDS
        case Not():
            return has_event_facts(query.query)
        case And() | Or():
            return any(map(has_event_facts, query.queries))
        case _:
            return False


def replace_event_facts(query: Query, facts: AbstractSet[tuple[str, str]]) -> Query | bool:
    """Return what a query about an event with some facts asks of its paper; a truth value if it asks nothing more."""
    match query:
        case Fact() if query.field in EVENT_FIELDS:
            return (query.field, query.value) in facts
        case Not():
            inner = replace_event_facts(query.query, facts)
            return not inner if isinstance(inner, bool) else Not(query=inner)
        case And():
            return _join((replace_event_facts(part, facts) for part in query.queries), And, neutral=True)
        case Or():
            return _join((replace_event_facts(part, facts) for part in query.queries), Or, neutral=False)
        case _:
            return query


def _join(parts: Iterable[Query | bool], operator: type[And | Or], *, neutral: bool) -> Query | bool:
    """Join parts by an operator; the neutral truth value changes nothing, and the other one decides."""
    queries: list[Query] = []
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return part
        else:
            queries.append(part)
    return operator(queries=tuple(queries)) if len(queries) > 1 else queries[0] if queries else neutral


def group_events(query: Query, events: Iterable[EventSummary]) -> dict[Query | bool, frozenset[EventSummary]]:
    """Group events by what a query about them asks of their papers; those that it cannot match are left out."""
    groups: dict[Query | bool, set[EventSummary]] = {}
    for event in events:
        remaining_query = replace_event_facts(query, event.facts)
        if remaining_query is not False:
            groups.setdefault(remaining_query, set()).add(event)
    return {remaining_query: frozenset(group) for remaining_query, group in groups.items()}
