"""`revision-issues.md` of a run: written after a gate with findings, read before its next run."""

import contextlib
import json
import os
from collections.abc import Callable, Mapping

from ..phases.gate_result import GateResult
from ..phases.revision_issues import (
    OPEN,
    Issue,
    answered,
    issues_of,
    merged,
    revision_issues,
)
from ..phases.run_state import StageTask
from ..verify.lock import held
from . import plain, run_files

_KNOWN, _LOCK = "revision-issues.json", "revision-issues.lock"
_PATIENCE = 10.0
"""Seconds to wait for the lock, which another phase holds for some milliseconds."""


def record(root: str, task: StageTask, result: GateResult, tell: Callable[[str], None]) -> None:
    """Read the answers to earlier findings, and add the findings of a gate.

    Raises:
        HelixError: A file is a link, or no plain file.
        OSError: A file can't be read or written.
    """
    folder = run_files.made(root, task.run)
    findings = result.findings
    if result.failed or result.passed:
        findings = ()
    if not findings and not os.path.lexists(os.path.join(folder, _KNOWN)):
        return
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
        listed = [issue._asdict() for issue in issues]
        run_files.write(folder, _KNOWN, json.dumps(listed, indent=1) + "\n")


def _known(place: str) -> tuple[Issue, ...]:
    """Return the earlier findings; none if the file is damaged."""
    with contextlib.suppress(ValueError, AttributeError, TypeError, RecursionError):
        return tuple(map(_issue, json.loads(run_files.read(place) or "[]")))
    return ()


def _issue(item: Mapping[str, object]) -> Issue:
    return Issue(
        id=str(item.get("id")),
        phase=str(item.get("phase")),
        round=int(str(item.get("round", 0))),
        place=str(item.get("place", "")),
        text=str(item.get("text", "")),
        answer=str(item.get("answer", OPEN)),
        reason=str(item.get("reason", "")),
        gone=int(str(item.get("gone", 0))),
    )
