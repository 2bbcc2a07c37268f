"""`helix-hooks github`: the steps of the GitHub Action. Each gets only the secrets it needs."""

import os
from importlib import import_module
from posixpath import normpath

import click

from ..action.options import StepOptions
from ..action.work import Work
from ..finding import FAIL_ON
from ..github.runner import quoted
from ..text.table import table
from .frame import command, complete_file, complete_folder

MODES = {
    "snapshot": "fetch the pull request and its commits (read token)",
    "check": "run Layers 1 to 3 on the commit under review (no token)",
    "judge": "run the judges of the approval types (model key, no token)",
    "gate": "evaluate one gate of the base on the commit under review (no token)",
    "publish": "decide, and publish the decision on the pull request (write token, no key)",
    "command": "answer commands in comments, and count reviews (write token, no key)",
    "sweep": "decide open pull requests after a deadline (write token, no key)",
}

EXAMPLE = (
    """examples:
  helix-hooks github --mode snapshot    fetch the pull request, in a workflow with GITHUB_TOKEN
  helix-hooks github --mode check       check it

modes:
"""
    + "\n".join(table(MODES.items(), indent=2))
    + """

exit codes:
  0  approved, or no watched file was changed
  1  findings to fix, rejected or needs_revision
  2  usage error, or the settings of the base are broken
  3  a step failed, or the branch was updated
  4  pending: a person must decide"""
)


@command("github", example=EXAMPLE)
@click.option("--mode", required=True, type=click.Choice(list(MODES)), help="step to run")
@click.option(
    "--work",
    metavar="DIR",
    shell_complete=complete_folder,
    default="",
    help="folder that the steps share (default: helix in RUNNER_TEMP)",
)
@click.option(
    "--type",
    multiple=True,
    metavar="T",
    help="review with this approval type; repeatable (default: the enabled types)",
)
@click.option("--agent", metavar="NAME", help="judge: claude, or an agent from the settings")
@click.option("--model", metavar="ID", help="full id of the judge's model")
@click.option("--max-cost-usd", metavar="X", type=float, help="budget of each approval type")
@click.option(
    "--fresh",
    multiple=True,
    metavar="T",
    help="ask the judge of this approval type again; repeatable",
)
@click.option(
    "--config",
    metavar="FILE",
    shell_complete=complete_file,
    default="",
    help="approvals file of the base (default: config/approvals.yaml)",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    help="reject at findings of Layers 1-3 of this severity or worse (default: error)",
)
@click.option("--gate", metavar="NAME", default="", help="with --mode gate: the gate to evaluate")
@click.option(
    "--pinned-issue",
    is_flag=True,
    help="with --mode sweep: update a pinned issue that lists pending approvals",
)
def run(
    *,
    mode: str,
    work: str,
    type: tuple[str, ...],
    agent: str | None,
    model: str | None,
    max_cost_usd: float | None,
    fresh: tuple[str, ...],
    config: str,
    fail_on: str,
    gate: str,
    pinned_issue: bool,
) -> int:
    step = import_module(f"helix_hooks.action.{mode}")
    folder = work or os.path.join(os.environ.get("RUNNER_TEMP", ""), "helix")
    options = StepOptions(
        types=type,
        agent=agent,
        model=model,
        max_cost_usd=max_cost_usd,
        fresh=fresh,
        config=config and normpath(config),  # as git names it
        fail_on=fail_on,
        gate=gate,
        pinned_issue=pinned_issue,
    )
    with quoted(os.environ):
        return int(step.run(options, Work(folder)))
