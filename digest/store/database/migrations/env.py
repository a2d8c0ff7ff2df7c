"""Script that alembic runs for each command; it uses the connection that it was given."""

from alembic import context

from digest.store.database import (  # noqa: F401 - the import adds their tables to the metadata
    digest_tables,
    paper_tables,
    process_tables,
    reader_tables,
)
from digest.store.database.types import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
