"""How editions show their papers: by rank or by follow, how many in full, and which sentences of their abstracts."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_DIGESTS = sa.table("digests", sa.column("abstracts", sa.Text()))


def upgrade() -> None:
    """Add the columns; ``short``, the former default, becomes the present one until the file is applied again."""
    op.add_column("digests", sa.Column("arrange", sa.Text(), nullable=False, server_default="ranked"))
    op.add_column("digests", sa.Column("full", sa.Integer(), nullable=False, server_default="12"))
    op.execute(sa.update(_DIGESTS).where(_DIGESTS.c.abstracts == "short").values(abstracts="key"))
