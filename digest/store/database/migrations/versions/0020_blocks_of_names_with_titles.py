"""Name blocks without memberships and titles that name a faculty."""

import sqlalchemy as sa
from alembic import op

from digest.core.names.fitting import make_block_key

revision = "0020"
down_revision = "0019"

ROWS_AT_ONCE = 1000
AUTHORSHIPS = sa.table("authorships", sa.column("block", sa.Text()), sa.column("name", sa.Text()))


def upgrade() -> None:
    """Recompute the blocks of all names."""
    tx = op.get_bind()
    changed = [
        {"old": old, "printed": name, "new": new}
        for old, name in tx.execute(sa.select(AUTHORSHIPS.c.block, AUTHORSHIPS.c.name).distinct())
        if (new := make_block_key(name)) != old
    ]
    same = AUTHORSHIPS.c.block == sa.bindparam("old"), AUTHORSHIPS.c.name == sa.bindparam("printed")
    update = sa.update(AUTHORSHIPS).where(*same).values(block=sa.bindparam("new"))
    for first in range(0, len(changed), ROWS_AT_ONCE):
        tx.execute(update, changed[first : first + ROWS_AT_ONCE])
