"""Add the rematches of finished games among friends."""

import sqlalchemy as sa
from alembic import op

revision = "v3"
down_revision = "v2"


def upgrade() -> None:
    """Create the table that links a finished game to the table of its rematch."""
    op.create_table(
        "rematches",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "invitation",
            sa.String(32),
            sa.ForeignKey("invitations.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
            unique=True,
        ),
    )
