"""What every claim spent of a rate, as the database saw it: how slow the machine is makes no difference to that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from sqlalchemy import Engine, create_engine, text

# `own` tells the transactions of PostgreSQL apart; SQLite has one at a time, which ends with the bucket of all.
_TABLE = """CREATE TABLE rate_log (id {serial} PRIMARY KEY, own {text}, bucket {text}, token {text},
    spent_from {text}, spent_to {text}, at {text})"""
_SQLITE = (
    """CREATE TRIGGER log_claims AFTER UPDATE OF state ON deliveries
    WHEN new.state = 'leased' AND old.state <> 'leased' BEGIN
    INSERT INTO rate_log (own, bucket, token)
    SELECT '', address, new.lease_token FROM destinations WHERE id = new.destination_id; END""",
    """CREATE TRIGGER log_spending AFTER UPDATE OF next_at ON buckets WHEN new.next_at <> old.next_at BEGIN
    INSERT INTO rate_log (own, bucket, spent_from, spent_to, at)
    VALUES ('', new.name, old.next_at, new.next_at, strftime('%Y-%m-%d %H:%M:%f', 'now')); END""",
)
_POSTGRES = (
    """CREATE FUNCTION log_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO rate_log (own, bucket, token)
    SELECT txid_current()::text, address, new.lease_token::text FROM destinations WHERE id = new.destination_id;
    RETURN NULL; END $$""",
    """CREATE FUNCTION log_spending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO rate_log (own, bucket, spent_from, spent_to, at)
    VALUES (txid_current()::text, new.name, (old.next_at AT TIME ZONE 'UTC')::text,
    (new.next_at AT TIME ZONE 'UTC')::text, (clock_timestamp() AT TIME ZONE 'UTC')::text); RETURN NULL; END $$""",
    """CREATE TRIGGER log_claims AFTER UPDATE OF state ON deliveries FOR EACH ROW
    WHEN (new.state = 'leased' AND old.state <> 'leased') EXECUTE FUNCTION log_claim()""",
    """CREATE TRIGGER log_spending AFTER UPDATE OF next_at ON buckets FOR EACH ROW
    WHEN (new.next_at <> old.next_at) EXECUTE FUNCTION log_spending()""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What one claim took from one bucket.

    Attributes:
        addresses: of the messages that were claimed.
        spent_from: up to when the rate was spent before; ``spent_to`` afterwards.
        at: when, by the clock of the machine.
    """

    addresses: tuple[str, ...]
    bucket: str
    spent_from: datetime
    spent_to: datetime
    at: datetime


@contextmanager
def _open_engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def log_rates(url: str) -> None:
    """Let a database note claims and what they spend; it must have our tables."""
    with _open_engine(url) as engine, engine.begin() as connection:
        is_sqlite = engine.dialect.name == "sqlite"
        serial = "INTEGER" if is_sqlite else "bigserial"
        for statement in (_TABLE.format(serial=serial, text="TEXT"), *(_SQLITE if is_sqlite else _POSTGRES)):
            connection.exec_driver_sql(statement)


def count_workers(url: str) -> int:
    """Give how many processes have claimed messages."""
    with _open_engine(url) as engine, engine.connect() as connection:
        return int(connection.execute(text("SELECT count(DISTINCT token) FROM rate_log")).scalar_one())


def load_spendings(url: str) -> list[Spending]:
    """Give everything that was spent, claim by claim."""
    with _open_engine(url) as engine, engine.connect() as connection:
        rows = connection.execute(text("SELECT * FROM rate_log ORDER BY own, id")).all()
    spendings: list[Spending] = []
    for _, of_transaction in groupby(rows, key=lambda row: row.own):
        addresses: list[str] = []
        is_over = False
        for row in of_transaction:
            if row.spent_to is None:
                addresses = [row.bucket] if is_over else [*addresses, row.bucket]
                is_over = False
                continue
            is_over = True  # the next claim, if any, is of the next transaction of SQLite
            before, after, at = (_instant(value) for value in (row.spent_from, row.spent_to, row.at))
            spendings.append(
                Spending(
                    addresses=tuple(addresses), bucket=row.bucket, spent_from=before, spent_to=after, at=at
                )
            )
    return spendings


def _instant(value: str) -> datetime:
    return datetime.fromisoformat(value).replace(tzinfo=UTC)
