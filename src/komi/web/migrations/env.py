"""Runs the migrations on the connection that the server passes, within its transaction."""

from alembic import context

from komi.web.records import DatabaseRecord

context.configure(connection=context.config.attributes["connection"], target_metadata=DatabaseRecord.metadata)
context.run_migrations()
