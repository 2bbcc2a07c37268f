"""What the load balancer asks an instance."""

import psycopg

from rental import log, store

LIMIT = 2
"""Seconds in which the database must take a connection, and again in which it must answer."""


def status() -> int:
    """200 where the database answers, else 503."""
    try:
        with store.connect(LIMIT) as connection:
            connection.execute(f"SET statement_timeout = '{LIMIT}s'")
            connection.execute("SELECT 1")
    except psycopg.Error:
        log.event("unhealthy", status=503)
        return 503
    return 200
