"""The number of old findings: a repository adopts the gate today and fixes its old ADRs later.

Counts by file and rule survive edits elsewhere in a file; line numbers would not. A count above the
present number is stale: it would hide a new finding.
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
"""Path to rule to number of findings."""


class Baseline(NamedTuple):
    """`path` is the file's own, `text` what it says."""

    path: str
    counts: Counts
    text: str = ""

    def line(self, path: str) -> int:
        """The line of a file's entry."""
        return _lines(self.text).get(path, 1)


@lru_cache(maxsize=2)
def _lines(text: str) -> dict[str, int]:
    """Return the lines on which the keys of a baseline stand.

    Read once: there may be as many entries to point at as there are lines.
    """
    import json

    found: dict[str, int] = {}
    for number, row in enumerate(text.split("\n"), 1):
        key = re.match(r'\s*("(?:[^"\\]|\\.)*")\s*:', row)
        if key:
            with suppress(ValueError):
                found.setdefault(json.loads(key[1]), number)
    return found


class Stale(NamedTuple):
    """An entry that counts more than there is."""

    path: str
    rule: str
    counted: int
    present: int


def parse(text: str, path: str) -> Baseline:
    """A baseline file; raises ConfigError for one that was not written by `--write-baseline`."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise ConfigError(
            path,
            line,
            "",
            f"this is not valid JSON: {str(error).partition(':')[0]}; write it anew with "
            "--write-baseline",
        ) from None
    version = data.get("version") if isinstance(data, dict) else None
    is_known = type(version) is int and version == VERSION
    counts = data["findings"] if is_known and "findings" in data else None
    if not isinstance(counts, dict) or not all(map(_sound, counts.values())):
        raise ConfigError(
            path,
            1,
            "",
            f"this is no baseline of version {VERSION}; write it anew with --write-baseline",
        )
    return Baseline(path, counts, text)


def _sound(rules: object) -> bool:
    return isinstance(rules, dict) and all(
        type(count) is int and count > 0 for count in rules.values()
    )


def render(findings: Iterable[Finding]) -> str:
    """The baseline of these findings, one line a file so that a change shows well in a diff.

    Findings of severity info need none.
    """
    import json

    counts: dict[str, Counter[str]] = {}
    for finding in findings:
        if finding.severity != "info" and _writable(finding.path):
            counts.setdefault(finding.path, Counter())[finding.check] += 1
    rows = [
        f"    {json.dumps(path, ensure_ascii=False)}: "
        f"{json.dumps(dict(sorted(counts[path].items())))}"
        for path in sorted(counts)
    ]
    body = ",\n".join(rows)
    return (
        f'{{\n  "version": {VERSION},\n  "findings": {{\n{body}\n  }}\n}}\n'
        if rows
        else f'{{\n  "version": {VERSION},\n  "findings": {{}}\n}}\n'
    )


def _writable(path: str) -> bool:
    """Return whether a name can be written as text; otherwise its findings are reported."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def apply(
    findings: list[Finding], counts: dict[str, int], firm: frozenset[str]
) -> tuple[list[Finding], list[Suppressed]]:
    """Return the findings of one file that are reported, and those that the baseline suppresses.

    If a rule has more findings than its count, all are reported: old and new ones look alike.
    """
    found = counted(findings)
    kept: list[Finding] = []
    suppressed: list[Suppressed] = []
    for finding in findings:
        known = (
            finding.severity != "info"
            and finding.check not in firm
            and found[finding.check] <= counts.get(finding.check, 0)
        )
        if known:
            suppressed.append(Suppressed(finding, BY, "counted in the baseline"))
        else:
            kept.append(finding)
    return kept, suppressed


def counted(findings: Iterable[Finding]) -> Counter[str]:
    """Count the findings of one file that a baseline may count, by rule."""
    return Counter(finding.check for finding in findings if finding.severity != "info")


def stale(baseline: Baseline, present: Mapping[str, Mapping[str, int]], whole: bool) -> list[Stale]:
    """Return the entries that count more than the checked files have.

    With `whole`, also entries of files that no longer exist.
    """
    entries = (
        (path, rule, count)
        for path, rules in sorted(baseline.counts.items())
        for rule, count in sorted(rules.items())
    )
    return [
        Stale(path, rule, count, present.get(path, {}).get(rule, 0))
        for path, rule, count in entries
        if (whole or path in present) and present.get(path, {}).get(rule, 0) < count
    ]
