"""References of papers: which ones to fetch, how many are known, and which cited papers appear in follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Text, and_, cast, exists, func, or_, select

from digest.core.language.query import iter_named_papers
from digest.model import EventKind, PaperKey, Subject, SubjectKind
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import queries
from digest.store.database.tables.papers import claims, enrichments, events, papers, statements
from digest.store.enrichments import load_ids
from digest.store.papers.papers import load_keys
from digest.store.subscribers import opinions

_NEWS_KINDS = (EventKind.NEW.value, EventKind.PICKED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPapers:
    """Papers that readers name.

    Attributes:
        keys: keys of the papers that follows (also those of imported libraries) name, or that readers saved.
        cited: the keys that follows use with ``cites:``, as written there.
    """

    keys: tuple[PaperKey, ...]
    cited: frozenset[PaperKey]


def list_named_papers(tx: Transaction) -> NamedPapers:
    """Return the papers that readers follow, save or use with ``cites:``."""
    keys: dict[PaperKey, None] = {}
    cited: set[PaperKey] = set()
    has_papers = or_(queries.c.compiled.contains('["f","cites",'), queries.c.compiled.contains('["f","id",'))
    statement = select(queries.c.compiled).where(queries.c.needed_from.is_not(None), has_papers)
    for compiled in tx.execute(statement.order_by(queries.c.id)).scalars():
        for field, written_key in iter_named_papers(compiled):
            keys[PaperKey(written_key)] = None
            if field == "cites":
                cited.add(PaperKey(written_key))
    saved_ids = [saved_id.paper for saved_id in opinions.list_saved(tx)]
    saved_keys = load_keys(tx, saved_ids)
    return NamedPapers(
        keys=tuple(dict.fromkeys((*keys, *(saved_keys[saved_id] for saved_id in saved_ids)))),
        cited=frozenset(cited),
    )


def make_subjects(tx: Transaction, keys: Iterable[PaperKey]) -> list[Subject]:
    """Make the subjects for enrichers: a stored paper with all its ids, any other paper with its key only."""
    all_keys = list(keys)
    root_of = _load_roots(tx, all_keys)
    ids_by_root = load_ids(tx, list(root_of.values()))
    subjects = {}
    for key in all_keys:
        root = root_of.get(key, key)
        scheme, _, value = key.partition(":")
        subjects[root] = Subject(
            kind=SubjectKind.PAPER, key=root, ids=ids_by_root.get(root, ((scheme, value),))
        )
    return list(subjects.values())


def load_aliases(tx: Transaction, cited: Collection[PaperKey]) -> dict[str, tuple[PaperKey, ...]]:
    """Return, for each id of a cited paper, such as ``openalex:W42``, the keys under which follows name the paper.

    Args:
        tx: a transaction.
        cited: the ``cited`` keys of ``NamedPapers``.
    """
    root_of = _load_roots(tx, cited)
    ids_by_root = load_ids(tx, list(root_of.values()))
    keys_by_id: dict[str, dict[PaperKey, None]] = defaultdict(dict)
    for key in sorted(cited):
        known_ids = ids_by_root.get(root_of[key], ()) if key in root_of else ()
        for name in (str(key), *(f"{scheme}:{value}" for scheme, value in known_ids)):
            keys_by_id[name][key] = None
    return {name: tuple(keys) for name, keys in keys_by_id.items()}


def _load_roots(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, PaperKey]:
    """Return the root key of the paper that claims each key; keys that several papers claim are omitted."""
    values: dict[str, list[str]] = defaultdict(list)
    for key in sorted(set(keys)):
        scheme, _, value = key.partition(":")
        values[scheme].append(value)
    roots = papers.alias()
    statement = (
        select(claims.c.scheme, claims.c.value, roots.c.key)
        .join_from(claims, papers, papers.c.id == claims.c.paper_id)
        .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
        .where(~claims.c.apart)
        .distinct()
    )
    roots_by_key: dict[PaperKey, set[PaperKey]] = defaultdict(set)
    for scheme, scheme_values in values.items():
        for chunk in split_into_chunks(scheme_values):
            chunk_statement = statement.where(claims.c.scheme == scheme, claims.c.value.in_(chunk))
            for _, value, root in tx.execute(chunk_statement):
                roots_by_key[PaperKey(f"{scheme}:{value}")].add(PaperKey(root))
    return {
        key: next(iter(scheme_values))
        for key, scheme_values in roots_by_key.items()
        if len(scheme_values) == 1
    }


def iter_unrequested(tx: Transaction, enricher: str, since: date, now: datetime) -> Iterator[Subject]:
    """Yield papers that were new since a day and are due for an enricher, latest first.

    Their ids are loaded a few hundred at a time, as far as the caller iterates.
    """
    roots = papers.alias()
    is_recorded = and_(
        enrichments.c.enricher == enricher,
        enrichments.c.kind == SubjectKind.PAPER.value,
        enrichments.c.subject == roots.c.key,
        enrichments.c.next_at > now,
    )
    statement = (
        select(roots.c.key)
        .join_from(events, papers, papers.c.id == events.c.paper_id)
        .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
        .where(events.c.kind == EventKind.NEW.value, events.c.day >= since, ~exists().where(is_recorded))
        .group_by(roots.c.key)
        .order_by(func.max(events.c.seq).desc())
    )
    keys = [PaperKey(key) for key in tx.execute(statement).scalars()]
    for chunk in split_into_chunks(keys):
        ids_by_key = load_ids(tx, chunk)
        yield from (
            Subject(kind=SubjectKind.PAPER, key=key, ids=ids_by_key[key])
            for key in chunk
            if key in ids_by_key
        )


def count_with_references(tx: Transaction, since: date) -> tuple[int, int]:
    """Count the papers that were new or picked since a day: those whose references are known, and all of them."""
    root = func.coalesce(papers.c.merged_into, papers.c.id)
    new_papers = (
        select(root.label("root"))
        .join_from(events, papers, papers.c.id == events.c.paper_id)
        .where(events.c.day >= since, events.c.kind.in_(_NEWS_KINDS))
        .distinct()
        .subquery()
    )
    members = papers.alias()
    # `store/papers/papers.py` omits empty lists and escapes quotation marks, so this text is never part of a value.
    has_references = cast(statements.c.lists, Text).contains('"references": [')
    is_known = exists().where(
        or_(members.c.id == new_papers.c.root, members.c.merged_into == new_papers.c.root),
        statements.c.paper_id == members.c.id,
        has_references,
    )
    total: int = tx.execute(select(func.count()).select_from(new_papers)).scalar_one()
    known_count: int = tx.execute(select(func.count()).select_from(new_papers).where(is_known)).scalar_one()
    return known_count, total
