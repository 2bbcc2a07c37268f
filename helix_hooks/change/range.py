"""The commits around a change, as a command line names them.

This module imports nothing of the repository, since a command line builds a range first.
"""

from typing import NamedTuple


class Range(NamedTuple):
    """The commits of a change, by any name; "" if not set.

    Without a head the change ends in the working tree. Without a merge base git computes it; GitHub
    reports it if the clone lacks the history. `ignored` are files of the working tree that belong
    to the change although git ignores them.
    """

    base: str = ""
    head: str = ""
    merge_base: str = ""
    ignored: tuple[str, ...] = ()
