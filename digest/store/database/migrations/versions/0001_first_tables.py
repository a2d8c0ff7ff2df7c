"""First tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables and the first two counters."""
    op.create_table(
        "batches",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expected", sa.Integer(), nullable=True),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
        sa.UniqueConstraint("source", "section", "day", name="uq_batches_source_section_day"),
    )
    op.create_index("ix_batches_due_at", "batches", ["due_at"], unique=False)
    op.create_table(
        "buckets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paused_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_buckets"),
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_table(
        "notes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_notes"),
    )
    op.create_table(
        "papers",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("abstract", sa.Text(), nullable=False),
        sa.Column("categories", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("pdf_url", sa.Text(), nullable=False),
        sa.Column("doi", sa.Text(), nullable=False),
        sa.Column("journal_ref", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("license_url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_papers"),
        sa.UniqueConstraint("key", name="uq_papers_key"),
    )
    op.create_table(
        "queries",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("matched_from", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_queries"),
        sa.UniqueConstraint("text", name="uq_queries_text"),
    )
    op.create_table(
        "sections",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("source", "section", name="pk_sections"),
    )
    op.create_table(
        "slots",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("frequency", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("days", sa.Text(), nullable=False),
        sa.Column("every", sa.Integer(), nullable=False),
        sa.Column("latest", sa.Text(), nullable=False),
        sa.Column("catch_up", sa.Text(), nullable=False),
        sa.Column("next_fire_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cursor_seq", sa.BigInteger(), nullable=False),
        sa.Column("last_period", sa.Text(), nullable=False),
        sa.Column("woken_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_slots"),
        sa.UniqueConstraint(
            "frequency",
            "zone",
            "at",
            "days",
            "every",
            "latest",
            "catch_up",
            name="uq_slots_frequency_zone_at_days_every_latest_catch_up",
        ),
    )
    op.create_index("ix_slots_next_fire_at", "slots", ["next_fire_at"], unique=False)
    op.create_table(
        "source_state",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("last_modified", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fruitless", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source", "route", "section", name="pk_source_state"),
    )
    op.create_table(
        "subscribers",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_subscribers"),
        sa.UniqueConstraint("address", name="uq_subscribers_address"),
    )
    op.create_table(
        "authorships",
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("affiliations", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_authorships_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", "position", name="pk_authorships"),
    )
    op.create_table(
        "digests",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("subscriber_id", ID, nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("kinds", sa.JSON(), nullable=False),
        sa.Column("most_items", sa.Integer(), nullable=False),
        sa.Column("minimum", sa.Integer(), nullable=False),
        sa.Column("when_empty", sa.Text(), nullable=False),
        sa.Column("feed", sa.Boolean(), nullable=False),
        sa.Column("slot_id", ID, nullable=False),
        sa.Column("next_slot_id", ID, nullable=True),
        sa.Column("from_seq", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["next_slot_id"], ["slots.id"], name="fk_digests_next_slot_id"),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name="fk_digests_slot_id"),
        sa.ForeignKeyConstraint(["subscriber_id"], ["subscribers.id"], name="fk_digests_subscriber_id"),
        sa.PrimaryKeyConstraint("id", name="pk_digests"),
        sa.UniqueConstraint("subscriber_id", "made_by", "name", name="uq_digests_subscriber_id_made_by_name"),
    )
    op.create_index("ix_digests_slot_id", "digests", ["slot_id"], unique=False)
    op.create_table(
        "events",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("first", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_events_paper_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_events"),
        sa.UniqueConstraint("paper_id", "kind", "number", name="uq_events_paper_id_kind_number"),
    )
    op.create_index("ix_events_day", "events", ["day"], unique=False)
    op.create_index("ix_events_paper_id", "events", ["paper_id"], unique=False)
    op.create_table(
        "listings",
        sa.Column("batch_id", ID, nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_listings_batch_id"),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_listings_paper_id"),
        sa.PrimaryKeyConstraint("batch_id", "paper_id", "kind", name="pk_listings"),
    )
    op.create_index("ix_listings_paper_id", "listings", ["paper_id"], unique=False)
    op.create_table(
        "match_blocks",
        sa.Column("query_id", ID, nullable=False),
        sa.Column("block", sa.BigInteger(), nullable=False),
        sa.Column("fits", sa.LargeBinary(), nullable=False),
        sa.Column("maybe", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["query_id"], ["queries.id"], name="fk_match_blocks_query_id"),
        sa.PrimaryKeyConstraint("query_id", "block", name="pk_match_blocks"),
    )
    op.create_index("ix_match_blocks_block", "match_blocks", ["block"], unique=False)
    op.create_table(
        "paper_ids",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("paper_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_paper_ids_paper_id"),
        sa.PrimaryKeyConstraint("scheme", "value", name="pk_paper_ids"),
    )
    op.create_index("ix_paper_ids_paper_id", "paper_ids", ["paper_id"], unique=False)
    op.create_table(
        "runs",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("slot_id", ID, nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("fire_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("latest_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ready_seq", sa.BigInteger(), nullable=True),
        sa.Column("from_seq", sa.BigInteger(), nullable=True),
        sa.Column("to_seq", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name="fk_runs_slot_id"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("slot_id", "period", name="uq_runs_slot_id_period"),
    )
    op.create_index("ix_runs_state", "runs", ["state"], unique=False)
    op.create_table(
        "destinations",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_destinations_digest_id"),
        sa.PrimaryKeyConstraint("id", name="pk_destinations"),
        sa.UniqueConstraint(
            "digest_id", "channel", "address", name="uq_destinations_digest_id_channel_address"
        ),
    )
    op.create_table(
        "editions",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("run_id", ID, nullable=False),
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("composed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("skipped", sa.Text(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("rest", sa.JSON(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("excluded", sa.Integer(), nullable=False),
        sa.Column("batches", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_editions_digest_id"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_editions_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_editions"),
        sa.UniqueConstraint("run_id", "digest_id", name="uq_editions_run_id_digest_id"),
    )
    op.create_index("ix_editions_digest_id_id", "editions", ["digest_id", "id"], unique=False)
    op.create_table(
        "follows",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("query_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("exclude", sa.Boolean(), nullable=False),
        sa.Column("started_seq", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_follows_digest_id"),
        sa.ForeignKeyConstraint(["query_id"], ["queries.id"], name="fk_follows_query_id"),
        sa.PrimaryKeyConstraint("id", name="pk_follows"),
    )
    op.create_index("ix_follows_query_id", "follows", ["query_id"], unique=False)
    op.create_index(
        "uq_follows_active",
        "follows",
        ["digest_id", "query_id"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "run_batches",
        sa.Column("run_id", ID, nullable=False),
        sa.Column("batch_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_run_batches_batch_id"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_batches_run_id"),
        sa.PrimaryKeyConstraint("run_id", "batch_id", name="pk_run_batches"),
    )
    op.create_table(
        "shards",
        sa.Column("run_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("low_id", sa.BigInteger(), nullable=False),
        sa.Column("high_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_token", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_shards_run_id"),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_shards"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("edition_id", ID, nullable=False),
        sa.Column("destination_id", ID, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_token", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["destination_id"], ["destinations.id"], name="fk_deliveries_destination_id"),
        sa.ForeignKeyConstraint(["edition_id"], ["editions.id"], name="fk_deliveries_edition_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sa.UniqueConstraint("edition_id", "destination_id", name="uq_deliveries_edition_id_destination_id"),
    )
    op.create_index(
        "ix_deliveries_ready",
        "deliveries",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'ready'"),
        postgresql_where=sa.text("state = 'ready'"),
    )
    counters = sa.table("counters", sa.column("name", sa.Text), sa.column("value", sa.BigInteger))
    op.bulk_insert(counters, [{"name": "event", "value": 0}, {"name": "matched_to", "value": 0}])
