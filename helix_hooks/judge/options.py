"""Options of a review, as values that the command line and the Action build."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..change.range import Range


class RunOptions(NamedTuple):
    """Replacements for the settings of a run; None keeps the setting.

    `timeout` is in seconds for one try, `max_cost_usd` for all tries of an approval type.
    """

    agent: str | None = None
    model: str | None = None
    timeout: int | None = None
    max_cost_usd: float | None = None
    semantic: str | None = None


class ApproveOptions(NamedTuple):
    """Options of a review.

    `base_decides`: the settings of the base count alone, also where those of the change are broken.
    `paths` are the files to review, none for all that changed. `types` are approval types, none for
    the enabled ones; of a single one `checks` are the briefs to ask, none for all. `approver` is
    the agent that a gate names, also for types with `agent: skip`. The judges of
    `fresh` are asked even if they answered the question before.
    `config` is an approvals file at another place. `secrets` are values that no result may hold,
    by name, beside those of the environment.
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


def _ignore(_name: str, _seconds: float, _activity: str) -> None:
    """Show no progress."""


class Observer(NamedTuple):
    """Functions that a review calls for the people who started it.

    `notify` gets one line of text. `progress` gets an approval type, the seconds that the
    current try has taken, and what its judge does.
    """

    notify: Callable[[str], None]
    progress: Callable[[str, float, str], None] = _ignore
