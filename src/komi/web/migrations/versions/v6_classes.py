"""Add rooms for classes."""

import sqlalchemy as sa
from alembic import op

revision = "v6"
down_revision = "v5"

ID, TIME = sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables of rooms and their members."""
    op.create_table(
        "rooms",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("code", sa.String(20), nullable=False, index=True, unique=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("opponent", sa.String(80), nullable=False),
        sa.Column("since", TIME, nullable=False),
    )
    op.create_table(
        "room_members",
        sa.Column("room", ID, sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("since", TIME, nullable=False),
    )
