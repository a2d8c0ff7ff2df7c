"""Indexes of rows that are rarely looked for among many: suspects, and shards that are not composed."""

from digest.store.database.migrations.online import create_index

revision = "0038"
down_revision = "0037"

_SUSPECT = "state = 'ready' AND (blame IN ('ours', 'message') OR unknown > 0)"
_UNFINISHED = "state <> 'done'"


def upgrade() -> None:
    """Create the indexes, while others write."""
    create_index(
        "ix_deliveries_suspect", "deliveries", ["state", "channel", "due_at", "main_query", "id"], _SUSPECT
    )
    create_index("ix_shards_unfinished", "shards", ["run_id", "number"], _UNFINISHED)
