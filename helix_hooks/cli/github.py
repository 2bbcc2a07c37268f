"""`helix-hooks github`: the steps of the GitHub Action. Each gets only the secrets it needs."""

import click

from ..finding import FAIL_ON
from .frame import command, complete_file, complete_folder

MODES = {
    "snapshot": "what the pull request is, and its commits as git objects (a token that reads)",
    "check": "Layers 1 to 3 on the commit under review (no token)",
    "judge": "the judges of the approval types (the key of a model, no token)",
    "gate": "one gate of the base's settings, on the commit under review (no token; a key if it asks)",
    "publish": "the decision, and what is said on the pull request (a token that writes, no key)",
    "command": "commands in a comment, votes in a review (a token that writes, no key)",
    "sweep": "deadlines of the open pull requests (a token that writes, no key)",
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


@command("github", example=EXAMPLE)
@click.option("--mode", required=True, type=click.Choice(list(MODES)), help="the step to take")
@click.option(
    "--work",
    metavar="DIR",
    shell_complete=complete_folder,
    default="",
    help="folder for what one step leaves for the next (default: helix in RUNNER_TEMP)",
)
@click.option(
    "--type",
    multiple=True,
    metavar="T",
    help="approval type; may be repeated (default: the enabled ones)",
)
@click.option("--agent", metavar="NAME", help="the judge: claude, or an agent of the settings")
@click.option("--model", metavar="ID", help="the model's full id")
@click.option("--max-cost-usd", metavar="X", type=float, help="budget of one approval type")
@click.option(
    "--fresh",
    multiple=True,
    metavar="T",
    help="approval type whose judge is asked even if it has answered before",
)
@click.option(
    "--config",
    metavar="FILE",
    shell_complete=complete_file,
    default="",
    help="the approvals file at the base (default: config/approvals.yaml)",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    help="reject at findings of Layers 1-3 of this severity or worse",
)
@click.option("--gate", metavar="NAME", default="", help="the gate that --mode gate asks")
@click.option(
    "--pinned-issue",
    is_flag=True,
    help="--mode sweep keeps a pinned issue with what waits for a person",
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
    import os
    from importlib import import_module
    from posixpath import normpath

    from ..action.options import StepOptions
    from ..action.work import Work
    from ..github.runner import quoted

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
