"""What alembic runs to find the database: the connection that it was given."""

from alembic import context

from digest.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
