"""What everybody can read: the newest events, of all, of a query, and of who signed them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from sqlalchemy import Select, func, select

from digest.core.matching.bitmaps import places
from digest.core.names.fitting import NameFit, block, name_fit
from digest.model import EventKind
from digest.store.database import clock
from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import queries
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import author_ids, authorships, events
from digest.store.matching import matches
from digest.store.papers.papers import members_of

_NOTE = "public"
_NEWS = (EventKind.NEW.value, EventKind.PICKED.value)
_MOST_SIGNATURES = 2_000
"""Of a name: who signs like thousands of others is looked for among the newest."""


# --- which queries are kept matched for it ----------------------------------------------------------


def declare(tx: Transaction, wanted: Collection[str], start: int) -> None:
    """Have queries matched for everybody, whether or not a digest follows them; and no others any more.

    Args:
        tx: the transaction in which the file is applied.
        wanted: by canonical text.
        start: they are matched from there on.

    Raises:
        QueryError: one cannot be read.
    """
    before: set[str] = set(json.loads(clock.note(tx, _NOTE) or "[]"))
    if wanted:
        # Also those that there were: the last digest that followed one may have ended.
        matches.want(tx, dict.fromkeys(sorted(wanted), start))
    if left := before.difference(wanted):
        numbers = select(queries.c.id).where(queries.c.text.in_(sorted(left)))
        matches.unwanted(tx, tx.execute(numbers).scalars().all())
    if before != set(wanted):
        clock.set_note(tx, _NOTE, json.dumps(sorted(wanted), ensure_ascii=False))


# --- what is new ----------------------------------------------------------------------------------


def newest(tx: Transaction, most: int) -> tuple[int, ...]:
    """The last events, of all that is new or picked, the newest first."""
    return _seqs(tx, select(events.c.seq), most)


def fitting(tx: Transaction, texts: Iterable[str], start: int, most: int) -> dict[str, tuple[int, ...]]:
    """The last events after a seq that queries fit surely or likely, the newest first; nothing for those that fit none.

    All of them are looked up at once, however far back: there are a few packed rows for each.

    Args:
        tx: a transaction.
        texts: of the queries, canonical.
        start: what comes up to there is not looked at.
        most: how many events of each at most.
    """
    numbers: dict[int, str] = {}
    for chunk in chunks(sorted(set(texts))):
        rows = tx.execute(select(queries.c.id, queries.c.text).where(queries.c.text.in_(chunk)))
        numbers.update({row.id: row.text for row in rows})
    hits = matches.hits(tx, numbers, start, matches.matched_to(tx))
    found = {numbers[number]: places(rows.likely)[-most:] for number, rows in hits.items() if rows.likely}
    return {text: tuple(start + 1 + place for place in reversed(last)) for text, last in found.items()}


def signed(tx: Transaction, name: str, most: int) -> tuple[int, ...]:
    """The last events of papers that somebody of a name signed in full, the newest first."""
    mine = select(authorships.c.paper_id, authorships.c.name).where(authorships.c.block == block(name))
    newest_first = mine.order_by(authorships.c.paper_id.desc()).limit(_MOST_SIGNATURES)
    roots = {row.paper_id for row in tx.execute(newest_first) if name_fit(name, row.name) is NameFit.FULL}
    return _of_papers(tx, roots, most)


def signed_with(tx: Transaction, scheme: str, value: str, most: int) -> tuple[int, ...]:
    """The last events of papers on which a source prints an id of one of the authors, the newest first."""
    mine = author_ids.c.scheme == scheme, author_ids.c.value == value
    carried = select(author_ids.c.paper_id).where(*mine).order_by(author_ids.c.paper_id.desc())
    return _of_papers(tx, set(tx.execute(carried.limit(_MOST_SIGNATURES)).scalars()), most)


def first_seqs(tx: Transaction, days: Iterable[date]) -> dict[date, int]:
    """The first event of each of some days."""
    mine = select(events.c.day, func.min(events.c.seq).label("first")).where(events.c.day.in_(set(days)))
    return {row.day: row.first for row in tx.execute(mine.group_by(events.c.day))}


def _of_papers(tx: Transaction, roots: Collection[int], most: int) -> tuple[int, ...]:
    found: list[int] = []
    for chunk in chunks(sorted(members_of(tx, roots))):
        found += _seqs(tx, select(events.c.seq).where(events.c.paper_id.in_(chunk)), most)
    return tuple(sorted(found, reverse=True)[:most])


def _seqs(tx: Transaction, chosen: Select[Any], most: int) -> tuple[int, ...]:
    statement = chosen.where(events.c.kind.in_(_NEWS)).order_by(events.c.seq.desc()).limit(most)
    return tuple(tx.execute(statement).scalars())
