"""Add resignations and takebacks."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns. Neither was possible before."""
    op.add_column("games", sa.Column("resigned", sa.Integer))
    op.add_column("games", sa.Column("takebacks", sa.Integer, nullable=False, server_default="0"))
