"""Add the decision of each person on whether their games may be studied."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns. Nobody has been asked before."""
    op.add_column("people", sa.Column("studied", sa.DateTime(timezone=True)))
    op.add_column("people", sa.Column("asked", sa.Boolean(), nullable=False, server_default=sa.false()))
