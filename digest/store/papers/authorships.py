"""Who signed which paper: the authors of each whole paper, found by blocks of names and by ids.

Papers that are one are signed once, under their root; the rows are made anew where that or a list of authors
changes. A position is the place in the list of authors of the whole paper, from 0.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Column, Select, and_, bindparam, delete, func, literal_column, select

from digest.core.names.fitting import block, folded
from digest.core.people.persons import Place, Signature
from digest.model import Author
from digest.store.database.dialect import all_as_kept, among, as_json, chunks, fill, rows_as_kept
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import author_ids, authorships, statements

MOST_SIGNATURES = 2000
"""Of a block, the newest so many are looked at: names that stand on more papers are nobody's alone."""
MOST_COAUTHORS = 100
"""The first so many of a list are looked at: who signs with a thousand others knows few of them."""


class Byline(NamedTuple):
    """Which byline, the block of its name, and the name as printed."""

    place: Place
    block: str
    name: str


# --- keeping --------------------------------------------------------------------------------------

_COLUMNS = ("paper_id", "position", "block", "name", "affiliations", "ids")
_ID_COLUMNS = ("scheme", "value", "paper_id", "position")


def sign(
    tx: Transaction, signed: Mapping[int, Sequence[Author]], *, instead_of: Collection[int] = ()
) -> None:
    """Keep who signed papers.

    Args:
        tx: a writing transaction.
        signed: the authors of papers by number, each the root of those that are one with it.
        instead_of: papers that may have been signed before, of which nothing stays.
    """
    for chunk in chunks(sorted(instead_of)):
        for table in (authorships, author_ids):
            tx.execute(delete(table).where(table.c.paper_id.in_(chunk)))
    rows: list[tuple[Any, ...]] = []
    ids: dict[tuple[Any, ...], None] = {}
    for number, authors in sorted(signed.items()):
        for position, (name, affiliations, known) in enumerate(authors):
            where = _json(affiliations) if affiliations else None
            rows.append((number, position, block(name), name, where, _json(known) if known else None))
            for scheme, value in known:
                ids[scheme, value, number, position] = None
    rows.sort(key=itemgetter(_COLUMNS.index("block")))  # goes through its index once, however large that is
    fill(tx, authorships, _COLUMNS, rows)
    fill(tx, author_ids, _ID_COLUMNS, sorted(ids))


def _json(values: Sequence[object]) -> str:
    return json.dumps(values, ensure_ascii=False)


# --- reading --------------------------------------------------------------------------------------


class Printed(NamedTuple):
    """A byline of a block, without what surrounds it."""

    paper: int
    position: int
    block: str
    name: str
    affiliations: Sequence[str] | None
    ids: Sequence[Sequence[str]] | None

    @property
    def place(self) -> Place:
        """Which byline it is."""
        return self.paper, self.position


_PRINTED = select(*(authorships.c[name] for name in _COLUMNS))
_SIZES = (
    select(authorships.c.block, func.count())
    .where(among(authorships.c.block, "blocks"))
    .group_by(authorships.c.block)
)
_OF_BLOCKS = _PRINTED.where(among(authorships.c.block, "blocks"))
_OF_PAPERS = _PRINTED.where(among(authorships.c.paper_id, "papers"))
_NEWEST = (
    _PRINTED.where(authorships.c.block == bindparam("block"))
    .order_by(authorships.c.paper_id.desc(), authorships.c.position)
    .limit(literal_column(str(MOST_SIGNATURES)))
)


