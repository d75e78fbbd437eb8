"""The migrations of the database, for Alembic."""
