"""The settings and the baseline that a tree has, and those that a caller names instead."""

from ..adr.baseline import Baseline, parse, stale
from ..adr.check_report import FileReport
from ..adr.rules.gate.baseline_stale import BASELINE_STALE
from ..adr.rules.registry import Ruleset
from ..config.settings import Settings, decode, load
from ..errors import ConfigError, HelixError, UsageError
from ..repository.files import Tree, packaged, report_on

_WRITE = "write it with --write-baseline"


def settings_of(tree: Tree) -> Settings:
    """Return the settings of a tree. Raises ConfigError."""
    return load(tree.read, packaged)


def readable_settings(tree: Tree) -> Settings | None:
    """Return the settings of a tree; None where they are broken, which is reported elsewhere."""
    try:
        return settings_of(tree)
    except ConfigError:
        return None


def with_template(settings: Settings, name: str) -> Settings:
    """Return the settings with another template. Raises UsageError for an unknown one."""
    names = ("auto", *settings.ruleset.templates)
    if name not in names:
        raise UsageError(f"there is no template {name!r}; there are {', '.join(names)}")
    return settings._replace(ruleset=settings.ruleset._replace(template=name))


def read_baseline(tree: Tree, path: str) -> Baseline:
    """Return the baseline at a path.

    Raises UsageError where there is none, ConfigError for one that cannot be read.
    """
    data = tree.read(path)
    if data is None:
        raise UsageError(f"{path}: there is no such baseline; {_WRITE}")
    return parse(decode(data, path), path)


def named_baseline(tree: Tree, path: str) -> Baseline:
    """Return the baseline that settings name. Raises ConfigError."""
    if not tree.there(path):
        message = f"there is no such baseline, and the settings name it; {_WRITE}"
        raise ConfigError(path, 1, "", message)
    return read_baseline(tree, path)


def readable_baseline(tree: Tree, path: str) -> Baseline | None:
    """Return a baseline; None for one that is gone or cannot be read, which hides nothing."""
    try:
        return read_baseline(tree, path)
    except HelixError:
        return None


def baseline_or_empty(tree: Tree, path: str) -> Baseline:
    """Return a baseline, an empty one where the tree has none. Raises ConfigError."""
    data = tree.read(path) if path else None
    return Baseline(path, {}) if data is None else parse(decode(data, path), path)


def stale_report(
    baseline: Baseline, reports: list[FileReport], ruleset: Ruleset, *, is_whole: bool
) -> list[FileReport]:
    """Return a report on the baseline file, where it counts more than there is."""
    counted = {file.path: file.counted or {} for file in reports}
    found = BASELINE_STALE.check(baseline, stale(baseline, counted, is_whole))
    return report_on(baseline.path, baseline.text, BASELINE_STALE, found, ruleset)
