"""What alembic runs to find the database: the connection that it was given."""

from alembic import context

from digest.store.database import digest_tables, paper_tables  # noqa: F401 - imported, their tables are in the metadata
from digest.store.database.types import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
