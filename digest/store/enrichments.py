"""Enrichment state: which papers and persons to request from each enricher, when again, and the daily quota."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import delete, select, update

from digest.core.language.query import has_author_ids, iter_authors, load_compiled
from digest.model import Item, PaperKey, Subject, SubjectKind
from digest.store.database.dialect import add_missing, insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import editions as editions_table
from digest.store.database.tables.digests import queries
from digest.store.database.tables.papers import claims, enrichers, enrichments, opened_subjects, papers
from digest.store.editions import editions

_MAX_EDITIONS = 300
"""Maximum number of editions, latest first, whose papers are enriched; a million editions mostly show the same papers."""

_OPENED_PERIOD = timedelta(days=1)
"""Period in which an opened page is a reason to ask."""
_MAX_OPENED = 1_000
"""Maximum number of subjects that are due because of opened pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherStatus:
    """State of the requests to an enricher.

    Attributes:
        requests: number of requests on ``day``, in UTC.
        error: the error of the last request; "" if it was answered.
    """

    name: str
    day: date
    requests: int = 0
    answered_at: datetime | None = None
    error: str = ""
    error_at: datetime | None = None


# --- subjects --------------------------------------------------------------------------------------


def list_subjects(tx: Transaction, since: datetime) -> list[Subject]:
    """Return the subjects of enrichers: papers in recent editions, and persons.

    The persons are those that follows name by an id, and the authors who were the reason for showing a paper.

    Args:
        tx: a transaction.
        since: only editions from this instant on; the last few hundred of them.
    """
    statement = (
        select(editions_table.c.id)
        .where(editions_table.c.composed_at >= since, editions_table.c.skipped == "")
        .order_by(editions_table.c.id.desc())
        .limit(_MAX_EDITIONS)
    )
    loaded = editions.load_editions(tx, tx.execute(statement).scalars().all())
    items = [item for edition_id in sorted(loaded, reverse=True) for item in loaded[edition_id].items]
    keys = list(dict.fromkeys(item.paper.key for item in items))
    ids = list(
        dict.fromkeys(
            [*_iter_followed_ids(tx), *(person_id for item in items for person_id in _iter_shown_ids(item))]
        )
    )
    ids_by_key = load_ids(tx, keys)
    return [
        *(Subject(kind=SubjectKind.PAPER, key=key, ids=ids_by_key[key]) for key in keys if key in ids_by_key),
        *(_make_person(*person_id) for person_id in ids),
    ]


def _iter_followed_ids(tx: Transaction) -> Iterable[tuple[str, str]]:
    """Yield the ids of persons that follows name."""
    statement = select(queries.c.compiled).where(queries.c.needed_from.is_not(None), queries.c.compiled != "")
    for compiled in tx.execute(statement.order_by(queries.c.id)).scalars():
        if has_author_ids(compiled):
            yield from (
                person_id for person in iter_authors(load_compiled(compiled)) for person_id in person.ids
            )


def _iter_shown_ids(item: Item) -> Iterable[tuple[str, str]]:
    """Yield the ids of the authors who were the reason for showing a paper."""
    names = {
        word
        for reason in item.reasons
        for evidence in reason.evidence
        if evidence.field == "author"
        for word in evidence.words
    }
    return (person_id for author in item.paper.authors if author.name in names for person_id in author.ids)


def save_opened(tx: Transaction, subjects: Iterable[tuple[SubjectKind, PaperKey]], now: datetime) -> None:
    """Save the subjects whose pages were opened, and delete those that were opened too long ago to be asked about."""
    # A later time was recorded by a wrong clock.
    tx.execute(delete(opened_subjects).where(~opened_subjects.c.opened_at.between(now - _OPENED_PERIOD, now)))
    rows = [{"kind": kind.value, "subject": key, "opened_at": now} for kind, key in sorted(subjects)]
    insert_or_update(tx, opened_subjects, rows, key=("kind", "subject"))


def list_opened(tx: Transaction, now: datetime) -> list[Subject]:
    """Return the subjects whose pages were opened lately, the last ones first."""
    statement = (
        select(opened_subjects)
        .where(opened_subjects.c.opened_at.between(now - _OPENED_PERIOD, now))
        .order_by(opened_subjects.c.opened_at.desc(), opened_subjects.c.kind, opened_subjects.c.subject)
        .limit(_MAX_OPENED)
    )
    keys: dict[SubjectKind, list[PaperKey]] = {kind: [] for kind in SubjectKind}
    for row in tx.execute(statement):
        keys[SubjectKind(row.kind)].append(PaperKey(row.subject))
    ids_by_key = load_ids(tx, keys[SubjectKind.PAPER])
    return [
        *(_make_person(*key.split(":", 1)) for key in keys[SubjectKind.PERSON]),
        *(Subject(kind=SubjectKind.PAPER, key=key, ids=ids) for key, ids in ids_by_key.items()),
    ]


