"""`helix-hooks init`: hook, settings and a first ADR. It never changes a file that exists."""

import os
import shlex
from argparse import ArgumentParser, Namespace

from .. import __version__
from ..authoring import init, workflow
from ..console.output import write
from ..errors import UsageError
from ..paths import WORKFLOW
from ..repository import git

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --github     the gate on pull requests too"""

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="URL", default=REPOSITORY, help="where pre-commit fetches the hooks from")
    parser.add_argument("--rev", metavar="REV", default=f"v{__version__}", help=f"at which tag or commit (default: v{__version__})")
    parser.add_argument("--github", action="store_true", help=f"write {WORKFLOW} too: the gate on pull requests")


def run(options: Namespace) -> int:
    root = git.repository()
    if not root:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    source = init.HookSource(url=options.repo, revision=options.rev)
    steps = init.set_up(root, source, with_workflow=options.github)
    lines = [f"{step.action:<7}  {step.text}" for step in steps]
    created = [_from_here(root, step.created) for step in steps if step.created]
    add = [f"  git add {' '.join(created)} && git commit"] if created else []
    then = workflow.THEN if options.github else []
    write("\n".join([*lines, "", "Next:", "  pre-commit install     (or: prek install)", *add, *then]) + "\n")
    return 0


def _from_here(root: str, path: str) -> str:
    """Return a path of the repository as an argument in the current folder."""
    return shlex.quote(os.path.relpath(os.path.join(root, path)))
