"""The ledger: sections, the state of fetching them, and batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, select, tuple_, update

from digest.core.fetching.shortfall import USUAL_SIZE_DAYS, compute_usual_size
from digest.failures import FailureKind
from digest.model import Batch, BatchState, DayAnswer, DayVerdict, Freshness, RouteState, Section
from digest.store.database import dialect
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import add_missing, insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import run_batches
from digest.store.database.tables.papers import batches, day_answers, listings, sections, source_state

# --- sections -------------------------------------------------------------------------------------


def declare_sections(
    tx: Transaction,
    source: str,
    names: Sequence[str],
    since: date,
    *,
    accounted: bool = True,
    fills: bool = False,
) -> None:
    """Create the sections of a source that are new in the configuration, and reactivate removed ones that are back.

    Args:
        tx: a writing transaction.
        source: the source.
        names: all of its sections in the configuration.
        since: the first day of a new section.
        accounted: whether the source has announcement days that are due.
        fills: whether such a day fills gradually.
    """
    is_declared = (sections.c.source == source) & sections.c.section.in_(names)
    is_unchanged = (
        (sections.c.accounted == accounted) & (sections.c.fills == fills) & sections.c.left_at.is_(None)
    )
    # Each cycle calls this several times, and nearly always nothing has changed.
    if {*tx.execute(select(sections.c.section).where(is_declared, is_unchanged)).scalars()} == {*names}:
        return
    shared_values = {
        "source": source,
        "since": since,
        "accounted": accounted,
        "fills": fills,
        "left_at": None,
    }
    rows = [shared_values | {"section": name} for name in sorted(names)]
    add_missing(tx, sections, rows)
    tx.execute(
        update(sections).where(is_declared, sections.c.left_at.is_not(None)).values(left_at=None, since=since)
    )
    is_changed = (sections.c.accounted != accounted) | (sections.c.fills != fills)
    tx.execute(update(sections).where(is_declared, is_changed).values(accounted=accounted, fills=fills))
    note_content_change(tx)


def remove_sections(tx: Transaction, configured: Iterable[tuple[str, str]], now: datetime) -> None:
    """Mark the sections that are no longer in the configuration as removed; nothing waits for them any more."""
    is_active = sections.c.left_at.is_(None)
    removed = [
        (row.source, row.section)
        for row in tx.execute(select(sections).where(is_active))
        if (row.source, row.section) not in set(configured)
    ]
    if removed:
        pair = tuple_(sections.c.source, sections.c.section)
        tx.execute(update(sections).where(pair.in_(removed)).values(left_at=now))
        note_content_change(tx)


def list_active_sections(tx: Transaction) -> tuple[Section, ...]:
    """Return the sections of the configuration with the state of fetching them, in a fixed order."""
    statement = select(sections).where(sections.c.left_at.is_(None))
    return _load_sections(tx, statement.order_by(sections.c.source, sections.c.section))


def load_section(tx: Transaction, source: str, name: str) -> Section:
    """Return one section with its present state; it must exist."""
    condition = (sections.c.source == source) & (sections.c.section == name)
    return _load_sections(tx, select(sections).where(condition))[0]


def _load_sections(tx: Transaction, statement: Select[Any]) -> tuple[Section, ...]:
    rows = tx.execute(statement).all()
    states: dict[tuple[str, str], list[RouteState]] = {}
    is_requested = source_state.c.source.in_({row.source for row in rows})
    for state in tx.execute(select(source_state).where(is_requested).order_by(source_state.c.route)):
        states.setdefault((state.source, state.section), []).append(_read_route_state(state))
    return tuple(
        Section(
            source=row.source,
            name=row.section,
            since=row.since,
            routes=tuple(states.get((row.source, row.section), ())),
        )
        for row in rows
    )


def _read_route_state(row: Row[Any]) -> RouteState:
    plain_values = {name: value for name, value in row._mapping.items() if name not in {"source", "section"}}  # noqa: SLF001 - the documented way to a row's names
    converted_values = {
        "interval": timedelta(seconds=row.interval),
        "freshness": _read_freshness(row.freshness),
    }
    return RouteState(**plain_values | converted_values)


def note_attempt(tx: Transaction, section: Section, state: RouteState) -> None:
    """Store the state of fetching a section by a route after an attempt."""
    row = asdict(state) | {"source": section.source, "section": section.name}
    row["interval"] = round(state.interval.total_seconds())
    row["freshness"] = _to_freshness_json(state.freshness)
    insert_or_update(tx, source_state, [row], key=("source", "route", "section"))


def _to_freshness_json(freshness: Freshness | None) -> dict[str, Any] | None:
    if freshness is None:
        return None
    return {
        "ttl": freshness.ttl.total_seconds() if freshness.ttl is not None else None,
        "skip_hours": sorted(freshness.skip_hours),
        "skip_weekdays": sorted(freshness.skip_weekdays),
    }


def _read_freshness(row: Mapping[str, Any] | None) -> Freshness | None:
    if row is None:
        return None
    return Freshness(
        ttl=timedelta(seconds=row["ttl"]) if row["ttl"] is not None else None,
        skip_hours=frozenset(row["skip_hours"]),
        skip_weekdays=frozenset(row["skip_weekdays"]),
    )


def forget_own_pauses(tx: Transaction) -> None:
    """End our own pauses of all routes, because a person requests a fetch; pauses that hosts imposed stay."""
    tx.execute(update(source_state).values(next_at=None, gone=False))


def forget_pauses_of_days(tx: Transaction) -> None:
    """End our own pauses of sections with announcement days, because a command fetches days that are due.

    Feeds without announcement days keep their interval.
    """
    is_same_section = (sections.c.source == source_state.c.source) & (
        sections.c.section == source_state.c.section
    )
    has_days = exists().where(is_same_section, sections.c.accounted)
    tx.execute(update(source_state).where(has_days, ~source_state.c.gone).values(next_at=None))


# --- batches --------------------------------------------------------------------------------------

_BATCHES = select(batches, sections.c.fills).join(
    sections, and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
)


def lock_batches(tx: Transaction) -> None:
    """Lock all batches until the transaction ends."""
    dialect.take_lock(tx, dialect.INGEST_LOCK)


def make_batches(tx: Transaction, source: str, section: str, days: Iterable[tuple[date, datetime]]) -> None:
    """Create the batches of days, each with the time from which it is due; existing ones are not changed."""
    rows = [
        {
            "source": source,
            "section": section,
            "day": day,
            "state": BatchState.WAITING.value,
            "due_at": due_at,
            "received": 0,
            "late": 0,
            "error": "",
            "failure": "",
        }
        for day, due_at in days
    ]
    add_missing(tx, batches, rows)


class SectionDays(NamedTuple):
    """Range of the days of a section that have batches.

    Attributes:
        source: the source of the section.
        name: the name of the section.
        since: its first day.
        last: the last day that has a batch; None if there are no batches.
    """

    source: str
    name: str
    since: date
    last: date | None


def list_section_days(tx: Transaction) -> tuple[SectionDays, ...]:
    """Return the range of days with batches of each section in the configuration, by source and section."""
    is_same_section = (batches.c.source == sections.c.source) & (batches.c.section == sections.c.section)
    last_day = select(func.max(batches.c.day)).where(is_same_section).scalar_subquery()
    columns = select(sections.c.source, sections.c.section, sections.c.since, last_day)
    rows = tx.execute(
        columns.where(sections.c.left_at.is_(None)).order_by(sections.c.source, sections.c.section)
    )
    return tuple(SectionDays(*row) for row in rows)


def find_last_announced_day(tx: Transaction) -> date | None:
    """Return the last day for which a source with announcement days has listed papers; None if there is none.

    Sources date their days by their own clocks, so this is a lower bound of the present time that does not
    depend on ours.
    """
    is_same_section = and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
    has_papers = exists().where(listings.c.batch_id == batches.c.id)
    is_declared = sections.c.accounted & sections.c.left_at.is_(None)
    statement = select(batches.c.day).join(sections, is_same_section).where(is_declared, has_papers)
    return tx.execute(statement.order_by(batches.c.day.desc()).limit(1)).scalar()


def load_batch(tx: Transaction, source: str, section: str, day: date) -> Batch:
    """Return the batch of a section and day; it must exist."""
    condition = (batches.c.source == source) & (batches.c.section == section) & (batches.c.day == day)
    row = tx.execute(_BATCHES.where(condition)).one()
    return _add_answers(tx, [_build_batch(row)])[0]


def find_batch(tx: Transaction, source: str, section: str, day: date) -> Batch | None:
    """Return the batch of a section and day; None if there is none."""
    condition = (batches.c.source == source) & (batches.c.section == section) & (batches.c.day == day)
    row = tx.execute(_BATCHES.where(condition)).first()
    return _add_answers(tx, [_build_batch(row)])[0] if row else None


def list_batches_before(
    tx: Transaction, source: str, section: str, day: date, limit: int
) -> tuple[Batch, ...]:
    """Return the last batches of a section before a day that have listings, latest first.

    Args:
        tx: a transaction.
        source: the source of the section.
        section: the section.
        day: the first day that is not included.
        limit: maximum number of batches.
    """
    is_in_section = (batches.c.source == source) & (batches.c.section == section)
    statement = _BATCHES.where(is_in_section, batches.c.day < day, batches.c.received > 0)
    return tuple(
        _build_batch(row) for row in tx.execute(statement.order_by(batches.c.day.desc()).limit(limit))
    )


def load_batch_by_id(tx: Transaction, batch_id: int) -> Batch:
    """Return the batch with a number; it must exist."""
    return _build_batch(tx.execute(_BATCHES.where(batches.c.id == batch_id)).one())


def list_last_batches(tx: Transaction) -> tuple[Batch, ...]:
    """Return the last batch of each section in the configuration that has announcement days."""
    statement = _BATCHES.where(sections.c.left_at.is_(None), sections.c.accounted)
    last_by_section = {
        (row.source, row.section): _build_batch(row) for row in tx.execute(statement.order_by(batches.c.day))
    }
    return tuple(last_by_section.values())


def list_waiting_batches(tx: Transaction) -> tuple[Batch, ...]:
    """Return all batches in state ``waiting``."""
    return _load_in_states(tx, BatchState.WAITING)


def list_unsettled_batches(tx: Transaction) -> tuple[Batch, ...]:
    """Return all batches whose state can still change as time passes."""
    return _load_in_states(tx, BatchState.WAITING, BatchState.PARTIAL)


def _load_in_states(tx: Transaction, *states: BatchState) -> tuple[Batch, ...]:
    condition = batches.c.state.in_([state.value for state in states])
    rows = tx.execute(_BATCHES.where(condition).order_by(batches.c.day, batches.c.id))
    return _add_answers(tx, [_build_batch(row) for row in rows])


def list_open_batches(tx: Transaction, since: date, section: Section | None = None) -> tuple[Batch, ...]:
    """Return the batches of a day and later, and all waiting ones, with the answers of each route.

    Args:
        tx: a transaction.
        since: the day.
        section: only batches of this section; None for all sections.
    """
    is_waiting = batches.c.state == BatchState.WAITING.value
    statement = _BATCHES.where(is_waiting | (batches.c.day >= since))
    if section is not None:
        statement = statement.where(batches.c.source == section.source, batches.c.section == section.name)
    rows = tx.execute(statement.order_by(batches.c.day, batches.c.id))
    return _add_answers(tx, [_build_batch(row) for row in rows])


def _add_answers(tx: Transaction, loaded_batches: Sequence[Batch]) -> tuple[Batch, ...]:
    answers: dict[int, list[DayAnswer]] = {}
    for chunk in split_into_chunks([batch.id for batch in loaded_batches]):
        statement = select(day_answers).where(day_answers.c.batch_id.in_(chunk))
        for row in tx.execute(statement.order_by(day_answers.c.batch_id, day_answers.c.route)):
            answer = DayAnswer(
                route=row.route,
                at=row.at,
                verdict=DayVerdict(row.verdict),
                listed=row.listed,
                expected=row.expected,
            )
            answers.setdefault(row.batch_id, []).append(answer)
    return tuple(replace(batch, answers=tuple(answers.get(batch.id, ()))) for batch in loaded_batches)


def list_recent_batches(tx: Transaction, since: date) -> tuple[Batch, ...]:
    """Return the batches of a day and later, by source, section and day."""
    order = (batches.c.source, batches.c.section, batches.c.day)
    rows = tx.execute(_BATCHES.where(batches.c.day >= since).order_by(*order))
    return _add_answers(tx, [_build_batch(row) for row in rows])


def count_batches_by_state(tx: Transaction, since: date) -> dict[tuple[str, str], int]:
    """Count the batches from a day on, by source and state: also those states that no batch of the source has."""
    statement = select(batches.c.source, batches.c.state, func.count()).where(batches.c.day >= since)
    rows = tx.execute(statement.group_by(batches.c.source, batches.c.state)).all()
    counts = {
        (source, state.value): 0 for source in sorted({row.source for row in rows}) for state in BatchState
    }
    return counts | {(source, state): count for source, state, count in rows}


def save_batch(tx: Transaction, batch: Batch) -> None:
    """Store the state of a batch, and the answers of each route."""
    tx.execute(
        update(batches)
        .where(batches.c.id == batch.id)
        .values(
            state=batch.state.value,
            expected=batch.expected,
            received=batch.received,
            late=batch.late,
            asked_at=batch.asked_at,
            answered_at=batch.answered_at,
            error=batch.error,
            failure=batch.failure or "",
        )
    )
    rows = [
        asdict(answer) | {"batch_id": batch.id, "verdict": answer.verdict.value} for answer in batch.answers
    ]
    insert_or_update(tx, day_answers, rows, key=("batch_id", "route"))


def list_doubtful_sections(tx: Transaction) -> frozenset[tuple[str, str]]:
    """Return source and name of the sections that have an answer with the verdict ``unchecked``."""
    unchecked_ids = select(day_answers.c.batch_id).where(day_answers.c.verdict == DayVerdict.UNCHECKED.value)
    statement = select(batches.c.source, batches.c.section).where(batches.c.id.in_(unchecked_ids)).distinct()
    return frozenset((row.source, row.section) for row in tx.execute(statement))


def settle_batch(tx: Transaction, batch: Batch, state: BatchState) -> None:
    """Store a state that a batch reached because time has passed, unless an answer has changed its state meanwhile."""
    condition = and_(batches.c.id == batch.id, batches.c.state == batch.state.value)
    tx.execute(update(batches).where(condition).values(state=state.value))


def note_attempted_batches(
    tx: Transaction, attempted: Iterable[Batch], at: datetime, error: str, failure: FailureKind | None
) -> None:
    """Record an attempt that did not return these batches, except in batches that an answer has changed meanwhile.

    Args:
        tx: a writing transaction.
        attempted: the batches that it could have returned, as they were before.
        at: when the attempt ended.
        error: the error message; "" if there was no error.
        failure: the kind of the failure, for readers.
    """
    for batch in attempted:
        condition = and_(batches.c.id == batch.id, batches.c.state == batch.state.value)
        values: dict[str, Any] = {"asked_at": at, "error": error, "failure": failure or ""}
        tx.execute(update(batches).where(condition).values(values))


def note_quiet_batches(tx: Transaction, attempted: Iterable[Batch], at: datetime) -> None:
    """Record that these batches were requested, and that the answer had nothing of their days."""
    for batch in attempted:
        values = {"asked_at": at, "answered_at": at, "error": "", "failure": ""}
        tx.execute(update(batches).where(batches.c.id == batch.id).values(values))


def load_batches_of_run(tx: Transaction, run_id: int) -> tuple[Batch, ...]:
    """Return the batches that a run waits or waited for, except those of removed sections.

    Included are the waiting batches of feeds without announcement days: runs do not wait for them, but
    editions report that they fail.
    """
    is_awaited = exists().where(run_batches.c.batch_id == batches.c.id, run_batches.c.run_id == run_id)
    is_failing = ~sections.c.accounted & (batches.c.state == BatchState.WAITING.value)
    statement = _BATCHES.where(is_awaited | is_failing, sections.c.left_at.is_(None)).order_by(
        batches.c.day, batches.c.source, batches.c.section
    )
    return add_usual_sizes(tx, _add_answers(tx, [_build_batch(row) for row in tx.execute(statement)]))


def load_batches_of_day(tx: Transaction, day: date) -> tuple[Batch, ...]:
    """Return the batches of a day, of sections in the configuration that have announcement days."""
    is_shown = sections.c.accounted & sections.c.left_at.is_(None)
    statement = _BATCHES.where(batches.c.day == day, is_due_around(day), is_shown)
    rows = tx.execute(statement.order_by(batches.c.source, batches.c.section))
    return add_usual_sizes(tx, _add_answers(tx, [_build_batch(row) for row in rows]))


def is_due_around(day: date) -> ColumnElement[bool]:
    """Build the condition that a batch is due within a week of a day, for which there is an index."""
    midnight = datetime.combine(day, time(), UTC)
    return batches.c.due_at.between(midnight - 7 * _ONE_DAY, midnight + 7 * _ONE_DAY)


def add_usual_sizes(tx: Transaction, loaded_batches: Sequence[Batch]) -> tuple[Batch, ...]:
    """Add to batches how many listings their sections usually have, if something of their source's day is missing.

    Args:
        tx: a transaction.
        loaded_batches: batches in any order.
    """
    days = {
        (batch.source, batch.day)
        for batch in loaded_batches
        if batch.state not in _CERTAIN_STATES and not batch.is_filling
    }
    incomplete = [batch for batch in loaded_batches if (batch.source, batch.day) in days]
    sizes = _load_recent_sizes(tx, incomplete)
    usual_sizes = {
        batch.id: compute_usual_size(
            [size for day, size in sizes.get((batch.source, batch.section), ()) if day < batch.day],
            has_failed=batch.state is BatchState.FAILED,
        )
        for batch in incomplete
    }
    return tuple(replace(batch, usual=usual_sizes.get(batch.id)) for batch in loaded_batches)


_CERTAIN_STATES = frozenset({BatchState.COMPLETE, BatchState.EMPTY})
_USUAL_SIZE_WINDOW = timedelta(days=3 * USUAL_SIZE_DAYS)
"""Period before the first batch that is searched for the usual size; longer than needed, as days may be missing."""


def _load_recent_sizes(
    tx: Transaction, incomplete: Sequence[Batch]
) -> dict[tuple[str, str], list[tuple[date, int]]]:
    """Return the numbers of listings on recent days of the sections of some batches, latest day first.

    A day without listings by its source's answer counts as well, although it is not certain yet.
    """
    if not incomplete:
        return {}
    first_day, last_day = min(batch.day for batch in incomplete), max(batch.day for batch in incomplete)
    columns = select(batches.c.source, batches.c.section, batches.c.day, batches.c.received)
    is_quiet = (batches.c.state == BatchState.WAITING.value) & batches.c.answered_at.is_not(None)
    statement = columns.where(
        batches.c.state.in_([state.value for state in _CERTAIN_STATES]) | is_quiet,
        batches.c.day >= first_day - _USUAL_SIZE_WINDOW,
        batches.c.day < last_day,
    )
    sections_of: dict[str, set[str]] = {}
    for batch in incomplete:
        sections_of.setdefault(batch.source, set()).add(batch.section)
    sizes: dict[tuple[str, str], list[tuple[date, int]]] = {}
    for source, names in sorted(sections_of.items()):
        for chunk in split_into_chunks(sorted(names)):
            chunk_statement = statement.where(batches.c.source == source, batches.c.section.in_(chunk))
            for row in tx.execute(chunk_statement.order_by(batches.c.day.desc())):
                sizes.setdefault((row.source, row.section), []).append((row.day, row.received))
    return sizes


def find_announcement_times(tx: Transaction, candidates: Iterable[Batch]) -> dict[tuple[str, date], datetime]:
    """Return when each source was first seen to have papers of a day, by source and day.

    Answers that may repeat an earlier day are ignored.

    Args:
        tx: a transaction.
        candidates: batches; only the days of waiting ones are looked up.
    """
    waiting = [batch for batch in candidates if batch.state is BatchState.WAITING]
    if not waiting:
        return {}
    due_times = [batch.due_at for batch in waiting]
    columns = select(batches.c.source, batches.c.day, func.min(day_answers.c.at))
    statement = columns.join(day_answers, day_answers.c.batch_id == batches.c.id).where(
        # There is an index on `due_at`. All sections of a day are due at the same time, unless its routes have changed.
        batches.c.due_at.between(min(due_times) - _ONE_DAY, max(due_times) + _ONE_DAY),
        day_answers.c.listed > 0,
        day_answers.c.verdict != DayVerdict.UNCHECKED.value,
    )
    days = {(batch.source, batch.day) for batch in waiting}
    rows = tx.execute(statement.group_by(batches.c.source, batches.c.day))
    return {(source, day): at for source, day, at in rows if (source, day) in days}


_ONE_DAY = timedelta(days=1)


def _build_batch(row: Row[Any]) -> Batch:
    return Batch(
        id=row.id,
        source=row.source,
        section=row.section,
        day=row.day,
        state=BatchState(row.state),
        due_at=row.due_at,
        expected=row.expected,
        received=row.received,
        late=row.late,
        asked_at=row.asked_at,
        answered_at=row.answered_at,
        error=row.error,
        failure=FailureKind(row.failure) if row.failure else None,
        fills=row.fills,
    )
