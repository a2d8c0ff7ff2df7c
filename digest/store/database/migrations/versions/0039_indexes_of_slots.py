"""Indexes by which each tick finds what it has to change in slots, however many digests and past slots there are.

Digests that are to move are found by their two slots, slots that are to wake without those that have fired for the last
time, and the active digests of a slot without those that have ended.
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Create the indexes, and replace those that they include."""
    op.drop_index("ix_digests_next_slot_id", "digests")
    is_moving = sa.text("next_slot_id IS NOT NULL")
    op.create_index(
        "ix_digests_next_slot_id",
        "digests",
        ["next_slot_id", "slot_id", "id"],
        sqlite_where=is_moving,
        postgresql_where=is_moving,
    )
    may_wake = sa.text("next_fire_at IS NULL AND (frequency != 'once' OR last_period = '')")
    op.create_index("ix_slots_asleep", "slots", ["id"], sqlite_where=may_wake, postgresql_where=may_wake)
    is_standing = sa.text("state IN ('active', 'paused')")
    op.create_index(
        "ix_digests_standing",
        "digests",
        ["slot_id", "id"],
        sqlite_where=is_standing,
        postgresql_where=is_standing,
    )
