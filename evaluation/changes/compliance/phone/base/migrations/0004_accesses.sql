CREATE TABLE accesses (
    staff integer NOT NULL,
    customer integer NOT NULL REFERENCES customers,
    at timestamptz NOT NULL
);
