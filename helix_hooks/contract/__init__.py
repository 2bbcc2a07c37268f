"""The promises of an approved ADR: the files and acceptance criteria that a change must deliver."""
