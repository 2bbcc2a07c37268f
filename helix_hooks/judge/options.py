"""Options of a review, as values that the command line and the Action build."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..verdict.earlier import EarlierRound


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


class RunOptions(NamedTuple):
    """Replacements for the settings of a run; None keeps the setting.

    `timeout` is in seconds for one attempt, `max_cost_usd` for all attempts of an approval type.
    """

    agent: str | None = None
    model: str | None = None
    timeout: int | None = None
    max_cost_usd: float | None = None
    semantic: str | None = None


class ApproveOptions(NamedTuple):
    """Options of a review.

    With `base_decides` only the settings of the base count, even if those of the change are broken.
    `paths` are the files to review; empty for all changed files. `types` are approval types; empty
    for the enabled ones. `checks` are the briefs of a single type; empty for all. `approver` is the
    agent of a gate, and also replaces `agent: skip`. The judges of the types in `fresh` do not use
    the cache. `config` is the path of another approvals file. `secrets` are values by name that no
    result may contain, in addition to those of the environment.

    `earlier` are the last rounds on the pull request. With `is_requested` a person requested the
    review, so a judge may also mark findings in unchanged text as fixed.
    """

    range: Range = Range()
    base_decides: bool = False
    paths: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    approver: str = ""
    run: RunOptions = RunOptions()
    fail_on: str = "error"
    uses_cache: bool = True
    fresh: tuple[str, ...] = ()
    keeps_workspace: bool = False
    config: str = ""
    secrets: Mapping[str, str] = {}
    earlier: tuple[EarlierRound, ...] = ()
    is_requested: bool = False


def _ignore(_name: str, _seconds: float, _activity: str) -> None:
    """Show no progress."""


class Observer(NamedTuple):
    """Functions that a review calls to show its progress.

    `notify` gets one line of text. `progress` gets an approval type, the seconds of the current
    attempt, and the activity of its judge.
    """

    notify: Callable[[str], None]
    progress: Callable[[str, float, str], None] = _ignore
