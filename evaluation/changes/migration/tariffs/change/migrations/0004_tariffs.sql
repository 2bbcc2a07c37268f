-- Way back: revert the code; the version before reads neither the table nor the column, so both may stay.
-- A ride without a tariff has the standard one, also those that the version before begins during the deployment.
CREATE TABLE tariffs (
    id serial PRIMARY KEY,
    name text NOT NULL UNIQUE,
    cents_a_minute integer NOT NULL CHECK (cents_a_minute > 0)
);

INSERT INTO tariffs (name, cents_a_minute) VALUES ('standard', 18);

ALTER TABLE rides ADD COLUMN tariff integer REFERENCES tariffs;