def printed(
    tx: Transaction, blocks: Collection[str], papers: Collection[int] = ()
) -> dict[str, list[Printed]]:
    """The bylines of blocks.

    Args:
        tx: a transaction.
        blocks: which.
        papers: whose bylines are needed, however old the papers are.
    """
    found: dict[str, list[Printed]] = defaultdict(list)
    if not blocks:
        return found
    sizes = rows_as_kept(tx, _SIZES, {"blocks": all_as_kept(tx, blocks)})
    crowded = {where for where, size in sizes if size > MOST_SIGNATURES}
    for one in _read(tx, _OF_BLOCKS, {"blocks": all_as_kept(tx, set(blocks) - crowded)}):
        found[one.block].append(one)
    if crowded:
        several = _newest(tx, crowded) | _on_papers(tx, papers, crowded)
        for one in several.values():
            found[one.block].append(one)
    return found


def _newest(tx: Transaction, crowded: Iterable[str]) -> dict[Place, Printed]:
    """The newest bylines of each of some blocks."""
    return {one.place: one for where in sorted(crowded) for one in _read(tx, _NEWEST, {"block": where})}


def _on_papers(tx: Transaction, papers: Collection[int], blocks: Collection[str]) -> dict[Place, Printed]:
    rows = _read(tx, _OF_PAPERS, {"papers": all_as_kept(tx, papers)})
    return {one.place: one for one in rows if one.block in blocks}


def _read(tx: Transaction, statement: Select[Any], values: Mapping[str, Any]) -> Iterator[Printed]:
    json_of = as_json(tx)
    for paper, position, where, name, affiliations, ids in rows_as_kept(tx, statement, values):
        yield Printed(
            paper, position, where, name, affiliations and json_of(affiliations), ids and json_of(ids)
        )


def signatures(tx: Transaction, bylines: Collection[Printed]) -> list[Signature]:
    """Bylines with what surrounds them."""
    if not bylines:
        return []
    numbers = sorted({one.paper for one in bylines})
    names, categories = _names(tx, numbers), _categories(tx, numbers)
    first: dict[int, frozenset[str]] = {}
    found = []
    for paper, position, _, name, affiliations, ids in bylines:
        if position < MOST_COAUTHORS:
            others = frozenset([its for place, its in names[paper] if place != position and its])
        else:  # these are the first authors, the same for all further down in the list
            others = first.get(paper) or first.setdefault(
                paper, frozenset(its for _, its in names[paper] if its)
            )
        known = tuple([(scheme, value) for scheme, value in ids or ()])
        found.append(
            Signature(
                paper, position, name, tuple(affiliations or ()), known, others, categories.get(paper, ())
            )
        )
    return found


