"""Whether a person's decisions may be studied, and whether they were asked."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; nobody was asked before."""
    op.add_column("people", sa.Column("studied", sa.DateTime(timezone=True)))
    op.add_column("people", sa.Column("asked", sa.Boolean(), nullable=False, server_default=sa.false()))
