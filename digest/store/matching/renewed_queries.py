"""Stored queries and follows that name sources or papers by names of an earlier release."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update

from digest.core.language.parser import parse
from digest.core.language.query import Fact, Query, compiled
from digest.core.language.renaming import rename_facts, rename_in_text
from digest.errors import QueryError
from digest.model import PaperKey
from digest.store.database.digest_tables import follows, queries
from digest.store.database.engine import Transaction
from digest.store.matching import matches


def rename_in_queries(
    tx: Transaction, names: Mapping[str, str], keys: Mapping[PaperKey, PaperKey], now: datetime
) -> None:
    """Let follows go on to mean the same sources and papers.

    Args:
        tx: a transaction of ``Store.planning``.
        names: the present name of a source, by its name so far.
        keys: the same of papers.
        now: when a follow ends that says the same as another one of its digest from now on.
    """
    sources = {former.lower(): name.lower() for former, name in names.items()}
    papers = {str(former): str(key) for former, key in keys.items()}

    def value(fact: Fact) -> str:
        known = sources if fact.field == "source" else papers if fact.field in {"id", "cites"} else {}
        return known.get(fact.value, fact.value)

    concerned = [field for field, known in (("source:", sources), ("url:", papers)) if known]
    if not concerned:
        return
    named = or_(*(queries.c.text.contains(field) for field in concerned))
    shown = {former.lower(): new for former, new in (*names.items(), *papers.items())}
    for row in tx.execute(select(queries).where(named).order_by(queries.c.id)).all():
        try:
            query = parse(row.text)
        except QueryError:  # of an earlier release: it fits nothing, whatever it names
            continue
        renamed = rename_facts(query, value)
        if renamed != query:
            _rename_in_follows(tx, row.id, renamed, shown)
            _put_query(tx, row, renamed, now)


def _rename_in_follows(tx: Transaction, number: int, renamed: Query, shown: Mapping[str, str]) -> None:
    mine = follows.c.query_id == number
    for text in tx.execute(select(follows.c.text).where(mine).distinct()).scalars().all():
        anew = rename_in_text(text, shown, renamed)
        tx.execute(update(follows).where(mine, follows.c.text == text).values(text=anew))


def _put_query(tx: Transaction, row: Any, renamed: Query, now: datetime) -> None:
    """Store a query by its new text; where another one has that, its follows go over to the other one."""
    text = str(renamed)
    other = tx.execute(select(queries.c.id).where(queries.c.text == text)).scalar()
    if other is None:
        mine = update(queries).where(queries.c.id == row.id)
        tx.execute(mine.values(text=text, compiled=compiled(renamed)))
        matches.revise(tx, [row.id])
        return
    if row.needed_from is not None:
        matches.want(tx, {text: row.needed_from})
    concerned = or_(follows.c.query_id == row.id, follows.c.only_query_id == row.id)
    for follow in tx.execute(select(follows).where(concerned).order_by(follows.c.id)).all():
        query, only = (other if one == row.id else one for one in (follow.query_id, follow.only_query_id))
        same = (
            (follows.c.digest_id == follow.digest_id)
            & (follows.c.query_id == query)
            & (follows.c.only_query_id == only)
            & follows.c.ended_at.is_(None)
        )
        is_double = tx.execute(select(follows.c.id).where(same)).first() is not None
        values = {"query_id": query, "only_query_id": only}
        if follow.ended_at is None and is_double:
            values["ended_at"] = now
        tx.execute(update(follows).where(follows.c.id == follow.id).values(values))
    matches.unwanted(tx, [row.id])
    # Other processes may still know it by its number, so the row stays; nobody can follow this text.
    nothing = {"text": f"source:renamed-{row.id}", "compiled": ""}
    tx.execute(update(queries).where(queries.c.id == row.id).values(nothing))
