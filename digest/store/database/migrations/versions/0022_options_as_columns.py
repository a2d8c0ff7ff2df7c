"""Options of digests have one name in the file, in the program and in their columns."""

from alembic import op

revision = "0022"
down_revision = "0021"

_NEW_NAMES = {"zone": "timezone", "most_items": "limit", "most_alerts": "alerts_a_day"}


def upgrade() -> None:
    """Rename the columns."""
    for old_name, new_name in _NEW_NAMES.items():
        op.alter_column("digests", old_name, new_column_name=new_name)
