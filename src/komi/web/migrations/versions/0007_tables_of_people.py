"""Add games between people: seats, invitations, and players who wait."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

ID, TIME = sa.String(32), sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables. All earlier games were against a computer."""
    op.create_table(
        "chairs",
        sa.Column("game", ID, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="SET NULL"), index=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("number", sa.String(32), nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("watch", ID, nullable=False, index=True, unique=True),
        sa.Column("since", TIME, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("invitation", ID, sa.ForeignKey("invitations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("number", sa.String(32), nullable=False),
    )
