"""The rules on an ADR and the other ADRs, each in a module of its name."""
