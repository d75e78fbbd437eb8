"""Add open tables, and the phrases of players at a table."""

import sqlalchemy as sa
from alembic import op

revision = "v5"
down_revision = "v4"


def upgrade() -> None:
    """Add a column to the invitations, and two to the seated players."""
    op.add_column("invitations", sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seated_players", sa.Column("phrase", sa.String(10)))
    op.add_column("seated_players", sa.Column("said", sa.DateTime(timezone=True)))
