"""The settings, rules and approvals files of a tree, with all of their errors."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from .. import yaml_reader
from ..adr.parse.document import parse
from ..adr.rules.contextual.rule import ContentPattern
from ..adr.rules.registry import Ruleset
from ..config import approvals
from ..config.gates import Gate
from ..config.policy import Deciders, cautions
from ..config.settings import Prune, ReadFile, decode, load
from ..config.watched import View, idle, no_adr, watch
from ..errors import ConfigError
from ..paths import APPROVALS, APPROVALS_FILE, RULES_FILE
from . import files
from .settings import named_baseline
from .trees import GitTree, Tree
from .watched import of_work_tree
from .work_tree import WorkTree

_MOST_TRIES = 100
_WORDS = {
    "breaking-needs-upgrade": ("Inhalt", "erneut"),
    "tools-need-cli": ("Client",),
    "service-needs-api": ("Kapitel", "budget"),
}
"""Words in which a pattern of a packaged rule must find nothing, by the rule."""


_Parsed = TypeVar("_Parsed")


class ConfigReport(NamedTuple):
    """Findings and notes on the settings, rules and approvals files.

    `view` are the files that the settings match (None if they were not searched). `idle` are
    approval types that review nothing, `cautions` settings that may keep everyone from deciding,
    `folder` is the folder of rubrics and briefs, and `former` are lines on patterns that the
    packaged rules file has repaired.
    """

    errors: list[ConfigError]
    view: View | None = None
    idle: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    deciders: Deciders = Deciders()
    folder: str = APPROVALS
    former: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """Return lines about what is not an error."""
        notes: list[str] = []
        if self.view:
            settings = self.view.settings
            if not (self.view.adrs or any(map(settings.is_adr, self.view.untracked))):
                notes.append(no_adr(settings))
        return [*notes, *self.former, *self.idle, *self.cautions]


def examine(tree: Tree, index: GitTree | None) -> ConfigReport:
    """Read all files of the configuration.

    Without an index, the files that the settings match are not searched: a hook checks only staged
    files.
    """

    def parse_approvals(read: ReadFile, prune: Prune) -> approvals.Approvals:
        data = read(APPROVALS_FILE)
        if data is None:
            return approvals.Approvals(types={}, agents={})
        return approvals.parse(prune(_yaml(data)), _yaml(files.packaged(APPROVALS_FILE) or b""))

    errors: list[ConfigError] = []
    view, folder = None, APPROVALS
    former: tuple[str, ...] = ()
    settings, wrong = _parsed(tree, lambda read, prune: load(read, files.packaged, prune))
    if settings:
        folder = settings.approvals
    if settings and not wrong:
        try:
            if settings.baseline:
                named_baseline(tree, settings.baseline)
            if index and isinstance(tree, WorkTree):
                view = of_work_tree(settings, tree, index)
                watch(view)
        except ConfigError as error:
            wrong.append(error)
        former = tuple(_former_patterns(settings.ruleset))
    errors += wrong
    configured, wrong = _parsed(tree, parse_approvals)
    errors += wrong
    configured = configured or approvals.Approvals(types={}, agents={})
    for type in configured.types.values():
        is_wrong = any(_is_below(error.trail, f"approvals.{type.name}") for error in wrong)
        if (type.enabled or type.named_only) and not is_wrong:
            errors += _briefs(tree, type, folder)
    for gate in configured.gates.values():
        errors += _briefs_of_gate(tree, gate, folder)
    enabled = [type for type in configured.types.values() if type.enabled]
    distinct = {str(error): error for error in (*errors, *_texts(tree, folder))}
    return ConfigReport(
        errors=sorted(distinct.values(), key=lambda error: (error.path, error.line)),
        view=view,
        idle=tuple(idle(enabled, view.tracked) if view else ()),
        cautions=tuple(cautions(configured.policy.deciders)),
        deciders=configured.policy.deciders,
        folder=folder,
        former=former,
    )


def _parsed(
    tree: Tree, parse: Callable[[ReadFile, Prune], _Parsed]
) -> tuple[_Parsed | None, list[ConfigError]]:
    """Return what is valid in settings files, and all errors.

    A parser raises the first error. The wrong entry is left out, or the file if it is wrong as a
    whole, and the rest is parsed again.
    """
    left_out: dict[str, set[str]] = {}
    errors: list[ConfigError] = []
    for _ in range(_MOST_TRIES):
        try:
            parsed = parse(
                lambda path: None if "" in left_out.get(path, ()) else tree.read(path),
                lambda root: root.without(left_out.get(root.path, ())),
            )
        except ConfigError as error:
            trails = left_out.setdefault(error.path, set())
            if not _is_consequence(error, trails):
                errors.append(error)
            # An error that stays has no entry of its own.
            trails.add("" if error.trail in trails else error.trail)
        else:
            return parsed, errors
    return None, errors


def _is_consequence(error: ConfigError, left_out: set[str]) -> bool:
    """Return whether an error may exist only because wrong entries of its file are left out.

    An entry around them may lack a key, and other entries may use their names.
    """
    names = (trail.rpartition(".")[2] for trail in left_out)
    return any(_is_below(trail, error.trail) for trail in left_out) or any(
        repr(name) in error.about for name in names
    )


def _is_below(trail: str, other: str) -> bool:
    return not other or trail == other or trail.startswith((f"{other}.", f"{other}["))


def _former_patterns(ruleset: Ruleset) -> Iterator[str]:
    """Yield a line for each pattern of the first rules file that is found inside other words.

    Repositories have copies of that file; the packaged one has better patterns.
    """
    packaged = dict(_patterns(load(lambda _: None, files.packaged).ruleset))
    for rule, pattern in _patterns(ruleset):
        matches = (re.search(pattern, word, re.IGNORECASE) for word in _WORDS[rule])
        if match := next(filter(None, matches), None):
            yield (
                f"{RULES_FILE}: {rule}: the pattern finds {match[0]!r} in the word "
                f"{match.string!r}; the packaged file has {packaged[rule]}"
            )


def _patterns(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the content patterns of the rules in `_WORDS`, each with the id of its rule."""
    for rule in ruleset.contextual:
        for item in rule.requirements:
            if isinstance(item, ContentPattern) and rule.id in _WORDS:
                yield rule.id, item.element.pattern


