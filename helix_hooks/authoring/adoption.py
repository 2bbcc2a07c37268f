"""Find the settings with which more ADRs of a repository pass, measured as `check` does."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..adr.check_report import CheckReport
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
"""Rules about what an ADR does not have, or about a word that is not known. Only their findings may
go by what was learned: a team's habit explains them, and no habit explains a defect.
"""

_HEARD = ("error", "warning")
_LEAST_SILENT = 10
"""If a proposal removes no error, one ADR in so many must lose its last warning."""

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
        return sum(file.passed for file in self.report.files)

    @property
    def silent(self) -> int:
        """Return how many ADRs have neither errors nor warnings."""
        return sum(
            not any(item.severity in _HEARD for item in file.findings) for file in self.report.files
        )

    @property
    def errors(self) -> dict[str, int]:
        """Count the ADRs with errors of each rule, most first."""
        counts = Counter(
            rule
            for file in self.report.files
            for rule in {item.check for item in file.findings if item.severity == "error"}
        )
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


class Learned(NamedTuple):
    """Settings with which more ADRs pass, and the habits that they express.

    `new` is the whole text of the file `path`, `old` what it was ("" for a new file). `new` is ""
    if nothing can be inserted into the file; then the user must add `lines`.
    """

    path: str
    old: str
    new: str
    lines: str
    habits: Habits
    outcome: Outcome


def outcome(context: CheckContext) -> Outcome:
    """Check all ADRs. Raises UsageError and ConfigError."""
    return Outcome(check(context).report, context.settings)


def learned(context: CheckContext, now: Outcome) -> Learned | None:
    """Return the settings with which most ADRs pass, or pass without warnings, if more than now."""
    candidates = (_measured(context, now, additions) for additions in _candidates(context))
    better = [item for item in candidates if item and _is_better(item.outcome, now)]
    return max(better, key=lambda item: _worth(item.outcome), default=None)


def _worth(outcome: Outcome) -> tuple[int, int]:
    return _WORTH * outcome.passed + outcome.silent, outcome.passed


def _is_better(then: Outcome, now: Outcome) -> bool:
    """Return whether more ADRs pass, or as many with far fewer warnings.

    One more ADR may fail, usually for its missing decision, if ten others lose their last warning.

    A style of its own requires very little until a template is written. There it is enough that no
    ADR gets worse.
    """
    lost = max(0, now.passed - then.passed)
    least = max(2, len(now.report.files) // _LEAST_SILENT, lost * _WORTH)
    is_quieter = then.silent >= now.silent + least
    is_own = 2 * sum(file.template == OWN for file in now.report.files) > len(now.report.files)
    is_no_worse = then.passed == now.passed and then.silent >= now.silent
    return then.passed > now.passed or is_quieter or (is_own and is_no_worse)


def habits_now(context: CheckContext) -> Habits:
    """Return the habits of the ADRs, read by the settings in force."""
    return template_of(_read(context, context.settings), ())[0]


def _candidates(context: CheckContext) -> Iterator[Additions]:
    """Yield additions to the settings, the smallest first."""
    settings = context.settings
    adrs = _read(context, settings)
    aliases = aliases_of(adrs)
    is_chosen = "template" in _values(context, {})
    if aliases:
        yield aliases
    if is_chosen:
        return
    names = settings.ruleset.templates
    if template := template_of(adrs, names)[1]:
        yield template
    wider = _settings_with(context, aliases) if aliases else None
    if wider and (template := template_of(_read(context, wider), names)[1]):
        yield {**aliases, **template}


def _read(context: CheckContext, settings: Settings) -> list[Adr]:
    """Return the ADRs that can be read."""
    paths = files.select(context.tree, context.target.root, [], settings).paths
    documents = (context.tree.document(path) for path in paths)
    return [read(Source(doc), settings.ruleset) for doc in documents if not doc.defect]


def _measured(context: CheckContext, now: Outcome, additions: Additions) -> Learned | None:
    """Return the outcome with some additions; None if they can't be read, or hide a defect."""
    settings = _settings_with(context, additions)
    if settings is None:
        return None
    then = outcome(context._replace(settings=settings))
    if _defects(now.report) - _defects(then.report):
        return None
    path, old = _file(context)
    mark = BYTE_ORDER_MARK if (context.tree.read(path) or b"").startswith(BOM_UTF8) else ""
    new = in_file(path, old, additions) if old else f"{_HEAD}{_text(additions)}"
    return Learned(
        path=path,
        old=old,
        new=f"{mark}{new}" if new else "",
        lines=_text(additions),
        habits=template_of(_read(context, settings), ())[0],
        outcome=then,
    )


def _defects(report: CheckReport) -> Counter[tuple[str, str]]:
    """Count the errors of each ADR by rule, without those that a habit explains."""
    return Counter(
        (file.path, finding.check)
        for file in report.files
        for finding in file.findings
        if finding.severity == "error" and finding.check not in _ABSENT
    )


def _file(context: CheckContext) -> tuple[str, str]:
    """Return the file of the settings and its text, which is "" if it is yet to be written."""
    read = context.tree.read
    own, project = read(SETTINGS), read(PYPROJECT)
    if own is None and project and b"helix-hooks" in project:
        text = decode(project, PYPROJECT)
        if table(text):
            return PYPROJECT, text
    return SETTINGS, decode(own, SETTINGS) if own is not None else ""


def _values(context: CheckContext, additions: Additions) -> dict[str, object]:
    found = values(*_file(context), additions)
    return found if isinstance(found, dict) else {}


def _settings_with(context: CheckContext, additions: Additions) -> Settings | None:
    """Return the settings with additions; None if they are invalid."""
    text = json.dumps(_values(context, additions)).encode()  # JSON is YAML

    def read_file(path: str) -> bytes | None:
        if path == SETTINGS:
            return text
        return None if path == PYPROJECT else context.tree.read(path)

    try:
        return load(read_file, files.packaged)
    except ConfigError:
        return None


def _text(additions: Additions) -> str:
    return "\n".join([*yaml_block(additions), ""])
