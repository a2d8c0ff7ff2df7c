"""Authorships: the authors of each merged paper, indexed by name blocks and by ids.

Merged papers have authorships once, under their root; the rows are rewritten when the group or the list of
authors changes. A position is the index in the merged paper's list of authors, from 0.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Column, Select, and_, bindparam, delete, func, literal_column, select

from digest.core.names.fitting import fold_name, make_block_key
from digest.core.people.persons import BylinePlace, Signature
from digest.model import Author
from digest.store.database.bulk import insert_bulk
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_json_reader,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import author_ids, authorships, statements

MAX_SIGNATURES = 2000
"""Maximum number of bylines loaded of a block, newest first; a name on more papers is shared by many persons."""
MAX_COAUTHORS = 100
"""Maximum number of coauthors considered, from the start of the list; who has a thousand coauthors knows few of them."""


class BylineRecord(NamedTuple):
    """Place of a byline, the block of its name, and the name as printed."""

    place: BylinePlace
    block: str
    name: str


# --- writing --------------------------------------------------------------------------------------

_COLUMNS = ("paper_id", "position", "block", "name", "affiliations", "ids")
_ID_COLUMNS = ("scheme", "value", "paper_id", "position")


def save_authorships(
    tx: Transaction, authors_by_paper: Mapping[int, Sequence[Author]], *, replaced_ids: Collection[int] = ()
) -> None:
    """Store the authors of papers.

    Args:
        tx: a writing transaction.
        authors_by_paper: the authors of merged papers by the number of their root.
        replaced_ids: numbers of papers whose earlier rows are deleted.
    """
    for chunk in split_into_chunks(sorted(replaced_ids)):
        for table in (authorships, author_ids):
            tx.execute(delete(table).where(table.c.paper_id.in_(chunk)))
    rows: list[tuple[Any, ...]] = []
    ids: dict[tuple[Any, ...], None] = {}
    for paper_id, authors in sorted(authors_by_paper.items()):
        for position, (name, affiliations, author_ids_printed) in enumerate(authors):
            affiliations_json = _encode_json(affiliations) if affiliations else None
            rows.append(
                (
                    paper_id,
                    position,
                    make_block_key(name),
                    name,
                    affiliations_json,
                    _encode_json(author_ids_printed) if author_ids_printed else None,
                )
            )
            for scheme, value in author_ids_printed:
                ids[scheme, value, paper_id, position] = None
    rows.sort(key=itemgetter(_COLUMNS.index("block")))  # visits the pages of a large index in order
    insert_bulk(tx, authorships, _COLUMNS, rows)
    insert_bulk(tx, author_ids, _ID_COLUMNS, sorted(ids))


def _encode_json(values: Sequence[object]) -> str:
    return json.dumps(values, ensure_ascii=False)


# --- reading --------------------------------------------------------------------------------------


class PrintedByline(NamedTuple):
    """Byline of a block without its coauthors and categories."""

    paper: int
    position: int
    block: str
    name: str
    affiliations: Sequence[str] | None
    ids: Sequence[Sequence[str]] | None

    @property
    def place(self) -> BylinePlace:
        """Paper and position of the byline."""
        return self.paper, self.position


_SELECT_BYLINES = select(*(authorships.c[name] for name in _COLUMNS))
_SELECT_BLOCK_SIZES = (
    select(authorships.c.block, func.count())
    .where(make_in_condition(authorships.c.block, "blocks"))
    .group_by(authorships.c.block)
)
_SELECT_BY_BLOCKS = _SELECT_BYLINES.where(make_in_condition(authorships.c.block, "blocks"))
_SELECT_BY_PAPERS = _SELECT_BYLINES.where(make_in_condition(authorships.c.paper_id, "papers"))
_SELECT_NEWEST = (
    _SELECT_BYLINES.where(authorships.c.block == bindparam("block"))
    .order_by(authorships.c.paper_id.desc(), authorships.c.position)
    .limit(literal_column(str(MAX_SIGNATURES)))
)


def load_printed_bylines(
    tx: Transaction, blocks: Collection[str], papers: Collection[int] = ()
) -> dict[str, list[PrintedByline]]:
    """Return the bylines of blocks, by block.

    Args:
        tx: a transaction.
        blocks: the blocks.
        papers: papers whose bylines are included even if they are not among the ``MAX_SIGNATURES`` newest of
            a block.
    """
    bylines: dict[str, list[PrintedByline]] = defaultdict(list)
    if not blocks:
        return bylines
    sizes = fetch_raw_rows(tx, _SELECT_BLOCK_SIZES, {"blocks": to_in_param(tx, blocks)})
    crowded_blocks = {name_block for name_block, size in sizes if size > MAX_SIGNATURES}
    for byline in _iter_bylines(
        tx, _SELECT_BY_BLOCKS, {"blocks": to_in_param(tx, set(blocks) - crowded_blocks)}
    ):
        bylines[byline.block].append(byline)
    if crowded_blocks:
        extra_bylines = _load_newest(tx, crowded_blocks) | _load_on_papers(tx, papers, crowded_blocks)
        for byline in extra_bylines.values():
            bylines[byline.block].append(byline)
    return bylines


def _load_newest(tx: Transaction, blocks: Iterable[str]) -> dict[BylinePlace, PrintedByline]:
    """Return the newest bylines of each block."""
    return {
        byline.place: byline
        for name_block in sorted(blocks)
        for byline in _iter_bylines(tx, _SELECT_NEWEST, {"block": name_block})
    }


def _load_on_papers(
    tx: Transaction, papers: Collection[int], blocks: Collection[str]
) -> dict[BylinePlace, PrintedByline]:
    rows = _iter_bylines(tx, _SELECT_BY_PAPERS, {"papers": to_in_param(tx, papers)})
    return {byline.place: byline for byline in rows if byline.block in blocks}


def _iter_bylines(
    tx: Transaction, statement: Select[Any], values: Mapping[str, Any]
) -> Iterator[PrintedByline]:
    read_json = get_json_reader(tx)
    for paper, position, name_block, name, affiliations, ids in fetch_raw_rows(tx, statement, values):
        yield PrintedByline(
            paper,
            position,
            name_block,
            name,
            affiliations and read_json(affiliations),
            ids and read_json(ids),
        )


def build_signatures(tx: Transaction, bylines: Collection[PrintedByline]) -> list[Signature]:
    """Add coauthors and categories to bylines."""
    if not bylines:
        return []
    paper_ids = sorted({byline.paper for byline in bylines})
    names, categories = _load_first_names(tx, paper_ids), _load_categories(tx, paper_ids)
    first_coauthors: dict[int, frozenset[str]] = {}
    built = []
    for paper, position, _, name, affiliations, ids in bylines:
        if position < MAX_COAUTHORS:
            coauthors = frozenset(
                [
                    folded_name
                    for other_position, folded_name in names[paper]
                    if other_position != position and folded_name
                ]
            )
        else:  # the coauthors are the first authors, the same for all bylines after them
            coauthors = first_coauthors.get(paper) or first_coauthors.setdefault(
                paper, frozenset(folded_name for _, folded_name in names[paper] if folded_name)
            )
        own_ids = tuple([(scheme, value) for scheme, value in ids or ()])
        built.append(
            Signature(
                paper,
                position,
                name,
                tuple(affiliations or ()),
                own_ids,
                coauthors,
                categories.get(paper, ()),
            )
        )
    return built


def _load_first_names(tx: Transaction, paper_ids: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """Return the first authors of papers: positions and folded names."""
    names: dict[int, list[tuple[int, str]]] = defaultdict(list)
    cache: dict[str, str] = {}
    for paper, position, name in fetch_raw_rows(
        tx, _SELECT_FIRST_AUTHORS, {"numbers": to_in_param(tx, paper_ids)}
    ):
        folded_name = cache.get(name)
        if folded_name is None:
            folded_name = cache[name] = fold_name(name)
        names[paper].append((position, folded_name))
    return names


_SELECT_FIRST_AUTHORS = select(authorships.c.paper_id, authorships.c.position, authorships.c.name).where(
    make_in_condition(authorships.c.paper_id, "numbers"),
    authorships.c.position < literal_column(str(MAX_COAUTHORS)),
)


def _load_categories(tx: Transaction, paper_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the categories of papers by their newest version."""
    categories_by_paper: dict[int, tuple[str, ...]] = {}
    columns = select(statements.c.paper_id, statements.c.lists["categories"].label("categories"))
    for chunk in split_into_chunks(paper_ids):
        statement = columns.where(statements.c.paper_id.in_(chunk)).order_by(statements.c.version)
        for paper, categories in tx.execute(statement):
            if categories:
                categories_by_paper[paper] = tuple(categories)
    return categories_by_paper


