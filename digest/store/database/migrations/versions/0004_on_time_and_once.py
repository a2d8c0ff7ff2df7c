"""Pauses, alerts, sources to wait for, and deliveries that are rate-limited, held or expired."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

INSTANT = sa.DateTime(timezone=True)
MANY = 1000
EDITIONS = sa.table("editions", sa.column("id", sa.Integer()), sa.column("rest", sa.JSON()))
_SLOT = ["frequency", "zone", "at", "days", "every", "latest", "catch_up"]


def upgrade() -> None:
    """Add the columns; existing rows keep their behaviour."""
    _change_slots()
    _change_digests()
    _change_runs()
    _change_editions()
    _change_deliveries()


def _change_slots() -> None:
    with op.batch_alter_table("slots") as slots:
        slots.add_column(sa.Column("waits_for", sa.Text(), nullable=False, server_default=""))
        slots.drop_constraint("uq_slots_frequency_zone_at_days_every_latest_catch_up", type_="unique")
        slots.create_unique_constraint(
            "uq_slots_frequency_zone_at_days_every_latest_catch_up_waits_for", [*_SLOT, "waits_for"]
        )


def _change_digests() -> None:
    op.add_column("digests", sa.Column("paused_until", INSTANT, nullable=True))
    op.add_column("digests", sa.Column("resume_from", sa.Text(), nullable=False, server_default=""))
    op.add_column("digests", sa.Column("most_alerts", sa.Integer(), nullable=False, server_default="5"))
    op.add_column(
        "digests", sa.Column("repeat_alerts", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    for name in ("next_slot_id", "paused_until"):
        there = sa.text(f"{name} IS NOT NULL")
        op.create_index(
            f"ix_digests_{name}", "digests", [name], unique=False, sqlite_where=there, postgresql_where=there
        )
    op.add_column("follows", sa.Column("alert", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_follows_alert",
        "follows",
        ["query_id", "digest_id"],
        unique=False,
        sqlite_where=sa.text("alert = 1 AND ended_at IS NULL"),
        postgresql_where=sa.text("alert AND ended_at IS NULL"),
    )


def _change_runs() -> None:
    op.add_column("runs", sa.Column("deliveries", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("held", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_runs_period", "runs", ["period"], unique=False)
    op.add_column("runs", sa.Column("released", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(
        """
        UPDATE runs SET deliveries = (
            SELECT count(*) FROM deliveries JOIN editions ON editions.id = deliveries.edition_id
            WHERE editions.run_id = runs.id
        )
        """
    )


def _change_editions() -> None:
    """Store the reasons of overflow items once for all lines that share them, not in each line."""
    tx = op.get_bind()
    last = tx.execute(sa.select(sa.func.max(EDITIONS.c.id))).scalar() or 0
    for low in range(0, last + 1, MANY):
        kept = sa.select(EDITIONS).where(EDITIONS.c.id.between(low, low + MANY - 1))
        rows = [{"number": row.id, "kept": _rest(row.rest)} for row in tx.execute(kept)]
        if rows:
            # Bound as text, because the line breaks are part of the stored form.
            kept_text = sa.cast(sa.bindparam("kept", type_=sa.Text()), _as_it_is())
            change = sa.update(EDITIONS).where(EDITIONS.c.id == sa.bindparam("number"))
            tx.execute(change.values(rest=kept_text), rows)


def _as_it_is() -> sa.types.TypeEngine[Any]:
    return sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.JSON()


def _rest(items: list[dict[str, Any]]) -> str:
    numbers: dict[tuple[tuple[str, int], ...], int] = {}
    lines = []
    for item in items:
        grounds = tuple((reason["follow"], reason["band"]) for reason in item["reasons"])
        number = numbers.setdefault(grounds, len(numbers))
        marked = [reason["evidence"] for reason in item["reasons"]]
        line = [item["seq"], item["part"], item["score"], number]
        lines.append([*line, marked] if any(marked) else line)
    why = json.dumps([[list(ground) for ground in grounds] for grounds in numbers], ensure_ascii=False)
    told = ",\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return f'{{"why":{why},"lines":[\n{told}]}}'


def _change_deliveries() -> None:
    op.add_column("buckets", sa.Column("slowed", sa.Float(), nullable=False, server_default="1"))
    op.add_column("destinations", sa.Column("domain", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_destinations_address", "destinations", ["address"], unique=False)
    destinations = sa.table(
        "destinations", *(sa.column(name, sa.Text()) for name in ("address", "domain", "channel"))
    )
    domain = sa.func.lower(sa.func.substr(destinations.c.address, sa.text(_behind_last_at())))
    op.execute(destinations.update().where(destinations.c.channel == "smtp").values(domain=domain))
    op.add_column("deliveries", sa.Column("channel", sa.Text(), nullable=False, server_default=""))
    op.add_column("deliveries", sa.Column("paced", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("deliveries", sa.Column("blame", sa.Text(), nullable=False, server_default=""))
    op.add_column("deliveries", sa.Column("expires_at", INSTANT, nullable=True))
    op.execute(
        "UPDATE deliveries SET channel = "
        "(SELECT channel FROM destinations WHERE destinations.id = deliveries.destination_id)"
    )
    op.drop_index("ix_deliveries_ready", "deliveries")
    ready = sa.text("state = 'ready'")
    op.create_index(
        "ix_deliveries_ready",
        "deliveries",
        ["channel", "due_at", "id"],
        unique=False,
        sqlite_where=ready,
        postgresql_where=ready,
    )
    leased = sa.text("state = 'leased'")
    op.create_index(
        "ix_deliveries_leased",
        "deliveries",
        ["lease_until", "lease_token"],
        unique=False,
        sqlite_where=leased,
        postgresql_where=leased,
    )


def _behind_last_at() -> str:
    """Return SQL for the position after the last @ of an address, where its domain begins.

    Addresses that we write to have exactly one @ outside quotes, which is the last one.
    """
    if op.get_bind().dialect.name == "sqlite":
        # Trimming all characters other than @ from the right leaves a text that ends with the last @.
        return "length(rtrim(address, replace(address, '@', ''))) + 1"
    return "length(address) - strpos(reverse(address), '@') + 2"
