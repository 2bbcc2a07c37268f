"""Partners and the tokens of their requests."""

import hashlib

import psycopg


def partner_of(connection: psycopg.Connection, token: str) -> int | None:
    """The partner's number; a token is kept as its SHA-256 only."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    row = connection.execute("SELECT id FROM partners WHERE token = %s", (digest,)).fetchone()
    return row[0] if row else None
