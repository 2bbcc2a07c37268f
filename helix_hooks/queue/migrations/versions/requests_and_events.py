"""Requests, their audit trail, and its end."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "helix_requests",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("id", _ID, nullable=False, unique=True),
        sa.Column("project", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, unique=True),
        sa.Column("document", sa.Text, nullable=False),
    )
    op.create_index("helix_requests_status", "helix_requests", ["status", "number"])
    op.create_index("helix_requests_project", "helix_requests", ["project", "status", "number"])
    op.create_index("helix_requests_due", "helix_requests", ["due_at"])
    op.create_index("helix_requests_content", "helix_requests", ["content"])
    op.create_table(
        "helix_events",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("request", _ID, nullable=False),
        sa.Column("mark", sa.Text, unique=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
    )
    op.create_index("helix_events_request", "helix_events", ["request", "number"])
    op.create_table(
        "helix_trail",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.execute("INSERT INTO helix_trail (id, number, hash) VALUES (1, 0, '')")


def downgrade() -> None:
    op.drop_table("helix_trail")
    op.drop_table("helix_events")
    op.drop_table("helix_requests")
