"""Tables of readers of the site, of bounces and complaints, and of the audit log."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, Table, Text, UniqueConstraint

from digest.store.database.dialect import UNIQUE_FOREVER
from digest.store.database.tables.column_types import RedactedText, UtcDateTime, metadata, own_id, reference

link_mails = Table(
    "link_mails",
    metadata,
    Column("mailbox_hash", Text, primary_key=True),  # keyed; the address is kept only by who confirms
    Column("sent_at", JSON, nullable=False),  # times of the last mails with links
    Column("last_at", UtcDateTime, nullable=False, index=True),
)

used_links = Table(
    "used_links",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
)

suppressed_hashes = Table(
    "suppressed_hashes",
    metadata,
    # keyed; of addresses that bounced or complained before their reader deleted everything or changed their address
    Column("mailbox_hash", Text, primary_key=True),
    Column("since", UtcDateTime, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    own_id(),
    Column("token_hash", Text, nullable=False, unique=True),  # only the reader's browser has the token
    reference("subscriber_id", "subscribers.id", index=True),
    Column("browser", Text, nullable=False),  # "Firefox", and the system "Linux"; "" if unknown
    Column("system", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),  # to a day
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    **UNIQUE_FOREVER,  # an old page's button must not end a new session that has the number of an old one
)

api_tokens = Table(
    "api_tokens",
    metadata,
    own_id(),
    Column("token_hash", Text, nullable=False, unique=True),  # only the reader's program has the token
    reference("subscriber_id", "subscribers.id"),
    Column("name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),  # "read", "follow", "operate"
    Column("created_at", UtcDateTime, nullable=False),
    Column("used_at", UtcDateTime),  # to an hour; NULL if it was never used
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    UniqueConstraint("subscriber_id", "name"),
    **UNIQUE_FOREVER,  # the audit log and old pages name a token by its number
)

secret_addresses = Table(
    "secret_addresses",
    metadata,
    # of a chat or webhook that a reader added; the file has those of its own
    reference("destination_id", "destinations.id", primary_key=True, autoincrement=False),
    Column("service", Text, nullable=False, index=True),
    Column("sealed", Text, nullable=False),  # encrypted with the signing keys
    # its last delivery when it was added or resumed: failures up to there no longer count
    Column("active_after", BigInteger, nullable=False, default=0, server_default="0"),
)

audit_entries = Table(
    "audit_entries",
    metadata,
    own_id(),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("actor_kind", Text, nullable=False),
    # who signed in or has the token; NULL for the shell, and after the deletion of that reader
    reference("subscriber_id", "subscribers.id", nullable=True, index=True),
    Column("actor_name", Text, nullable=False),  # the system user of a shell, or "token 5"; "" otherwise
    Column("action", Text, nullable=False),
    Column(
        "subject", Text, nullable=False
    ),  # "run 12", "subscriber 7"; numbers only, so that no address is here
    Column("amount", Integer, nullable=False),
    **UNIQUE_FOREVER,
)

# --- what comes back ------------------------------------------------------------------------------

reports = Table(
    "reports",
    metadata,
    own_id(),
    Column("delivery", BigInteger, nullable=False),  # may be pruned, so no foreign key; 0 if unknown
    Column("mailbox", Text, nullable=False),  # the reported address, in lower case
    Column("kind", Text, nullable=False),  # `bounce` or `complaint`; each is counted once per delivery
    Column("finding", Text, nullable=False),
    Column("status", Text, nullable=False),  # enhanced status code, or ""
    Column("answer", RedactedText, nullable=False),
    Column("road", Text, nullable=False),  # how it was received: `smtp`, `mailbox`, or a provider
    Column("at", UtcDateTime, nullable=False),
    Column("forgiven", Boolean, nullable=False, default=False),  # somebody has resumed the address since
    UniqueConstraint("delivery", "mailbox", "kind"),
    Index("ix_reports_mailbox_at", "mailbox", "at"),
    Index("ix_reports_finding_at", "finding", "at"),
)

suppressions = Table(
    "suppressions",
    metadata,
    Column("mailbox", Text, primary_key=True),
    Column("state", Text, nullable=False),  # as in its destinations: `suppressed` or `resting`
    Column("since", UtcDateTime, nullable=False),
    Column("until", UtcDateTime),  # NULL: until somebody resumes it
    reference("report_id", "reports.id"),  # the report that caused it
)
