"""The settings and the baseline of a tree, and those that the options name instead."""

from .. import git
from ..adr.baseline import Baseline, parse, stale
from ..adr.check_report import FileReport
from ..adr.rules.gate.baseline_stale import baseline_stale
from ..adr.rules.registry import Ruleset
from ..config.settings import Settings, decode, load
from ..errors import ConfigError, UsageError
from .files import packaged, report_on
from .trees import Tree

_WRITE = "write it with --write-baseline"


def settings_of(tree: Tree) -> Settings:
    """Return the settings of a tree. Raises ConfigError."""
    return load(tree.read, packaged)


def readable_settings(tree: Tree) -> Settings | None:
    """Return the settings of a tree; None if they are broken, which is reported elsewhere."""
    try:
        return settings_of(tree)
    except ConfigError:
        return None


def named_concept(tree: Tree, repository: str | None, name: str, count: int) -> str:
    """Return the path of the concept that the options name, for `count` ADRs.

    Raises:
        UsageError: There is no such file, or not exactly one ADR to compare it with.
    """
    if count != 1:
        raise UsageError(f"--concept requires exactly one ADR, got {count}")
    (path,) = git.paths_in(repository, [name])
    if not tree.has(path):
        raise UsageError(f"{path}: there is no such file to compare with")
    return path


def with_template(settings: Settings, name: str) -> Settings:
    """Return the settings with another template.

    Raises:
        UsageError: The template is unknown.
    """
    names = ("auto", *settings.ruleset.templates)
    if name not in names:
        raise UsageError(f"there is no template {name!r}; there are {', '.join(names)}")
    return settings._replace(ruleset=settings.ruleset._replace(template=name))


def read_baseline(tree: Tree, path: str) -> Baseline:
    """Return the baseline at a path.

    Raises:
        UsageError: There is no such file.
        ConfigError: The file is not a baseline.
    """
    data = tree.read(path)
    if data is None:
        raise UsageError(f"{path}: there is no such baseline; {_WRITE}")
    return parse(decode(data, path), path)


def named_baseline(tree: Tree, path: str) -> Baseline:
    """Return the baseline that the settings name.

    Raises:
        ConfigError: There is no such file, or it is not a baseline.
    """
    if not tree.there(path):
        message = f"the settings name this baseline, but it does not exist; {_WRITE}"
        raise ConfigError(path, 1, "", message)
    return read_baseline(tree, path)


def readable_baseline(tree: Tree, path: str) -> Baseline:
    """Return a baseline; an empty one if it is missing or broken, so that it hides nothing."""
    try:
        return read_baseline(tree, path)
    except (ConfigError, UsageError):
        return Baseline(path, {})


def stale_report(
    baseline: Baseline, reports: list[FileReport], ruleset: Ruleset, *, is_whole: bool
) -> list[FileReport]:
    """Return a report on the baseline file, if it counts more findings than there are."""
    counts = {file.path: file.counted or {} for file in reports}
    findings = baseline_stale.check(baseline, stale(baseline, counts, is_whole))
    return report_on(baseline.path, baseline.text, baseline_stale, findings, ruleset)
