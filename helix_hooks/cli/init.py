"""`helix-hooks init`: hook and a first ADR; with `--agent` the hook of a coding agent.

Existing files stay as they are, but for the settings and instructions of agents.
"""

import os
import shlex
import sys
from typing import NamedTuple

import click

from .. import git
from ..agents.instructions import BLOCK
from ..agents.registry import AGENTS
from ..authoring import agents, init, workflow
from ..authoring.code_review import OFFER, has_own
from ..authoring.hook_source import REPOSITORY, HookSource, hook_source
from ..check.options import CheckOptions, opened
from ..console.output import print_result
from ..errors import PendingError, UsageError
from ..paths import APPROVALS_FILE, WORKFLOW
from ..text.table import table
from .frame import command

EXAMPLE = """examples:
  helix-hooks init                           write the hook and a first ADR
  helix-hooks init --dry-run                 show what would be written
  helix-hooks init --github                  write the workflow for pull requests too
  helix-hooks init --github --code-review    have a judge review source code too
  helix-hooks init --agent claude --agent gemini --instructions
  helix-hooks init --agent claude --remove   remove the hook of an agent"""


@command("init", example=EXAMPLE)
@click.option(
    "--repo",
    metavar="URL",
    help=f"repository from which pre-commit fetches the hooks (default: {REPOSITORY})",
)
@click.option(
    "--rev",
    metavar="REV",
    help="tag or commit of the hooks (default: those of this installation)",
)
@click.option(
    "--github/--no-github",
    default=None,
    help=(f"write {WORKFLOW}, the gate on pull requests (default: ask at a terminal, else no)"),
)
@click.option(
    "--code-review/--no-code-review",
    default=None,
    help=(
        f"with --github: write {APPROVALS_FILE} with a judge for source code, at up to $1.00 per "
        "run (default: ask at a terminal, else no)"
    ),
)
@click.option("--dry-run", is_flag=True, help="write nothing; show the files and the changes")
@click.option(
    "--agent",
    "names",
    multiple=True,
    type=click.Choice(tuple(AGENTS)),
    help="only add the stop hook of this agent, which verifies its work; repeatable",
)
@click.option("--remove", is_flag=True, help="with --agent: remove the hook and the instructions")
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
    """Set up the repository, or the hook of coding agents.

    Raises:
        UsageError: The folder is not in a git repository, or options can't be used together.
    """
    root = git.repository()
    if not root:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    if code_review and (names or github is False):
        raise UsageError("--code-review requires --github: the judge reviews pull requests")
    if names:
        steps = agents.plan(root, names, remove, instructions)
        is_done = _writes_agents(root, steps, writes=not dry_run, asks=not yes)
        return _finish_agents(names, steps, adds=not remove) if is_done else 0
    if any((remove, instructions, yes)):
        raise UsageError("--remove, --instructions and --yes require --agent")
    choices = _choices(root, github, code_review, asks=not dry_run)
    if choices.workflow:
        workflow.require_source(root, repo or REPOSITORY, rev)
    _set_up(root, hook_source(repo, rev), choices, dry_run=dry_run)
    return 0


class _Choices(NamedTuple):
    """The optional parts: the workflow of the gate, and a judge for source code."""

    workflow: bool
    code_review: bool


def _choices(root: str, github: bool | None, code_review: bool | None, *, asks: bool) -> _Choices:
    """Return the choices of the options; at a terminal, ask for each one without an option."""
    has_workflow, judges_code = bool(github or code_review), bool(code_review)
    if asks and github is None and not code_review:
        has_workflow = _asks_for_workflow()
    if asks and has_workflow and code_review is None:
        judges_code = _asks_for_code_review(root)
    return _Choices(has_workflow, judges_code)


