"""Find the settings with which more ADRs of a repository pass, measured as `check` does."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..adr.check_report import CheckReport, FileReport
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.template import OWN
from ..check.run import CheckContext, check
from ..config.pyproject import table
from ..config.settings import Settings, decode, load
from ..errors import ConfigError
from ..paths import PYPROJECT, SETTINGS
from ..repository import files
from ..text.invisible import BYTE_ORDER_MARK
from .habits import Habits
from .learning import aliases_of, template_of
from .settings_text import Additions, in_file, values, yaml_block

_ABSENT = frozenset(("section-missing", "headings-missing", "header-invalid"))
"""Rules about a part that an ADR lacks, or about an unknown word. Learned settings may remove only
their findings: a team's habit explains them, and no habit explains a defect.
"""

_REPORTED = ("error", "warning")
_LEAST_SILENT = 10
"""If a proposal removes no error, at least one ADR in 10 must lose its last warning."""

_WORTH = 10
"""Number of ADRs that must lose their last warning for each ADR that no longer passes."""

_HEAD = (
    "# What most ADRs of this repository have in common, found by `helix-hooks init`. "
    "Yours to edit.\n"
)


class Outcome(NamedTuple):
    """The report of a check, and the settings that it used."""

    report: CheckReport
    settings: Settings

    @property
    def passed(self) -> int:
        """Return the number of ADRs without an error."""
        return sum(file.passed for file in self.report.files)

    @property
    def silent(self) -> int:
        """Return the number of ADRs with neither errors nor warnings."""
        return sum(_is_silent(file) for file in self.report.files)

    @property
    def errors(self) -> dict[str, int]:
        """Return the number of ADRs with an error of each rule, the most frequent rule first."""
        counts: Counter[str] = Counter()
        for file in self.report.files:
            counts.update({item.check for item in file.findings if item.severity == "error"})
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _is_silent(file: FileReport) -> bool:
    return not any(item.severity in _REPORTED for item in file.findings)


class Learned(NamedTuple):
    """Settings with which more ADRs pass, and the habits that they express.

    `new` is the whole text of the file `path`, `old` its present text ("" for a new file). `new` is
    "" if nothing can be inserted into the file. Then the user must add `lines`.
    """

    path: str
    old: str
    new: str
    lines: str
    habits: Habits
    outcome: Outcome


def outcome(context: CheckContext) -> Outcome:
    """Check all ADRs.

    Raises:
        UsageError: A path of the options can't be checked.
        ConfigError: The settings or the baseline are invalid.

    """
    return Outcome(check(context).report, context.settings)


def learned(context: CheckContext, now: Outcome) -> Learned | None:
    """Return the settings with which most ADRs pass, or pass without warnings.

    None if no candidate is better than the present settings.
    """
    better: list[Learned] = []
    for additions in _candidates(context):
        candidate = _measured(context, now, additions)
        if candidate and _is_better(candidate.outcome, now):
            better.append(candidate)
    return max(better, key=lambda item: _worth(item.outcome), default=None)


def _worth(outcome: Outcome) -> tuple[int, int]:
    return _WORTH * outcome.passed + outcome.silent, outcome.passed


def _is_better(then: Outcome, now: Outcome) -> bool:
    """Return whether more ADRs pass, or as many with far fewer warnings.

    One more ADR may fail, usually for its missing decision, if ten others lose their last warning.
    """
    if then.passed > now.passed:
        return True
    lost = now.passed - then.passed
    files = now.report.files
    least = max(2, len(files) // _LEAST_SILENT, lost * _WORTH)
    if then.silent >= now.silent + least:
        return True
    # ADRs in a style of their own need very few sections until the team writes a template. For
    # these it is enough that no ADR gets worse.
    is_own = 2 * sum(file.template == OWN for file in files) > len(files)
    return is_own and not lost and then.silent >= now.silent


def habits_now(context: CheckContext) -> Habits:
    """Return the habits of the ADRs, read with the present settings."""
    return template_of(_read(context, context.settings), ())[0]


def _candidates(context: CheckContext) -> Iterator[Additions]:
    """Yield additions to the settings, the smallest first."""
    settings = context.settings
    adrs = _read(context, settings)
    aliases = aliases_of(adrs)
    if aliases:
        yield aliases
    if "template" in _values(context, {}):
        return  # the team has chosen one
    names = settings.ruleset.templates
    template = template_of(adrs, names)[1]
    if template:
        yield template
    wider = _settings_with(context, aliases) if aliases else None
    if not wider:
        return
    template = template_of(_read(context, wider), names)[1]
    if template:
        yield {**aliases, **template}


def _read(context: CheckContext, settings: Settings) -> list[Adr]:
    """Return the ADRs that can be read."""
    paths = files.select(context.tree, context.target.root, [], settings).paths
    documents = (context.tree.document(path) for path in paths)
    return [read(Source(doc), settings.ruleset) for doc in documents if not doc.defect]


def _measured(context: CheckContext, now: Outcome, additions: Additions) -> Learned | None:
    """Return the outcome with some additions; None if they are invalid, or hide a defect."""
    settings = _settings_with(context, additions)
    if settings is None:
        return None
    then = outcome(context._replace(settings=settings))
    if _defects(now.report) - _defects(then.report):
        return None
    path, old = _file(context)
    new = in_file(path, old, additions) if old else f"{_HEAD}{_text(additions)}"
    if new and (context.tree.read(path) or b"").startswith(BOM_UTF8):
        new = f"{BYTE_ORDER_MARK}{new}"
    return Learned(
        path=path,
        old=old,
        new=new or "",
        lines=_text(additions),
        habits=template_of(_read(context, settings), ())[0],
        outcome=then,
    )


def _defects(report: CheckReport) -> Counter[tuple[str, str]]:
    """Count the errors of each ADR by rule, without those that a habit explains."""
    counts: Counter[tuple[str, str]] = Counter()
    for file in report.files:
        for finding in file.findings:
            if finding.severity == "error" and finding.check not in _ABSENT:
                counts[file.path, finding.check] += 1
    return counts


def _file(context: CheckContext) -> tuple[str, str]:
    """Return the path and the text of the settings file; the text is "" for a new file."""
    own, project = context.tree.read(SETTINGS), context.tree.read(PYPROJECT)
    if own is not None:
        return SETTINGS, decode(own, SETTINGS)
    # Most projects have a pyproject.toml without our table, and need not have it parsed.
    if project and b"helix-hooks" in project:
        text = decode(project, PYPROJECT)
        if table(text):
            return PYPROJECT, text
    return SETTINGS, ""


def _values(context: CheckContext, additions: Additions) -> dict[str, object]:
    settings = values(*_file(context), additions)
    if isinstance(settings, dict):
        return settings
    return {}


def _settings_with(context: CheckContext, additions: Additions) -> Settings | None:
    """Return the settings with additions; None if they are invalid."""
    text = json.dumps(_values(context, additions)).encode()  # JSON is YAML

    def read_file(path: str) -> bytes | None:
        if path == SETTINGS:
            return text
        if path == PYPROJECT:
            return None  # its table is part of the text above
        return context.tree.read(path)

    try:
        return load(read_file, files.packaged)
    except ConfigError:
        return None


def _text(additions: Additions) -> str:
    return "\n".join([*yaml_block(additions), ""])
