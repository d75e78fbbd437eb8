"""Add the codes with which other devices join a person."""

import sqlalchemy as sa
from alembic import op

revision = "v4"
down_revision = "v3"


def upgrade() -> None:
    """Create the table of codes."""
    op.create_table(
        "device_codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column(
            "person",
            sa.String(32),
            sa.ForeignKey("people.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
            unique=True,
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
