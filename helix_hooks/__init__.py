"""A merge gate for architecture decision records."""

__version__ = "0.1.0"
