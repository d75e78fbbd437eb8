"""Add the secrets of shared games."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; no game was shared before."""
    op.add_column("games", sa.Column("shared", sa.String(32)))
    op.create_index("ix_games_shared", "games", ["shared"], unique=True)
