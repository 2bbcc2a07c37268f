"""`--mode gate`: ask one gate of the base about the head of a pull request.

All is read from git objects, nothing of the change is executed. A judge is asked if this step has
the key of a model; it has no token of GitHub.
"""

import os
from functools import partial

from ..adr.check_report import CheckReport, report_on_file
from ..change.approvals import approvals_of
from ..config.gates import Gate
from ..console.output import exit_code_of, print_message, print_result
from ..decision.handover import RunTarget
from ..decision.states import FAILED
from ..errors import HelixError, UsageError
from ..gates.answer import answer
from ..gates.hook import asks_a_judge
from ..gates.named import gate_named, named_gates
from ..gates.results import pending
from ..gates.work import ACTION, GateWork
from ..github import runner
from ..judge.guard import guarded
from ..phases.gate_result import GateResult
from ..report import gate as report
from ..report import github as log
from ..repository.files import StagedTree
from ..repository.revisions import Revision
from .judge import TOKENS, reason_without_judge
from .options import StepOptions
from .work import Work


def run(options: StepOptions, work: Work) -> int:
    """Run the step in a child process, so that no judge goes on when the step is killed."""
    return guarded(partial(exit_code_of, partial(_run, options, work)), HelixError.exit_code)


def _run(options: StepOptions, work: Work) -> int:
    if not options.gate:
        raise UsageError("--mode gate needs --gate NAME, the input `gate` of the action")
    for name in TOKENS:
        os.environ.pop(name, None)
    handover = work.load(os.environ)
    if handover.failure:
        raise HelixError(f"the snapshot failed: {handover.failure[1]}")
    result = _answered(options, handover.target, work)
    _show(result)
    return result.exit_code


def _answered(options: StepOptions, target: RunTarget, work: Work) -> GateResult:
    about = GateWork(
        root=work.objects,
        where=ACTION,
        environment=os.environ,
        notify=print_message,
        base=target.base,
        head=target.head,
        merge_base=target.merge_base,
        config=options.config,
    )
    gate = gate_named(named_gates(about), options.gate)
    reason = reason_without_judge(target, os.environ)
    if reason and _asks_a_judge(gate, about):
        return pending(gate, f"a person decides: {reason}")
    return answer(gate, about)


def _asks_a_judge(gate: Gate, work: GateWork) -> bool:
    at_base = Revision(work.root, work.base)
    try:
        tree = StagedTree(at_base, work.root)
        return asks_a_judge(gate, approvals_of(tree, work.config))
    finally:
        at_base.close()


def _show(result: GateResult) -> None:
    """Write the answer where the runner, later steps and people read it."""
    paths = dict.fromkeys(finding.path for finding in result.findings if finding.path)
    files = [
        report_on_file(
            path=path,
            findings=tuple(item for item in result.findings if item.path == path),
            lines={},
        )
        for path in paths
    ]
    runner.annotate(log.render(CheckReport(tuple(files))))
    text = report.render(result, "text", color=False, quiet=False)
    print_result(text)
    runner.summarise(os.environ, "".join(f"    {row}\n" for row in text.splitlines()))
    severities = [finding.severity for finding in result.findings]
    outputs = {
        "decision": FAILED if result.failed else result.state,
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "cost-usd": f"{result.cost_usd:.4f}",
    }
    runner.put(os.environ, outputs)
