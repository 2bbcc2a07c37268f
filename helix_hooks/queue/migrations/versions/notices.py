"""Notices to send, and the entries of the queue that were told of."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "helix_seen",
        sa.Column("entry", sa.Text, primary_key=True),
        sa.Column("notice", sa.Text, nullable=False),
        sa.Column("is_open", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("helix_seen_open", "helix_seen", ["is_open", "at"])
    op.create_table(
        "helix_notices",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("notice", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("next_at", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("uncertain", sa.Integer, nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("lease", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.UniqueConstraint("change", "owner", "channel"),
    )
    op.create_index("helix_notices_status", "helix_notices", ["status", "ended_at"])
    op.create_index("helix_notices_claim", "helix_notices", ["claim"])
    op.create_index("helix_notices_entry", "helix_notices", ["entry"])
