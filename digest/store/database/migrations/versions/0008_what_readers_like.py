"""Options of a digest for language, abstracts and feed; and the learned weight of a follow."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns; existing rows keep their behaviour."""
    for name, usual in (("language", "en"), ("abstracts", "short"), ("feed_entries", "papers")):
        op.add_column("digests", sa.Column(name, sa.Text(), nullable=False, server_default=usual))
    op.add_column("digests", sa.Column("feed_version", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("follows", sa.Column("learned", sa.Float(), nullable=False, server_default="1"))
