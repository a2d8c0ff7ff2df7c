"""How the tables came to be what they are; imported only when a database is at another step."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from digest.store.dialect import begin_writing


def migrate(engine: Engine) -> None:
    """Bring a database to the last step, in one transaction."""
    with engine.connect() as connection:
        begin_writing(connection)
        settings = configuration()
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
        connection.commit()


def configuration() -> Config:
    """Where the steps are."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings
