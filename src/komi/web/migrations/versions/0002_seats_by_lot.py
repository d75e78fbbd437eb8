"""Add a flag for seats drawn by lot."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column. It is false for older games, whose lots were not drawn from the seed."""
    op.add_column("games", sa.Column("lot", sa.Boolean, nullable=False, server_default=sa.false()))