def _set_up(root: str, source: HookSource, choices: _Choices, *, dry_run: bool) -> None:
    """Write the files of the gate, and print them and the next steps."""
    with opened(CheckOptions()) as target:
        steps = init.plan(
            target,
            source,
            with_workflow=choices.workflow,
            with_code_review=choices.code_review,
        )
    lines = []
    if dry_run:
        lines.append("Nothing is written; without --dry-run:")
    else:
        init.write(root, steps)
    lines += table((action, text) for action, text, _ in steps)
    written = [_from_here(root, step.change.path) for step in steps if step.change]
    lines += ["", "Next:"]
    if any(step.action == init.LEFT_OUT for step in steps):
        # Both files need the revision, so nothing that uses them can be done yet.
        lines += [_again(source, choices.workflow), *_written_steps(written)]
    else:
        lines += _next_steps(root, written, choices)
    print_result("\n".join(lines) + "\n")


def _next_steps(root: str, written: list[str], choices: _Choices) -> list[str]:
    """Return the next steps of a user; `written` are the new files."""
    lines = ["  pre-commit install     (or: prek install)", *_written_steps(written)]
    if choices.workflow:
        lines += workflow.NEXT_STEPS
        if not choices.code_review and not has_own(root):
            lines.append(OFFER)
    return lines


def _written_steps(written: list[str]) -> list[str]:
    # A quoted path ends with a quote, not with .md.
    lines = [f"  fill in {path}, or delete it" for path in written if ".md" in path]
    if written:
        lines.append(f"  git add {' '.join(written)} && git commit")
    return lines


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
    """Ask at a terminal; elsewhere the answer is no."""
    if not _can_answer():
        return False
    return click.confirm(f"Write {WORKFLOW} too, the gate on pull requests?", err=True)


def _asks_for_code_review(root: str) -> bool:
    """Ask at a terminal, if there is no approvals file; elsewhere the answer is no."""
    if has_own(root) or not _can_answer():
        return False
    question = "Have a judge read each change to source code too, for up to $1.00 a run?"
    return click.confirm(question, err=True)


def _can_answer() -> bool:
    """Return whether this is a terminal, where a person can answer."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def _writes_agents(root: str, steps: list[agents.AgentStep], *, writes: bool, asks: bool) -> bool:
    """Print the changes for coding agents, ask and write them; return False if refused."""
    print_result(_changes(steps, writes=writes))
    if not writes:
        return True
    if asks and any(step.edit for step in steps) and not _is_confirmed():
        print_result("Nothing is written.\n")
        return False
    agents.write(root, steps)
    return True


def _finish_agents(names: tuple[str, ...], steps: list[agents.AgentStep], *, adds: bool) -> int:
    """Print the next steps, and return the exit code."""
    if adds and any(step.edit for step in steps):
        _print_agent_next_steps(names, steps)
    if any(step.action == agents.REFUSED for step in steps):
        return UsageError.exit_code
    return 0


def _changes(steps: list[agents.AgentStep], *, writes: bool) -> str:
    lines = []
    if not writes:
        lines.append("Nothing is written; without --dry-run:")
    shown = table((step.action, step.text) for step in steps)
    for line, step in zip(shown, steps, strict=True):
        lines.append(line)
        if step.diff:
            lines.append(step.diff)
    return "\n".join(lines) + "\n"


def _is_confirmed() -> bool:
    """Ask before files change.

    Raises:
        PendingError: This is not a terminal, so nobody can answer.
    """
    if not _can_answer():
        raise PendingError(
            "nothing is written: this is not a terminal; use --yes to write without asking"
        )
    return click.confirm("Write this?", err=True)


def _print_agent_next_steps(names: tuple[str, ...], steps: list[agents.AgentStep]) -> None:
    """Print the next steps of a user, with the instructions unless they are in a file."""
    program = "  The agent must find the program: `helix-hooks --version` in its shell."
    lines = ["Next:", program]
    lines += [f"  {AGENTS[name].trust}" for name in dict.fromkeys(names)]
    first_line = BLOCK.partition("\n")[0]
    if not any(step.diff and first_line in step.diff for step in steps):
        lines += ["", "For AGENTS.md (--instructions writes it):", "", BLOCK]
    print_result("\n" + "\n".join(lines) + "\n")


def _from_here(root: str, path: str) -> str:
    """Return a path of the repository as an argument in the current folder."""
    return shlex.quote(os.path.relpath(os.path.join(root, path)))
