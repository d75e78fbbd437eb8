"""Add the version of the chance protocol, and the commitments to the players' numbers."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the columns. Earlier games continue under the first protocol, with their numbers revealed."""
    op.add_column("games", sa.Column("protocol", sa.Integer, nullable=False, server_default="1"))
    op.add_column("guests", sa.Column("number_hash", sa.String(64), nullable=False, server_default=""))
    guests = sa.table("guests", sa.column("number", sa.String), sa.column("number_hash", sa.String))
    connection = op.get_bind()
    for number in connection.scalars(sa.select(guests.c.number).distinct()).all():
        digest = hashlib.sha256(number.encode()).hexdigest()
        connection.execute(guests.update().where(guests.c.number == number).values(number_hash=digest))
