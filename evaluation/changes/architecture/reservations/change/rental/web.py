"""The HTTP interface: the app of the customers below /app, partners below /v1."""

import flask
import psycopg

from rental import customers, health, invoices, partners, reservations, rides, store

app = flask.Flask(__name__)


def partner(connection: psycopg.Connection) -> int:
    found = partners.partner_of(connection, flask.request.headers.get("Authorization", "").removeprefix("Bearer "))
    return found if found is not None else flask.abort(401)


def own(connection: psycopg.Connection, ride: int) -> None:
    """A partner sees the rides of its own customer only."""
    row = connection.execute("SELECT partner FROM rides JOIN customers ON customers.id = customer WHERE rides.id = %s", (ride,)).fetchone()
    if row is None or row[0] != partner(connection):
        flask.abort(404)


@app.get("/health")
def is_healthy() -> tuple[str, int]:
    return "", health.status()


@app.post("/app/sign-in")
def sign_in() -> dict[str, object]:
    with store.connect() as connection:
        customer = customers.sign_in(connection, flask.request.json["mail"], flask.request.json["password"])
    return {"customer": customer} if customer is not None else flask.abort(401)


@app.post("/app/forgotten")
def forgotten() -> dict[str, object]:
    with store.connect() as connection:
        row = connection.execute("SELECT id FROM customers WHERE mail = %s", (flask.request.json["mail"],)).fetchone()
        if row:
            customers.send_reset(connection, row[0], flask.request.json["mail"])
    return {}


@app.post("/app/reset")
def reset() -> dict[str, object]:
    with store.connect() as connection:
        customers.reset(connection, flask.request.json["token"], flask.request.json["password"])
    return {}


@app.post("/app/invoices/<int:invoice>/pay")
def pay(invoice: int) -> dict[str, object]:
    with store.connect() as connection:
        invoices.charge(connection, invoice)
    return {}


@app.post("/app/positions")
def position() -> dict[str, object]:
    with store.connect() as connection:
        rides.follow(connection, flask.request.json["ride"], flask.request.json["latitude"], flask.request.json["longitude"])
    return {}


@app.post("/app/reservations")
def reserve() -> dict[str, object]:
    with store.connect() as connection:
        held = reservations.reserve(connection, flask.request.json["bike"], flask.request.json["customer"])
    return {"held": held}


@app.post("/v1/rides")
def begin() -> dict[str, object]:
    with store.connect() as connection:
        customer = connection.execute("SELECT id FROM customers WHERE partner = %s", (partner(connection),)).fetchone()[0]
        return {"ride": rides.begin(connection, flask.request.json["bike"], customer)}


@app.post("/v1/rides/<int:ride>/end")
def end(ride: int) -> dict[str, object]:
    with store.connect() as connection:
        own(connection, ride)
        minutes, cents = rides.end(connection, ride)
        customer = connection.execute("SELECT customer FROM rides WHERE id = %s", (ride,)).fetchone()[0]
        invoices.charge(connection, invoices.issue(connection, ride, customer, cents))
    return {"ride": ride, "minutes": minutes, "price": f"{cents / 100:.2f}"}


@app.get("/v1/rides/<int:ride>/track")
def track(ride: int) -> flask.Response:
    with store.connect() as connection:
        own(connection, ride)
        return flask.jsonify(rides.track(connection, ride))
