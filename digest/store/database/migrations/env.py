"""Script that alembic runs for each command; it uses the connection that it was given."""

from alembic import context

from digest.store.database.tables.column_types import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
