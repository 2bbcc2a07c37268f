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
from ..paths import APPROVALS_FILE, SETTINGS, WORKFLOW
from ..text import counted, printable
from . import workflow
from .hook_source import HookSource, yaml_scalar
from .new import NewAdr, create_file, planned

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


class Step(NamedTuple):
    """One result: an action, a text about it, and the path and text of the file that it writes.

    Without a path, `content` are the lines that the user adds to a file of their own.
    """

    action: str
    text: str
    path: str = ""
    content: str = ""


def plan(
    target: CheckTarget, source: HookSource, *, with_workflow: bool, model: str = ""
) -> list[Step]:
    """Return the files that a repository lacks. Nothing is written.

    `model` is that of a judge by API; with "" claude judges.

    Raises:
        UsageError: A path can't be read, the workflow can't be written, or the model is invalid.
        ConfigError: The settings are invalid.
    """
    root = target.root
    tree = WorkTree(root, target.contents)
    settings = load(tree.read, files.packaged)
    steps = [_hooks(root, source)]
    if files.select(tree, [], settings).paths:
        context = prepare(CheckOptions(use_baseline=False), target)
        report = check(context).report
        steps += (Step(FOUND, line) for line in conclusions(context.tree, context.settings))
        steps += _left(report)
    else:
        steps += _without_adrs(root, tree, settings)
    if model:
        steps.append(_judge(root, model))
    if with_workflow:
        steps.append(_workflow(root, source, model))
    return steps


def write(root: str, steps: list[Step]) -> None:
    """Write the files of some steps.

    Raises:
        UsageError: A file exists meanwhile.
        HelixError: A file can't be written.
    """
    for step in steps:
        if step.path:
            create_file(os.path.join(root, step.path), step.content)


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
    if has_file:
        todo = f"it exists; add this entry to its list `repos:`{_doubt(source)}"
        return Step(KEPT, f"{CONFIG}: {todo}", content=hooks)
    about = f"the hooks helix-adr and helix-config{_doubt(source)}"
    return Step(CREATED, f"{CONFIG}: {about}", CONFIG, f"repos:\n{hooks}")


def _doubt(source: HookSource) -> str:
    """Return remarks on a repository or revision that others may not have, after semicolons."""
    doubt = f"; `rev: {source.revision}` {source.doubt}" if source.doubt else ""
    if not source.url.startswith(("file:", "/", ".", "~")):
        return doubt
    return f"{doubt}; only this machine has {source.url}: `--repo URL` names one for all"


def _without_revision(path: str, source: HookSource) -> Step:
    """Return the step for a file that is not written because its revision may not exist."""
    reason = source.doubt or f"no tag or commit of {source.url} is known to exist"
    problem = f"not written: {reason}"
    return Step(LEFT_OUT, f"{path}: {problem}; run this again with `--rev COMMIT`")


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
        draft = planned(root, _FIRST)
        about = "the first decision; write it down, or delete it"
        return [
            Step(FOUND, f"{nothing}; if your ADRs are elsewhere, set `paths` in {SETTINGS}"),
            Step(CREATED, f"{draft.path}: {about}", draft.path, draft.text),
        ]
    todo = f"if these are yours, {way_out(folders)}"
    return [
        Step(FOUND, nothing),
        *(Step(SEEN, printable(folder.about)) for folder in folders),
        Step(KEPT, f"no first ADR is written; {todo}; else start with `helix-hooks new TITLE`"),
    ]


def _judge(root: str, model: str) -> Step:
    text = workflow.judge(model)
    if os.path.lexists(os.path.join(root, APPROVALS_FILE)):
        return Step(KEPT, f"{APPROVALS_FILE}: it exists; add these lines to it", content=text)
    return Step(CREATED, f"{APPROVALS_FILE}: the judge is {model}", APPROVALS_FILE, text)


def _workflow(root: str, source: HookSource, model: str) -> Step:
    place = os.path.join(root, WORKFLOW)
    if workflow.is_gate(place):
        todo = f"; it must have `{workflow.key_input(model)}` among its secrets" if model else ""
        return Step(KEPT, f"{WORKFLOW}: it uses the gate already{todo}")
    if os.path.lexists(place):
        problem = "it exists and does not use the gate; rename it, and run this again"
        return Step(KEPT, f"{WORKFLOW}: {problem}")
    if not source.revision:
        return _without_revision(WORKFLOW, source)
    about = f"the gate on pull requests{_doubt(source)}"
    text = workflow.text(source.url, source.revision, model)
    return Step(CREATED, f"{WORKFLOW}: {about}", WORKFLOW, text)
