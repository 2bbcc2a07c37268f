"""The rules on one ADR, each in a module of its name."""
