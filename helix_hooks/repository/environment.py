"""The environment of this process, which git and the programs started beside it inherit."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def restored() -> Iterator[None]:
    """Set all variables back at the end to what they were, for programs that go on afterwards.

    The program leaves out variables that change what git answers, and adds the folder with the
    objects of the work tree. A process of its own takes them with it.
    """
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