def load_bylines(
    tx: Transaction, papers: Collection[int], blocks: Collection[str] | None = None
) -> dict[int, list[BylineRecord]]:
    """Return the bylines of papers in order.

    Args:
        tx: a transaction.
        papers: the numbers of the papers.
        blocks: only names of these blocks; None for all.
    """
    bylines: dict[int, list[BylineRecord]] = defaultdict(list)
    if not papers:
        return bylines
    values = {"numbers": to_in_param(tx, sorted(papers))}
    if blocks is None:
        rows = fetch_raw_rows(tx, _SELECT_SIGNED, values)
    else:
        rows = fetch_raw_rows(
            tx, _SELECT_SIGNED_IN_BLOCKS, {**values, "blocks": to_in_param(tx, sorted(blocks))}
        )
    for paper, position, name_block, name in rows:
        bylines[paper].append(BylineRecord((paper, position), name_block, name))
    return bylines


_SELECT_SIGNED = (
    select(authorships.c.paper_id, authorships.c.position, authorships.c.block, authorships.c.name)
    .where(make_in_condition(authorships.c.paper_id, "numbers"))
    .order_by(authorships.c.paper_id, authorships.c.position)
)
_SELECT_FIRST = _SELECT_SIGNED.where(authorships.c.position < bindparam("limit"))
_SELECT_SIGNED_IN_BLOCKS = _SELECT_SIGNED.where(make_in_condition(authorships.c.block, "blocks"))


