"""The settings, rules and approvals files of a tree, with all of their errors."""

from typing import NamedTuple

from .. import yaml_reader
from ..config import approvals
from ..config.gates import Gate
from ..config.policy import Deciders, cautions
from ..config.settings import decode, load
from ..config.watched import View, idle, no_adr, watch
from ..errors import ConfigError, HelixError
from ..paths import APPROVALS, APPROVALS_FILE
from . import files
from .settings import named_baseline
from .trees import GitTree, Tree
from .watched import of_work_tree
from .work_tree import WorkTree


class ConfigReport(NamedTuple):
    """Findings and notes on the settings, rules and approvals files.

    `view` are the files that the settings match (None if they were not searched). `idle` are
    approval types that review nothing, `cautions` settings that may keep everyone from deciding,
    `folder` is the folder of rubrics and briefs, and `ignored` are declarations of other tools that
    are not followed.
    """

    errors: list[HelixError]
    view: View | None = None
    idle: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    deciders: Deciders = Deciders()
    folder: str = APPROVALS
    ignored: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """Return lines about what is not an error."""
        notes: list[str] = []
        if self.view:
            settings = self.view.settings
            if not self.view.adrs:
                notes.append(no_adr(settings))
            declared = settings.declared
            notes += (
                f"ADRs are also looked for in {item.folder} ({item.path})" for item in declared
            )
        return [*notes, *self.ignored, *self.idle, *self.cautions]


def examine(tree: Tree, index: GitTree | None) -> ConfigReport:
    """Read all files of the configuration.

    Without an index, the files that the settings match are not searched: a hook checks only staged
    files.
    """
    errors: list[HelixError] = []
    view, folder = None, APPROVALS
    ignored: tuple[str, ...] = ()
    try:
        settings = load(tree.read, files.packaged)
        folder, ignored = settings.approvals, settings.ignored
        if settings.baseline:
            named_baseline(tree, settings.baseline)
        if index and isinstance(tree, WorkTree):
            view = of_work_tree(settings, tree, index)
            watch(view)
    except ConfigError as error:
        errors.append(error)
    configured, wrong = _approvals(tree, folder)
    enabled = [type for type in configured.types.values() if type.enabled]
    distinct = {str(error): error for error in (*errors, *wrong, *_texts(tree, folder))}
    return ConfigReport(
        errors=list(distinct.values()),
        view=view,
        idle=tuple(idle(enabled, view.tracked) if view else ()),
        cautions=tuple(cautions(configured.policy.deciders)),
        deciders=configured.policy.deciders,
        folder=folder,
        ignored=ignored,
    )


def _approvals(tree: Tree, folder: str) -> tuple[approvals.Approvals, list[HelixError]]:
    """Return the approvals of the repository, and their errors."""
    errors: list[HelixError] = []
    configured = approvals.Approvals(types={}, agents={})
    try:
        data = tree.read(APPROVALS_FILE)
        if data is not None:
            packaged = _yaml(files.packaged(APPROVALS_FILE) or b"")
            configured = approvals.parse(_yaml(data), packaged)
    except ConfigError as error:
        errors.append(error)
    for type in configured.types.values():
        if type.enabled or type.named_only:
            errors += _briefs(tree, type, folder)
    for gate in configured.gates.values():
        errors += _briefs_of_gate(tree, gate, folder)
    return configured, errors


def _yaml(data: bytes) -> yaml_reader.Value:
    return yaml_reader.load(decode(data, APPROVALS_FILE), APPROVALS_FILE)


def _briefs(tree: Tree, type: approvals.ApprovalType, folder: str) -> list[HelixError]:
    """Return an error for the rubric and each brief that an enabled type needs and lacks."""
    errors: list[HelixError] = []
    for name, value in type.checks:
        path = f"{type.name}/checks/{name}.md"
        if _lacks(tree, folder, path, errors):
            message = f"there is no brief {folder}/{path}; write it, or remove {name!r}"
            errors.append(value.fail(message))
    path = f"{type.name}/CLAUDE.md"
    if _lacks(tree, folder, path, errors):
        message = f"there is no rubric {folder}/{path}; write it or set enabled: false"
        errors.append(ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", message))
    return errors


def _briefs_of_gate(tree: Tree, gate: Gate, folder: str) -> list[HelixError]:
    """Return an error for each brief that a gate uses and its approval type lacks."""
    errors: list[HelixError] = []
    line = int(gate.place.rpartition(":")[2])
    for name in gate.checks:
        path = f"{gate.approval_type or approvals.ADR}/checks/{name}.md"
        if _lacks(tree, folder, path, errors):
            message = f"there is no brief {folder}/{path}; write it, or remove {name!r}"
            errors.append(ConfigError(APPROVALS_FILE, line, f"gates.{gate.name}.checks", message))
    return errors


def _lacks(tree: Tree, folder: str, path: str, errors: list[HelixError]) -> bool:
    """Return whether neither the repository nor the package has a file.

    An entry at its path that is not a file is added to the errors.
    """
    try:
        has_own = tree.read(f"{folder}/{path}") is not None
    except ConfigError as error:
        errors.append(error)
        return False
    return not has_own and files.packaged(f"{APPROVALS}/{path}") is None


def _texts(tree: Tree, folder: str) -> list[HelixError]:
    """Return an error for each rubric or brief of the repository that is empty or unreadable."""
    errors: list[HelixError] = []
    for path in tree.folder(folder):
        if path.endswith(".md") and tree.there(path):
            doc = tree.document(path)
            if doc.defect:
                errors.append(ConfigError(path, doc.defect.line, "", doc.defect.message))
            elif not doc.title or not doc.prose(0, len(doc.data)).strip():
                message = "a rubric or brief starts with a heading `# …` and says what to check"
                errors.append(ConfigError(path, 1, "", message))
    return errors
