"""Digests that readers made on the site from a public digest of the file, and the public digests last applied."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Create the table, empty, and add the columns; all digests were made by the file so far."""
    op.create_table(
        "public_digests",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_public_digests"),
    )
    for column in (
        sa.Column("public_digest", sa.Text(), nullable=False, server_default=""),
        sa.Column("public_hash", sa.Text(), nullable=False, server_default=""),
        sa.Column("is_customized", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("change_note", sa.JSON(), nullable=True),
    ):
        op.add_column("digests", column)
    is_copy = sa.text("public_digest != ''")
    op.create_index(
        "uq_digests_public_digest",
        "digests",
        ["public_digest", "subscriber_id"],
        unique=True,
        sqlite_where=is_copy,
        postgresql_where=is_copy,
    )
