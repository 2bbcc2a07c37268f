"""The effects of fixes on the findings: a fix that adds or hides a finding is not applied."""

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
"""Rules on one ADR that may have fewer findings after a fix of a rule.

All others must keep their findings: a corrected status could close an ADR, and its errors would
become milder.
"""
_ON_ONE_ADR = ("structure", "rules", "concept")
_COUNTING = ("error", "warning")

_Place = tuple[str, str]
"""Path and rule."""


def why_not(
    before: CheckReport, after: CheckReport, fixes: Iterable[Fix], old_names: Mapping[str, str]
) -> str:
    """Return the reason not to apply fixes, "" without one.

    `old_names` are the old paths, by the new path, of files that the fixes rename.
    """
    fixes = tuple(fixes)
    checked = {old_names.get(file.path, file.path) for file in after.files}
    is_lost = any(file.path not in checked for file in before.files)
    if is_lost or len(after.skipped) > len(before.skipped):
        return "an ADR would no longer be checked"
    return (
        _added_finding(before, after, old_names)
        or _hidden_error(before, after, fixes, old_names)
        or _fix_without_effect(before, after, fixes, old_names)
    )


def _added_finding(before: CheckReport, after: CheckReport, old_names: Mapping[str, str]) -> str:
    """Return a reason if there would be more findings of a rule in a file, else ""."""
    # Errors alone first: an error must not take the place of a warning.
    for severities in (_COUNTING[:1], _COUNTING):
        old, new = _counts(before, severities, {}), _counts(after, severities, old_names)
        worse = [place for place in new if new[place] > old[place]]
        if worse:
            path, check = min(worse)
            return f"{path} would get a finding of {check}"
    return ""


def _hidden_error(
    before: CheckReport, after: CheckReport, fixes: tuple[Fix, ...], old_names: Mapping[str, str]
) -> str:
    old = _counts(before, _COUNTING[:1], {}, _ON_ONE_ADR)
    new = _counts(after, _COUNTING[:1], old_names, _ON_ONE_ADR)
    for path, check in sorted(old):
        if new[path, check] < old[path, check] and not _may_disappear(path, check, fixes):
            return f"an error of {check} in {path} would be hidden"
    return ""


def _may_disappear(path: str, check: str, fixes: tuple[Fix, ...]) -> bool:
    """Return whether findings of a rule may disappear: one of the fixes of the file fixes them."""
    checks = {fix.check for fix in fixes if fix.path == path}
    return any(check in _COMPANIONS.get(fixed, {fixed}) for fixed in checks)


def _fix_without_effect(
    before: CheckReport, after: CheckReport, fixes: tuple[Fix, ...], old_names: Mapping[str, str]
) -> str:
    severities = (*_COUNTING, "info")
    old, new = _counts(before, severities, {}), _counts(after, severities, old_names)
    fixed = Counter((fix.path, fix.check) for fix in fixes if fix.check in FIXES)
    for place, number in fixed.items():
        if new[place] > old[place] - number:
            return f"the finding of {place[1]} would stay"
    return ""


def _counts(
    report: CheckReport,
    severities: tuple[str, ...],
    names: Mapping[str, str],
    layers: tuple[str, ...] = (),
) -> Counter[_Place]:
    """Return the number of findings by path and rule; without `layers` those of all layers."""
    counts: Counter[_Place] = Counter()
    for file in report.files:
        path = names.get(file.path, file.path)
        for finding in file.findings:
            if finding.severity in severities and (not layers or finding.layer in layers):
                counts[path, finding.check] += 1
    return counts
