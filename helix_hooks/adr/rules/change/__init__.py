"""The rules on an ADR and its version before the change, each in a module of its name."""
