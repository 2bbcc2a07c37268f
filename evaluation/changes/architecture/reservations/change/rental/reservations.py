"""Reservations: a bike is held for a customer. The only module that writes the table `reservations`."""

from datetime import timedelta

import psycopg

from rental import clock, log

HELD = timedelta(minutes=15)


def reserve(connection: psycopg.Connection, bike: int, customer: int) -> bool:
    """Hold a bike, also a second time for the same customer; False where another one holds it."""
    now = clock.now()
    row = connection.execute(
        "INSERT INTO reservations (bike, customer, until) VALUES (%s, %s, %s) ON CONFLICT (bike) DO UPDATE"
        " SET customer = excluded.customer, until = excluded.until"
        " WHERE reservations.until < %s OR reservations.customer = excluded.customer RETURNING bike",
        (bike, customer, now + HELD, now),
    ).fetchone()
    if row is None:
        return False
    log.event("reserved", bike=bike, customer=customer)
    return True
