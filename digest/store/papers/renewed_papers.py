"""Papers whose keys or addresses an earlier release stored in another way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy import and_, bindparam, delete, insert, select, update

from digest.core.papers.identity.ids import bounded_key
from digest.core.papers.identity.same_paper import claims_of
from digest.model import Paper, PaperKey
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import claims, enrichments, signals, statements
from digest.store.database.paper_tables import papers as papers_table
from digest.store.papers import papers


def renew_papers(tx: Transaction, source: str, renewed: Callable[[Paper], Paper]) -> dict[PaperKey, PaperKey]:
    """Store what a source said of papers as it says that now.

    Args:
        tx: a transaction of ``Store.planning`` that holds the lock of ``Store.keeping``.
        source: whose statements they are.
        renewed: returns a paper as the source reads it now: with another key, title or address.

    Returns:
        The keys that changed. A paper whose new key another row has already gets a key of its own and becomes one
        with that.
    """
    mine = select(statements.c.paper_id).where(statements.c.source == source).distinct()
    said = papers.statements_of(tx, tx.execute(mine).scalars().all())
    pairs = {
        number: [(one.paper, renewed(one.paper)) for one in each if one.source == source]
        for number, each in said.items()
    }
    _put_statements(tx, source, pairs)
    moved = {number: each[-1] for number, each in pairs.items() if each[-1][0].key != each[-1][1].key}
    changed = {number for number, each in pairs.items() if any(before != after for before, after in each)}
    keys = _put_keys(tx, moved)
    _put_claims(tx, moved)
    papers.merge_anew(tx, moved)
    papers.index_anew(tx, changed)
    return keys


def _put_statements(tx: Transaction, source: str, pairs: Mapping[int, list[tuple[Paper, Paper]]]) -> None:
    rows = [
        {
            "number": number,
            "of": source,
            "of_version": after.version,
            "new_title": after.title,
            "new_url": after.url,
            "new_pdf_url": after.pdf_url,
        }
        for number, each in pairs.items()
        for before, after in each
        if replace(before, key=after.key) != after
    ]
    if rows:
        same = and_(
            statements.c.paper_id == bindparam("number"),
            statements.c.source == bindparam("of"),
            statements.c.version == bindparam("of_version"),
        )
        change = update(statements).where(same)
        tx.execute(
            change.values(
                title=bindparam("new_title"), url=bindparam("new_url"), pdf_url=bindparam("new_pdf_url")
            ),
            rows,
        )


def _put_keys(tx: Transaction, moved: Mapping[int, tuple[Paper, Paper]]) -> dict[PaperKey, PaperKey]:
    """Change the keys of papers, and what is stored by these keys."""
    taken = set(papers.find(tx, {after.key for _, after in moved.values()}))
    keys: dict[PaperKey, PaperKey] = {}
    rows = []
    for number, (before, after) in sorted(moved.items()):
        key = after.key
        if key in taken:
            key = bounded_key(f"{key}~{hashlib.sha256(before.key.encode()).hexdigest()[:8]}")
        taken.add(key)
        keys[before.key] = key
        rows.append({"number": number, "before": before.key, "after": key})
    if rows:
        change = update(papers_table).where(papers_table.c.id == bindparam("number"))
        tx.execute(change.values(key=bindparam("after")), rows)
    for table in (signals, enrichments) if rows else ():
        of_paper = update(table).where(table.c.subject == bindparam("before"))
        tx.execute(of_paper.values(subject=bindparam("after")), rows)
    return keys


def _put_claims(tx: Transaction, moved: Mapping[int, tuple[Paper, Paper]]) -> None:
    """Let papers be known by their new keys; what somebody set apart stays so."""
    for number, (before, after) in moved.items():
        old, new = ({(one.scheme, one.value) for one in claims_of(paper)} for paper in (before, after))
        mine = claims.c.paper_id == number
        there = {(row.scheme, row.value): row.apart for row in tx.execute(select(claims).where(mine))}
        for scheme, value in (old - new) & there.keys():
            tx.execute(delete(claims).where(mine, claims.c.scheme == scheme, claims.c.value == value))
        apart = any(there.get(one, False) for one in old - new)
        rows = [
            {"scheme": scheme, "value": value, "paper_id": number, "apart": apart}
            for scheme, value in new - old - there.keys()
        ]
        if rows:
            tx.execute(insert(claims), rows)
