"""`helix-hooks init`: hook, settings and a first ADR. It never changes a file that exists."""

import os
import shlex
import sys

import click

from .. import __version__
from ..authoring import init, workflow
from ..console.output import print_result
from ..errors import UsageError
from ..paths import WORKFLOW
from ..repository import git
from .frame import command

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --github     the gate on pull requests too"""

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"


@command("init", example=EXAMPLE)
@click.option(
    "--repo",
    metavar="URL",
    default=REPOSITORY,
    help="the repository from which pre-commit fetches the hooks",
)
@click.option(
    "--rev",
    metavar="REV",
    default=f"v{__version__}",
    help=f"tag or commit of the hooks (default: v{__version__})",
)
@click.option(
    "--github/--no-github",
    default=None,
    help=(
        f"write {WORKFLOW} too: the gate on pull requests (default: asked at a terminal, else not)"
    ),
)
def run(*, repo: str, rev: str, github: bool | None) -> int:
    root = git.repository()
    if not root:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    has_workflow = _asks_for_workflow() if github is None else github
    source = init.HookSource(url=repo, revision=rev)
    steps = init.set_up(root, source, with_workflow=has_workflow)
    lines = [f"{step.action:<7}  {step.text}" for step in steps]
    created = [_from_here(root, step.created) for step in steps if step.created]
    add = [f"  git add {' '.join(created)} && git commit"] if created else []
    then = workflow.NEXT_STEPS if has_workflow else []
    install = "  pre-commit install     (or: prek install)"
    print_result("\n".join([*lines, "", "Next:", install, *add, *then]) + "\n")
    return 0


def _asks_for_workflow() -> bool:
    """Ask at a terminal, where somebody can answer; anywhere else the answer is no."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return click.confirm(f"Write {WORKFLOW} too, the gate on pull requests?", err=True)


def _from_here(root: str, path: str) -> str:
    """Return a path of the repository as an argument in the current folder."""
    return shlex.quote(os.path.relpath(os.path.join(root, path)))
