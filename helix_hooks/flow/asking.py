"""The gate of a task, run on files that are the same before and after."""

import json
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import codec, writing
from ..config.approvals import APPROVAL_PHASE
from ..config.gates import VERIFIED, Gate, has_files
from ..errors import HelixError
from ..gates.answer import answer
from ..gates.work import FLOW, GateWork
from ..phases.flow import PROMPT, Phase
from ..phases.gate_result import APPROVED, REJECTED, GateResult
from ..phases.run_state import StageEnded, StageTask
from ..verify.stop import RUN
from . import issues, run_files
from .contents import Contents, changed, changed_policy, contents
from .messages import Made, Step
from .tree_git import without_repository

_TRIES = 3
"""Maximum runs of a gate whose files change meanwhile."""


class _Question(NamedTuple):
    """The gates to run one after the other, on the files of some patterns."""

    gates: tuple[Gate, ...]
    patterns: tuple[str, ...]
    files: tuple[str, ...]

    def contents(self, root: str) -> Contents:
        """Return the files of the patterns, with the hashes of other files that the gates read.

        The gates themselves report missing or unreadable other files. Raises OSError.
        """
        seen = contents(root, self.patterns)
        others: list[str] = []
        if not self.files:
            for gate in self.gates:
                others += filter(None, (*gate.files, gate.concept))
        hashes = {**contents(root, others).hashes, **seen.hashes}
        return seen._replace(hashes=dict(sorted(hashes.items())))


def ended(step: Step, show: Callable[[str], None]) -> StageEnded:
    """Return the event of a task's end, with the answer of its gate.

    Raises:
        HelixError: A file of the run is a link, or no plain file.
        OSError: A file can't be read or written.
    """
    root, phase, task, made = step.root, step.phase, step.task, step.made or Made()
    folder = run_files.folder_of(root, task)
    differs = changed(root, task.approved)
    if differs:
        return StageEnded(
            phase=task.phase,
            number=task.number,
            result=None,
            changed=differs,
            cost_usd=made.cost_usd,
        )
    seen = Contents({}, (), ())
    if made.problem:
        result = _rejection(phase, made.problem, failed=True)._replace(
            is_started=made.is_started, is_made=False
        )
    else:
        question = _question(root, phase, task, folder)
        records = {path: task.approved[path] for path in step.recorded if path in task.approved}
        work = GateWork(
            root=root,
            where=FLOW,
            environment={**without_repository(os.environ), RUN: task.run},
            notify=show,
            records=records,
            written=made.written,
            earlier=issues.earlier(root, task),
        )
        result, seen = _ask_until_stable(root, phase, question, work)
        # Compare after the gate: whatever it decided, it may have used changed settings.
        other = changed_policy(root, step.policy)
        if other:
            reason = (
                f"{other} has changed since the start of the run; restore it, or start a new run"
            )
            result = _rejection(phase, reason, failed=True)._replace(cost_usd=result.cost_usd)
    hashes = dict(seen.hashes)
    if phase.type == APPROVAL_PHASE:
        hashes |= _write_result(root, phase, folder, result)
    result = issues.record(root, task, result, show)
    run_files.write(folder, run_files.GATE, json.dumps(_plain(result), indent=1))
    return StageEnded(
        phase=task.phase,
        number=task.number,
        result=result,
        output=made.output,
        hashes=hashes,
        changed=changed(root, task.approved),
        cost_usd=made.cost_usd + result.cost_usd,
    )


def _question(root: str, phase: Phase, task: StageTask, folder: str) -> _Question:
    """Return the gates of a stage with the files that they check."""
    if task.stage == PROMPT:
        names = (run_files.PROMPT, run_files.TEXT)
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        paths = tuple(f"{below}/{name}" for name in names)
        gate = phase.prompt_gate
        return _Question((gate,) if gate else (), paths, paths[:1])
    gates = (phase.gate,) if phase.gate else ()
    if phase.type == APPROVAL_PHASE:
        return _Question(gates, phase.inputs, ())
    if phase.verify_agent:
        # Without a declared ADR, the expected files are compared.
        verifies = Gate(name=phase.id, kind=VERIFIED, place=phase.place, files=phase.outputs)
        gates = (verifies, *gates)
    return _Question(gates, phase.outputs, ())


def _ask_until_stable(
    root: str, phase: Phase, question: _Question, work: GateWork
) -> tuple[GateResult, Contents]:
    """Run the gates until the files are the same before and after."""
    before = question.contents(root)
    cost = 0.0
    for _ in range(_TRIES):
        complaint = ""
        if before.missing:
            complaint = f"missing file: {', '.join(before.missing)}; the phase must write it"
        if before.refused:
            complaint = (
                f"{before.refused[0]} is not a regular file, or larger than 1 GB; "
                "write a regular file"
            )
        if complaint:
            return _rejection(phase, complaint, failed=phase.made_by_person), before
        result = _answers(phase, question, work, before)
        cost += result.cost_usd
        after = question.contents(root)
        if after == before:
            return result._replace(cost_usd=cost), after
        before = after
    reason = "the files changed while the gate ran; stop the process that writes them"
    return _rejection(phase, reason, failed=True)._replace(cost_usd=cost), before


def _answers(phase: Phase, question: _Question, work: GateWork, seen: Contents) -> GateResult:
    """Run the gates up to the first that does not approve."""
    doer = "a person did it" if phase.made_by_person else "the command succeeded"
    message = f"{doer}; the phase has no output and no gate"
    result = GateResult(gate=phase.id, gate_type="", state=APPROVED, message=message)
    cost = 0.0
    for gate in question.gates:
        files = question.files
        if not files and not gate.files and has_files(gate.kind):
            files = tuple(seen.hashes)
        try:
            result = answer(gate, work._replace(files=files))
        except HelixError as error:
            result = _rejection(phase, str(error), failed=True)
        cost += result.cost_usd
        if result.state != APPROVED:
            break
    return result._replace(cost_usd=cost)


def _rejection(phase: Phase, reason: str, *, failed: bool) -> GateResult:
    return GateResult(gate=phase.id, gate_type="", state=REJECTED, message=reason, failed=failed)


def _write_result(root: str, phase: Phase, folder: str, result: GateResult) -> dict[str, str]:
    """Write the approval result to the task's folder and the path of the phase; return its hash.

    Raises:
        HelixError: The path is a link, or below one.
        OSError: The file can't be written.
    """
    text = json.dumps(dict(result.details) or _plain(result), indent=2, ensure_ascii=False) + "\n"
    run_files.write(folder, run_files.RESULT, text)
    for path in phase.outputs:
        place = os.path.join(root, path)
        above = os.path.dirname(place)
        os.makedirs(above, exist_ok=True)
        if os.path.realpath(above) != os.path.normpath(above) or os.path.islink(place):
            raise HelixError(f"{path} is a symbolic link, or below one; write to a plain file")
        writing.replace(place, text.encode(errors="replace"))
    return dict(contents(root, phase.outputs).hashes)


def _plain(result: GateResult) -> Mapping[str, object]:
    """Return a gate's answer as JSON values for people."""
    return {**codec.plain(result), "passed": result.passed}
