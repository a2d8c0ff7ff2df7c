"""Trends: which papers are trending on a day, and an event for each paper that begins to."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from digest.core.papers.trends import MAX_TRENDING_EVENTS, TREND_AGE, TREND_SPAN, compute_gains
from digest.model import Signal
from digest.store.database import clock
from digest.store.database.engine import Store, Transaction
from digest.store.papers import events, trends

_DAY_NOTE = "trending_found_on"
"""Name of the note with the last day whose votes made events."""
_MAX_VOTES_AGE = timedelta(days=1)
"""Maximum age of votes that make events. Votes are those of the day on which they are counted, so older ones are of a time
when no cycle ran, and what they say about today is in newer ones."""


def find_trending(tx: Transaction, day: date, limit: int) -> dict[int, Signal]:
    """Return the votes that papers gained in the week up to a day, most votes first.

    A paper is trending if it was new or picked in the last 30 days.

    Args:
        tx: a transaction.
        day: the day.
        limit: maximum number of papers.

    Returns:
        By the number of the paper's last new or picked event, the largest gain at one source.
    """
    votes = trends.load_votes(tx, day - TREND_AGE - TREND_SPAN, day)
    gains = sorted(compute_gains(votes, day).values(), key=lambda signal: (-signal.value, signal.subject))
    seqs = trends.find_news_of_papers(tx, [signal.subject for signal in gains], day - TREND_AGE, day)
    found: dict[int, Signal] = {}
    for gain in gains:
        if gain.subject in seqs and len(found) < limit:
            found.setdefault(seqs[gain.subject], gain)
    return found


def make_trending_events(store: Store, now: datetime) -> int:
    """Make an event for each paper that is among the first trending papers of a day for the first time.

    The votes of a day are looked at once, when the first ones arrive; those that are counted later on that day are
    part of the next day's. Without new votes this costs two look-ups.

    Args:
        store: the store.
        now: the time, UTC.

    Returns:
        The number of events.
    """
    with store.begin_read() as tx:
        if _find_due_day(tx, now) is None:
            return 0
    # The papers are chosen in the transaction that makes the events, so that none of them is merged in between.
    with store.begin_ingest() as tx:
        day = _find_due_day(tx, now)
        if day is None:
            return 0  # another process was faster
        trending = find_trending(tx, day, MAX_TRENDING_EVENTS)
        sources = {seq: gain.source for seq, gain in trending.items()}
        count = events.make_trending_events(tx, day, sources)
        clock.set_note(tx, _DAY_NOTE, day.isoformat())
    return count


def _find_due_day(tx: Transaction, now: datetime) -> date | None:
    """Return the last day with votes that have made no events yet; None if there is none."""
    today = now.astimezone(UTC).date()
    after = today - _MAX_VOTES_AGE - timedelta(days=1)
    if noted := clock.read_note(tx, _DAY_NOTE):
        after = max(after, date.fromisoformat(noted))
    return trends.find_last_voting_day(tx, after, today) if after < today else None
