"""The findings before and after fixes: a fix that makes one worse, or hides one, is not applied."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ..adr.check_report import CheckReport
from .edit import Fix
from .registry import FIXES

_COMPANIONS: dict[str, frozenset[str]] = {
    "header-invalid": frozenset(("header-invalid",)),
    "key-misspelt": frozenset(("key-misspelt", "header-invalid")),
    "value-misspelt": frozenset(("value-misspelt",)),
}
"""Rules on one ADR that may have fewer findings after a fix. All others must keep theirs: a status
that closes an ADR makes its errors milder, although nobody closed it.
"""
_ON_ONE_ADR = ("structure", "rules", "concept")
_COUNTING = ("error", "warning")

_Place = tuple[str, str]
"""Path and rule."""


def why_not(
    before: CheckReport, after: CheckReport, fixes: Iterable[Fix], old_names: Mapping[str, str]
) -> str:
    """Return the reason not to apply fixes, "" without one.

    `old_names` are the paths before, by the path after, of files that the fixes rename.
    """
    fixes = tuple(fixes)
    lost = {file.path for file in before.files} - {
        old_names.get(file.path, file.path) for file in after.files
    }
    if lost or len(after.skipped) > len(before.skipped):
        return "an ADR would no longer be checked"
    for severities in (_COUNTING[:1], _COUNTING):
        old, new = _counts(before, severities, {}), _counts(after, severities, old_names)
        worse = sorted(place for place in new if new[place] > old[place])
        if worse:
            path, check = worse[0]
            return f"{path} would get a finding of {check}"
    hidden = _hidden(before, after, fixes, old_names)
    if hidden:
        return hidden
    return _without_effect(before, after, fixes, old_names)


def _hidden(
    before: CheckReport, after: CheckReport, fixes: tuple[Fix, ...], old_names: Mapping[str, str]
) -> str:
    old = _counts(before, _COUNTING[:1], {}, _ON_ONE_ADR)
    new = _counts(after, _COUNTING[:1], old_names, _ON_ONE_ADR)
    for place in sorted(old):
        path, check = place
        allowed = (
            _COMPANIONS.get(fix.check, frozenset((fix.check,))) for fix in fixes if fix.path == path
        )
        if new[place] < old[place] and not any(check in rules for rules in allowed):
            return f"an error of {check} in {path} would be hidden"
    return ""


def _without_effect(
    before: CheckReport, after: CheckReport, fixes: tuple[Fix, ...], old_names: Mapping[str, str]
) -> str:
    every = (*_COUNTING, "info")
    old, new = _counts(before, every, {}), _counts(after, every, old_names)
    repaired = Counter((fix.path, fix.check) for fix in fixes if fix.check in FIXES)
    for place, number in repaired.items():
        if new[place] > old[place] - number:
            return f"the finding of {place[1]} would stay"
    return ""


def _counts(
    report: CheckReport,
    severities: tuple[str, ...],
    names: Mapping[str, str],
    layers: tuple[str, ...] = (),
) -> Counter[_Place]:
    return Counter(
        (names.get(file.path, file.path), finding.check)
        for file in report.files
        for finding in file.findings
        if finding.severity in severities and (not layers or finding.layer in layers)
    )
