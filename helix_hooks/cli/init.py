"""`helix-hooks init`: hook and a first ADR; with `--agent` the hook of a coding agent.

Existing files stay as they are, but for the settings and instructions of agents.
"""

import os
import shlex

import click

from .. import git
from ..agents.instructions import BLOCK
from ..agents.registry import AGENTS
from ..authoring import agents, init, workflow
from ..authoring.hook_source import REPOSITORY, HookSource, hook_source
from ..check.options import CheckOptions, opened
from ..console import print_result
from ..errors import PendingError, UsageError
from ..paths import WORKFLOW
from ..text.table import table
from . import shared

EXAMPLE = """examples:
  helix-hooks init                           write the hook and a first ADR
  helix-hooks init --dry-run                 show what would be written
  helix-hooks init --github                  write the workflow for pull requests too
  helix-hooks init --github --judge openai:gpt-5.2   with another judge than claude
  helix-hooks init --agent claude --agent gemini --instructions
  helix-hooks init --agent claude --decisions    give it accepted ADRs before it edits"""


@shared.command("init", example=EXAMPLE)
@shared.text(
    "--repo", "URL", f"repository from which pre-commit fetches the hooks (default: {REPOSITORY})"
)
@shared.text("--rev", "REV", "tag or commit of the hooks (default: those of this installation)")
@click.option(
    "--github/--no-github",
    default=None,
    help=(f"write {WORKFLOW}, the gate on pull requests (default: ask at a terminal, else no)"),
)
@shared.text(
    "--judge", "MODEL", "with --github: a judge by API in place of claude, e.g. openai:gpt-5.2"
)
@shared.flag("--dry-run", "write nothing; show the files and the changes")
@shared.choice(
    "--agent",
    tuple(AGENTS),
    "only add the stop hook of this agent, which verifies its work",
    to="names",
    multiple=True,
)
@shared.flag(
    "--instructions",
    "with --agent: write instructions (AGENTS.md, CLAUDE.md or GEMINI.md) and a skill (SKILL.md)",
)
@shared.flag(
    "--decisions",
    "with --agent: give accepted ADRs to the agent before it edits a file that they govern",
)
@shared.flag("--yes", "with --agent: write without asking")
def run(
    *,
    repo: str,
    rev: str,
    github: bool | None,
    judge: str,
    dry_run: bool,
    names: tuple[str, ...],
    instructions: bool,
    decisions: bool,
    yes: bool,
) -> int:
    """Set up the repository, or the hook of coding agents.

    Raises:
        UsageError: The folder is not in a git repository, or options can't be used together.
    """
    root = git.repository()
    if not root:
        raise UsageError("this folder is not in a git repository; run `git init` first")
    if names:
        changes = agents.plan(root, names, instructions, decisions)
        return _set_up_agents(root, names, changes, writes=not dry_run, asks=not yes)
    if instructions or decisions or yes:
        raise UsageError("--instructions, --decisions and --yes require --agent")
    if judge and not github:
        raise UsageError("--judge requires --github")
    has_workflow = bool(github)
    if github is None and not dry_run and shared.can_ask():
        question = f"Write {WORKFLOW} too, the gate on pull requests?"
        has_workflow = click.confirm(question, err=True)
    if has_workflow:
        workflow.require_source(root, repo or REPOSITORY, rev or None)
    source = hook_source(repo, rev or None)
    with opened(CheckOptions()) as target:
        steps = init.plan(target, source, with_workflow=has_workflow, model=judge)
    lines = ["Nothing is written; without --dry-run:"] if dry_run else []
    if not dry_run:
        init.write(root, steps)
    for line, step in zip(table((step.action, step.text) for step in steps), steps, strict=True):
        lines.append(line)
        if not step.path and step.content:
            lines += ["", step.content]
    lines += ["", "Next:", *_next_steps(root, steps, source, judge, has_workflow)]
    print_result("\n".join(lines) + "\n")
    return 0


def _next_steps(
    root: str, steps: list[init.Step], source: HookSource, model: str, has_workflow: bool
) -> list[str]:
    """Return the next steps of a user."""
    # Both files need the revision, so nothing that uses them can be done yet.
    lacks_revision = any(step.action == init.LEFT_OUT for step in steps)
    lines = ["  pre-commit install     (or: prek install)"]
    if lacks_revision:
        words = ["helix-hooks", "init"]
        if has_workflow:
            words.append("--github")
        if model:
            words += ["--judge", shlex.quote(model)]
        if source.url != REPOSITORY:
            words += ["--repo", shlex.quote(source.url)]
        newest = f"`git ls-remote {shlex.quote(source.url)} HEAD` prints the newest commit"
        lines = [f"  {' '.join(words)} --rev COMMIT     ({newest})"]
    # Paths as arguments in the current folder.
    paths = {step.path: os.path.relpath(os.path.join(root, step.path)) for step in steps}
    written = {path: shlex.quote(place) for path, place in paths.items() if path}
    lines += [
        f"  fill in {place}, or delete it" for path, place in written.items() if ".md" in path
    ]
    if written:
        lines.append(f"  git add {' '.join(written.values())} && git commit")
    if has_workflow and not lacks_revision:
        lines += workflow.next_steps(model)
    return lines


def _set_up_agents(
    root: str,
    names: tuple[str, ...],
    steps: list[agents.AgentStep],
    *,
    writes: bool,
    asks: bool,
) -> int:
    """Print the changes for coding agents, ask, write them, and return the exit code.

    Raises:
        PendingError: This is not a terminal, so nobody can answer.
    """
    lines = [] if writes else ["Nothing is written; without --dry-run:"]
    shown = table((step.action, step.text) for step in steps)
    for line, step in zip(shown, steps, strict=True):
        lines += [line, step.diff] if step.diff else [line]
    print_result("\n".join(lines) + "\n")
    has_changes = any(step.path for step in steps)
    if writes and asks and has_changes:
        if not shared.can_ask():
            way_out = "use --yes to write without asking"
            raise PendingError(f"nothing is written: this is not a terminal; {way_out}")
        if not click.confirm("Write this?", err=True):
            print_result("Nothing is written.\n")
            return 0
    if writes:
        agents.write(root, steps)
    if has_changes:
        _print_agent_next_steps(names, steps)
    is_refused = any(step.action == agents.REFUSED for step in steps)
    return UsageError.exit_code if is_refused else 0


def _print_agent_next_steps(names: tuple[str, ...], steps: list[agents.AgentStep]) -> None:
    """Print the next steps of a user, with the instructions unless they are in a file."""
    program = "  The agent must find the program: `helix-hooks --version` in its shell."
    lines = ["Next:", program]
    lines += [f"  {AGENTS[name].trust}" for name in dict.fromkeys(names)]
    first_line = BLOCK.partition("\n")[0]
    if not any(step.diff and first_line in step.diff for step in steps):
        lines += ["", "For AGENTS.md (--instructions writes it):", "", BLOCK]
    print_result("\n" + "\n".join(lines) + "\n")
