"""The content that a gate is asked about."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..change.range import Range

TERMINAL, HOOK, ACTION, FLOW = "terminal", "hook", "action", "flow"
"""Where a gate is asked. Commands never run in a hook or in the Action."""


def _ignore(_name: str, _seconds: float, _activity: str) -> None:
    """Show no progress."""


class GateWork(NamedTuple):
    """The repository and the content that a gate is asked about.

    Without a `head` the content is that of the work tree, with `staged` that of the index. `base`
    is the revision whose settings count, "" for those of the content; `merge_base` is that of both
    where the history is not in the clone, `config` an approvals file of the base at another place.
    `files` replace those of the gate. `records` are the SHA-256 of the approval results that this
    run has written, by path. `notify` gets lines for people, `progress` what a judge does.
    """

    root: str
    where: str
    environment: Mapping[str, str]
    notify: Callable[[str], None]
    base: str = ""
    head: str = ""
    merge_base: str = ""
    config: str = ""
    staged: bool = False
    files: tuple[str, ...] = ()
    records: Mapping[str, str] = {}
    progress: Callable[[str, float, str], None] = _ignore

    @property
    def range(self) -> Range:
        """The commits of the content, for a review."""
        return Range(self.base, self.head, self.merge_base)
