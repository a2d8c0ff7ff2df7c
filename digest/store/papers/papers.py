"""Papers: the statements of each source, which papers are merged, and the merged paper.

A paper that is known by several keys has a row for each; ``merged_into`` refers to the root, the row with the
lowest key. Roots are recomputed from the claims whenever these change, and nothing else is rewritten, so a
merge can be undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, insert, select, update

from digest.core.papers.identity.same_paper import Claim, find_roots, list_claims
from digest.core.papers.merge import merge_papers, merge_statements
from digest.model import Paper, PaperKey, Statement
from digest.store.database.bulk import insert_or_update_bulk
from digest.store.database.content_version import note_content_change
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_json_reader,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import claims, papers, statements
from digest.store.matching import search_index
from digest.store.papers import authorships
from digest.store.papers.statement_rows import FIELD_COLUMNS, build_paper, make_row


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperChange:
    """Paper before and after the statements of a source were stored.

    Attributes:
        number: the number of the row with its own key.
        before: the merged paper before; None if it was unknown.
    """

    number: int
    before: Paper | None
    after: Paper


# --- writing --------------------------------------------------------------------------------------


def save_papers(tx: Transaction, source: str, source_papers: Iterable[Paper]) -> dict[PaperKey, PaperChange]:
    """Store the statements of a source about papers; storing the same ones again changes nothing.

    The caller adds the papers to the index when their events are stored (``index_changes``).

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        source: the source of the statements.
        source_papers: the papers, each with a version of at least 1.

    Returns:
        The papers before and after, by the key that the source uses.
    """
    new: dict[PaperKey, dict[int, Paper]] = defaultdict(dict)
    claims_by_key: dict[PaperKey, dict[Claim, None]] = defaultdict(dict)
    for paper in source_papers:
        versions = new[paper.key]
        earlier = versions.get(paper.version)
        versions[paper.version] = merge_papers(earlier, paper) if earlier else paper
        # Claims are taken from each paper before merging, because a merged statement has only the first of two DOIs.
        claims_by_key[paper.key] |= dict.fromkeys(list_claims(paper))
    ids = find_papers(tx, new)
    added_ids = _add_papers(tx, [key for key in new if key not in ids])
    members = load_groups(tx, ids.values())
    stored_statements = load_statements(tx, {member for group in members.values() for member in group})
    before = _merge_statements(members, stored_statements)
    ids |= added_ids
    members |= {number: frozenset([number]) for number in added_ids.values()}
    changed = _save_statements(
        tx, source, {ids[key]: versions for key, versions in new.items()}, stored_statements
    )
    touched_groups = {
        number: group for number, group in members.items() if not changed.keys().isdisjoint(group)
    }
    after = before | _merge_statements(touched_groups, stored_statements | changed)
    merge_candidates = _save_claims(
        tx, {ids[key]: paper_claims for key, paper_claims in claims_by_key.items()}
    )
    before |= _load_before_merge(tx, merge_candidates, set(added_ids.values()))
    groups = load_groups(tx, merge_candidates)
    after |= load_merged(tx, groups)
    unmerged = [number for number in added_ids.values() if len(groups.get(number, ())) < 2]
    authorships.save_authorships(tx, {number: after[number].authors for number in unmerged})
    if changed:
        note_content_change(tx)
    existing = [number for number in ids.values() if number in before]
    _refresh_authorships(
        tx, {number for number in existing if before[number].authors != after[number].authors}
    )
    return {
        key: PaperChange(number=(number := ids[key]), before=before.get(number), after=after[number])
        for key in new
    }


def _add_papers(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """Create rows of unknown papers, and return their numbers by key."""
    rows = [{"key": key} for key in sorted(keys)]
    if not rows:
        return {}
    rows_added = tx.execute(insert(papers).returning(papers.c.key, papers.c.id), rows)
    return {PaperKey(row.key): row.id for row in rows_added}


def _refresh_authorships(tx: Transaction, paper_ids: Iterable[int]) -> None:
    """Rewrite the authorships of papers whose authors changed, or that were merged or separated."""
    loaded = load_papers(tx, paper_ids)
    root_of = load_roots(tx, loaded)
    authors_by_root = {root_of[number]: paper.authors for number, paper in loaded.items()}
    authorships.save_authorships(tx, authors_by_root, replaced_ids=loaded.keys() | authors_by_root.keys())


def index_changes(tx: Transaction, changes: Collection[PaperChange]) -> None:
    """Update the index entries of papers after ``save_papers``, when their events are stored."""
    root_of = load_roots(tx, [change.number for change in changes])
    added = {
        change.number: change.after
        for change in changes
        if change.before is None and root_of[change.number] == change.number
    }
    unindexed = added.keys() - search_index.list_indexed(tx, added)
    search_index.index_papers(tx, {number: added[number] for number in sorted(unindexed)})
    changed = {
        change.number
        for change in changes
        if change.before != change.after and change.number not in unindexed
    }
    refresh_index(tx, changed)
    unchanged = {root_of[change.number]: change.after for change in changes if change.number not in changed}
    refresh_index(tx, search_index.list_outdated(tx, unchanged))


def refresh_index(tx: Transaction, paper_ids: Iterable[int]) -> None:
    """Update the index entries of papers that changed, or that were merged or separated."""
    loaded = load_papers(tx, paper_ids)
    if loaded:
        root_of = load_roots(tx, loaded)
        papers_by_root = {root_of[number]: paper for number, paper in loaded.items()}
        search_index.index_papers(tx, papers_by_root, replaced_ids=loaded.keys() | papers_by_root.keys())


def refresh_announcements(tx: Transaction, paper_ids: Iterable[int]) -> None:
    """Update the index entries of papers whose events or listings got another day."""
    loaded = load_papers(tx, paper_ids)
    root_of = load_roots(tx, loaded)
    refresh_index(
        tx, search_index.list_outdated(tx, {root_of[number]: paper for number, paper in loaded.items()})
    )


def index_missing(tx: Transaction, limit: int, since: date | None = None) -> int:
    """Index papers that are not in the index, newest first.

    Args:
        tx: a transaction of ``Store.begin_ingest``.
        limit: maximum number of papers.
        since: only papers with an event on this day or later; None for all.

    Returns:
        The number of papers that were indexed.
    """
    paper_ids = search_index.list_missing(tx, limit, since)
    search_index.index_papers(tx, load_papers(tx, paper_ids))
    if since is None and len(paper_ids) < limit:
        search_index.mark_complete(tx)
    return len(paper_ids)


def _load_before_merge(tx: Transaction, merge_candidates: Iterable[int], added: set[int]) -> dict[int, Paper]:
    """Return, for new papers, the merged paper of the older papers with which they were merged."""
    groups = {number: group for number, group in load_groups(tx, merge_candidates).items() if number in added}
    previous_groups = {number: group - added for number, group in groups.items() if group - added}
    return load_merged(tx, previous_groups)


def _save_statements(
    tx: Transaction,
    source: str,
    papers_by_version: Mapping[int, Mapping[int, Paper]],
    stored_statements: Mapping[int, Sequence[Statement]],
) -> dict[int, tuple[Statement, ...]]:
    """Store statements; a statement about the same version by the same source is merged with the stored one.

    Returns:
        All statements of each paper that has a new or changed one.
    """
    rows = []
    changed: dict[int, tuple[Statement, ...]] = {}
    for paper_id in sorted(papers_by_version):
        by_version = {
            (statement.source, statement.paper.version): statement
            for statement in stored_statements.get(paper_id, ())
        }
        for version, paper in sorted(papers_by_version[paper_id].items()):
            stored = by_version.get((source, version))
            merged = merge_papers(stored.paper, paper) if stored else paper
            if stored is None or merged != stored.paper:
                by_version[source, version] = Statement(source=source, paper=merged)
                changed[paper_id] = tuple(by_version.values())
                rows.append(make_row(paper_id, source, merged))
    insert_or_update_bulk(tx, statements, _STATEMENT_COLUMNS, rows, updated_columns=_STATEMENT_COLUMNS[3:])
    return changed


_STATEMENT_COLUMNS = ("paper_id", "source", *FIELD_COLUMNS, "lists")


# --- merging --------------------------------------------------------------------------------------


def _save_claims(tx: Transaction, claims_by_paper: Mapping[int, Iterable[Claim]]) -> set[int]:
    """Store the ids of papers, and merge papers that share one.

    Returns:
        The papers whose merged form may have changed.
    """
    rows = [
        (claim.scheme, claim.value, paper_id, False)
        for paper_id, paper_claims in claims_by_paper.items()
        for claim in paper_claims
    ]
    insert_or_update_bulk(tx, claims, ("scheme", "value", "paper_id", "apart"), rows)
    return compute_groups(tx, _find_sharing(tx, claims_by_paper))


def _find_sharing(tx: Transaction, paper_ids: Iterable[int]) -> set[int]:
    """Return the papers that share an id with another paper that is one of these."""
    return {
        other for (other,) in fetch_raw_rows(tx, _select_sharing(), {"numbers": to_in_param(tx, paper_ids)})
    }


@cache
def _select_sharing() -> Select[Any]:
    own_claims, other_claims = claims.alias(), claims.alias()
    is_shared = and_(
        own_claims.c.scheme == other_claims.c.scheme,
        own_claims.c.value == other_claims.c.value,
        own_claims.c.paper_id != other_claims.c.paper_id,
    )
    statement = select(other_claims.c.paper_id).join_from(own_claims, other_claims, is_shared)
    return statement.where(make_in_condition(own_claims.c.paper_id, "numbers")).distinct()


def compute_groups(tx: Transaction, paper_ids: Iterable[int]) -> set[int]:
    """Recompute which papers are merged with these.

    Returns:
        All papers that were or are merged with them, and these.
    """
    visited: set[int] = set()
    pending = set(paper_ids)
    while pending:
        visited |= pending
        pending = (_find_sharing(tx, pending) | _list_group_members(tx, pending)) - visited
    evidence: list[Claim] = []
    set_apart_claims: list[Claim] = []
    keys: dict[int, PaperKey] = {}
    old_roots: dict[int, int | None] = {}
    for chunk in split_into_chunks(sorted(visited)):
        for row in tx.execute(select(papers).where(papers.c.id.in_(chunk))):
            keys[row.id], old_roots[row.id] = PaperKey(row.key), row.merged_into
        for row in tx.execute(select(claims).where(claims.c.paper_id.in_(chunk))):
            claim = Claim(keys[row.paper_id], row.scheme, row.value)
            evidence.append(claim)
            if row.apart:
                set_apart_claims.append(claim)
    roots_by_key = find_roots(evidence, set_apart_claims)
    roots_by_key = {key: roots_by_key.get(key, key) for key in keys.values()}
    ids_by_key = {key: number for number, key in keys.items()}
    new_roots = {
        number: None if roots_by_key[key] == key else ids_by_key[roots_by_key[key]]
        for number, key in keys.items()
    }
    moved_ids = [number for number in keys if new_roots[number] != old_roots[number]]
    if moved_ids:
        statement = update(papers).where(papers.c.id == bindparam("number"))
        rows = [{"number": number, "root": new_roots[number]} for number in moved_ids]
        tx.execute(statement.values(merged_into=bindparam("root")), rows)
        affected = (
            affected_id
            for number in moved_ids
            for affected_id in (number, new_roots[number], old_roots[number])
        )
        changed_ids = set(filter(None, affected))
        _refresh_authorships(tx, changed_ids)
        refresh_index(tx, changed_ids)
        note_content_change(tx)
    return visited


def _list_group_members(tx: Transaction, paper_ids: Iterable[int]) -> set[int]:
    """Return the papers that are stored as merged with some papers."""
    return {member for members in load_groups(tx, paper_ids).values() for member in members}


def set_apart(tx: Transaction, paper_id: int, scheme: str, value: str, *, apart: bool) -> bool:
    """Mark an id as another paper's, or undo that; return whether the paper had claimed the id."""
    is_claim = and_(claims.c.paper_id == paper_id, claims.c.scheme == scheme, claims.c.value == value)
    if not tx.execute(update(claims).where(is_claim).values(apart=apart)).rowcount:
        return False
    note_content_change(tx)
    compute_groups(tx, [paper_id])
    return True


