"""Store commitments only when a game begins; remove those that never began one."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Drop the stored commitments, and add the table of the ids that have begun a game."""
    op.drop_table("commitments")
    op.create_table(
        "used_commitments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
