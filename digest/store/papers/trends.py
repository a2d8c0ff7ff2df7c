"""Trends: votes for papers by day, the papers that have news, and the votes gained before an event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import Row, func, select

from digest.core.papers.trends import TREND_AGE, TREND_SPAN, compute_gains
from digest.model import Event, EventKind, PaperKey, Signal
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import events, signals
from digest.store.papers import papers
from digest.store.papers.signals import list_keys

_MAX_VOTES = 200_000
"""Maximum number of votes loaded for trends; the newest ones."""
_NEWS_KINDS = (EventKind.NEW.value, EventKind.PICKED.value)
_VOTES = "votes"


def find_last_voting_day(tx: Transaction, after: date, last_day: date) -> date | None:
    """Return the last day with votes in a period that begins after ``after``; None if there is none."""
    conditions = signals.c.day > after, signals.c.day <= last_day, signals.c.kind == _VOTES
    statement = select(signals.c.day).where(*conditions).order_by(signals.c.day.desc())
    return tx.execute(statement.limit(1)).scalar()


def load_votes(tx: Transaction, first_day: date, last_day: date) -> tuple[Signal, ...]:
    """Return the votes for papers on the days of a period, newest first."""
    conditions = signals.c.day.between(first_day, last_day), signals.c.kind == _VOTES
    statement = select(signals).where(*conditions).order_by(signals.c.day.desc()).limit(_MAX_VOTES)
    return tuple(map(_build_signal, tx.execute(statement)))


def find_news_of_papers(
    tx: Transaction, subjects: Iterable[str], first_day: date, last_day: date
) -> dict[str, int]:
    """Return the last new or picked event of papers in a period, by the key that was asked for.

    Papers without such an event are omitted.
    """
    numbers = papers.find_papers(tx, map(PaperKey, subjects))
    groups = papers.load_groups(tx, numbers.values())
    members = sorted({member for group in groups.values() for member in group})
    last_seqs: dict[int, int] = {}
    for chunk in split_into_chunks(members):
        conditions = events.c.day.between(first_day, last_day), events.c.kind.in_(_NEWS_KINDS)
        statement = select(events.c.paper_id, func.max(events.c.seq).label("seq")).where(
            events.c.paper_id.in_(chunk), *conditions
        )
        last_seqs.update({row.paper_id: row.seq for row in tx.execute(statement.group_by(events.c.paper_id))})
    found: dict[str, int] = {}
    for key, number in numbers.items():
        seqs = [last_seqs[member] for member in groups[number] if member in last_seqs]
        if seqs:
            found[str(key)] = max(seqs)
    return found


def add_gains(tx: Transaction, loaded_events: Mapping[int, Event]) -> dict[int, Event]:
    """Add to ``trending`` events the votes that their paper gained in the week up to the day of the event.

    Of a day from which only some numbers are kept, the gain is the one between the nearest numbers.
    """
    trending = {seq: event for seq, event in loaded_events.items() if event.kind is EventKind.TRENDING}
    if not trending:
        return dict(loaded_events)
    keys_by_seq = {seq: list_keys(event.paper) for seq, event in trending.items()}
    first_day = min(event.day for event in trending.values()) - TREND_AGE - TREND_SPAN
    votes = _load_votes_of(tx, {key for keys in keys_by_seq.values() for key in keys}, first_day)
    gains: dict[int, Event] = {}
    for seq, event in trending.items():
        paper_gains = compute_gains([vote for key in keys_by_seq[seq] for vote in votes[key]], event.day)
        largest = max(paper_gains.values(), key=lambda gain: gain.value, default=None)
        gains[seq] = replace(event, gain=largest)
    return {**loaded_events, **gains}


def _load_votes_of(tx: Transaction, keys: Iterable[PaperKey], first_day: date) -> dict[str, list[Signal]]:
    """Return the votes for papers since a day, by key."""
    votes: dict[str, list[Signal]] = defaultdict(list)
    for chunk in split_into_chunks(sorted(keys)):
        conditions = signals.c.subject.in_(chunk), signals.c.kind == _VOTES, signals.c.day >= first_day
        for row in tx.execute(select(signals).where(*conditions)):
            votes[row.subject].append(_build_signal(row))
    return votes


def _build_signal(row: Row[Any]) -> Signal:
    return Signal(subject=row.subject, kind=row.kind, source=row.source, day=row.day, value=row.value)
