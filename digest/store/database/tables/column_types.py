"""Metadata and column types of all tables. No column of a unique key is ever NULL; instants are in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Column, DateTime, Dialect, ForeignKey, MetaData, Table, Text, TypeDecorator

from digest.redaction import redact
from digest.store.database.dialect import ByteText, Id

__all__ = [
    "ByteText",
    "Id",
    "RedactedText",
    "UtcDateTime",
    "list_defaults",
    "metadata",
    "own_id",
    "reference",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """Instant in UTC; timezone-aware in Python on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert an aware instant to UTC; a naive one is an error."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the instant in UTC. SQLite does not store a timezone, so it is added."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class RedactedText(TypeDecorator[str]):
    """Text from another party, such as a server's answer. Known secrets are masked before it is stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Mask the known secrets in a text."""
        return redact(value) if value else value


def own_id() -> Column[int]:
    """Return the column of a row's number, which the database assigns."""
    return Column("id", Id, primary_key=True, autoincrement=True)


def reference(name: str, target: str, **options: Any) -> Column[int]:
    """Return a foreign key column; NOT NULL unless ``nullable`` is set."""
    return Column(name, Id, ForeignKey(target), nullable=options.pop("nullable", False), **options)


@cache
def list_defaults(table: Table, columns: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the other columns of a table that have a default, and their defaults.

    SQLAlchemy inserts these defaults, and most of them are unknown to the database.
    """
    defaults = {
        name: each.default.arg  # type: ignore[attr-defined]
        for name, each in table.c.items()
        if name not in columns and each.default is not None
    }
    return tuple(defaults), tuple(defaults.values())
