"""The progress of a check on a terminal, and the lines of `--verbose`."""

import sys
from collections import Counter

from ..adr.check_report import CheckReport
from ..check import run
from ..check.run import CheckContext, CheckObserver, CheckResult
from ..console.output import print_message
from ..console.progress import LiveLines
from ..paths import PYPROJECT, RULES_FILE, SETTINGS

AFTER = 1.0
"""Seconds until the progress of a check is shown."""


class ObservedCheck:
    """The observer of one check, and the line that shows its progress."""

    def __init__(self, *, verbose: bool, quiet: bool) -> None:
        self._lines = LiveLines(sys.stderr, quiet=quiet, after=AFTER)
        self._observer = CheckObserver(self._tell if self._lines.is_shown else None)
        self._verbose = verbose

    def check(self, context: CheckContext) -> CheckResult:
        """Check as `run.check` does."""
        try:
            return run.check(context._replace(observer=self._observer))
        finally:
            self._observer.begin("report")
            self._lines.clear()

    def _tell(self, done: int, count: int) -> None:
        self._lines.draw(lambda _columns: [f"{done} of {count} ADRs"])

    def end(self, context: CheckContext, report: CheckReport) -> None:
        """Print the lines of `--verbose`, after the report."""
        if not self._verbose:
            return
        self._observer.begin("")  # ends the last phase
        for file in report.files:
            if file.template:
                print_message(f"checked {file.path} (template {file.template})")
        for line in (_settings(context), _templates(report), self._time()):
            print_message(line)

    def _time(self) -> str:
        phases = self._observer.phases
        parts = [f"{name} {seconds:.2f} s" for name, seconds in phases]
        return f"time: {', '.join(parts)}; {sum(seconds for _, seconds in phases):.2f} s in all"


def _settings(context: CheckContext) -> str:
    tree = context.target.rules or context.tree
    files = [path for path in (SETTINGS, PYPROJECT, RULES_FILE) if tree.there(path)]
    if context.baseline:
        files.append(context.baseline.path)
    return f"settings read: {', '.join(files) or 'none; the defaults apply'}"


def _templates(report: CheckReport) -> str:
    names = Counter(file.template for file in report.files if file.template)
    counts = ", ".join(f"{count} {name}" for name, count in names.most_common())
    return f"templates: {counts or 'none'}"
