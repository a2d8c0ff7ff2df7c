"""Name blocks without academic degrees, and an index of papers that takes a quarter less space on SQLite."""

import sqlalchemy as sa
from alembic import op

from digest.core.names.fitting import make_block_key

revision = "0015"
down_revision = "0014"

MANY = 1000
AUTHORSHIPS = sa.table("authorships", sa.column("block", sa.Text()), sa.column("name", sa.Text()))


def upgrade() -> None:
    """Recompute the blocks of all names, and recreate the index of papers, empty, with its columns in another order."""
    _file_names()
    if op.get_bind().dialect.name == "sqlite":
        _make_index()


def _file_names() -> None:
    tx = op.get_bind()
    known = sa.select(AUTHORSHIPS.c.block, AUTHORSHIPS.c.name).distinct()
    changed = [
        {"old": old, "printed": name, "new": new}
        for old, name in tx.execute(known)
        if (new := make_block_key(name)) != old
    ]
    same = AUTHORSHIPS.c.block == sa.bindparam("old"), AUTHORSHIPS.c.name == sa.bindparam("printed")
    update = sa.update(AUTHORSHIPS).where(*same).values(block=sa.bindparam("new"))
    for first in range(0, len(changed), MANY):
        tx.execute(update, changed[first : first + MANY])


def _make_index() -> None:
    """Recreate the index, longer column first: FTS5 stores the column of each term unless it is the first.

    Papers are indexed again in batches, as after any change of their terms.
    """
    op.execute("DROP TABLE paper_terms")
    op.execute("CREATE VIRTUAL TABLE paper_terms USING fts5(body, title, content='', tokenize='ascii')")
    op.execute("UPDATE index_counters SET value = 0 WHERE name = 'version'")
