"""`--mode gate`: evaluate one gate of the base on the head of a pull request.

The step reads git objects and executes nothing of the change. It has no token of GitHub, and runs a
judge only if it has the key of a model.
"""

import os
from functools import partial
from typing import TYPE_CHECKING

from ..adr.check_report import CheckReport, FileReport
from ..check.trees import Revision
from ..config.gates import Gate
from ..console import exit_code_of, print_message, print_result
from ..decision.handover import RunTarget
from ..decision.states import FAILED
from ..errors import HelixError, UsageError
from ..gates.answer import answer
from ..gates.approver import asks_a_judge
from ..gates.named import gate_named, named_gates
from ..gates.results import pending
from ..gates.work import ACTION, GateWork
from ..judge.approvals import approvals_of
from ..phases.gate_result import GateResult, as_text
from ..proc.guard import run_guarded
from ..report import github as log
from . import runner
from .judge import TOKENS, reason_without_judge
from .runner import StepOptions, Work

if TYPE_CHECKING:
    from ..finding import Finding


def run(options: StepOptions, work: Work) -> int:
    """Run the step in a child process, so that its judges end when the step is killed."""
    return run_guarded(partial(exit_code_of, _run, options, work))


def _run(options: StepOptions, work: Work) -> int:
    if not options.gate:
        raise UsageError("--mode gate requires --gate NAME, the input `gate` of the action")
    # A judge must not inherit them.
    for name in TOKENS:
        os.environ.pop(name, None)
    handover = work.load(os.environ)
    if handover.failure:
        raise HelixError(f"the snapshot failed: {handover.failure.message}")
    result = _result(options, handover.target, work)
    _show(result)
    return result.exit_code


def _result(options: StepOptions, target: RunTarget, work: Work) -> GateResult:
    context = GateWork(
        root=work.objects,
        where=ACTION,
        environment=os.environ,
        notify=print_message,
        base=target.base,
        head=target.head,
        merge_base=target.merge_base,
        config=options.config,
    )
    gate = gate_named(named_gates(context), options.gate)
    reason = reason_without_judge(target, os.environ)
    if reason and _needs_judge(gate, context):
        return pending(gate, f"a person decides: {reason}")
    return answer(gate, context)


def _needs_judge(gate: Gate, work: GateWork) -> bool:
    at_base = Revision(work.root, work.base)
    try:
        return asks_a_judge(gate, approvals_of(at_base, work.config))
    finally:
        at_base.close()


def _show(result: GateResult) -> None:
    """Write the answer for the runner, for later steps and for people."""
    runner.annotate(log.render(CheckReport(_files(result))))
    text = as_text(result, color=False)
    print_result(text)
    # Indented by four spaces, Markdown shows it as it is.
    runner.summarise(os.environ, "".join(f"    {row}\n" for row in text.splitlines()))
    severities = [finding.severity for finding in result.findings]
    state = result.state
    if result.failed:
        state = FAILED
    outputs = {
        "decision": state,
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "cost-usd": f"{result.cost_usd:.4f}",
    }
    runner.put(os.environ, outputs)


def _files(result: GateResult) -> tuple[FileReport, ...]:
    """Return the findings of a gate as reports on files."""
    by_path: dict[str, list[Finding]] = {}
    for finding in result.findings:
        if finding.path:
            by_path.setdefault(finding.path, []).append(finding)
    return tuple(
        FileReport(path=path, findings=tuple(findings), lines={})
        for path, findings in by_path.items()
    )
