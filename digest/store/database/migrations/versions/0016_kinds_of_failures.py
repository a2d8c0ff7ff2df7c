"""The kind of a failed fetch, which readers see, beside the error message, which only the operator sees."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

BATCHES = sa.table("batches", sa.column("error", sa.Text()), sa.column("failure", sa.Text()))
OURS = {"an answer was cut at its route's limit": "incomplete", "the day before is missing": "unchecked"}
"""Failure kind by the beginning of an error message that we wrote ourselves."""


def upgrade() -> None:
    """Add the column; failures in the words of a host get the kind ``other``, because the right one is unknown."""
    op.add_column("batches", sa.Column("failure", sa.Text(), nullable=False, server_default=""))
    op.execute(sa.update(BATCHES).where(BATCHES.c.error != "").values(failure="other"))
    for begun, kind in OURS.items():
        mine = BATCHES.c.error.startswith(begun, autoescape=True)
        op.execute(sa.update(BATCHES).where(mine).values(failure=kind))
