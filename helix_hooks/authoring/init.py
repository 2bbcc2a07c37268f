"""The set-up of a repository: hooks, first ADR, workflow. Existing files are not changed."""

import os
from collections import Counter
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..check import files
from ..check.options import CheckOptions, CheckTarget
from ..check.run import check, prepare
from ..check.standard import conclusions
from ..check.watched import look_alike, way_out
from ..check.work_tree import WorkTree
from ..config.settings import Settings, load
from ..config.watched import BY_NAME
from ..errors import HelixError
from ..paths import APPROVALS_FILE, SETTINGS, WORKFLOW
from ..text.plural import counted
from ..text.sanitize import printable
from . import code_review, workflow
from .hook_source import HookSource, yaml_scalar
from .new import NewAdr, draft
from .new_file import create_file

CONFIG = ".pre-commit-config.yaml"
FOUND, SEEN, CREATED, KEPT, LEFT = "found", "seen", "created", "kept", "left"
LEFT_OUT = "missing"
"""The action for a file that is not written, because no revision is known to exist."""

_FIRST = NewAdr("Record architecture decisions")
_HOOKS = """  - repo: {url}
    rev: {rev}
    hooks:
      - id: helix-adr
      - id: helix-config
"""


class PlannedFile(NamedTuple):
    """A new file: its path in the repository and its text."""

    path: str
    text: str


class Step(NamedTuple):
    """One result: an action, a text about it, and the file that it writes."""

    action: str
    text: str
    change: PlannedFile | None = None


def plan(
    target: CheckTarget, source: HookSource, *, with_workflow: bool, with_code_review: bool = False
) -> list[Step]:
    """Return the files that a repository lacks. Nothing is written.

    Raises:
        UsageError: A path can't be read, or the workflow can't be written.
        ConfigError: The settings are invalid.
    """
    root = target.root
    tree = WorkTree(root, target.contents)
    settings = load(tree.read, files.packaged)
    has_adrs = bool(files.select(tree, [], settings).paths)
    steps = [_hooks(root, source)]
    if has_adrs:
        steps += _with_adrs(target)
    else:
        steps += _without_adrs(root, tree, settings)
    if with_workflow:
        steps.append(_workflow(root, source))
    if with_code_review:
        steps.append(_code_review(root))
    return steps


def write(root: str, steps: list[Step]) -> None:
    """Write the files of some steps. Raises HelixError if one can't be written."""
    for step in steps:
        if step.change:
            _write(root, step.change)


def _hooks(root: str, source: HookSource) -> Step:
    place = os.path.join(root, CONFIG)
    has_file = os.path.exists(place)
    if has_file:
        with open(place, encoding="utf-8", errors="replace") as file:
            if "helix-adr" in file.read():
                return Step(KEPT, f"{CONFIG}: it has the hook already")
    if not source.revision:
        return _without_revision(CONFIG, source)
    hooks = _HOOKS.format(url=yaml_scalar(source.url), rev=yaml_scalar(source.revision))
    doubt = _doubt(source)
    if has_file:
        todo = f"it exists; add this entry to its list `repos:`{doubt}"
        return Step(KEPT, f"{CONFIG}: {todo}\n\n{hooks}")
    about = f"the hooks helix-adr and helix-config{doubt}"
    return Step(CREATED, f"{CONFIG}: {about}", PlannedFile(CONFIG, f"repos:\n{hooks}"))


def _doubt(source: HookSource) -> str:
    """Return a remark on a revision that could not be checked, after a semicolon."""
    if not source.doubt:
        return ""
    return f"; `rev: {source.revision}` {source.doubt}"


def _without_revision(path: str, source: HookSource) -> Step:
    """Return the step for a file that is not written because its revision may not exist."""
    reason = source.doubt or f"no tag or commit of {source.url} is known to exist"
    problem = f"not written: {reason}"
    return Step(LEFT_OUT, f"{path}: {problem}; run this again with `--rev COMMIT`")


def _with_adrs(target: CheckTarget) -> list[Step]:
    """Return the steps that say how `check` judges the existing ADRs."""
    context = prepare(CheckOptions(use_baseline=False), target)
    report = check(context).report
    steps = [Step(FOUND, line) for line in conclusions(context.tree, context.settings)]
    return [*steps, *_left(report)]


def _left(report: CheckReport) -> list[Step]:
    """Return a step with the number of ADRs with errors, by rule; none without errors."""
    failing = [file for file in report.files if not file.passed]
    if not failing:
        return []
    counts: Counter[str] = Counter()
    for file in failing:
        counts.update({item.check for item in file.findings if item.severity == "error"})
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rules = ", ".join(f"{rule} {number}" for rule, number in ordered)
    about = f"{counted(len(failing), 'ADR')} with errors ({rules})"
    return [Step(LEFT, f"{about}; see `helix-hooks check`")]


def _without_adrs(root: str, tree: WorkTree, settings: Settings) -> list[Step]:
    """Return the folders whose files look like ADRs; if there are none, the first ADR."""
    nothing = f"no ADR in {', '.join(settings.paths) or BY_NAME}"
    folders = look_alike(tree, settings)
    if not folders:
        path, text, *_ = draft(root, settings, _FIRST)
        about = "the first decision; write it down, or delete it"
        return [
            Step(FOUND, f"{nothing}; if your ADRs are elsewhere, set `paths` in {SETTINGS}"),
            Step(CREATED, f"{path}: {about}", PlannedFile(path, text)),
        ]
    todo = f"if these are yours, {way_out(folders)}"
    return [
        Step(FOUND, nothing),
        *(Step(SEEN, printable(folder.about)) for folder in folders),
        Step(KEPT, f"no first ADR is written; {todo}; else start with `helix-hooks new TITLE`"),
    ]


def _code_review(root: str) -> Step:
    text = code_review.text(root)
    if not text:
        return Step(KEPT, f"{APPROVALS_FILE}: {code_review.EXISTS}")
    about = "a judge for source code, beside that for ADRs"
    return Step(CREATED, f"{APPROVALS_FILE}: {about}", PlannedFile(APPROVALS_FILE, text))


def _workflow(root: str, source: HookSource) -> Step:
    place = os.path.join(root, WORKFLOW)
    if not os.path.lexists(place):
        if not source.revision:
            return _without_revision(WORKFLOW, source)
        text = workflow.text(source.url, source.revision)
        about = f"the gate on pull requests{_doubt(source)}"
        return Step(CREATED, f"{WORKFLOW}: {about}", PlannedFile(WORKFLOW, text))
    if workflow.is_gate(place):
        return Step(KEPT, f"{WORKFLOW}: it uses the gate already")
    problem = "it exists and does not use the gate; rename it, and run this again"
    return Step(KEPT, f"{WORKFLOW}: {problem}")


def _write(root: str, change: PlannedFile) -> None:
    place = os.path.join(root, change.path)
    try:
        create_file(place, change.text)
    except OSError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
