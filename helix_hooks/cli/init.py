"""`helix-hooks init`: hook, settings and a first ADR; with `--agent` the stop hook of a coding agent.

Of the files that exist only settings change, and only by what is added.
"""

import os
import shlex
import sys

import click

from ..agents.instructions import BLOCK
from ..agents.registry import AGENTS
from ..authoring import agents, init, workflow
from ..authoring.code_review import OFFER, has_own
from ..authoring.hook_source import REPOSITORY, HookSource, hook_source
from ..check.options import CheckOptions, opened
from ..console.output import print_result
from ..errors import PendingError, UsageError
from ..paths import APPROVALS_FILE, WORKFLOW
from ..repository import git
from .frame import command

EXAMPLE = """examples:
  helix-hooks init
  helix-hooks init --dry-run    show what would be written
  helix-hooks init --github     the gate on pull requests too
  helix-hooks init --github --code-review
  helix-hooks init --agent claude --agent gemini --instructions
  helix-hooks init --agent claude --remove"""


@command("init", example=EXAMPLE)
@click.option(
    "--repo",
    metavar="URL",
    help=f"the repository from which pre-commit fetches the hooks (default: {REPOSITORY})",
)
@click.option(
    "--rev",
    metavar="REV",
    help="tag or commit of the hooks (default: those of this installation)",
)
@click.option(
    "--github/--no-github",
    default=None,
    help=(
        f"write {WORKFLOW} too: the gate on pull requests (default: asked at a terminal, else not)"
    ),
)
@click.option(
    "--code-review/--no-code-review",
    default=None,
    help=(
        f"with --github: write {APPROVALS_FILE} with a judge for source code, which costs up to "
        "$1.00 a run (default: asked at a terminal, else not)"
    ),
)
@click.option(
    "--dry-run", is_flag=True, help="write nothing; show what would be written, and the difference"
)
@click.option(
    "--agent",
    "names",
    multiple=True,
    type=click.Choice(tuple(AGENTS)),
    help="only add the hook that verifies the work of this agent when it stops (repeatable)",
)
@click.option("--remove", is_flag=True, help="with --agent: take hook and instructions out again")
@click.option(
    "--instructions",
    is_flag=True,
    help="with --agent: write the instructions into AGENTS.md, CLAUDE.md or GEMINI.md",
)
@click.option("--yes", is_flag=True, help="with --agent: write without asking")
def run(
    *,
    repo: str | None,
    rev: str | None,
    github: bool | None,
    code_review: bool | None,
    dry_run: bool,
    names: tuple[str, ...],
    remove: bool,
    instructions: bool,
    yes: bool,
) -> int:
    root = git.repository()
    if not root:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    if code_review and (names or github is False):
        raise UsageError("--code-review needs --github: the judge is asked about pull requests")
    if names:
        steps = agents.plan(root, names, remove, instructions)
        return _set_up(root, names, steps, adds=not remove, writes=not dry_run, asks=not yes)
    if remove or instructions or yes:
        raise UsageError("--remove, --instructions and --yes need --agent")
    wants_gate = True if code_review and github is None else github
    has_workflow = _asks_for_workflow() if wants_gate is None and not dry_run else bool(wants_gate)
    if has_workflow:
        workflow.require_source(root, repo or REPOSITORY, rev)
    return _init(root, hook_source(repo, rev), has_workflow, code_review, dry_run)


