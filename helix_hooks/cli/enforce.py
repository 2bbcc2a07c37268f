"""`helix-hooks enforce`: the rules of accepted ADRs on the code."""

from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module

from .. import git
from ..adr.check_report import exit_code
from ..check.branch import BranchDiff, NoBaseError, find_diff
from ..check.settings import settings_of
from ..check.trees import GitTree, Index, Revision, Tree
from ..check.work_tree import WorkTree
from ..console import colored, columns, print_message, print_result
from ..enforce.run import (
    BROKEN,
    HOLDS,
    MISSING,
    PRESENT,
    UNCHECKED,
    UNCONCERNED,
    Enforced,
    enforce,
)
from ..errors import HelixError
from ..text import counted, printable
from ..verify.base import base_here
from . import shared
from .check import FORMATS


@shared.command(
    "enforce",
    example="""examples:
  helix-hooks enforce                        run the rules on the work tree
  helix-hooks enforce --since origin/main    run them on what this branch changes
  helix-hooks enforce --format sarif         print the findings for code scanning""",
    exits={
        0: "no rule is broken; the last line says how many ran",
        1: "a decision is broken, or a rule proves nothing",
        3: "a rule could not run, or an ADR or a file could not be read",
        4: "a change weakens a rule, and a person decides",
    },
)
@shared.text(
    "--since",
    "REV",
    "check what changed (staged or committed) since the merge base with REV; older findings "
    "are reported as info",
)
@shared.formats(*FORMATS)
@shared.fail_on("exit 1 at findings")
def run(*, since: str, format: str, fail_on: str) -> int:
    """Run the rules of the base's accepted ADRs, and prove those of the ADRs here.

    Raises:
        UsageError: There is no such revision.
        HelixError: The base can't be read, or the engine failed.
    """
    root = git.root_for("enforce")
    with closing(Index(root)) as index:
        result = _of_branch(root, since, index) if since else _of_work_tree(root, index)
    report = result.report
    if format == "text":
        text = import_module("helix_hooks.report.text")
        color, quiet = colored(shared.console().color), shared.console().quiet
        shown = text.render(report, color, quiet, columns(), _checked(result))
        print_result(shown if quiet else f"{shown}{_others(result)}\n")
    else:
        print_result(import_module(f"helix_hooks.report.{format}").render(report))
        print_message(f"{_checked(result)}; {_others(result)}")
    if result.incomplete:
        return HelixError.exit_code
    return exit_code(report, fail_on, is_branch=bool(since))


def _of_branch(root: str, since: str, index: Index) -> Enforced:
    diff, no_base, notices = find_diff(root, since, index)
    for notice in notices:
        print_message(notice)
    if diff is None:
        raise NoBaseError(no_base)
    return _enforced(diff.tip, index, diff, since)


def _of_work_tree(root: str, index: Index) -> Enforced:
    base = base_here(root)
    with closing(Revision(root, base.commit if base else "HEAD", index)) as tree:
        return _enforced(tree, WorkTree(root, index), None, base.name if base else "HEAD")


def _enforced(base: GitTree, head: Tree, diff: BranchDiff | None, name: str) -> Enforced:
    return enforce(base, head, settings_of(base), datetime.now(UTC).date(), diff, name)


def _checked(result: Enforced) -> str:
    """Return how many rules ran, and on whose behalf."""
    numbers = Counter(state.state for state in result.states)
    text = f"{counted(numbers[HOLDS] + numbers[BROKEN], 'rule')} of accepted ADRs ran"
    if numbers[UNCHECKED]:
        text += f", {numbers[UNCHECKED]} could not"
    if numbers[UNCONCERNED]:
        text += f", {numbers[UNCONCERNED]} not concerned"
    if result.proven:
        text += f"; {counted(result.proven, 'new rule')} proven"
    return text


def _others(result: Enforced) -> str:
    """Return what no rule checks: named checks, reasons, and ADRs that say nothing."""
    numbers = Counter(state.state for state in result.states)
    parts = []
    if numbers[PRESENT]:
        parts.append(f"{counted(numbers[PRESENT], 'named check')} present (not run)")
    if numbers[MISSING]:
        parts.append(f"{counted(numbers[MISSING], 'named check')} missing")
    if result.explained:
        parts.append(f"{counted(result.explained, 'ADR')} with a reason for no check")
    if result.silent:
        parts.append(f"{counted(result.silent, 'ADR')} without `enforcement:`")
    of = f"{counted(result.accepted, 'accepted ADR')} of {printable(result.base)}"
    return f"{of}: {', '.join(parts) or 'all with entries'}" if result.accepted else of
