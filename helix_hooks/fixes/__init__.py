"""Repairs of findings, as edits of text: a module a kind, and the registry of all."""
