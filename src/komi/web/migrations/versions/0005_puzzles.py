"""Add the answers to the puzzles of the day."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "puzzle_answers",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("label", sa.String(120), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_puzzle_answers_game_day", "puzzle_answers", ["game", "day"])
