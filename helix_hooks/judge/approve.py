"""The steps of `approve`: the change and its rubric, Layers 1 to 3, the judges, the decision."""

import contextlib
import os
from collections.abc import Iterator
from posixpath import dirname
from typing import NamedTuple

from .. import git
from ..adr.check_report import CheckReport, fails
from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..check.branch import behind
from ..check.options import CheckContext, CheckOptions, CheckTarget
from ..check.run import check_files, prepare
from ..check.settings import readable_settings
from ..check.trees import Revision
from ..config.agents import API, CLAUDE, MANUAL, NO_AGENTS, VENDORS
from ..config.approvals import Approvals
from ..config.policy import asks
from ..config.watched import idle
from ..decision.decide import ApproveResult, Facts, decide, of_rejection, of_review
from ..decision.reasons import BY_HAND, of_rule_questions, of_unjudged
from ..decision.states import Reason
from ..errors import HelixError, UsageError
from ..finding import FAIL_ON, Finding
from ..git import restored
from ..paths import READ_FIRST
from ..proc import END, handled
from ..verdict.approval_result import REJECTED, SKIPPED, ApprovalResult
from ..verdict.injection.replies import in_replies
from . import indicators, workspace
from .approvals import agent, approvals_of, chosen, refuse_unnamed
from .assignment import (
    Assignment,
    IsAdr,
    Types,
    assigned,
    named_files,
    reason_to_skip,
    refuse_ignored_adrs,
)
from .batch import Reviews, reviews_of
from .change import Change
from .earlier import with_earlier
from .options import ApproveOptions, Observer, Range, RunOptions
from .question import question_about
from .questions import by_policy, for_a_person, relaxations
from .repair import refuse_broken
from .result import unjudged
from .rubric import narrowed

_STOPPED = "the checks have findings, so no judge ran"


def approve(options: ApproveOptions, root: str, observer: Observer) -> ApproveResult:
    """Return the result of a review under the policy.

    Raises:
        HelixError: The review could not be carried out.
    """
    base = options.range.base
    if base and (warning := behind(root, "--base", base)):
        observer.notify(warning)
    with reviewed(options, root, observer) as (change, result):
        return by_policy(result, change, approvals_of(change.rules))


@contextlib.contextmanager
def reviewed(
    options: ApproveOptions,
    root: str,
    observer: Observer,
) -> Iterator[tuple[Change, ApproveResult]]:
    """Yield a change with the result of its review, and remove its files from the disk afterwards.

    Raises:
        HelixError: The review could not be carried out.
    """
    with opened_change(options.range, root) as change:
        yield change, _result(change, options, observer)


@contextlib.contextmanager
def opened_change(range: Range, root: str) -> Iterator[Change]:
    """Yield a change whose files a judge can read, and remove them from the disk afterwards."""
    # A signal must unwind these blocks, or the copy of the repository stays in TMPDIR.
    with handled(END, _stop), restored():
        workspace.sweep()
        folder = workspace.fresh(root)
        change = None
        try:
            change = Change(root, folder, range)
            yield change
        finally:
            if change:
                change.close()
            workspace.Workspace(folder).remove()


def _stop(_number: int) -> None:
    """Turn a signal into an error, so that the run removes its files."""
    raise HelixError("the run was stopped")


class _Review(NamedTuple):
    """Inputs of a review that its steps share."""

    change: Change
    options: ApproveOptions
    approvals: Approvals
    types: Types
    check: CheckContext
    is_adr: IsAdr


