"""The baseline: the number of old findings, which a repository may fix later.

Counts by file and rule stay valid after edits elsewhere in a file; line numbers would not. A count
above the present number is stale, since it would hide a new finding.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ..errors import ConfigError
from ..finding import Finding
from .suppress import Suppressed

VERSION = 1
BY = "baseline"
Counts = dict[str, dict[str, int]]
"""Numbers of findings by path and rule."""


class Baseline(NamedTuple):
    """A baseline file: its `path`, its counts and its `text`."""

    path: str
    counts: Counts
    text: str = ""

    def line(self, path: str) -> int:
        """Return the line of the entry of a file, 1 without one."""
        return _lines(self.text).get(path, 1)


@lru_cache(maxsize=2)
def _lines(text: str) -> dict[str, int]:
    """Return the lines of the keys of a baseline.

    Cached, since there may be a stale entry on each line.
    """
    import json  # a hook without a baseline does not load it

    lines: dict[str, int] = {}
    for number, row in enumerate(text.split("\n"), 1):
        key = re.match(r'\s*("(?:[^"\\]|\\.)*")\s*:', row)
        if key:
            with suppress(ValueError):
                lines.setdefault(json.loads(key[1]), number)
    return lines


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
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise ConfigError(
            path,
            line,
            "",
            f"this is not valid JSON: {str(error).partition(':')[0]}; regenerate it with "
            "--write-baseline",
        ) from None
    counts = _counts(data)
    if counts is None:
        raise ConfigError(
            path,
            1,
            "",
            f"unsupported baseline version (expected {VERSION}); regenerate it with "
            "--write-baseline",
        )
    return Baseline(path, counts, text)


def _counts(data: object) -> Counts | None:
    """Return the counts of a baseline, None if the data are not one."""
    if not isinstance(data, dict):
        return None
    version, counts = data.get("version"), data.get("findings")
    # True is equal to 1, so the type counts too.
    if type(version) is not int or version != VERSION or not isinstance(counts, dict):
        return None
    return counts if all(map(_are_counts, counts.values())) else None


def _are_counts(rules: object) -> bool:
    if not isinstance(rules, dict):
        return False
    return all(type(count) is int and count > 0 for count in rules.values())


def render(findings: Iterable[Finding]) -> str:
    """Return the baseline of findings, with one line per file so that diffs are readable.

    Findings of severity info are left out.
    """
    import json

    counts: dict[str, Counter[str]] = {}
    for finding in findings:
        if finding.severity != "info" and _writable(finding.path):
            counts.setdefault(finding.path, Counter())[finding.check] += 1
    rows: list[str] = []
    for path, by_rule in sorted(counts.items()):
        key = json.dumps(path, ensure_ascii=False)
        rows.append(f"    {key}: {json.dumps(dict(sorted(by_rule.items())))}")
    entries = "{\n" + ",\n".join(rows) + "\n  }" if rows else "{}"
    return f'{{\n  "version": {VERSION},\n  "findings": {entries}\n}}\n'


def _writable(path: str) -> bool:
    """Return whether a name can be written as UTF-8; otherwise its findings are reported."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


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
