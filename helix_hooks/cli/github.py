"""`helix-hooks github`: the steps of the GitHub Action. Each gets only the secrets it needs."""

import os
from importlib import import_module
from posixpath import normpath
from typing import Any

from ..pull.runner import StepOptions, Work, quoted
from ..text.table import table
from . import shared

MODES = {
    "snapshot": "fetch the pull request and its commits (read token)",
    "check": "run Layers 1 to 3 on the commit under review (no token)",
    "judge": "run the judges of the approval types (model key, no token)",
    "gate": "evaluate one gate of the base on the commit under review (no token)",
    "publish": "decide, and publish the decision on the pull request (write token, no key)",
    "command": "answer commands in comments, and count reviews (write token, no key)",
    "sweep": "decide open pull requests after a deadline (write token, no key)",
}

EXAMPLE = """examples:
  helix-hooks github --mode snapshot    fetch the pull request, in a workflow with GITHUB_TOKEN
  helix-hooks github --mode check       check it

modes:
""" + "\n".join(table(MODES.items(), indent=2))


@shared.command(
    "github",
    example=EXAMPLE,
    exits={
        0: "approved, or no watched file was changed",
        1: "findings to fix, rejected or needs_revision",
        3: "a step failed, or the branch was updated",
        4: "pending: a person must decide",
    },
)
@shared.choice("--mode", MODES, "step to run", required=True)
@shared.file("--work", "folder that the steps share (default: helix in RUNNER_TEMP)", metavar="DIR")
@shared.types
@shared.agent
@shared.text("--model", "ID", "full id of the judge's model")
@shared.budget
@shared.text("--fresh", "T", "ask the judge of this approval type again", multiple=True)
@shared.file("--config", "approvals file of the base (default: config/approvals.yaml)")
@shared.fail_on("reject at findings of Layers 1-3")
@shared.text("--gate", "NAME", "with --mode gate: the gate to evaluate")
@shared.flag(
    "--pinned-issue", "with --mode sweep: update a pinned issue that lists pending approvals"
)
def run(*, mode: str, work: str, config: str, **values: Any) -> int:
    step = import_module(f"helix_hooks.pull.{mode}")
    folder = work or os.path.join(os.environ.get("RUNNER_TEMP", ""), "helix")
    options = shared.of_fields(StepOptions, values)
    if config:
        options = options._replace(config=normpath(config))  # as git names it
    with quoted(os.environ):
        return int(step.run(options, Work(folder)))
