"""The baseline: the number of old findings, which a repository may fix later.

Counts by file and rule stay valid after edits elsewhere in a file; line numbers would not. A count
above the present number is stale, since it would hide a new finding.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

from .. import codec
from ..errors import ConfigError
from ..finding import Finding
from .model import Suppressed

VERSION = 1
BY = "baseline"
Counts = dict[str, dict[str, codec.Positive]]
"""Numbers of findings by path and rule."""


class _File(NamedTuple):
    """The content of a baseline file."""

    version: Annotated[int, range(VERSION, VERSION + 1)]
    findings: Counts


class Baseline(NamedTuple):
    """A baseline file: its `path`, its counts and its `text`."""

    path: str
    counts: Counts
    text: str = ""

    def lines(self) -> dict[str, int]:
        """Return the lines of the entries by file, for a baseline with a line for each."""
        import json  # a hook without a baseline does not load it

        rows = [row.strip().partition('": {') for row in self.text.split("\n")]
        return {
            json.loads(f'{key}"'): number
            for number, (key, colon, _) in enumerate(rows, 1)
            if colon and key[:1] == '"'
        }


class Stale(NamedTuple):
    """An entry with a higher count than the present number of findings."""

    path: str
    rule: str
    counted: int
    present: int


def parse(text: str, path: str) -> Baseline:
    """Parse a baseline file.

    Raises:
        ConfigError: The file was not written by `--write-baseline`.
    """
    try:
        file = codec.lenient(codec.parsed(text), _File)
    except ValueError as error:
        reason = f"this is no baseline (version {VERSION}): {error}; regenerate it with"
        raise ConfigError(path, 1, "", f"{reason} --write-baseline") from None
    return Baseline(path, file.findings, text)


def render(findings: Iterable[Finding]) -> str:
    """Return the baseline of findings, with one line per file so that diffs are readable.

    Findings of severity info are left out.
    """
    import json

    counts: dict[str, Counter[str]] = {}
    for finding in findings:
        # A name that can't be written as UTF-8 has no entry: its findings are reported.
        is_writable = not re.search("[\ud800-\udfff]", finding.path)
        if finding.severity != "info" and is_writable:
            counts.setdefault(finding.path, Counter())[finding.check] += 1
    rows: list[str] = []
    for path, by_rule in sorted(counts.items()):
        key = json.dumps(path, ensure_ascii=False)
        rows.append(f"    {key}: {json.dumps(dict(sorted(by_rule.items())))}")
    entries = "{\n" + ",\n".join(rows) + "\n  }" if rows else "{}"
    return f'{{\n  "version": {VERSION},\n  "findings": {entries}\n}}\n'


def apply(
    findings: list[Finding], counts: dict[str, int], firm: frozenset[str]
) -> tuple[list[Finding], list[Suppressed]]:
    """Return the findings of one file that are reported, and those that the baseline suppresses.

    If a rule has more findings than its count, all are reported: old and new ones look alike.
    `firm` rules are always reported.
    """
    present = counted(findings)
    reported: list[Finding] = []
    suppressed: list[Suppressed] = []
    for finding in findings:
        rule = finding.check
        is_counted = finding.severity != "info" and rule not in firm
        if is_counted and present[rule] <= counts.get(rule, 0):
            suppressed.append(Suppressed(finding, BY, "counted in the baseline"))
        else:
            reported.append(finding)
    return reported, suppressed


def counted(findings: Iterable[Finding]) -> Counter[str]:
    """Count the findings of one file that a baseline may count, by rule."""
    return Counter(finding.check for finding in findings if finding.severity != "info")


def stale(baseline: Baseline, present: Mapping[str, Mapping[str, int]], whole: bool) -> list[Stale]:
    """Return the entries with a higher count than the checked files have.

    With `whole`, also return the entries of files that no longer exist.
    """
    entries: list[Stale] = []
    for path, rules in sorted(baseline.counts.items()):
        if not whole and path not in present:
            continue
        numbers = present.get(path, {})
        for rule, count in sorted(rules.items()):
            if numbers.get(rule, 0) < count:
                entries.append(Stale(path, rule, count, numbers.get(rule, 0)))
    return entries
