"""Create all tables."""

import sqlalchemy as sa
from alembic import op

revision = "v1"
down_revision = None

ID, HASH, TIME = sa.String(32), sa.String(64), sa.DateTime(timezone=True)


def _id_of(table: str, *, ondelete: str = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete=ondelete)


def upgrade() -> None:
    """Create the tables: first those that refer to no other."""
    _create_people()
    _create_games()
    _create_invitations()


def _create_people() -> None:
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
        sa.Column("consented_at", TIME),
        sa.Column("has_decided", sa.Boolean, nullable=False),
    )
    op.create_table(
        "used_commitments",
        sa.Column("id", ID, primary_key=True),
        sa.Column("since", TIME, nullable=False),
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("person", ID, _id_of("people"), primary_key=True),
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("label", sa.String(120), nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
    )
    op.create_index("ix_puzzle_answers_game_day", "puzzle_answers", ["game", "day"])


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, _id_of("people"), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("opponent", sa.String(80), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("mode", sa.String(10), nullable=False),
        sa.Column("lot", sa.Boolean, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("number", sa.String(32), nullable=False),
        sa.Column("started", TIME, nullable=False),
        sa.Column("over", TIME),
        sa.Column("payoffs", sa.JSON),
        sa.Column("mistakes", sa.Double),
        sa.Column("decisions", sa.Integer),
        sa.Column("luck", sa.Double),
        sa.Column("skill", sa.Double),
        sa.Column("shared", ID, index=True, unique=True),
        sa.Column("resigned", sa.Integer),
        sa.Column("takebacks", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer),
        sa.Column("seconds", sa.Integer),
        sa.Column("late", sa.Boolean, nullable=False),
        sa.Column("protocol", sa.Integer, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("game", ID, _id_of("games"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("label", sa.String(120), nullable=False),
        sa.Column("by", sa.String(10), nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
    op.create_table(
        "seated_players",
        sa.Column("game", ID, _id_of("games"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", ID, _id_of("people", ondelete="SET NULL"), index=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("number", sa.String(32), nullable=False),
    )


def _create_invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person", ID, _id_of("people"), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("watch", ID, nullable=False, index=True, unique=True),
        sa.Column("since", TIME, nullable=False),
        sa.Column("minutes", sa.Integer),
        sa.Column("seconds", sa.Integer),
    )
    op.create_table(
        "guests",
        sa.Column("invitation", ID, _id_of("invitations"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", ID, _id_of("people"), nullable=False, index=True),
        sa.Column("number", sa.String(32), nullable=False),
        sa.Column("number_hash", HASH, nullable=False),
    )