def _result(change: Change, options: ApproveOptions, observer: Observer) -> ApproveResult:
    """Return the result of a review. The judges run last, so an earlier stop costs nothing."""
    review = _review(change, options)
    refuse_ignored_adrs(change, options.range, review.check.settings, review.is_adr)
    if options.range.head and not options.range.base and not options.paths:
        message = "--head requires --base, or the files to review"
        raise UsageError(message)
    paths = git.paths_in(change.root, options.paths)
    settings = review.check.settings
    named = named_files(change, review.types, settings, review.is_adr, paths)
    _notify_limits(change, options, observer)
    assignment = assigned(change, review.types, review.is_adr, paths, named)
    adrs = assignment.adrs(review.types, review.is_adr)
    checked = check_files(review.check, adrs, only=bool(paths))
    if not paths:
        # The notices are about ADRs that the settings miss. Named files are checked in any case.
        for line in checked.notices:
            observer.notify(line)
    stop = _reason_to_stop(checked.report, options.fail_on)
    if stop:
        return _stopped(review, checked.report, stop)
    if _has_nothing(review, assignment, is_empty=checked.empty):
        _notify_nothing(change, observer)
    return _ask_judges(review, assignment, checked.report, observer)


def _notify_limits(change: Change, options: ApproveOptions, observer: Observer) -> None:
    """Notify of briefs that are left out, and of settings that the change relaxes."""
    if options.checks:
        briefs = ", ".join(dict.fromkeys(options.checks))
        observer.notify(f"{options.types[0]}: only the briefs {briefs} run (--check)")
    for line in relaxations(change, options.config):
        observer.notify(f"relaxed or changed: {line}")


def _notify_nothing(change: Change, observer: Observer) -> None:
    """Notify that a change has no file to review. Raises UsageError for a work tree."""
    if not change.base:
        why = "no file of an approval type differs from the last commit"
        raise UsageError(f"nothing to review: {why}; specify files or --base")
    observer.notify("nothing to review: the change touches no file of an approval type")


def _ask_judges(
    review: _Review, assignment: Assignment, report: CheckReport, observer: Observer
) -> ApproveResult:
    """Ask the judges of those types that need one, and return the result of the review."""
    change, options = review.change, review.options
    skipped = _skipped(review, assignment, report)
    for line in idle(review.types.values(), (*change.tree.folder(""), *change.gone)):
        observer.notify(line)
    signs = (*indicators.of_change(change, assignment, report), *in_replies(options.earlier))
    types = review.types
    if signs:
        # Whatever may steer a judge is shown to the full judge only.
        types = _without_light_judge(types)
    unskipped = {name: paths for name, paths in assignment.files.items() if name not in skipped}
    by_hand = _by_hand(review, [*unskipped])
    questions = {}
    for name, paths in unskipped.items():
        if name not in by_hand:
            question = question_about(change, review.approvals, types[name], paths, report)
            questions[name] = with_earlier(question, change, options)
    reviews = reviews_of(questions, signs, change, options, observer)
    reviews = reviews._replace(unjudged=(*by_hand.values(), *reviews.unjudged))
    return _result_of_reviews(change, report, signs, skipped, reviews)


def _review(change: Change, options: ApproveOptions) -> _Review:
    """Return the inputs of a review. Raises ConfigError and UsageError."""
    base = options.range.base
    if base and not options.base_decides:
        refuse_broken(change, base)
    approvals = _with_model(approvals_of(change.rules, options.config), options.run.model)
    types = chosen(approvals, options.types, whole=bool(base) and not options.paths)
    if not options.paths:
        refuse_unnamed({name: types[name] for name in options.types})
    types = _narrowed(types, change, options)
    if types and options.run.agent:
        agent(approvals, options.run.agent, os.environ)
    types = _with_run_options(_with_approver(types, options.approver), options.run)
    _check_model(types, approvals, options.run.model or "")
    check = _check(change, options)
    # By the settings of the base too: a change to `paths` must not hide a deleted ADR.
    is_touched = not {*READ_FIRST}.isdisjoint(change.touched)
    before = readable_settings(change.rules) if is_touched else check.settings
    return _Review(
        change=change,
        options=options,
        approvals=approvals,
        types=types,
        check=check,
        is_adr=IsAdr(change, check.settings, before),
    )


