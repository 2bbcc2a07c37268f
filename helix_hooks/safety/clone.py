"""Judge a clone by its hooks, settings, workflows and code owners."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from . import codeowners, hook, workflow
from .line import Line


class Clone(NamedTuple):
    """Files of the working tree, None for a missing file.

    `script` is the hook in git's own folder; git runs it only if `is_executable`. `codeowners_path`
    is the path of CODEOWNERS, or the first path that GitHub reads.
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
    """Yield all lines on a clone. `settings` are the lines on its settings.

    `folder` is the folder of rubrics and briefs.
    """
    yield from hook.lines(clone.hook_config, clone.script, clone.is_executable)
    yield from settings
    yield from workflow.lines(clone.workflow, clone.other_workflows)
    yield codeowners.line(clone.codeowners_path, clone.codeowners, clone.paths, folder)