# --- reading --------------------------------------------------------------------------------------


def find_papers(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """Return the numbers of the stored papers with these keys."""
    return dict(fetch_raw_rows(tx, _SELECT_BY_KEY, {"keys": to_in_param(tx, set(keys))}))


_SELECT_BY_KEY = select(papers.c.key, papers.c.id).where(make_in_condition(papers.c.key, "keys"))


def load_keys(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, PaperKey]:
    """Return the keys of papers by number."""
    keys: dict[int, PaperKey] = {}
    for chunk in split_into_chunks(sorted(set(paper_ids))):
        rows = tx.execute(select(papers.c.key, papers.c.id).where(papers.c.id.in_(chunk)))
        keys.update({row.id: PaperKey(row.key) for row in rows})
    return keys


def find_by_id(tx: Transaction, scheme: str, value: str) -> int | None:
    """Return the root of the paper that has an id as its key, else of the paper that claims it.

    None if no paper does, or more than one.
    """
    own_root = tx.execute(select(_ROOT_ID).where(papers.c.key == f"{scheme}:{value}")).scalar()
    if own_root is not None:
        return int(own_root)
    statement = select(_ROOT_ID).join(claims, claims.c.paper_id == papers.c.id)
    statement = statement.where(
        claims.c.scheme == scheme, claims.c.value == value, ~claims.c.apart
    ).distinct()
    root_ids = tx.execute(statement).scalars().all()
    return root_ids[0] if len(root_ids) == 1 else None


def find_root_numbers(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """Return the roots of the papers with some keys or, as ``find_by_id``, of those that claim the ids in them."""
    ids = find_papers(tx, keys)
    roots = load_roots(tx, ids.values())
    found = {key: roots[number] for key, number in ids.items()}
    values: dict[str, list[str]] = defaultdict(list)
    for key in sorted(set(keys) - found.keys()):
        scheme, _, value = key.partition(":")
        values[scheme].append(value)
    for scheme, scheme_values in values.items():
        claimed: dict[PaperKey, set[int]] = defaultdict(set)
        for chunk in split_into_chunks(scheme_values):
            statement = select(claims.c.value, _ROOT_ID.label("root"))
            statement = statement.join(papers, papers.c.id == claims.c.paper_id)
            is_claimed = (claims.c.scheme == scheme) & claims.c.value.in_(chunk) & ~claims.c.apart
            for row in tx.execute(statement.where(is_claimed)):
                claimed[PaperKey(f"{scheme}:{row.value}")].add(row.root)
        found |= {key: number for key, (number, *others) in claimed.items() if not others}
    return found


def load_newest_versions(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, int]:
    """Return the highest version with a statement, stated or inferred, by paper."""
    statements_by_paper = load_statements(tx, paper_ids)
    return {
        number: max(statement.paper.version for statement in paper_statements)
        for number, paper_statements in statements_by_paper.items()
    }


def load_papers(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, Paper]:
    """Return the merged papers by the numbers of their members."""
    return load_merged(tx, load_groups(tx, paper_ids))


def load_merged(tx: Transaction, members: Mapping[int, frozenset[int]]) -> dict[int, Paper]:
    """Return the merged papers of groups that were loaded before by ``load_groups``."""
    return _merge_statements(
        members, load_statements(tx, {member for group in members.values() for member in group})
    )


def _merge_statements(
    members: Mapping[int, frozenset[int]], statements_by_paper: Mapping[int, Sequence[Statement]]
) -> dict[int, Paper]:
    """Merge the statements about all members of each group."""
    merged: dict[frozenset[int], Paper] = {}
    for group in members.values():
        if group not in merged:
            merged[group] = merge_statements(
                [statement for member in sorted(group) for statement in statements_by_paper.get(member, ())]
            )
    return {number: merged[group] for number, group in members.items()}


def load_roots(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, int]:
    """Return the number of the root of each paper."""
    return dict(fetch_raw_rows(tx, _SELECT_ROOTS, {"numbers": to_in_param(tx, set(paper_ids))}))


_ROOT_ID = func.coalesce(papers.c.merged_into, papers.c.id)
_SELECT_ROOTS = select(papers.c.id, _ROOT_ID).where(make_in_condition(papers.c.id, "numbers"))


def load_members(tx: Transaction, roots: Iterable[int]) -> set[int]:
    """Return some roots and all papers that are merged with them."""
    member_ids = set(roots)
    for chunk in split_into_chunks(sorted(member_ids)):
        member_ids.update(tx.execute(select(papers.c.id).where(papers.c.merged_into.in_(chunk))).scalars())
    return member_ids


def load_groups(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return the group of each paper: the numbers of all papers merged with it, including its own."""
    root_of = load_roots(tx, paper_ids)
    groups: dict[int, set[int]] = {number: {number} for number in root_of.values()}
    for number, root in fetch_raw_rows(tx, _SELECT_MERGED, {"numbers": to_in_param(tx, groups)}):
        groups[root].add(number)
    frozen = {number: frozenset(group) for number, group in groups.items()}
    return {number: frozen[root] for number, root in root_of.items()}


def load_statements(tx: Transaction, paper_ids: Iterable[int]) -> dict[int, tuple[Statement, ...]]:
    """Return the statements about papers, by the number of the paper's own row."""
    statements_by_paper: dict[int, list[Statement]] = defaultdict(list)
    read_json = get_json_reader(tx)
    for number, source, key, *column_values, lists in fetch_raw_rows(
        tx, _SELECT_STATEMENTS, {"numbers": to_in_param(tx, paper_ids)}
    ):
        statements_by_paper[number].append(
            Statement(source=source, paper=build_paper(key, column_values, read_json(lists)))
        )
    return {number: tuple(paper_statements) for number, paper_statements in statements_by_paper.items()}


_SELECT_MERGED = select(papers.c.id, papers.c.merged_into).where(
    make_in_condition(papers.c.merged_into, "numbers")
)
_SELECT_STATEMENTS = (
    select(
        *(statements.c.paper_id, statements.c.source, papers.c.key),
        *(statements.c[name] for name in (*FIELD_COLUMNS, "lists")),
    )
    .join(papers, papers.c.id == statements.c.paper_id)
    .where(make_in_condition(statements.c.paper_id, "numbers"))
)


def list_claims_on_papers(
    tx: Transaction, paper_ids: Iterable[int]
) -> tuple[tuple[PaperKey, str, str, bool], ...]:
    """Return the claims of papers: key, scheme, value, and whether the claim was set apart."""
    columns = select(claims, papers.c.key).join(papers, papers.c.id == claims.c.paper_id)
    statement = columns.where(claims.c.paper_id.in_(sorted(paper_ids)))
    rows = tx.execute(statement.order_by(papers.c.key, claims.c.scheme, claims.c.value))
    return tuple((PaperKey(row.key), row.scheme, row.value, row.apart) for row in rows)
