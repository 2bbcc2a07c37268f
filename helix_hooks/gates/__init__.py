"""Evaluation of gates: a module a kind of gate."""
