"""Invoices: written, charged and mailed."""

import psycopg

from rental import clock, log, mail, payment, timers


def issue(connection: psycopg.Connection, ride: int, customer: int, cents: int) -> int:
    row = connection.execute(
        "INSERT INTO invoices (ride, customer, cents, issued) VALUES (%s, %s, %s, %s) RETURNING id", (ride, customer, cents, clock.now())
    ).fetchone()
    connection.commit()
    log.event("invoice-issued", invoice=row[0], ride=ride)
    return row[0]


def charge(connection: psycopg.Connection, invoice: int) -> None:
    """Called by the request that ends a ride, and again when the customer taps "pay" after an error."""
    card, cents, to = connection.execute(
        "SELECT card, cents, mail FROM invoices JOIN customers ON customers.id = customer WHERE invoices.id = %s", (invoice,)
    ).fetchone()
    booking = payment.charge(card, cents, invoice)
    connection.execute("UPDATE invoices SET booking = %s WHERE id = %s", (booking, invoice))
    connection.commit()
    timers.later(30, mail.send, to, f"Invoice {invoice}", f"{cents / 100:.2f} EUR")
