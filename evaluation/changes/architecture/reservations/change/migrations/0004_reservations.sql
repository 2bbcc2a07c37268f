CREATE TABLE reservations (
    bike integer PRIMARY KEY,
    customer integer NOT NULL REFERENCES customers,
    until timestamptz NOT NULL
);
