"""Rights of customers over their data: see docs/policies.md."""

import psycopg

from rental import clock


def erase(connection: psycopg.Connection, customer: int) -> None:
    connection.execute("UPDATE rides SET track = '[]' WHERE customer = %s", (customer,))
    connection.execute(
        "UPDATE customers SET name = '', mail = id::text, card = '' WHERE id = %s", (customer,)
    )


def export(connection: psycopg.Connection, customer: int) -> dict[str, object]:
    row = connection.execute(
        "SELECT name, mail, card FROM customers WHERE id = %s", (customer,)
    ).fetchone()
    tracks = connection.execute(
        "SELECT track FROM rides WHERE customer = %s", (customer,)
    ).fetchall()
    return {
        "name": row[0],
        "mail": row[1],
        "card": row[2],
        "positions": [track for (track,) in tracks],
    }


def accessed(connection: psycopg.Connection, staff: int, customer: int) -> None:
    """Write down that staff sees data of a customer."""
    connection.execute(
        "INSERT INTO accesses (staff, customer, at) VALUES (%s, %s, %s)",
        (staff, customer, clock.now()),
    )
