"""Alembic's entry: run the revisions on the connection we were handed, in its transaction."""

from alembic import context

from events.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
