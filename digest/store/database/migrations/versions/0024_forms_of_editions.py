"""The form in which a destination gets editions, if it is not that of its channel."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the column; editions went out in the form of the channel so far."""
    op.add_column("destinations", sa.Column("form", sa.Text(), nullable=False, server_default=""))
