"""What the support sees when somebody calls."""

import phonenumbers
import psycopg

from rental import privacy


def caller(connection: psycopg.Connection, staff: int, number: str) -> dict[str, object] | None:
    """The account that a number belongs to; None for an unknown one."""
    parsed = phonenumbers.parse(number, "DE")
    phone = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
    row = connection.execute(
        "SELECT id, name, mail FROM customers WHERE phone = %s", (phone,)
    ).fetchone()
    if row is None:
        return None
    privacy.accessed(connection, staff, row[0])
    return {"customer": row[0], "name": row[1], "mail": row[2]}
