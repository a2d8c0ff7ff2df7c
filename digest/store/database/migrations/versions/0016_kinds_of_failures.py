"""Batches keep what readers are told of a failure beside the words of the host, which are the operator's."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

BATCHES = sa.table("batches", sa.column("error", sa.Text()), sa.column("failure", sa.Text()))
OURS = {"an answer was cut at its route's limit": "incomplete", "the day before is missing": "unchecked"}
"""How sentences of our own begin, and what they tell of."""


def upgrade() -> None:
    """Add the column; of failures that are stored in the words of a host nobody knows the kind any more."""
    op.add_column("batches", sa.Column("failure", sa.Text(), nullable=False, server_default=""))
    op.execute(sa.update(BATCHES).where(BATCHES.c.error != "").values(failure="other"))
    for begun, kind in OURS.items():
        mine = BATCHES.c.error.startswith(begun, autoescape=True)
        op.execute(sa.update(BATCHES).where(mine).values(failure=kind))
