"""Who signed which paper: the authors of each whole paper, found by blocks of names and by ids.

Papers that are one are signed once, under their root; the rows are made anew where that or a list of authors
changes. A position is the place in the list of authors of the whole paper, from 0.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import delete

from digest.core.names import block
from digest.model import Author
from digest.store.dialect import chunks, fill
from digest.store.engine import Transaction
from digest.store.schema import author_ids, authorships

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
            rows.append((number, position, block(name), name, _json(affiliations), _json(known)))
            for scheme, value in known:
                ids[scheme, value, number, position] = None
    rows.sort(key=itemgetter(_COLUMNS.index("block")))  # goes through its index once, however large that is
    fill(tx, authorships, _COLUMNS, rows)
    fill(tx, author_ids, _ID_COLUMNS, sorted(ids))


def _json(values: Sequence[object]) -> str | None:
    return json.dumps(values, ensure_ascii=False) if values else None
