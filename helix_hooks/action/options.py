"""Options of the steps, as a value that the command line builds."""

from collections.abc import Mapping
from typing import NamedTuple

from ..change.range import Range
from ..decision.handover import Handover, RunTarget
from ..judge.options import ApproveOptions, RunOptions


class StepOptions(NamedTuple):
    """Inputs of the Action; each step reads its part.

    `types` are approval types, none for the enabled ones; the judges of `fresh` are asked even if
    they answered the question before. `config` is an approvals file of the base at another place,
    `gate` the gate to ask. With `pinned_issue` a sweep keeps the
    issue with all pull requests that wait for a person.
    """

    types: tuple[str, ...] = ()
    agent: str | None = None
    model: str | None = None
    max_cost_usd: float | None = None
    fresh: tuple[str, ...] = ()
    config: str = ""
    fail_on: str = "error"
    gate: str = ""
    pinned_issue: bool = False


def range_of(target: RunTarget) -> Range:
    """Return the commits of a run. GitHub names the merge base, whose history may be missing."""
    return Range(target.base, target.head, target.merge_base)


def approve_options(
    options: StepOptions,
    handover: Handover,
    secrets: Mapping[str, str],
) -> ApproveOptions:
    """Return the options of the review on a pull request: all settings are those of the base."""
    return ApproveOptions(
        range=range_of(handover.target),
        base_decides=True,
        types=options.types,
        run=RunOptions(
            agent=options.agent,
            model=options.model,
            max_cost_usd=options.max_cost_usd,
        ),
        fail_on=options.fail_on,
        fresh=options.fresh,
        config=options.config,
        secrets=secrets,
        earlier=handover.earlier,
        is_requested=handover.is_requested,
    )
