"""The content that a gate is asked about."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

TERMINAL, HOOK, ACTION, FLOW = "terminal", "hook", "action", "flow"
"""Where a gate is asked. Commands never run in a hook or in the Action."""


class GateWork(NamedTuple):
    """The repository and the content that a gate is asked about.

    Without a `head` the content is that of the work tree, with `staged` that of the index. `base`
    is the revision whose settings count, "" for the usual one. `files` replace those of the gate.
    `records` are the SHA-256 of the approval results that this run has written, by path.
    """

    root: str
    where: str
    environment: Mapping[str, str]
    notify: Callable[[str], None]
    base: str = ""
    head: str = ""
    staged: bool = False
    files: tuple[str, ...] = ()
    records: Mapping[str, str] = {}
