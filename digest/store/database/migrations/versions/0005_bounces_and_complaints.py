"""Reports about deliveries, and suppressed addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables; earlier bounces suppress nobody."""
    op.add_column("destinations", sa.Column("mailbox", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_destinations_mailbox", "destinations", ["mailbox"], unique=False)
    destinations = sa.table(
        "destinations", *(sa.column(name, sa.Text()) for name in ("address", "mailbox", "channel"))
    )
    mailbox = sa.func.lower(destinations.c.address)
    op.execute(destinations.update().where(destinations.c.channel == "smtp").values(mailbox=mailbox))
    op.create_table(
        "reports",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("delivery", sa.BigInteger(), nullable=False),
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("finding", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("road", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("forgiven", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.UniqueConstraint("delivery", "mailbox", "kind", name="uq_reports_delivery_mailbox_kind"),
    )
    op.create_index("ix_reports_mailbox_at", "reports", ["mailbox", "at"], unique=False)
    op.create_index("ix_reports_finding_at", "reports", ["finding", "at"], unique=False)
    op.create_table(
        "suppressions",
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("until", INSTANT, nullable=True),
        sa.Column("report_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["reports.id"], name="fk_suppressions_report_id"),
        sa.PrimaryKeyConstraint("mailbox", name="pk_suppressions"),
    )