def load_first_bylines(tx: Transaction, papers: Collection[int], limit: int) -> dict[int, list[BylineRecord]]:
    """Return the first bylines of papers, at most so many of each, because a collaboration has thousands."""
    bylines: dict[int, list[BylineRecord]] = defaultdict(list)
    values = {"numbers": to_in_param(tx, sorted(papers)), "limit": limit}
    for paper, position, name_block, name in fetch_raw_rows(tx, _SELECT_FIRST, values) if papers else ():
        bylines[paper].append(BylineRecord((paper, position), name_block, name))
    return bylines


def iter_printed_authors(
    tx: Transaction, papers: Collection[int]
) -> Iterator[tuple[int, str, frozenset[tuple[str, str]]]]:
    """Yield the authors of papers in order: paper, printed name, and printed ids."""
    read_json = get_json_reader(tx)
    values = {"numbers": to_in_param(tx, sorted(papers))}
    for paper, name, ids in fetch_raw_rows(tx, _SELECT_AUTHORS, values) if papers else ():
        yield (
            paper,
            name,
            frozenset([(scheme, value) for scheme, value in read_json(ids)]) if ids else _NO_IDS,
        )


_NO_IDS = frozenset[tuple[str, str]]()
_SELECT_AUTHORS = (
    select(authorships.c.paper_id, authorships.c.name, authorships.c.ids)
    .where(make_in_condition(authorships.c.paper_id, "numbers"))
    .order_by(authorships.c.paper_id, authorships.c.position)
)


def find_bylines_by_id(
    tx: Transaction, ids: Collection[tuple[str, str]]
) -> dict[tuple[str, str], BylineRecord]:
    """Return the first byline that each id is printed with; ids without a byline are omitted."""
    place_columns = authorships.c.paper_id, authorships.c.position
    statement = _select_with_ids(*place_columns, authorships.c.block, authorships.c.name).order_by(
        *place_columns
    )
    bylines: dict[tuple[str, str], BylineRecord] = {}
    for scheme, value, paper, position, name_block, name in _iter_rows_by_id(tx, statement, ids):
        bylines.setdefault((scheme, value), BylineRecord((paper, position), name_block, name))
    return bylines


def load_blocks_by_id(tx: Transaction, ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """Return the blocks of the bylines that each id is printed with."""
    statement = _select_with_ids(authorships.c.block).distinct().where(authorships.c.block != "")
    blocks: dict[tuple[str, str], set[str]] = defaultdict(set)
    for scheme, value, name_block in _iter_rows_by_id(tx, statement, ids):
        blocks[scheme, value].add(name_block)
    return blocks


def _select_with_ids(*columns: Column[Any]) -> Select[Any]:
    """Select ids with columns of the bylines that they are printed with."""
    is_same_byline = and_(
        authorships.c.paper_id == author_ids.c.paper_id, authorships.c.position == author_ids.c.position
    )
    selected = select(author_ids.c.scheme, author_ids.c.value, *columns)
    return selected.join_from(author_ids, authorships, is_same_byline)


def _iter_rows_by_id(
    tx: Transaction, statement: Select[Any], ids: Collection[tuple[str, str]]
) -> Iterator[Any]:
    """Yield the rows of a statement made by ``_select_with_ids`` for some ids."""
    values: dict[str, list[str]] = defaultdict(list)
    for scheme, value in sorted(ids):
        values[scheme].append(value)
    for scheme, scheme_values in values.items():
        for chunk in split_into_chunks(scheme_values):
            yield from tx.execute(
                statement.where(author_ids.c.scheme == scheme, author_ids.c.value.in_(chunk))
            )


def list_names(tx: Transaction, blocks: Collection[str]) -> list[str]:
    """Return the printed names of blocks, most frequent first."""
    counts: dict[str, int] = defaultdict(int)
    statement = select(authorships.c.name, func.count().label("times")).group_by(authorships.c.name)
    for chunk in split_into_chunks(sorted(blocks)):
        for row in tx.execute(statement.where(authorships.c.block.in_(chunk))):
            counts[row.name] += row.times
    return sorted(counts, key=lambda name: (-counts[name], name))


def list_blocks(tx: Transaction, prefix: str) -> list[str]:
    """Return the blocks with a prefix."""
    statement = select(authorships.c.block).where(authorships.c.block.startswith(prefix, autoescape=True))
    return list(tx.execute(statement.distinct().order_by(authorships.c.block)).scalars())
