"""`helix-hooks github`: the steps of the GitHub Action. Each does one thing, and is given only what that needs."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..action.options import StepOptions

MODES = {
    "snapshot": "what the pull request is, and its commits as git objects (a token that reads)",
    "check": "Layers 1 to 3 on the commit under review (no token)",
    "judge": "the judges of the approval types (the key of a model, no token)",
    "publish": "the decision, and what is said on the pull request (a token that writes, no key)",
    "command": "what somebody asks of the gate in a comment or says in a review (a token that writes, no key)",
    "sweep": "what time has decided on the open pull requests (a token that writes, no key)",
}

EXAMPLE = (
    """examples:
  helix-hooks github --mode snapshot     in a workflow, with GITHUB_TOKEN
  helix-hooks github --mode check

modes:
"""
    + "\n".join(f"  {name:<9} {text}" for name, text in MODES.items())
    + """

exit codes:
  0  approved, or nothing that the gate watches was changed
  1  findings to fix, rejected or needs_revision
  2  usage, or the settings at the base are broken
  3  a step could not do its work, or the branch has moved on
  4  pending: a person must decide"""
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--mode", required=True, choices=list(MODES), help="the step to take")
    parser.add_argument("--work", metavar="DIR", default="", help="where steps leave things for each other (default: helix in RUNNER_TEMP)")
    parser.add_argument("--type", action="append", default=[], metavar="T", help="approval type; may be repeated (default: the enabled ones)")
    parser.add_argument("--agent", metavar="NAME", help="who judges: claude, or one of the settings")
    parser.add_argument("--model", metavar="ID", help="the model's full id")
    parser.add_argument("--max-cost-usd", metavar="X", type=float, help="budget of one approval type")
    parser.add_argument(
        "--fresh", action="append", default=[], metavar="T", help="approval type whose judge is asked also where it has answered before"
    )
    parser.add_argument("--config", metavar="FILE", default="", help="the approvals file at the base (default: config/approvals.yaml)")
    parser.add_argument("--fail-on", choices=("error", "warning", "never"), default="error", help="the mildest finding of Layers 1-3 that rejects")


def run(parsed: Namespace) -> int:
    import os
    from importlib import import_module

    from ..action.work import Work
    from ..github.runner import quoted

    step = import_module(f"helix_hooks.action.{parsed.mode}")
    folder = parsed.work or os.path.join(os.environ.get("RUNNER_TEMP", ""), "helix")
    with quoted(os.environ):
        return int(step.run(_options(parsed), Work(folder)))


def _options(parsed: Namespace) -> "StepOptions":
    from posixpath import normpath

    from ..action.options import StepOptions

    return StepOptions(
        types=tuple(parsed.type),
        agent=parsed.agent,
        model=parsed.model,
        max_cost_usd=parsed.max_cost_usd,
        fresh=tuple(parsed.fresh),
        config=parsed.config and normpath(parsed.config),  # as git names it
        fail_on=parsed.fail_on,
    )
