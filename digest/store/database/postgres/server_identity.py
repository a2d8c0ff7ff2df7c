"""Check that all connections of a process reach the same database, and all those to a replica the same server.

A name with two addresses, or a proxy in front of two servers, can lead to two databases, of which each would send the
mails of the other one again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event

from digest.errors import OtherDatabaseError

SELECT_DATABASE = (
    "SELECT (SELECT oid FROM pg_database WHERE datname = current_database()), "
    "CASE WHEN has_function_privilege('pg_control_system()', 'EXECUTE') "
    "THEN (SELECT system_identifier FROM pg_control_system()) END"
)
"""The number of the database, and of its cluster (PostgreSQL, section 9.27.11), which replicas and their successors keep."""
_SELECT_SERVER = f"{SELECT_DATABASE}, pg_postmaster_start_time()"
"""The same with the start of the server, which tells two replicas apart."""


def require_same_database(engine: Engine) -> None:
    """Let new connections of an engine fail that reach another database than its first one.

    Args:
        engine: the engine. Its connections raise ``OtherDatabaseError``.
    """
    _compare_connections(
        engine,
        SELECT_DATABASE,
        "two databases answer at the address of [store] url, and each would send the mails of the other; "
        "let it lead to one of them, and start digest again",
    )


def require_same_server(engine: Engine) -> Callable[[], None]:
    """Let new connections of an engine fail that reach another server than its first one, or one that was restarted.

    Two replicas are seldom equally far: of a page that was read from both, the cache would keep the content of one as
    the version of the other.

    Returns:
        A function that forgets the server. Call it when the connections are closed, so that the next server may be
        another one.
    """
    return _compare_connections(
        engine,
        _SELECT_SERVER,
        "several servers answer at the address of [store] read_url, or the server was restarted; let it lead to one",
    )


def _compare_connections(engine: Engine, select_identity: str, message: str) -> Callable[[], None]:
    identities: list[tuple[Any, ...]] = []

    @event.listens_for(engine, "connect")
    def _check(connection: Any, _record: object) -> None:
        identity = connection.execute(select_identity).fetchone()
        connection.rollback()
        identities.append(identity)
        if identity != identities[0]:
            identities.pop()
            connection.close()  # the pool does not know it yet
            raise OtherDatabaseError(message)

    return identities.clear
