"""Conversion of papers whose keys or addresses an earlier release stored in another form."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy import and_, bindparam, delete, insert, select, update

from digest.core.papers.identity.ids import limit_key
from digest.core.papers.identity.same_paper import list_claims
from digest.model import Paper, PaperKey
from digest.store.database.content_version import note_content_change
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import claims, enrichments, signals, statements
from digest.store.database.tables.papers import papers as papers_table
from digest.store.papers import papers


def renew_papers(tx: Transaction, source: str, convert: Callable[[Paper], Paper]) -> dict[PaperKey, PaperKey]:
    """Convert the statements of a source to their present form.

    Args:
        tx: a transaction of ``Store.begin_planning`` that holds the lock of ``Store.begin_ingest``.
        source: the source of the statements.
        convert: returns a paper as the source makes it now, with another key, title or address.

    Returns:
        The new keys by the former ones. If another paper already has a new key, the paper gets a unique key
        and is merged with it.
    """
    statement = select(statements.c.paper_id).where(statements.c.source == source).distinct()
    stored_statements = papers.load_statements(tx, tx.execute(statement).scalars().all())
    pairs = {
        number: [
            (statement_of_source.paper, convert(statement_of_source.paper))
            for statement_of_source in paper_pairs
            if statement_of_source.source == source
        ]
        for number, paper_pairs in stored_statements.items()
    }
    _update_statements(tx, source, pairs)
    rekeyed = {
        number: paper_pairs[-1]
        for number, paper_pairs in pairs.items()
        if paper_pairs[-1][0].key != paper_pairs[-1][1].key
    }
    changed_ids = {
        number
        for number, paper_pairs in pairs.items()
        if any(before != after for before, after in paper_pairs)
    }
    keys = _update_keys(tx, rekeyed)
    _update_claims(tx, rekeyed)
    papers.compute_groups(tx, rekeyed)
    papers.refresh_index(tx, changed_ids)
    if changed_ids:
        note_content_change(tx)
    return keys


def _update_statements(tx: Transaction, source: str, pairs: Mapping[int, list[tuple[Paper, Paper]]]) -> None:
    rows = [
        {
            "number": number,
            "of": source,
            "of_version": after.version,
            "new_title": after.title,
            "new_url": after.url,
            "new_pdf_url": after.pdf_url,
        }
        for number, paper_pairs in pairs.items()
        for before, after in paper_pairs
        if replace(before, key=after.key) != after
    ]
    if rows:
        is_statement = and_(
            statements.c.paper_id == bindparam("number"),
            statements.c.source == bindparam("of"),
            statements.c.version == bindparam("of_version"),
        )
        statement = update(statements).where(is_statement)
        tx.execute(
            statement.values(
                title=bindparam("new_title"), url=bindparam("new_url"), pdf_url=bindparam("new_pdf_url")
            ),
            rows,
        )


def _update_keys(tx: Transaction, rekeyed: Mapping[int, tuple[Paper, Paper]]) -> dict[PaperKey, PaperKey]:
    """Change the keys of papers, and of the signals and enrichments stored under these keys."""
    used_keys = set(papers.find_papers(tx, {after.key for _, after in rekeyed.values()}))
    keys: dict[PaperKey, PaperKey] = {}
    rows = []
    for paper_id, (before, after) in sorted(rekeyed.items()):
        key = after.key
        if key in used_keys:
            key = limit_key(f"{key}~{hashlib.sha256(before.key.encode()).hexdigest()[:8]}")
        used_keys.add(key)
        keys[before.key] = key
        rows.append({"number": paper_id, "before": before.key, "after": key})
    if rows:
        statement = update(papers_table).where(papers_table.c.id == bindparam("number"))
        tx.execute(statement.values(key=bindparam("after")), rows)
    for table in (signals, enrichments) if rows else ():
        subject_update = update(table).where(table.c.subject == bindparam("before"))
        tx.execute(subject_update.values(subject=bindparam("after")), rows)
    return keys


def _update_claims(tx: Transaction, rekeyed: Mapping[int, tuple[Paper, Paper]]) -> None:
    """Replace the claims that follow from former keys; a claim that was set apart stays so."""
    for paper_id, (before, after) in rekeyed.items():
        old, new = (
            {(claim.scheme, claim.value) for claim in list_claims(paper)} for paper in (before, after)
        )
        is_own = claims.c.paper_id == paper_id
        stored = {(row.scheme, row.value): row.apart for row in tx.execute(select(claims).where(is_own))}
        for scheme, value in (old - new) & stored.keys():
            tx.execute(delete(claims).where(is_own, claims.c.scheme == scheme, claims.c.value == value))
        apart = any(stored.get(claim, False) for claim in old - new)
        rows = [
            {"scheme": scheme, "value": value, "paper_id": paper_id, "apart": apart}
            for scheme, value in new - old - stored.keys()
        ]
        if rows:
            tx.execute(insert(claims), rows)
