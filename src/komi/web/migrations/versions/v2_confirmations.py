"""Add the confirmations of finished games among friends."""

import sqlalchemy as sa
from alembic import op

revision = "v2"
down_revision = "v1"


def upgrade() -> None:
    """Add a column to the seated players."""
    op.add_column("seated_players", sa.Column("confirmation", sa.String(64)))
