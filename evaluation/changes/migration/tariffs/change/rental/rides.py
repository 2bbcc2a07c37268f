"""Rides: begun, followed and ended."""

import json

import psycopg

from rental import clock, log

STANDARD = "standard"


def begin(connection: psycopg.Connection, bike: int, customer: int) -> int:
    row = connection.execute(
        "INSERT INTO rides (bike, customer, began, track) VALUES (%s, %s, %s, '[]') RETURNING id", (bike, customer, clock.now())
    ).fetchone()
    log.event("ride-began", ride=row[0], bike=bike, customer=customer)
    return row[0]


def follow(connection: psycopg.Connection, ride: int, latitude: float, longitude: float) -> None:
    """Each bike says every ten seconds where it is."""
    position = {"at": clock.now().isoformat(), "latitude": latitude, "longitude": longitude}
    connection.execute("UPDATE rides SET track = track || %s::jsonb WHERE id = %s", (json.dumps([position]), ride))


def track(connection: psycopg.Connection, ride: int) -> list[dict[str, object]]:
    return connection.execute("SELECT track FROM rides WHERE id = %s", (ride,)).fetchone()[0]


def end(connection: psycopg.Connection, ride: int) -> tuple[int, int]:
    """The minutes and the price in cents."""
    began, cents_a_minute = connection.execute(
        "SELECT began, cents_a_minute FROM rides"
        " JOIN tariffs ON tariffs.id = COALESCE(rides.tariff, (SELECT id FROM tariffs WHERE name = %s))"
        " WHERE rides.id = %s",
        (STANDARD, ride),
    ).fetchone()
    ended = clock.now()
    minutes = max(1, round((ended - began).total_seconds() / 60))
    cents = minutes * cents_a_minute
    connection.execute("UPDATE rides SET ended = %s, cents = %s WHERE id = %s", (ended, cents, ride))
    log.event("ride-ended", ride=ride, minutes=minutes)
    return minutes, cents
