"""The tables of the outbox."""

import sqlalchemy as sa

WAITING, CLAIMED, SENDING, SENT, FAILED, DROPPED = (
    "waiting",
    "claimed",
    "sending",
    "sent",
    "failed",
    "dropped",
)
"""The statuses of a row."""

_TABLES = sa.MetaData()
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")

SEEN = sa.Table(
    "helix_seen",
    _TABLES,
    sa.Column("entry", sa.Text, primary_key=True),
    sa.Column("notice", sa.Text, nullable=False),
    sa.Column("is_open", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
"""The last notice of each entry; `is_open` is 1 while it waits."""

NOTICES = sa.Table(
    "helix_notices",
    _TABLES,
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
)
"""A row for each change and channel. No address and no secret is in it."""
