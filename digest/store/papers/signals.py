"""Signals: numbers about papers, as each source counts them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from sqlalchemy import delete, exists, func, select

from digest.model import Event, Paper, PaperKey, Signal
from digest.store.database.dialect import all_as_kept, among, as_day, put, rows_as_kept
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import signals


def keep(tx: Transaction, told: Iterable[Signal]) -> None:
    """Keep numbers about papers; a later one of the same day takes the place of an earlier one."""
    rows = {
        (one.subject, one.kind, one.source, one.day): {
            "subject": one.subject,
            "kind": one.kind,
            "source": one.source,
            "day": one.day,
            "value": one.value,
        }
        for one in told
    }
    put(tx, signals, [rows[key] for key in sorted(rows)], key=("subject", "kind", "source", "day"))


def first_day(tx: Transaction) -> date | None:
    """The day of the oldest number; None if there is none."""
    found: date | None = tx.execute(select(func.min(signals.c.day))).scalar()
    return found


def thin(tx: Transaction, first: date, last: date) -> int:
    """Keep of some days the last number of each subject, kind and source alone; says how many went."""
    later = signals.alias()
    is_later = (
        later.c.subject == signals.c.subject,
        later.c.kind == signals.c.kind,
        later.c.source == signals.c.source,
        later.c.day > signals.c.day,
        later.c.day <= last,
    )
    earlier = signals.c.day.between(first, last), exists().where(*is_later)
    return tx.execute(delete(signals).where(*earlier)).rowcount


def of_keys(tx: Transaction, keys: Iterable[PaperKey]) -> tuple[Signal, ...]:
    """The last numbers about papers, by key, kind and source."""
    last: dict[tuple[str, str, str], tuple[object, float]] = {}
    for subject, kind, source, day, value in rows_as_kept(tx, _OF_KEYS, {"keys": all_as_kept(tx, keys)}):
        last[subject, kind, source] = day, value
    day_of = as_day(tx)
    return tuple(
        [
            Signal(subject=PaperKey(subject), kind=kind, source=source, day=day_of(day), value=value)
            for (subject, kind, source), (day, value) in last.items()
        ]
    )


_OF_KEYS = (
    select(signals.c.subject, signals.c.kind, signals.c.source, signals.c.day, signals.c.value)
    .where(among(signals.c.subject, "keys"))
    .order_by(signals.c.subject, signals.c.kind, signals.c.source, signals.c.day)
)


def with_signals(tx: Transaction, events: Mapping[int, Event]) -> dict[int, Event]:
    """Events with what is known of their papers in numbers, by whichever of its keys a source counts."""
    keys = {seq: _keys(event.paper) for seq, event in events.items()}
    known: dict[str, list[Signal]] = defaultdict(list)
    for one in of_keys(tx, {key for some in keys.values() for key in some}):
        known[one.subject].append(one)
    if not known:
        return dict(events)
    return {
        seq: replace(event, signals=_last(signal for key in keys[seq] for signal in known.get(key, ())))
        for seq, event in events.items()
    }


def _keys(paper: Paper) -> tuple[PaperKey, ...]:
    others = (*paper.ids, *([("doi", paper.doi)] if paper.doi else ()))
    return (paper.key, *[PaperKey(f"{scheme}:{value}") for scheme, value in others])


def _last(found: Iterable[Signal]) -> tuple[Signal, ...]:
    """Of each kind and source the last one."""
    last: dict[tuple[str, str], Signal] = {}
    for one in sorted(found, key=_day):
        last[one.source, one.kind] = one
    return tuple(last[key] for key in sorted(last))


def _day(signal: Signal) -> date:
    return signal.day
