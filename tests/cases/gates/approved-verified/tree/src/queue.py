"""A queue."""
