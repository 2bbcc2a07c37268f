"""The one way to the database."""

import os

import psycopg


def connect(limit: int = 10) -> psycopg.Connection:
    """A connection, made within `limit` seconds."""
    return psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=limit)
