"""Conversion of stored queries and follows that use names of sources or papers from an earlier release."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update

from digest.core.language.parser import parse
from digest.core.language.query import Fact, Query, compile_query
from digest.core.language.renaming import rename_facts, rename_in_text
from digest.errors import QueryError
from digest.model import PaperKey
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import follows, queries
from digest.store.matching import matches


def rename_in_queries(
    tx: Transaction, names: Mapping[str, str], keys: Mapping[PaperKey, PaperKey], now: datetime
) -> None:
    """Replace former names in queries and follows, so that they keep their meaning.

    Args:
        tx: a transaction of ``Store.begin_planning``.
        names: present names of sources by their former names.
        keys: present keys of papers by their former keys.
        now: when a follow ends that has become equal to another one of its digest.
    """
    sources = {former.lower(): name.lower() for former, name in names.items()}
    papers = {str(former): str(key) for former, key in keys.items()}

    def rename_value(fact: Fact) -> str:
        renamed_values = (
            sources if fact.field == "source" else papers if fact.field in {"id", "cites"} else {}
        )
        return renamed_values.get(fact.value, fact.value)

    fields = [field for field, renamed_values in (("source:", sources), ("url:", papers)) if renamed_values]
    if not fields:
        return
    has_field = or_(*(queries.c.text.contains(field) for field in fields))
    new_names = {former.lower(): new for former, new in (*names.items(), *papers.items())}
    for row in tx.execute(select(queries).where(has_field).order_by(queries.c.id)).all():
        try:
            query = parse(row.text)
        except QueryError:  # only an earlier release could parse it, so it matches nothing anyway
            continue
        renamed = rename_facts(query, rename_value)
        if renamed != query:
            _rename_in_follows(tx, row.id, renamed, new_names)
            _store_renamed(tx, row, renamed, now)


def _rename_in_follows(tx: Transaction, query_id: int, renamed: Query, new_names: Mapping[str, str]) -> None:
    is_of_query = follows.c.query_id == query_id
    for text in tx.execute(select(follows.c.text).where(is_of_query).distinct()).scalars().all():
        new_text = rename_in_text(text, new_names, renamed)
        tx.execute(update(follows).where(is_of_query, follows.c.text == text).values(text=new_text))


def _store_renamed(tx: Transaction, row: Any, renamed: Query, now: datetime) -> None:
    """Store the new text of a query, or move its follows to the query that already has this text."""
    text = str(renamed)
    other_id = tx.execute(select(queries.c.id).where(queries.c.text == text)).scalar()
    if other_id is None:
        statement = update(queries).where(queries.c.id == row.id)
        tx.execute(statement.values(text=text, compiled=compile_query(renamed)))
        matches.assign_revision(tx, [row.id])
        return
    if row.needed_from is not None:
        matches.require_queries(tx, {text: row.needed_from})
    is_affected = or_(follows.c.query_id == row.id, follows.c.only_query_id == row.id)
    for follow in tx.execute(select(follows).where(is_affected).order_by(follows.c.id)).all():
        query, only_query = (
            other_id if query_id == row.id else query_id
            for query_id in (follow.query_id, follow.only_query_id)
        )
        is_same = (
            (follows.c.digest_id == follow.digest_id)
            & (follows.c.query_id == query)
            & (follows.c.only_query_id == only_query)
            & follows.c.ended_at.is_(None)
        )
        is_duplicate = tx.execute(select(follows.c.id).where(is_same)).first() is not None
        values = {"query_id": query, "only_query_id": only_query}
        if follow.ended_at is None and is_duplicate:
            values["ended_at"] = now
        tx.execute(update(follows).where(follows.c.id == follow.id).values(values))
    matches.release_queries(tx, [row.id])
    # The row stays, because other processes may still use its number; nobody can follow its new text.
    reset_values = {"text": f"source:renamed-{row.id}", "compiled": ""}
    tx.execute(update(queries).where(queries.c.id == row.id).values(reset_values))