def _make_person(scheme: str, value: str) -> Subject:
    return Subject(kind=SubjectKind.PERSON, key=f"{scheme}:{value}", ids=((scheme, value),))


def load_ids(tx: Transaction, keys: Sequence[PaperKey]) -> dict[PaperKey, tuple[tuple[str, str], ...]]:
    """Return all ids of merged papers, by the keys of their roots."""
    roots = papers.alias()
    ids_by_key: dict[PaperKey, tuple[tuple[str, str], ...]] = {}
    for chunk in split_into_chunks(sorted(keys)):
        statement = (
            select(roots.c.key, claims.c.scheme, claims.c.value)
            .join_from(papers, claims, claims.c.paper_id == papers.c.id)
            .join(roots, (roots.c.id == papers.c.merged_into) | (roots.c.id == papers.c.id))
            .where(roots.c.key.in_(chunk), ~claims.c.apart)
            .order_by(roots.c.key, claims.c.scheme, claims.c.value)
        )
        for key, scheme, value in tx.execute(statement):
            paper_ids = ids_by_key.get(PaperKey(key), ())
            if (scheme, value) not in paper_ids:
                ids_by_key[PaperKey(key)] = (*paper_ids, (scheme, value))
    return ids_by_key


# --- due requests ----------------------------------------------------------------------------------


def list_due(tx: Transaction, enricher: str, subjects: Iterable[Subject], now: datetime) -> list[Subject]:
    """Return the subjects that are due for an enricher: first those never requested, then the longest ago."""
    all_subjects = list(subjects)
    times: dict[tuple[str, str], tuple[datetime, datetime]] = {}
    for chunk in split_into_chunks(sorted({subject.key for subject in all_subjects})):
        statement = select(enrichments).where(
            enrichments.c.enricher == enricher, enrichments.c.subject.in_(chunk)
        )
        for row in tx.execute(statement):
            times[row.kind, row.subject] = row.asked_at, row.next_at
    earliest = datetime.min.replace(tzinfo=UTC)
    waiting = [
        (times.get((subject.kind, subject.key), (earliest, earliest)), subject) for subject in all_subjects
    ]
    ready = [(asked_at, subject) for (asked_at, next_at), subject in waiting if next_at <= now]
    return [subject for _, subject in sorted(ready, key=lambda pair: pair[0])]


def record_requests(
    tx: Transaction,
    enricher: str,
    subjects: Iterable[Subject],
    *,
    known_keys: Collection[str],
    next_at: Mapping[str, datetime],
    now: datetime,
) -> None:
    """Record that subjects were requested from an enricher.

    Args:
        tx: a writing transaction.
        enricher: the name of the enricher.
        subjects: the subjects.
        known_keys: the keys of the subjects that the enricher found.
        next_at: when each subject is due again, by key.
        now: the time.
    """
    rows = [
        {
            "enricher": enricher,
            "kind": subject.kind.value,
            "subject": subject.key,
            "asked_at": now,
            "next_at": next_at[subject.key],
            "found": subject.key in known_keys,
        }
        for subject in subjects
    ]
    rows.sort(key=lambda row: (row["kind"], row["subject"]))
    insert_or_update(tx, enrichments, rows, key=("enricher", "kind", "subject"))


# --- enrichers -------------------------------------------------------------------------------------


def load_status(tx: Transaction, name: str, day: date) -> EnricherStatus:
    """Return the state of the requests to an enricher; a new day begins with 0 requests."""
    row = tx.execute(select(enrichers).where(enrichers.c.name == name)).first()
    if row is None:
        return EnricherStatus(name=name, day=day)
    return EnricherStatus(
        name=name,
        day=day,
        requests=row.requests if row.day == day else 0,
        answered_at=row.answered_at,
        error=row.error,
        error_at=row.error_at,
    )


def take_request(tx: Transaction, name: str, day: date, quota: int) -> bool:
    """Count a request before it is made, if the daily quota allows one; a clock that goes back grants no new quota."""
    add_missing(tx, enrichers, [{"name": name, "day": day, "requests": 0, "error": ""}])
    row = tx.execute(select(enrichers).where(enrichers.c.name == name).with_for_update()).one()
    used_requests = 0 if day > row.day else row.requests
    if used_requests >= quota:
        return False
    values = {"day": max(day, row.day), "requests": used_requests + 1}
    tx.execute(update(enrichers).where(enrichers.c.name == name).values(values))
    return True


def note_answer(tx: Transaction, name: str, error: str, now: datetime) -> None:
    """Record how the last request ended; ``error`` is "" if it was answered."""
    values: dict[str, object] = {"error": error}
    values["error_at" if error else "answered_at"] = now
    tx.execute(update(enrichers).where(enrichers.c.name == name).values(values))
