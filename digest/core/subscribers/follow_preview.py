"""What a follow would bring, as its reader sees it before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from digest.model import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySuggestion:
    """Another query.

    Attributes:
        query: the query.
        papers_a_day: about how many papers it finds a day.
        removed: for a wider query, the part that it leaves out; "" otherwise.
    """

    query: str
    papers_a_day: float
    removed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowPreview:
    """What a query would bring.

    Attributes:
        read_as: how it was read.
        hints: sentences about how it was read, in English.
        papers_a_day: the number of papers on an announcement day, on average; None if there were no such days.
        recent_count: the number of papers of the last week that were found.
        recent: the newest papers of the last week.
        narrower: narrower queries, if it brings much.
        wider: wider queries, if it brings nothing.
    """

    read_as: str
    hints: tuple[str, ...]
    papers_a_day: float | None
    recent_count: int
    recent: tuple[Event, ...]
    narrower: tuple[QuerySuggestion, ...] = ()
    wider: tuple[QuerySuggestion, ...] = ()
