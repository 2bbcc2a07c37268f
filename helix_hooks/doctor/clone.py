"""Judge a clone: its hooks, settings, workflows, code owners, agents and ADRs."""

import os
from collections.abc import Iterator, Mapping

from ..check.configuration import ConfigReport
from ..check.standard import conclusions
from ..check.work_tree import WorkTree
from ..config.watched import View, lookalikes, no_adr
from ..config.workflows import is_workflow
from ..git import commits
from ..paths import APPROVALS_FILE, CODEOWNERS, MAX_BYTES, WORKFLOW
from ..text import counted, listed, printable
from . import agents, codeowners, hook, workflow
from .line import OK, UNKNOWN, UNSAFE, Line


def lines(
    root: str, tree: WorkTree, config: ConfigReport, variables: Mapping[str, str]
) -> Iterator[Line]:
    """Yield all lines on a clone; `variables` is the environment."""
    yield from hook.lines(tree.read(hook.CONFIG), *_script(root))
    yield from _settings(config)
    paths = tree.folder("")
    workflows = {path: tree.read(path) for path in paths if is_workflow(path) and path != WORKFLOW}
    others = {path: data for path, data in workflows.items() if data is not None}
    yield from workflow.lines(tree.read(WORKFLOW), others)
    contents = {path: tree.read(path) for path in CODEOWNERS}
    place = next((path for path in CODEOWNERS if contents[path] is not None), CODEOWNERS[0])
    yield codeowners.line(place, contents[place], paths, config.folder)
    yield from agents.lines(tree, variables)
    if config.view:
        for conclusion in conclusions(tree, config.view.settings):
            yield Line("norm", OK, printable(conclusion))


def _script(root: str) -> tuple[str | None, bool]:
    """Return the pre-commit hook of git, and whether it is executable."""
    # `core.hooksPath` may name another folder than .git/hooks.
    place = commits.hook_file(root, "pre-commit")
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES), os.access(place, os.X_OK)
    except OSError:
        return None, False


def _settings(config: ConfigReport) -> Iterator[Line]:
    """Yield the lines on settings, watched ADRs, approval types without files, and deciders."""
    if config.errors:
        message = str(config.errors[0])
        if len(config.errors) > 1:
            message += f", and {len(config.errors) - 1} more"
        yield Line("settings", UNSAFE, message, "fix it; `helix-hooks check-config` lists all")
    else:
        yield Line("settings", OK, "settings, rules and approvals files are well-formed")
        if config.view:
            yield _watched(config.view)
            yield from (Line("rules", UNKNOWN, text) for text in config.former)
    name_files = f"name the files that it reviews in {APPROVALS_FILE}, or set enabled: false"
    change_policy = f"see docs/people.md, or change `policy` in {APPROVALS_FILE}"
    yield from (Line("approval-type", UNKNOWN, message, name_files) for message in config.idle)
    yield from (Line("deciders", UNKNOWN, message, change_policy) for message in config.cautions)


def _watched(view: View) -> Line:
    """Return the line on watched ADRs."""
    count = len(view.adrs)
    # With `paths` or `exclude` in the settings, that is also an error, which `_settings` reports.
    if not count:
        help = "`git add` the first one; `helix-hooks new TITLE` writes it"
        return Line("adrs", UNKNOWN, no_adr(view.settings), help)
    watched = f"{counted(count, 'ADR')} {'is' if count == 1 else 'are'} watched"
    alike = lookalikes(view)
    if not alike:
        return Line("adrs", OK, watched)
    message = f"{watched}; files that look like ADRs but are not watched: {listed(alike)}"
    help = "add their folders to `paths`, or the files to `exclude` if they are no ADRs"
    return Line("adrs", UNKNOWN, message, help)
