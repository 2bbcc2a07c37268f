"""The options of the steps. The command line builds them."""

from collections.abc import Mapping
from typing import NamedTuple

from ..decision.handover import Handover, RunTarget
from ..judge.options import ApproveOptions, Range, RunOptions


class StepOptions(NamedTuple):
    """Inputs of the Action; each step reads its part.

    `types` are approval types, () for the enabled ones. The judges of the types in `fresh` are
    asked even if they have answered the same question. `config` is the path of an approvals file of
    the base, "" for the default. `gate` is the gate to evaluate. With `pinned_issue`, a sweep
    updates the issue that lists all pull requests waiting for a person.
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
    """Return the commits of a run."""
    # GitHub has computed the merge base: here the history to compute it may be missing.
    return Range(target.base, target.head, target.merge_base)


def approve_options(
    options: StepOptions,
    handover: Handover,
    secrets: Mapping[str, str],
) -> ApproveOptions:
    """Return the options of a review on a pull request. All settings come from the base."""
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
