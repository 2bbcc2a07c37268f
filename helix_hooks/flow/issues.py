"""`revision-issues.md` of a run: written after a gate with findings, read before its next run."""

import contextlib
import json
import os
from collections.abc import Callable

from .. import codec
from ..phases.gate_result import GateResult
from ..phases.revision_issues import (
    Issue,
    answered,
    earlier_findings,
    issues_of,
    merged,
    revision_issues,
    with_answers,
)
from ..phases.run_state import StageTask
from ..text import dumped
from ..verdict.earlier import EarlierFinding
from ..verify.lock import held
from . import plain, run_files
from .place import files_of

_KNOWN, _LOCK = "revision-issues.json", "revision-issues.lock"
_PATIENCE = 10.0
"""Seconds to wait for the lock, which another phase holds for some milliseconds."""


def earlier(root: str, task: StageTask) -> tuple[EarlierFinding, ...]:
    """Return the findings of a task's gate in earlier rounds, with the answers to them.

    Raises:
        HelixError: A file is a link, or no plain file.
        OSError: A file can't be read.
    """
    folder = files_of(root, task.run)
    known = _known(os.path.join(folder, _KNOWN))
    read = answered(run_files.read(os.path.join(folder, run_files.ISSUES)), known)
    return earlier_findings(read.issues, task.phase)


def record(
    root: str, task: StageTask, result: GateResult, tell: Callable[[str], None]
) -> GateResult:
    """Read the answers to earlier findings, and add the findings of a gate.

    Returns the result for people: its findings have the reasons for which they were declined.

    Raises:
        HelixError: A file is a link, or no plain file.
        OSError: A file can't be read or written.
    """
    folder = run_files.made(root, task.run)
    findings = result.findings
    if result.failed or result.passed:
        findings = ()
    if not findings and not os.path.lexists(os.path.join(folder, _KNOWN)):
        return result
    lock = os.path.join(folder, _LOCK)
    plain.refuse_special(lock)
    with held(lock, _PATIENCE, "another phase writes its findings"):
        known = _known(os.path.join(folder, _KNOWN))
        read = answered(run_files.read(os.path.join(folder, run_files.ISSUES)), known)
        for complaint in read.complaints:
            tell(f"{run_files.ISSUES}: {complaint}")
        issues = read.issues
        # A gate that failed has not looked, so no earlier finding is gone.
        if not result.failed:
            new = issues_of(task.phase, task.number, findings)
            issues = merged(issues, task.phase, task.number, new)
        run_files.write(folder, run_files.ISSUES, revision_issues(issues))
        run_files.write(folder, _KNOWN, dumped([codec.plain(issue) for issue in issues]))
    return result._replace(findings=with_answers(result.findings, issues))


def _known(place: str) -> tuple[Issue, ...]:
    """Return the earlier findings; none if the file is damaged."""
    with contextlib.suppress(ValueError, RecursionError):
        return codec.lenient(json.loads(run_files.read(place) or "[]"), tuple[Issue, ...])
    return ()
