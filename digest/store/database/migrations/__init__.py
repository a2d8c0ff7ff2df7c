"""How the tables came to be what they are; imported only when a database is at another step."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from digest.store.database.dialect import begin_rebuilding, end_rebuilding


def migrate(engine: Engine, step: str) -> None:
    """Bring a database to a step, in one transaction, on a connection that is not used again."""
    with engine.connect() as connection:
        begin_rebuilding(connection)
        settings = make_config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, step)
        end_rebuilding(connection)
        connection.commit()
        connection.invalidate()


def make_config() -> Config:
    """Where the steps are."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings
