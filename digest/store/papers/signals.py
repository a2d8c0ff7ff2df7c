"""Signals: numbers about papers, as each source counts them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from sqlalchemy import delete, exists, func, select

from digest.model import Event, Paper, PaperKey, Signal
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_day_reader,
    insert_or_update,
    make_in_condition,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import signals


def save_signals(tx: Transaction, new_signals: Iterable[Signal]) -> None:
    """Store signals; a later one of the same day replaces an earlier one."""
    rows = {
        (signal.subject, signal.kind, signal.source, signal.day): {
            "subject": signal.subject,
            "kind": signal.kind,
            "source": signal.source,
            "day": signal.day,
            "value": signal.value,
        }
        for signal in new_signals
    }
    insert_or_update(
        tx, signals, [rows[key] for key in sorted(rows)], key=("subject", "kind", "source", "day")
    )
    if rows:
        note_content_change(tx)


def find_first_day(tx: Transaction) -> date | None:
    """Return the day of the oldest signal; None if there is none."""
    day: date | None = tx.execute(select(func.min(signals.c.day))).scalar()
    return day


def prune_days(tx: Transaction, first_date: date, last_date: date) -> int:
    """Delete the signals of a period except the last of each subject, kind and source; return the number deleted."""
    later_signals = signals.alias()
    is_later = (
        later_signals.c.subject == signals.c.subject,
        later_signals.c.kind == signals.c.kind,
        later_signals.c.source == signals.c.source,
        later_signals.c.day > signals.c.day,
        later_signals.c.day <= last_date,
    )
    conditions = signals.c.day.between(first_date, last_date), exists().where(*is_later)
    count = tx.execute(delete(signals).where(*conditions)).rowcount
    if count:
        note_content_change(tx)
    return count


def load_signals(tx: Transaction, keys: Iterable[PaperKey]) -> tuple[Signal, ...]:
    """Return the latest signals of papers, by key, kind and source."""
    last_values: dict[tuple[str, str, str], tuple[object, float]] = {}
    for subject, kind, source, day, value in fetch_raw_rows(
        tx, _SELECT_BY_KEYS, {"keys": to_in_param(tx, keys)}
    ):
        last_values[subject, kind, source] = day, value
    read_day = get_day_reader(tx)
    return tuple(
        [
            Signal(subject=PaperKey(subject), kind=kind, source=source, day=read_day(day), value=value)
            for (subject, kind, source), (day, value) in last_values.items()
        ]
    )


_SELECT_BY_KEYS = (
    select(signals.c.subject, signals.c.kind, signals.c.source, signals.c.day, signals.c.value)
    .where(make_in_condition(signals.c.subject, "keys"))
    .order_by(signals.c.subject, signals.c.kind, signals.c.source, signals.c.day)
)


def add_signals(tx: Transaction, events: Mapping[int, Event]) -> dict[int, Event]:
    """Add signals to events; a signal may be stored under any id of the paper."""
    paper_signals = load_paper_signals(tx, {seq: event.paper for seq, event in events.items()})
    if not any(paper_signals.values()):
        return dict(events)
    return {seq: replace(event, signals=paper_signals[seq]) for seq, event in events.items()}


def load_paper_signals(tx: Transaction, papers: Mapping[int, Paper]) -> dict[int, tuple[Signal, ...]]:
    """Return the latest signals of papers; a signal may be stored under any id of the paper."""
    keys = {name: list_keys(paper) for name, paper in papers.items()}
    signals_by_key: dict[str, list[Signal]] = defaultdict(list)
    for loaded in load_signals(tx, {key for paper_keys in keys.values() for key in paper_keys}):
        signals_by_key[loaded.subject].append(loaded)
    return {
        name: _select_last(signal for key in paper_keys for signal in signals_by_key.get(key, ()))
        for name, paper_keys in keys.items()
    }


def list_keys(paper: Paper) -> tuple[PaperKey, ...]:
    """Return the keys under which the numbers about a paper may be stored."""
    others = (*paper.ids, *([("doi", paper.doi)] if paper.doi else ()))
    return (paper.key, *[PaperKey(f"{scheme}:{value}") for scheme, value in others])


def _select_last(paper_signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Return the last signal of each kind and source."""
    last_signals: dict[tuple[str, str], Signal] = {}
    for signal in sorted(paper_signals, key=_get_day):
        last_signals[signal.source, signal.kind] = signal
    return tuple(last_signals[key] for key in sorted(last_signals))


def _get_day(signal: Signal) -> date:
    return signal.day