def _narrowed(types: Types, change: Change, options: ApproveOptions) -> Types:
    """Return the types, one of them with only the briefs of `--check`. Raises UsageError."""
    if not options.checks:
        return types
    if len({*options.types}) != 1:
        raise UsageError("--check requires exactly one approval type; specify it with --type")
    (name,) = {*options.types}
    checks = tuple(dict.fromkeys(options.checks))
    return {**types, name: narrowed(change.rules, types[name], checks, change.approvals)}


def _with_approver(types: Types, approver: str) -> Types:
    """Return the types with the agent of a gate, except those that a person approves."""
    if not approver:
        return types
    replaced = {**types}
    for name, type in types.items():
        if type.run.agent != MANUAL:
            replaced[name] = type._replace(run=type.run._replace(agent=approver), agents=())
    return _without_light_judge(replaced)


def _with_run_options(types: Types, options: RunOptions) -> Types:
    """Return the types with the options of a call. A type without a judge does not change.

    Raises:
        UsageError: Two judges would have one model.
    """
    options_set = {name: value for name, value in options._asdict().items() if value is not None}
    replaced = {**types}
    for name, type in types.items():
        if type.run.agent not in NO_AGENTS:
            agents = () if options.agent else type.agents
            if agents and options.model:
                raise UsageError(
                    f"--model would give the judges of {name} one model; add --agent NAME"
                )
            run = type.run._replace(**options_set)
            replaced[name] = type._replace(run=run, agents=agents)
    if {"agent", "model"} & options_set.keys():
        return _without_light_judge(replaced)
    return replaced


def _with_model(approvals: Approvals, model: str | None) -> Approvals:
    """Return the settings with another model of each API judge, as `--model` wants it."""
    if model is None:
        return approvals
    agents = {
        name: agent._replace(model=model) if agent.provider == API else agent
        for name, agent in approvals.agents.items()
    }
    return approvals._replace(agents=agents)


def _check_model(types: Types, approvals: Approvals, model: str) -> None:
    """Raise UsageError if the claude CLI would be asked for the model of another vendor."""
    for name, type in types.items():
        judge = approvals.agents.get(type.run.agent)
        if judge and judge.provider == CLAUDE and model.partition(":")[0] in VENDORS:
            raise UsageError(
                f"--model {model} needs an agent with `model`, and {name} asks {judge.name}; "
                "add --agent NAME (docs/judges.md, A model by its API)"
            )


def _without_light_judge(types: Types) -> Types:
    return {name: type._replace(run=type.run._replace(smart=None)) for name, type in types.items()}


def _check(change: Change, options: ApproveOptions) -> CheckContext:
    """Prepare Layers 1 to 3 for a change."""
    target = CheckTarget(
        repository=change.root,
        contents=change.tree,
        head=Revision(change.root, "HEAD", change.tree) if change.last else None,
        commit=change.head,
        diff=change.diff,
        rules=change.rules if options.base_decides else None,
    )
    return prepare(CheckOptions(staged=True), target)


def _has_nothing(review: _Review, assignment: Assignment, *, is_empty: bool) -> bool:
    """Return whether to report that a review has no file.

    A repository without ADRs is reported by the notices of the check.
    """
    only_adrs = all(type.reviews_adrs for type in review.types.values())
    is_reported = is_empty and only_adrs
    return not assignment.reviewed and not assignment.withheld and not is_reported


def _skipped(
    review: _Review, assignment: Assignment, report: CheckReport
) -> dict[str, ApprovalResult]:
    """Return the results of the types that need no judge."""
    ruleset = review.check.settings.ruleset
    is_named = bool(review.options.paths)
    asked = _asked_about(review.change, report)
    level = review.approvals.policy.autonomy
    skipped = {}
    for name, paths in assignment.files.items():
        type = review.types[name]
        has_person = asks(type.action, level)
        by_person = (lambda _: True) if has_person else asked.__contains__
        if reason := reason_to_skip(review.change, type, paths, ruleset, is_named, by_person):
            skipped[name] = unjudged(name, SKIPPED, reason)
    return skipped


