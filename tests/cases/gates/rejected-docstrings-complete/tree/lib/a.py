"""A module."""


class Queue:
    """A queue."""

    def put(self): ...

    def _grow(self): ...


def main():
    """Run."""
