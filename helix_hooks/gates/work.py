"""The content that a gate checks."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..judge.options import Range
from ..verdict.earlier import EarlierFinding

TERMINAL, HOOK, ACTION, FLOW = "terminal", "hook", "action", "flow"
"""Where a gate is evaluated. Commands never run in a hook or in the Action."""


def _ignore(_name: str, _seconds: float, _activity: str) -> None:
    """Show no progress."""


class GateWork(NamedTuple):
    """The repository and the content that a gate checks.

    Without `head` the content is the working tree, with `staged` the index. `base` is the revision
    whose settings apply, "" for those of the content. `merge_base` is set if the history is not in
    the clone, `config` if the approvals file of the base has another path. `files` replace those of
    the gate. `records` are the SHA-256 hashes of the approval results that this run has written, by
    path. `written` are the files that this attempt has written, None if that is unknown. `earlier`
    are the findings of the gate in earlier rounds, for a judge. `notify` gets lines for people,
    `progress` the activity of a judge.
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
    written: tuple[str, ...] | None = None
    earlier: tuple[EarlierFinding, ...] = ()
    progress: Callable[[str, float, str], None] = _ignore

    @property
    def range(self) -> Range:
        """The commits of the content, for a review."""
        return Range(self.base, self.head, self.merge_base)
