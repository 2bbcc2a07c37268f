"""Read the facts for `doctor` from a clone, without the settings."""

import os
from collections.abc import Mapping

from ..check.work_tree import WorkTree
from ..git import commits
from ..paths import CODEOWNERS, MAX_BYTES, WORKFLOW
from ..safety import hook
from ..safety.clone import Clone

_WORKFLOWS = ".github/workflows"


def facts(root: str, tree: WorkTree) -> Clone:
    """Read hooks, workflows and owners."""
    hook_config = tree.read(hook.CONFIG)
    script, is_executable = _script(root)
    workflow, others = tree.read(WORKFLOW), _other_workflows(tree)
    owners_path, owners = _first(tree, CODEOWNERS)
    return Clone(
        hook_config=hook_config,
        script=script,
        is_executable=is_executable,
        workflow=workflow,
        other_workflows=others,
        codeowners_path=owners_path,
        codeowners=owners,
        paths=tree.folder(""),
    )


def _script(root: str) -> tuple[str | None, bool]:
    """Return the pre-commit hook of git, and whether it is executable."""
    # `core.hooksPath` may name another folder than .git/hooks.
    place = commits.hook_file(root, "pre-commit")
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES), os.access(place, os.X_OK)
    except OSError:
        return None, False


def _other_workflows(tree: WorkTree) -> Mapping[str, bytes]:
    paths = [path for path in tree.folder(_WORKFLOWS) if path.endswith((".yml", ".yaml"))]
    contents = {path: tree.read(path) for path in paths if path != WORKFLOW}
    return {path: data for path, data in contents.items() if data is not None}


def _first(tree: WorkTree, places: tuple[str, ...]) -> tuple[str, bytes | None]:
    """Return path and content of the first file that exists, else the first path and None."""
    for place in places:
        data = tree.read(place)
        if data is not None:
            return place, data
    return places[0], None
