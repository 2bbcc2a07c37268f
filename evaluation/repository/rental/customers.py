"""Customers, their sign-in and their passwords."""

import hashlib
import secrets
from datetime import timedelta

import psycopg

from rental import clock, log, mail, passwords


def sign_in(connection: psycopg.Connection, address: str, password: str) -> int | None:
    """The customer's number, or None where address and password do not belong together."""
    row = connection.execute("SELECT id, password FROM customers WHERE mail = %s", (address,)).fetchone()
    if row is None or not passwords.matches(password, row[1]):
        return None
    connection.execute("UPDATE customers SET seen = %s WHERE id = %s", (clock.now(), row[0]))
    log.event("signed-in", customer=row[0])
    return row[0]


def send_reset(connection: psycopg.Connection, customer: int, address: str) -> None:
    """The answer to a forgotten password: a link that holds for an hour."""
    token = secrets.token_urlsafe()
    digest, until = hashlib.sha256(token.encode()).hexdigest(), clock.now() + timedelta(hours=1)
    connection.execute("UPDATE customers SET reset = %s, reset_until = %s WHERE id = %s", (digest, until, customer))
    mail.send(address, "A new password", f"https://app.radstation.test/reset/{token}")


def reset(connection: psycopg.Connection, token: str, password: str) -> None:
    digest = hashlib.sha256(token.encode()).hexdigest()
    connection.execute(
        "UPDATE customers SET password = %s, reset = NULL WHERE reset = %s AND reset_until > %s",
        (passwords.hashed(password), digest, clock.now()),
    )
