"""The rules on an ADR among others, each in a module of its name."""
