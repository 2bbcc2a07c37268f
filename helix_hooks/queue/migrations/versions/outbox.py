"""Messages are enqueued in DBOS, so their own table goes. Turns that waited are sent again."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("helix_notices")
