"""Of which papers and persons more is to be known, who was asked for them, and when again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import select, update

from digest.core.language.query import has_ids, load, people_in
from digest.model import Item, PaperKey, Subject, SubjectKind
from digest.store.database.dialect import add_missing, chunks, put
from digest.store.database.digest_tables import editions as editions_table
from digest.store.database.digest_tables import queries
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import claims, enrichers, enrichments, papers
from digest.store.editions import editions

_MOST_EDITIONS = 300
"""Of the last ones: what a million of them show is mostly the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How asking an enricher went.

    Attributes:
        requests: of the day, UTC, that ``day`` is.
        error: of the last request; "" if it was answered.
    """

    name: str
    day: date
    requests: int = 0
    answered_at: datetime | None = None
    error: str = ""
    error_at: datetime | None = None


# --- of whom ---------------------------------------------------------------------------------------


def wanted(tx: Transaction, since: datetime) -> list[Subject]:
    """Papers that editions have shown lately, and the persons who are followed, or were shown as such.

    Args:
        tx: a transaction.
        since: editions from this instant on; the last few hundred of them.
    """
    last = (
        select(editions_table.c.id)
        .where(editions_table.c.composed_at >= since, editions_table.c.skipped == "")
        .order_by(editions_table.c.id.desc())
        .limit(_MOST_EDITIONS)
    )
    found = editions.load(tx, tx.execute(last).scalars().all())
    items = [item for number in sorted(found, reverse=True) for item in found[number].items]
    keys = list(dict.fromkeys(item.paper.key for item in items))
    ids = list(dict.fromkeys([*_followed(tx), *(one for item in items for one in _shown(item))]))
    known = ids_of(tx, keys)
    return [
        *(Subject(kind=SubjectKind.PAPER, key=key, ids=known[key]) for key in keys if key in known),
        *(Subject(kind=SubjectKind.PERSON, key=f"{one[0]}:{one[1]}", ids=(one,)) for one in ids),
    ]


def _followed(tx: Transaction) -> Iterable[tuple[str, str]]:
    """The ids of persons that follows name."""
    asked = select(queries.c.compiled).where(queries.c.needed_from.is_not(None), queries.c.compiled != "")
    for compiled in tx.execute(asked.order_by(queries.c.id)).scalars():
        if has_ids(compiled):
            yield from (one for leaf in people_in(load(compiled)) for one in leaf.ids)


def _shown(item: Item) -> Iterable[tuple[str, str]]:
    """The ids of those authors because of whom a paper was shown."""
    names = {
        word
        for reason in item.reasons
        for evidence in reason.evidence
        if evidence.field == "author"
        for word in evidence.words
    }
    return (one for author in item.paper.authors if author.name in names for one in author.ids)


def ids_of(tx: Transaction, keys: Sequence[PaperKey]) -> dict[PaperKey, tuple[tuple[str, str], ...]]:
    """All ids of papers, by the keys of their roots, and of those that are one with them."""
    roots = papers.alias()
    found: dict[PaperKey, tuple[tuple[str, str], ...]] = {}
    for chunk in chunks(sorted(keys)):
        mine = (
            select(roots.c.key, claims.c.scheme, claims.c.value)
            .join_from(papers, claims, claims.c.paper_id == papers.c.id)
            .join(roots, (roots.c.id == papers.c.merged_into) | (roots.c.id == papers.c.id))
            .where(roots.c.key.in_(chunk), ~claims.c.apart)
            .order_by(roots.c.key, claims.c.scheme, claims.c.value)
        )
        for key, scheme, value in tx.execute(mine):
            known = found.get(PaperKey(key), ())
            if (scheme, value) not in known:
                found[PaperKey(key)] = (*known, (scheme, value))
    return found


# --- when ------------------------------------------------------------------------------------------


def due(tx: Transaction, enricher: str, subjects: Iterable[Subject], now: datetime) -> list[Subject]:
    """For which subjects an enricher is to be asked now: first those never asked for, then the longest ago."""
    every = list(subjects)
    before: dict[tuple[str, str], tuple[datetime, datetime]] = {}
    for chunk in chunks(sorted({one.key for one in every})):
        mine = select(enrichments).where(enrichments.c.enricher == enricher, enrichments.c.subject.in_(chunk))
        for row in tx.execute(mine):
            before[row.kind, row.subject] = row.asked_at, row.next_at
    never = datetime.min.replace(tzinfo=UTC)
    waiting = [(before.get((one.kind, one.key), (never, never)), one) for one in every]
    ready = [(asked_at, one) for (asked_at, next_at), one in waiting if next_at <= now]
    return [one for _, one in sorted(ready, key=lambda pair: pair[0])]


def note(
    tx: Transaction,
    enricher: str,
    subjects: Iterable[Subject],
    *,
    found: Collection[str],
    next_at: Mapping[str, datetime],
    now: datetime,
) -> None:
    """Keep that an enricher was asked for subjects.

    Args:
        tx: a writing transaction.
        enricher: its name.
        subjects: for whom.
        found: the keys of those that it knows.
        next_at: by key, when it is to be asked again.
        now: the time.
    """
    rows = [
        {
            "enricher": enricher,
            "kind": one.kind.value,
            "subject": one.key,
            "asked_at": now,
            "next_at": next_at[one.key],
            "found": one.key in found,
        }
        for one in subjects
    ]
    rows.sort(key=lambda row: (row["kind"], row["subject"]))
    put(tx, enrichments, rows, key=("enricher", "kind", "subject"))


# --- who -------------------------------------------------------------------------------------------


def asked(tx: Transaction, name: str, day: date) -> Asked:
    """How asking an enricher went so far; a new day begins with no requests."""
    row = tx.execute(select(enrichers).where(enrichers.c.name == name)).first()
    if row is None:
        return Asked(name=name, day=day)
    return Asked(
        name=name,
        day=day,
        requests=row.requests if row.day == day else 0,
        answered_at=row.answered_at,
        error=row.error,
        error_at=row.error_at,
    )


def take_request(tx: Transaction, name: str, day: date, quota: int) -> bool:
    """Count a request before it is made, if the day has one left; a clock that goes back gives none anew."""
    add_missing(tx, enrichers, [{"name": name, "day": day, "requests": 0, "error": ""}])
    row = tx.execute(select(enrichers).where(enrichers.c.name == name).with_for_update()).one()
    used = 0 if day > row.day else row.requests
    if used >= quota:
        return False
    values = {"day": max(day, row.day), "requests": used + 1}
    tx.execute(update(enrichers).where(enrichers.c.name == name).values(values))
    return True


def note_answer(tx: Transaction, name: str, error: str, now: datetime) -> None:
    """Keep how the last request ended; "" if it was answered."""
    values: dict[str, object] = {"error": error}
    values["error_at" if error else "answered_at"] = now
    tx.execute(update(enrichers).where(enrichers.c.name == name).values(values))
