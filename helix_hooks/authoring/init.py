"""The set-up of a repository: hooks, settings, first ADR, workflow.

An existing file never changes.
"""

import os
from typing import NamedTuple

from ..adr.examine import Source, check_file, read
from ..config.settings import Settings, load
from ..config.watched import BY_NAME
from ..errors import HelixError
from ..paths import PYPROJECT, SETTINGS, WORKFLOW
from ..repository import files
from ..repository.index import Index
from ..repository.work_tree import WorkTree
from . import workflow
from .learning import learnt_settings
from .new import NewAdr, create
from .new_file import create_file

CONFIG = ".pre-commit-config.yaml"
FOUND, CREATED, KEPT = "found", "created", "kept"
_FIRST = NewAdr("Record architecture decisions")
_HOOKS = """  - repo: {url}
    rev: {rev}
    hooks:
      - id: helix-adr
      - id: helix-config
"""


class HookSource(NamedTuple):
    """The repository of the hooks, and the tag or commit there."""

    url: str
    revision: str


class Step(NamedTuple):
    """One result: FOUND, CREATED or KEPT, a text about it, and the path of a created file."""

    action: str
    text: str
    created: str = ""


def set_up(root: str, source: HookSource, with_workflow: bool) -> list[Step]:
    """Write what is missing in a repository. Raises UsageError before anything is written."""
    gate = workflow.text(root, source.url, source.revision) if with_workflow else ""
    tree = WorkTree(root, Index(root))
    settings = load(tree.read, files.packaged)
    selection = files.select(tree, root, [], settings)
    adrs = [Source(tree.document(path)) for path in selection.paths]
    steps = [_hooks(root, source)]
    steps += _settings(root, tree, adrs, settings) if adrs else _first_adr(root, settings)
    return [*steps, _workflow(root, gate)] if gate else steps


def _hooks(root: str, source: HookSource) -> Step:
    hooks = _HOOKS.format(url=source.url, rev=source.revision)
    place = os.path.join(root, CONFIG)
    if not os.path.exists(place):
        return _created(root, CONFIG, f"repos:\n{hooks}", "the hooks helix-adr and helix-config")
    with open(place, encoding="utf-8", errors="replace") as file:
        if "helix-adr" in file.read():
            return Step(KEPT, f"{CONFIG}: it has the hook already")
    return Step(KEPT, f"{CONFIG}: it exists; add this entry to its list `repos:`\n\n{hooks}")


def _settings(
    root: str,
    tree: WorkTree,
    adrs: list[Source],
    settings: Settings,
) -> list[Step]:
    passed = _passing(adrs, settings)
    plural, verb = "" if len(adrs) == 1 else "s", "passes" if passed == 1 else "pass"
    summary = Step(FOUND, f"{len(adrs)} ADR{plural}, of which {passed} {verb}")
    if tree.has(SETTINGS) or b"[tool.helix-hooks" in (tree.read(PYPROJECT) or b""):
        return [summary, Step(KEPT, "the settings that exist")]
    text = learnt_settings([read(adr, settings.ruleset) for adr in adrs], passed)
    if not text:
        return [summary]
    _write(root, SETTINGS, text)
    passed = _passing(adrs, load(tree.read, files.packaged))
    why = f"what your ADRs have in common; with it {passed} pass"
    return [summary, Step(CREATED, f"{SETTINGS}: {why}", SETTINGS)]


def _passing(adrs: list[Source], settings: Settings) -> int:
    return sum(check_file(adr, settings.ruleset).passed for adr in adrs)


def _first_adr(root: str, settings: Settings) -> list[Step]:
    path = create(root, settings, _FIRST)
    searched = ", ".join(settings.paths) or BY_NAME
    return [
        Step(FOUND, f"no ADR in {searched}; if yours lie elsewhere, set `paths` in {SETTINGS}"),
        Step(CREATED, f"{path}: the first decision; write it down, or delete it", path),
    ]


def _workflow(root: str, text: str) -> Step:
    place = os.path.join(root, WORKFLOW)
    if not os.path.lexists(place):
        return _created(root, WORKFLOW, text, "the gate on pull requests")
    if workflow.is_gate(place):
        return Step(KEPT, f"{WORKFLOW}: it calls the gate already")
    problem = "it exists and does NOT call the gate; move it away, and run this again"
    return Step(KEPT, f"{WORKFLOW}: {problem}")


def _created(root: str, path: str, text: str, about: str) -> Step:
    _write(root, path, text)
    return Step(CREATED, f"{path}: {about}", path)


def _write(root: str, path: str, text: str) -> None:
    place = os.path.join(root, path)
    try:
        create_file(place, text)
    except FileExistsError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
