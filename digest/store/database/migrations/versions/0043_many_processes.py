"""Positions of the processes that deliver, what those that compose share, and vacuum settings of busy tables."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

_STORAGE = {
    # Each delivery is updated twice, so by default a fifth of the history could be dead, and claims would walk over it.
    "deliveries": {
        "autovacuum_vacuum_scale_factor": 0.02,
        "autovacuum_vacuum_threshold": 10_000,
        "autovacuum_vacuum_cost_limit": 1_000,
        "autovacuum_analyze_scale_factor": 0.05,
    },
    # Room for the new versions of rows that keep their place in all indexes (HOT updates).
    "digests": {"fillfactor": 80, "autovacuum_vacuum_scale_factor": 0.05},
    # Few rows that change all the time.
    **{
        table: {
            "fillfactor": 50,
            "autovacuum_vacuum_scale_factor": 0.05,
            "autovacuum_vacuum_threshold": 200,
        }
        for table in ("buckets", "counters", "leases", "queue_cursors", "runs", "shards", "slots")
    },
}
"""Storage parameters on PostgreSQL, by table."""


def upgrade() -> None:
    """Create the tables, and set the parameters; they apply to new pages of the tables."""
    op.create_table(
        "queue_cursors",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("front_due_at", sa.DateTime(timezone=True)),
        sa.Column("front_query", sa.BigInteger(), nullable=False),
        sa.Column("front_id", sa.BigInteger(), nullable=False),
        sa.Column("front_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True)),
        sa.Column("main_query", sa.BigInteger(), nullable=False),
        sa.Column("delivery_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "token", name="pk_queue_cursors"),
    )
    op.create_table(
        "shard_evidence",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("found", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_shard_evidence_run_id"),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_shard_evidence"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table, parameters in _STORAGE.items():
            assignments = ", ".join(f"{name} = {value}" for name, value in parameters.items())
            op.execute(f"ALTER TABLE {table} SET ({assignments})")
