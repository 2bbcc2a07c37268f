"""The commits around a change, as a caller names them.

Light: a command line builds it before anything of the repository is imported.
"""

from typing import NamedTuple


class Range(NamedTuple):
    """The commits between which a change lies, by any name; "" for none.

    Without a head the change ends in the work tree. Without a merge base git computes it; GitHub
    knows it where the history is not in the clone. `ignored` are files of the work tree that count
    although git ignores them.
    """

    base: str = ""
    head: str = ""
    merge_base: str = ""
    ignored: tuple[str, ...] = ()
