"""Clocks at tables of several people, and games that were lost on time."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns; before, everybody had as much time as they liked."""
    for table in ("games", "invitations"):
        op.add_column(table, sa.Column("minutes", sa.Integer))
        op.add_column(table, sa.Column("seconds", sa.Integer))
    op.add_column("games", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false()))
