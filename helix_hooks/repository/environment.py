"""The environment of this process, which git and other programs inherit."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def restored() -> Iterator[None]:
    """Restore all variables at the end, for a caller whose process continues.

    The program removes variables that change the answers of git, and adds the folder with the
    objects of the work tree. If it has a process of its own, these changes end with it.
    """
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
