"""The rules whose findings are reported, as chosen with `--select` and `--ignore`.

All rules run. Findings are removed only from the finished report, so that suppressions, the
baseline and cached reports do not depend on the choice.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..adr.check_report import CheckReport, FileReport
from ..adr.rules.registry import BLOCKING, Ruleset, in_force
from ..errors import UsageError
from ..text.sanitize import printable
from ..yaml_reader import nearest

_UNREAD = frozenset(rule.id for rule in BLOCKING)
"""Rules on files that other rules can't read. Only their own id leaves them out, not a layer."""


class ChosenRules(NamedTuple):
    """The ids of all rules, and of those that are left out, in the order of docs/rules.md."""

    known: tuple[str, ...]
    left_out: tuple[str, ...]

    def applied(self, report: CheckReport) -> CheckReport:
        """Return a report without the findings of the rules that are left out."""
        names = frozenset(self.left_out)
        files = tuple(_without(file, names) for file in report.files)
        hidden = sum(map(_size, report.files)) - sum(map(_size, files))
        kept = tuple(file for file in files if file.template or _size(file))
        return report._replace(files=kept, left_out=self.left_out, hidden=hidden)


def chosen(select: Iterable[str], ignore: Iterable[str], ruleset: Ruleset) -> ChosenRules | None:
    """Return the choice by names of rules and layers; None if it leaves nothing out.

    Raises:
        UsageError: A name is unknown, or no rule remains.
    """
    layers: dict[str, list[str]] = {}
    for rule in in_force(ruleset):
        layers.setdefault(rule.layer, []).append(rule.id)
    known = tuple(dict.fromkeys(rule.id for rule in in_force(ruleset)))
    selected = list(_named("--select", select, known, layers)) or list(known)
    ignored = frozenset(_named("--ignore", ignore, known, layers))
    if ignored.issuperset(selected):
        raise UsageError("--select and --ignore leave no rule to report; ignore fewer rules")
    reported = (frozenset(selected) | _UNREAD) - ignored
    left_out = tuple(rule for rule in known if rule not in reported)
    return ChosenRules(known, left_out) if left_out else None


def _named(
    option: str, names: Iterable[str], known: tuple[str, ...], layers: dict[str, list[str]]
) -> Iterator[str]:
    for name in names:
        if name in known:
            yield name
        elif name in layers:
            yield from (rule for rule in layers[name] if rule not in _UNREAD)
        else:
            raise UsageError(_unknown(option, name, (*known, *layers)))


def _unknown(option: str, name: str, names: tuple[str, ...]) -> str:
    near = nearest(name, names)
    hint = ""
    if near:
        hint = f"did you mean {near}? "
    lists = "`helix-hooks rules` lists the rules and their layers"
    return f"{option}: unknown rule or layer {printable(name)!r}; {hint}{lists}"


def _without(file: FileReport, names: frozenset[str]) -> FileReport:
    findings = tuple(item for item in file.findings if item.check not in names)
    suppressed = tuple(item for item in file.suppressed if item.finding.check not in names)
    return file._replace(findings=findings, suppressed=suppressed)


def _size(file: FileReport) -> int:
    return len(file.findings)
