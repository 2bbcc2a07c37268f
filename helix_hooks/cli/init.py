"""`helix-hooks init`: hook, settings and a first ADR.

Of the files that exist only the settings change, and only by what is added.
"""

import os
import shlex
import sys

import click

from .. import __version__
from ..authoring import init, workflow
from ..check.options import CheckOptions, opened
from ..console.output import print_result
from ..errors import UsageError
from ..paths import WORKFLOW
from ..repository import git
from .frame import command

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --dry-run    show what would be written
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
@click.option(
    "--dry-run", is_flag=True, help="write nothing; show what would be written, and the difference"
)
def run(*, repo: str, rev: str, github: bool | None, dry_run: bool) -> int:
    if not git.repository():
        raise UsageError("this folder is not in a git repository; run `git init` first")
    has_workflow = _asks_for_workflow() if github is None and not dry_run else bool(github)
    source = init.HookSource(url=repo, revision=rev)
    with opened(CheckOptions()) as target:
        root = target.root
        steps = init.plan(target, source, with_workflow=has_workflow)
    if not dry_run:
        init.write(root, steps)
    lines = ["Nothing is written; without --dry-run:"] if dry_run else []
    changes = [step.change for step in steps if step.change]
    for action, text, change in steps:
        lines += [f"{action:<7}  {text}", *([change.diff] if change and change.diff else [])]
    written = [_from_here(root, change.path) for change in changes]
    fill_in = [f"  fill in {path}, or delete it" for path in written if ".md" in path]
    add = [f"  git add {' '.join(written)} && git commit"] if written else []
    then = workflow.NEXT_STEPS if has_workflow else []
    install = "  pre-commit install     (or: prek install)"
    print_result("\n".join([*lines, "", "Next:", install, *fill_in, *add, *then]) + "\n")
    return 0


def _asks_for_workflow() -> bool:
    """Ask at a terminal, where somebody can answer; anywhere else the answer is no."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return click.confirm(f"Write {WORKFLOW} too, the gate on pull requests?", err=True)


def _from_here(root: str, path: str) -> str:
    """Return a path of the repository as an argument in the current folder."""
    return shlex.quote(os.path.relpath(os.path.join(root, path)))