def _names(tx: Transaction, numbers: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """The first authors of papers: positions and folded names."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    known: dict[str, str] = {}
    for paper, position, name in rows_as_kept(tx, _FIRST, {"numbers": all_as_kept(tx, numbers)}):
        its = known.get(name)
        if its is None:
            its = known[name] = folded(name)
        found[paper].append((position, its))
    return found


_FIRST = select(authorships.c.paper_id, authorships.c.position, authorships.c.name).where(
    among(authorships.c.paper_id, "numbers"), authorships.c.position < literal_column(str(MOST_COAUTHORS))
)


def _categories(tx: Transaction, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The categories of papers, as the newest version of each names them."""
    found: dict[int, tuple[str, ...]] = {}
    named = select(statements.c.paper_id, statements.c.lists["categories"].label("categories"))
    for chunk in chunks(numbers):
        mine = named.where(statements.c.paper_id.in_(chunk)).order_by(statements.c.version)
        for paper, categories in tx.execute(mine):
            if categories:
                found[paper] = tuple(categories)
    return found


def bylines_of(
    tx: Transaction, papers: Collection[int], blocks: Collection[str] | None = None
) -> dict[int, list[Byline]]:
    """Who signed papers, in order.

    Args:
        tx: a transaction.
        papers: their numbers.
        blocks: only names of these; None: all.
    """
    found: dict[int, list[Byline]] = defaultdict(list)
    if not papers:
        return found
    values = {"numbers": all_as_kept(tx, sorted(papers))}
    if blocks is None:
        rows = rows_as_kept(tx, _SIGNED, values)
    else:
        rows = rows_as_kept(tx, _SIGNED_IN_BLOCKS, {**values, "blocks": all_as_kept(tx, sorted(blocks))})
    for paper, position, where, name in rows:
        found[paper].append(Byline((paper, position), where, name))
    return found


_SIGNED = (
    select(authorships.c.paper_id, authorships.c.position, authorships.c.block, authorships.c.name)
    .where(among(authorships.c.paper_id, "numbers"))
    .order_by(authorships.c.paper_id, authorships.c.position)
)
_SIGNED_IN_BLOCKS = _SIGNED.where(among(authorships.c.block, "blocks"))


def authors_of(
    tx: Transaction, papers: Collection[int]
) -> Iterator[tuple[int, str, frozenset[tuple[str, str]]]]:
    """Who signed papers, in order: the paper, the name as printed and the ids printed with it."""
    json_of = as_json(tx)
    values = {"numbers": all_as_kept(tx, sorted(papers))}
    for paper, name, ids in rows_as_kept(tx, _AUTHORS, values) if papers else ():
        yield paper, name, frozenset([(scheme, value) for scheme, value in json_of(ids)]) if ids else _NO_IDS


_NO_IDS = frozenset[tuple[str, str]]()
_AUTHORS = (
    select(authorships.c.paper_id, authorships.c.name, authorships.c.ids)
    .where(among(authorships.c.paper_id, "numbers"))
    .order_by(authorships.c.paper_id, authorships.c.position)
)


def one_with(tx: Transaction, ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], Byline]:
    """A byline with which each id is printed, the first one; ids of nobody are left out."""
    place = authorships.c.paper_id, authorships.c.position
    carried = _carried(*place, authorships.c.block, authorships.c.name).order_by(*place)
    found: dict[tuple[str, str], Byline] = {}
    for scheme, value, paper, position, where, name in _with_ids(tx, carried, ids):
        found.setdefault((scheme, value), Byline((paper, position), where, name))
    return found


def blocks_of_ids(tx: Transaction, ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """The blocks of the bylines with which ids are printed."""
    carried = _carried(authorships.c.block).distinct().where(authorships.c.block != "")
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for scheme, value, where in _with_ids(tx, carried, ids):
        found[scheme, value].add(where)
    return found


def _carried(*columns: Column[Any]) -> Select[Any]:
    """Ids with what is known of the bylines with which they are printed."""
    same = and_(
        authorships.c.paper_id == author_ids.c.paper_id, authorships.c.position == author_ids.c.position
    )
    shown = select(author_ids.c.scheme, author_ids.c.value, *columns)
    return shown.join_from(author_ids, authorships, same)


def _with_ids(tx: Transaction, carried: Select[Any], ids: Collection[tuple[str, str]]) -> Iterator[Any]:
    """The rows of ids."""
    values: dict[str, list[str]] = defaultdict(list)
    for scheme, value in sorted(ids):
        values[scheme].append(value)
    for scheme, those in values.items():
        for chunk in chunks(those):
            yield from tx.execute(carried.where(author_ids.c.scheme == scheme, author_ids.c.value.in_(chunk)))


def names_in(tx: Transaction, blocks: Collection[str]) -> list[str]:
    """The names of blocks as they are printed, the most frequent first."""
    times: dict[str, int] = defaultdict(int)
    counted = select(authorships.c.name, func.count().label("times")).group_by(authorships.c.name)
    for chunk in chunks(sorted(blocks)):
        for row in tx.execute(counted.where(authorships.c.block.in_(chunk))):
            times[row.name] += row.times
    return sorted(times, key=lambda name: (-times[name], name))


def blocks_from(tx: Transaction, beginning: str) -> list[str]:
    """The blocks that begin so."""
    mine = select(authorships.c.block).where(authorships.c.block.startswith(beginning, autoescape=True))
    return list(tx.execute(mine.distinct().order_by(authorships.c.block)).scalars())
