"""Check that all connections of a process reach the same database.

A name with two addresses, or a proxy in front of two servers, can lead to two databases, of which each would send the
mails of the other one again.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, event

from digest.errors import OtherDatabaseError

_SELECT_IDENTITY = (
    "SELECT (SELECT oid FROM pg_database WHERE datname = current_database()), "
    "CASE WHEN has_function_privilege('pg_control_system()', 'EXECUTE') "
    "THEN (SELECT system_identifier FROM pg_control_system()) END"
)
"""The number of the database, and of its cluster (PostgreSQL, section 9.27.11), which replicas and their successors keep."""


def require_same_database(engine: Engine) -> None:
    """Let new connections of an engine fail that reach another database than its first one.

    Args:
        engine: the engine. Its connections raise ``OtherDatabaseError``.
    """
    identities: list[tuple[Any, ...]] = []

    @event.listens_for(engine, "connect")
    def _check(connection: Any, _record: object) -> None:
        identity = connection.execute(_SELECT_IDENTITY).fetchone()
        connection.rollback()
        identities.append(identity)
        if identity != identities[0]:
            identities.pop()
            raise OtherDatabaseError(
                "two databases answer at the address of [store] url, and each would send the mails of the other; "
                "let it lead to one of them, and start digest again"
            )
