"""Indexes by which the follows of a digest and the deliveries to a destination are found when a reader deletes everything.

Without them, the database reads both tables as a whole for each deleted row, to see whether anything refers to it.
"""

from digest.store.database.migrations.online import create_index

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Create the indexes."""
    create_index("ix_follows_digest_id", "follows", ["digest_id"])
    create_index("ix_deliveries_destination_id", "deliveries", ["destination_id"])
