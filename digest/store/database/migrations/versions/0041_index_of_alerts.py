"""The index of alerts that are to be sent; apart from its column, because it is created while others write."""

from digest.store.database.migrations.online import create_index

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Create the index."""
    create_index("ix_deliveries_alerts", "deliveries", ["channel", "due_at"], "state = 'ready' AND is_alert")