def _asked_about(change: Change, report: CheckReport) -> frozenset[str]:
    """Return the files about which a person is asked, and those that were moved with them."""
    paths = {finding.path for finding in report.findings if finding.question}
    folders = {(dirname(change.names[path]), dirname(path)) for path in paths & change.names.keys()}
    moved = (path for path, old in change.names.items() if (dirname(old), dirname(path)) in folders)
    return frozenset((*paths, *moved))


def _by_hand(review: _Review, names: list[str]) -> dict[str, ApprovalResult]:
    """Return the results of the types that a person approves, and of the types `after` those."""
    results: dict[str, ApprovalResult] = {}
    # `after` forms chains in any order, so repeat until nothing is added.
    is_changed = True
    while is_changed:
        is_changed = False
        for name in names:
            type = review.types[name]
            if name in results:
                continue
            if type.run.agent == MANUAL:
                reason = BY_HAND
            elif type.after in results:
                reason = f"skipped: {type.after} is not approved"
            else:
                continue
            results[name] = unjudged(name, REJECTED, reason)
            is_changed = True
    return results


def _reason_to_stop(report: CheckReport, fail_on: str) -> Facts | None:
    """Return why no judge is asked: errors of the rules, or a relaxed gate; else None."""
    if fails(report, fail_on):
        return of_rejection(_STOPPED)
    questions = [item for item in report.findings if item.question]
    if fail_on != FAIL_ON[-1] and any(item.check == gate_relaxed.id for item in questions):
        return Facts(tuple(of_rule_questions(questions)))
    return None


def _stopped(review: _Review, report: CheckReport, facts: Facts) -> ApproveResult:
    """Return the result of a change that the rules reject, or that relaxes the gate."""
    results = tuple(unjudged(name, REJECTED, _STOPPED, report.findings) for name in review.types)
    change = review.change
    return ApproveResult(
        decision=decide(facts),
        report=report,
        verdicts=(),
        decisions={},
        unjudged=results,
        indicators=(),
        lines={},
        rubric_from=change.rubric_from,
        base=change.base,
        head=change.head,
    )


def _result_of_reviews(
    change: Change,
    report: CheckReport,
    signs: tuple[Finding, ...],
    skipped: dict[str, ApprovalResult],
    reviews: Reviews,
) -> ApproveResult:
    """Return the result of a review. With indicators of prompt injection, a person decides."""
    assessments = reviews.assessments.items()
    decisions = {name: decide(of_review({name: item}, signs)) for name, item in assessments}
    facts = of_review(reviews.assessments, signs)
    asked = [item for item in report.findings if item.question]
    further = [*_of_manual(reviews), *of_rule_questions(asked)]
    results = [*skipped.values()]
    if signs or asked:
        results = [for_a_person(item) for item in results]
    findings = (finding for verdict in reviews.verdicts for finding in verdict.findings)
    return ApproveResult(
        decision=decide(facts._replace(reasons=(*facts.reasons, *further))),
        report=report,
        verdicts=reviews.verdicts,
        decisions=decisions,
        unjudged=(*results, *reviews.unjudged),
        indicators=signs,
        lines=_lines(change, (*signs, *findings)),
        rubric_from=change.rubric_from,
        base=change.base,
        head=change.head,
    )


def _of_manual(reviews: Reviews) -> list[Reason]:
    """Return the questions of the types that a person approves."""
    return [
        of_unjudged(item.approval_type, item.result, item.summary)
        for item in reviews.unjudged
        if item.summary == BY_HAND
    ]


def _lines(change: Change, findings: tuple[Finding, ...]) -> dict[str, dict[int, str]]:
    """Return the source lines of findings, by path and line number."""
    lines: dict[str, dict[int, str]] = {}
    for finding in findings:
        if finding.path:
            by_number = lines.setdefault(finding.path, {})
            by_number[finding.line] = change.line(finding.path, finding.line)
    return lines
