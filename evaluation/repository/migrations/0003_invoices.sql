CREATE TABLE invoices (
    id serial PRIMARY KEY,
    ride integer NOT NULL REFERENCES rides,
    customer integer NOT NULL REFERENCES customers,
    cents integer NOT NULL,
    issued timestamptz NOT NULL,
    booking text
);
