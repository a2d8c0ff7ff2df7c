"""What papers cite: of which papers it is to be found out, which cited papers follows ask for, and how much is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Text, and_, cast, exists, func, or_, select

from digest.core.language.query import papers_named
from digest.model import EventKind, PaperKey, Subject, SubjectKind
from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import queries
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import claims, enrichments, events, papers, statements
from digest.store.enrichments import ids_of
from digest.store.papers.papers import keys_of
from digest.store.subscribers import opinions

_NEWS = (EventKind.NEW.value, EventKind.PICKED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPapers:
    """Papers that readers name.

    Attributes:
        keys: of those that follows, or libraries by them, name, and of those that readers saved.
        cited: of those among them of which a follow asks by what they are cited, as the follow writes them.
    """

    keys: tuple[PaperKey, ...]
    cited: frozenset[PaperKey]


def named_papers(tx: Transaction) -> NamedPapers:
    """The papers that readers follow, save or ask to be cited."""
    keys: dict[PaperKey, None] = {}
    cited: set[PaperKey] = set()
    has_any = or_(queries.c.compiled.contains('["f","cites",'), queries.c.compiled.contains('["f","id",'))
    asked = select(queries.c.compiled).where(queries.c.needed_from.is_not(None), has_any)
    for compiled in tx.execute(asked.order_by(queries.c.id)).scalars():
        for field, written in papers_named(compiled):
            keys[PaperKey(written)] = None
            if field == "cites":
                cited.add(PaperKey(written))
    saved = [one.paper for one in opinions.saved(tx)]
    known = keys_of(tx, saved)
    return NamedPapers(
        keys=tuple(dict.fromkeys((*keys, *(known[one] for one in saved)))), cited=frozenset(cited)
    )


def subjects_of(tx: Transaction, keys: Iterable[PaperKey]) -> list[Subject]:
    """Papers as enrichers are asked for them: by all their ids, or, of those that are not in the store, by their key."""
    every = list(keys)
    root_of = _roots(tx, every)
    known = ids_of(tx, list(root_of.values()))
    found = {}
    for key in every:
        root = root_of.get(key, key)
        scheme, _, value = key.partition(":")
        found[root] = Subject(kind=SubjectKind.PAPER, key=root, ids=known.get(root, ((scheme, value),)))
    return list(found.values())


def aliases(tx: Transaction, cited: Collection[PaperKey]) -> dict[str, tuple[PaperKey, ...]]:
    """For each id that cited papers are known by, ``openalex:W42``, the keys by which follows ask for them.

    Args:
        tx: a transaction.
        cited: ``NamedPapers.cited``.
    """
    root_of = _roots(tx, cited)
    known = ids_of(tx, list(root_of.values()))
    found: dict[str, dict[PaperKey, None]] = defaultdict(dict)
    for key in sorted(cited):
        others = known.get(root_of[key], ()) if key in root_of else ()
        for name in (str(key), *(f"{scheme}:{value}" for scheme, value in others)):
            found[name][key] = None
    return {name: tuple(keys) for name, keys in found.items()}


def _roots(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, PaperKey]:
    """By a key in any of their schemes, the root key of the one paper that claims it."""
    values: dict[str, list[str]] = defaultdict(list)
    for key in sorted(set(keys)):
        scheme, _, value = key.partition(":")
        values[scheme].append(value)
    roots = papers.alias()
    claimed = (
        select(claims.c.scheme, claims.c.value, roots.c.key)
        .join_from(claims, papers, papers.c.id == claims.c.paper_id)
        .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
        .where(~claims.c.apart)
        .distinct()
    )
    found: dict[PaperKey, set[PaperKey]] = defaultdict(set)
    for scheme, those in values.items():
        for chunk in chunks(those):
            mine = claimed.where(claims.c.scheme == scheme, claims.c.value.in_(chunk))
            for _, value, root in tx.execute(mine):
                found[PaperKey(f"{scheme}:{value}")].add(PaperKey(root))
    return {key: next(iter(those)) for key, those in found.items() if len(those) == 1}


def unasked(tx: Transaction, enricher: str, since: date, now: datetime) -> Iterator[Subject]:
    """Papers that were new since a day and that an enricher is to be asked for now, the last ones first.

    They are read some hundred at a time, as far as somebody asks.
    """
    roots = papers.alias()
    noted = and_(
        enrichments.c.enricher == enricher,
        enrichments.c.kind == SubjectKind.PAPER.value,
        enrichments.c.subject == roots.c.key,
        enrichments.c.next_at > now,
    )
    mine = (
        select(roots.c.key)
        .join_from(events, papers, papers.c.id == events.c.paper_id)
        .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
        .where(events.c.kind == EventKind.NEW.value, events.c.day >= since, ~exists().where(noted))
        .group_by(roots.c.key)
        .order_by(func.max(events.c.seq).desc())
    )
    keys = [PaperKey(key) for key in tx.execute(mine).scalars()]
    for chunk in chunks(keys):
        known = ids_of(tx, chunk)
        yield from (Subject(kind=SubjectKind.PAPER, key=key, ids=known[key]) for key in chunk if key in known)


def references_known(tx: Transaction, since: date) -> tuple[int, int]:
    """Of how many papers that were new or picked since a day it is known what they cite, and how many there are."""
    root = func.coalesce(papers.c.merged_into, papers.c.id)
    new = (
        select(root.label("root"))
        .join_from(events, papers, papers.c.id == events.c.paper_id)
        .where(events.c.day >= since, events.c.kind.in_(_NEWS))
        .distinct()
        .subquery()
    )
    members = papers.alias()
    # As `papers` writes them: what is empty is not written, and a quotation mark within a text has a backslash.
    tells = cast(statements.c.lists, Text).contains('"references": [')
    is_known = exists().where(
        or_(members.c.id == new.c.root, members.c.merged_into == new.c.root),
        statements.c.paper_id == members.c.id,
        tells,
    )
    total: int = tx.execute(select(func.count()).select_from(new)).scalar_one()
    known: int = tx.execute(select(func.count()).select_from(new).where(is_known)).scalar_one()
    return known, total
