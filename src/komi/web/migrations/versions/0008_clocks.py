"""Add clocks for games between people, and losses on time."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns. Earlier games have no clock."""
    for table in ("games", "invitations"):
        op.add_column(table, sa.Column("minutes", sa.Integer))
        op.add_column(table, sa.Column("seconds", sa.Integer))
    op.add_column("games", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false()))
