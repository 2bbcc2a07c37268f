CREATE TABLE partners (
    id serial PRIMARY KEY,
    name text NOT NULL,
    mail text NOT NULL,
    token text NOT NULL UNIQUE
);

CREATE TABLE customers (
    id serial PRIMARY KEY,
    partner integer REFERENCES partners,
    name text NOT NULL,
    mail text NOT NULL UNIQUE,
    password text NOT NULL,
    card text NOT NULL,
    reset text,
    reset_until timestamptz,
    seen timestamptz
);