def _yaml(data: bytes) -> yaml_reader.Value:
    return yaml_reader.load(decode(data, APPROVALS_FILE), APPROVALS_FILE)


def _briefs(tree: Tree, type: approvals.ApprovalType, folder: str) -> list[ConfigError]:
    """Return an error for the rubric and each brief that an enabled type needs and lacks."""
    errors: list[ConfigError] = []
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


def _briefs_of_gate(tree: Tree, gate: Gate, folder: str) -> list[ConfigError]:
    """Return an error for each brief that a gate uses and its approval type lacks."""
    errors: list[ConfigError] = []
    line = int(gate.place.rpartition(":")[2])
    for name in gate.checks:
        path = f"{gate.approval_type or approvals.ADR}/checks/{name}.md"
        if _lacks(tree, folder, path, errors):
            message = f"there is no brief {folder}/{path}; write it, or remove {name!r}"
            errors.append(ConfigError(APPROVALS_FILE, line, f"gates.{gate.name}.checks", message))
    return errors


def _lacks(tree: Tree, folder: str, path: str, errors: list[ConfigError]) -> bool:
    """Return whether neither the repository nor the package has a file.

    An entry at its path that is not a file is added to the errors.
    """
    try:
        has_own = tree.read(f"{folder}/{path}") is not None
    except ConfigError as error:
        errors.append(error)
        return False
    return not has_own and files.packaged(f"{APPROVALS}/{path}") is None


def _texts(tree: Tree, folder: str) -> list[ConfigError]:
    """Return an error for each rubric or brief of the repository that is empty or unreadable."""
    errors: list[ConfigError] = []
    for path in tree.folder(folder):
        if path.endswith(".md"):
            try:
                doc = parse(tree.read(path) or b"", path)
            except ConfigError as error:
                errors.append(error)
                continue
            if doc.defect:
                errors.append(ConfigError(path, doc.defect.line, "", doc.defect.message))
            elif not doc.title or not doc.prose(0, len(doc.data)).strip():
                message = "a rubric or brief starts with a heading `# …` and says what to check"
                errors.append(ConfigError(path, 1, "", message))
    return errors
