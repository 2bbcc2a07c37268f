CREATE TABLE rides (
    id serial PRIMARY KEY,
    bike integer NOT NULL,
    customer integer NOT NULL REFERENCES customers,
    began timestamptz NOT NULL,
    ended timestamptz,
    cents integer,
    track jsonb NOT NULL
);