def _init(
    root: str, source: HookSource, has_workflow: bool, code_review: bool | None, dry_run: bool
) -> int:
    may_ask = has_workflow and code_review is None and not dry_run
    judges_code = _asks_for_code_review(root) if may_ask else bool(code_review)
    with opened(CheckOptions()) as target:
        steps = init.plan(target, source, with_workflow=has_workflow, with_code_review=judges_code)
    if not dry_run:
        init.write(root, steps)
    lines = ["Nothing is written; without --dry-run:"] if dry_run else []
    changes = [step.change for step in steps if step.change]
    for action, text, change in steps:
        lines += [f"{action:<7}  {text}", *([change.diff] if change and change.diff else [])]
    written = [_from_here(root, change.path) for change in changes]
    fill_in = [f"  fill in {path}, or delete it" for path in written if ".md" in path]
    add = [f"  git add {' '.join(written)} && git commit"] if written else []
    offer = [] if judges_code or has_own(root) else [OFFER]
    then = [*workflow.NEXT_STEPS, *offer] if has_workflow else []
    install = ["  pre-commit install     (or: prek install)"]
    if any(step.action == init.LEFT_OUT for step in steps):
        # Both files need the revision, so nothing that uses them can be done yet.
        install, then = [_again(source, has_workflow)], []
    print_result("\n".join([*lines, "", "Next:", *install, *fill_in, *add, *then]) + "\n")
    return 0


def _again(source: HookSource, has_workflow: bool) -> str:
    """Return the call that writes the files which need a revision, and how to find one."""
    words = ["helix-hooks", "init"]
    if has_workflow:
        words.append("--github")
    if source.url != REPOSITORY:
        words += ["--repo", shlex.quote(source.url)]
    newest = f"`git ls-remote {shlex.quote(source.url)} HEAD` prints the newest commit"
    return f"  {' '.join(words)} --rev COMMIT     ({newest})"


def _asks_for_workflow() -> bool:
    """Ask at a terminal; anywhere else the answer is no."""
    if not _can_answer():
        return False
    return click.confirm(f"Write {WORKFLOW} too, the gate on pull requests?", err=True)


def _asks_for_code_review(root: str) -> bool:
    """Ask at a terminal, where no approvals file says it; anywhere else the answer is no."""
    if has_own(root) or not _can_answer():
        return False
    question = "Have a judge read each change to source code too, for up to $1.00 a run?"
    return click.confirm(question, err=True)


def _can_answer() -> bool:
    """Return whether this is a terminal, where somebody can answer."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def _set_up(
    root: str,
    names: tuple[str, ...],
    steps: list[agents.AgentStep],
    *,
    adds: bool,
    writes: bool,
    asks: bool,
) -> int:
    """Show what changes for some agents, ask, write it, and say what a user does then."""
    edits = [step.edit for step in steps if step.edit]
    lines = [] if writes else ["Nothing is written; without --dry-run:"]
    for step in steps:
        lines += [f"{step.action:<7}  {step.text}", *([step.diff] if step.diff else [])]
    print_result("\n".join(lines) + "\n")
    if writes and edits and asks and not _is_wanted():
        print_result("Nothing is written.\n")
        return 0
    if writes:
        agents.write(root, steps)
    if adds and edits:
        print_result("\n" + "\n".join(_then(names, steps)) + "\n")
    return 2 if any(step.action == agents.REFUSED for step in steps) else 0


def _is_wanted() -> bool:
    """Ask before files change. Raises PendingError where nobody can answer."""
    if not _can_answer():
        raise PendingError("nothing is written: nobody can be asked here; to write it, add --yes")
    return click.confirm("Write this?", err=True)


def _then(names: tuple[str, ...], steps: list[agents.AgentStep]) -> list[str]:
    """Return what a user does next; the instructions, unless they are in a file."""
    trust = [f"  {AGENTS[name].trust}" for name in dict.fromkeys(names)]
    program = "  The agent must find the program: `helix-hooks --version` in its shell."
    has_instructions = any(step.diff and BLOCK.partition("\n")[0] in step.diff for step in steps)
    block = [] if has_instructions else ["", "For AGENTS.md (--instructions writes it):", "", BLOCK]
    return ["Next:", program, *trust, *block]


def _from_here(root: str, path: str) -> str:
    """Return a path of the repository as an argument in the current folder."""
    return shlex.quote(os.path.relpath(os.path.join(root, path)))
