"""Judge a clone by its hooks, its settings, its workflows and its code owners."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from . import codeowners, hook, workflow
from .line import Line


class Clone(NamedTuple):
    """Contents of the work tree, None for a missing file.

    `script` is git's own hook, which git may run if `is_executable`. `codeowners_path` is the
    place where GitHub looks first, or where it finds the file.
    """

    hook_config: bytes | None
    script: str | None
    is_executable: bool
    workflow: bytes | None
    other_workflows: Mapping[str, bytes]
    codeowners_path: str
    codeowners: bytes | None
    paths: Sequence[str]


def lines(clone: Clone, settings: Iterator[Line], folder: str) -> Iterator[Line]:
    """Yield all lines on a clone; `settings` are those on its settings.

    `folder` is that of rubrics and briefs.
    """
    yield from hook.lines(clone.hook_config, clone.script, clone.is_executable)
    yield from settings
    yield from workflow.lines(clone.workflow, clone.other_workflows)
    yield codeowners.line(clone.codeowners_path, clone.codeowners, clone.paths, folder)
