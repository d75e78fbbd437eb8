"""Add names and passwords of people."""

import sqlalchemy as sa
from alembic import op

revision = "v7"
down_revision = "v6"


def upgrade() -> None:
    """Create the table of accounts."""
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("login", sa.String(720), nullable=False, index=True, unique=True),
        sa.Column("hash", sa.String(200), nullable=False),
    )
