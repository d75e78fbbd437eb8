"""Add people, their games and the log entries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.String(32)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "secrets",
        sa.Column("purpose", sa.String(40), primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", ID, primary_key=True),
        sa.Column("name", sa.String(40)),
        sa.Column("since", TIME, nullable=False),
    )
    op.create_table(
        "commitments",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("since", TIME, nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("opponent", sa.String(80), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("mode", sa.String(10), nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("number", sa.String(32), nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("over", TIME),
        sa.Column("payoffs", sa.JSON),
        sa.Column("mistakes", sa.Double),
        sa.Column("decisions", sa.Integer),
        sa.Column("luck", sa.Double),
        sa.Column("skill", sa.Double),
    )
    op.create_table(
        "entries",
        sa.Column("game", ID, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("label", sa.String(120), nullable=False),
        sa.Column("by", sa.String(10), nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
