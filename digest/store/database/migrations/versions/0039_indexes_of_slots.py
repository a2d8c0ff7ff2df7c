"""Indexes by which each tick finds what it has to change in slots, however many digests and past slots there are.

Digests that are to move are found by their two slots, slots that are to wake without those that have fired for the last
time, and the active digests of a slot without those that have ended.
"""

from digest.store.database.migrations.online import create_index, drop_index

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Create the indexes, and replace those that they include."""
    drop_index("ix_digests_next_slot_id")
    create_index(
        "ix_digests_next_slot_id", "digests", ["next_slot_id", "slot_id", "id"], "next_slot_id IS NOT NULL"
    )
    create_index(
        "ix_slots_asleep",
        "slots",
        ["id"],
        "next_fire_at IS NULL AND (frequency != 'once' OR last_period = '')",
    )
    create_index("ix_digests_standing", "digests", ["slot_id", "id"], "state IN ('active', 'paused')")
