"""Commitments are stored when a game begins: those that never began one are gone."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Remove the seeds that began no game, and add the table of the ids that have begun one."""
    op.drop_table("commitments")
    op.create_table(
        "used_commitments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
