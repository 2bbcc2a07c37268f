"""`--mode check`: Layers 1 to 3 on the commit under review, under the settings of its base.

This step needs no token, no key and no network.
"""

import hashlib
import os
from collections.abc import Container, Iterable

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.check_report import exit_code as report_exit_code
from ..check.options import CheckContext, CheckOptions, CheckTarget
from ..check.run import CheckResult, check, prepare
from ..config.settings import Settings
from ..config.watched import NO_ADR, idle
from ..console.output import print_message
from ..decision.handover import LARGEST_GRAPH, MOST_FILES, RULES, Failure, Handover, PlacedFinding
from ..decision.reasons import of_claims, reasons_of
from ..decision.states import EXIT_CODES, PENDING, worst
from ..errors import ConfigError, HelixError
from ..github import runner
from ..globs import matches
from ..judge import questions
from ..judge.approvals import approvals_of, chosen
from ..judge.assignment import Types
from ..judge.change import Change
from ..judge.repair import Sides, broken_by, on_broken_base, settings_report, sides
from ..paths import is_markdown
from ..publish.claimed import claimed_section
from ..publish.links import NOWHERE
from ..report import github as log
from ..report import markdown, sarif
from ..verdict.approval_result import ReviewedFile
from ..verdict.injection.signs import is_instruction, ours
from .changed_adrs import changed_adrs
from .claims import with_claims
from .options import StepOptions, range_of
from .placed import placed
from .settings_hash import settings_hash
from .work import Work


def run(options: StepOptions, work: Work) -> int:
    """Check the change and save the hand-over; a failure too, for the step that publishes.

    Raises:
        HelixError: The snapshot failed, or there is no hand-over.
    """
    handover = work.load(os.environ)
    if handover.failure:
        raise HelixError(f"the snapshot failed: {handover.failure.message}")
    try:
        handover, report = _check_under_base(handover, options, work)
    except (HelixError, OSError) as error:
        # An OSError has no exit code.
        code = getattr(error, "exit_code", HelixError.exit_code)
        work.save(handover._replace(failure=Failure(code, str(error)), applies=True))
        print_message(error)
        return int(code)
    work.save(handover)
    _show(handover, report, work)
    for line in failure_lines(handover):
        print_message(line)
    return exit_code(handover, report, options.fail_on)


def _show(handover: Handover, report: CheckReport, work: Work) -> None:
    """Write the report for the runner and for later steps."""
    runner.annotate(log.render(report))
    work.save_log(os.environ, sarif.render(report))
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request":
        claimed = claimed_section(handover, NOWHERE)
        runner.summarise(os.environ, f"{markdown.render(report)}\n{claimed}")


def failure_lines(handover: Handover) -> list[str]:
    """Return the reasons of a failure, a repair or a claim, each with how to fix it."""
    reasons = of_claims(handover.claimed)
    if handover.failure or handover.repair:
        reasons = reasons_of(handover)
    return [f"{reason.text}; {reason.way_out}" for reason in reasons]


def exit_code(handover: Handover, report: CheckReport, fail_on: str) -> int:
    """Return the exit code of the step."""
    if handover.repair:
        return EXIT_CODES[PENDING]
    if handover.failure:
        return handover.failure.code
    states = [reason.state for reason in of_claims(handover.claimed) if reason.state != PENDING]
    if states:
        return EXIT_CODES[worst(states)]
    return report_exit_code(report, fail_on, is_branch=True)


def _check_under_base(
    handover: Handover,
    options: StepOptions,
    work: Work,
) -> tuple[Handover, CheckReport]:
    """Check the change under the settings of the base.

    If the change breaks the settings, the report has these errors too.
    """
    change = Change(work.objects, "", range_of(handover.target))
    try:
        errors = sides(change, options.config, options.types)
        broken = settings_report(errors.change, change)
        if errors.base:
            handover = _without_rules(handover, change, errors, options.config)
            return handover, CheckReport(broken)
        handover, report = _by_rules(handover, options, change)
        if not errors.change:
            return handover, report
        return _with_broken(handover, change, errors), _with_files(report, broken)
    finally:
        change.close()


def _with_files(report: CheckReport, files: tuple[FileReport, ...]) -> CheckReport:
    return report._replace(files=(*files, *report.files))


def _placed_in(files: Iterable[FileReport], change: Change) -> tuple[PlacedFinding, ...]:
    return placed((finding for file in files for finding in file.findings), change, RULES)


def _with_broken(handover: Handover, change: Change, errors: Sides) -> Handover:
    """Add the errors that a change introduces in settings. They fail the change."""
    findings = _placed_in(settings_report(errors.change, change), change)
    broken = broken_by(errors.change)
    return handover._replace(
        rule_findings=(*findings, *handover.rule_findings),
        broken=broken,
        failure=Failure(ConfigError.exit_code, broken[0].error),
        applies=True,
    )


def _without_rules(handover: Handover, change: Change, errors: Sides, config: str) -> Handover:
    """Return the hand-over of a change to a base whose settings are broken."""
    handover = _about(handover, change, config, change.touched)
    name = handover.target.base_ref or change.base[:7]
    findings = _placed_in(settings_report(errors.change, change), change)
    handover = handover._replace(
        applies=True,
        rule_findings=findings,
        skipped=(f"Layers 1 to 3: the settings of {name} are broken",),
    )
    return on_broken_base(handover, change, errors, config)


def _about(handover: Handover, change: Change, config: str, paths: Iterable[str]) -> Handover:
    """Add a hash of the settings in force, and the hashes of the watched files in `paths`."""
    contents = sorted((path, change.tree.blob(path)) for path in set(paths))
    content = hashlib.sha256(repr(contents).encode(errors="surrogateescape")).hexdigest()
    touched = {*change.touched}
    listed: list[ReviewedFile] = []
    for path, blob in contents:
        if path in touched and _is_utf8(path):
            hash = ""  # a deleted file
            if blob:
                hash = blob[1]
            listed.append(ReviewedFile(path, hash))
    target = handover.target._replace(
        settings=settings_hash(change, config),
        content=content,
        approvals=change.approvals,
    )
    return handover._replace(
        target=target,
        files=tuple(listed[:MOST_FILES]),
        files_left_out=max(0, len(listed) - MOST_FILES),
        loosened=questions.relaxations(change, config),
    )


def _by_rules(
    handover: Handover,
    options: StepOptions,
    change: Change,
) -> tuple[Handover, CheckReport]:
    """Return the hand-over with the findings under the rules of the base, and their report."""
    context, result = _check(change)
    for line in result.notices:
        print_message(line)
    report = result.report
    approvals = approvals_of(change.rules, options.config)
    protected = questions.protected(change, approvals.policy, options.config)
    types = chosen(approvals, options.types, whole=True)
    watched = [path for path in change.touched if _is_watched(path, context.settings, types)]
    shown = _shown(change, report, protected)
    handover = _about(handover, change, options.config, [*shown, *watched])
    handover = with_claims(handover, change.root, change.rules, approvals, options.config)
    handover = _with_scope(handover, bool(report.files or protected or watched))
    graph = markdown.graph(report)
    if len(graph) > LARGEST_GRAPH:
        graph = ""
    handover = handover._replace(
        adrs=report.adrs,
        fail_on=options.fail_on,
        rule_findings=_placed_in(report.files, change),
        skipped=tuple(_skipped(result, change, types)),
        protected=protected,
        policy=approvals.policy,
        graph=graph,
        changed=changed_adrs(report, change.touched),
    )
    return handover, report


def _shown(change: Change, report: CheckReport, protected: Container[str]) -> set[str]:
    """Return the files that a person should see before approving, beside the watched ones."""
    paths = {file.concept.path for file in report.files if file.concept}
    paths.update(path for path in change.touched if path in protected or _is_text(path))
    return paths


def _with_scope(handover: Handover, is_watched: bool) -> Handover:
    """Add whether the gate applies. A claim alone applies, and needs no judge."""
    if is_watched:
        return handover._replace(applies=True, no_judge=None)
    if handover.claimed:
        return handover._replace(applies=True, no_judge="")
    return handover._replace(applies=False, no_judge=None)


def _check(change: Change) -> tuple[CheckContext, CheckResult]:
    target = CheckTarget(
        repository=change.root,
        contents=change.tree,
        commit=change.head,
        diff=change.diff,
        rules=change.rules,
    )
    context = prepare(CheckOptions(staged=True), target)
    return context, check(context)


def _skipped(result: CheckResult, change: Change, types: Types) -> list[str]:
    """Return what was not checked, and the approval types that match no file."""
    lines = [f"{_unread(item)}: {item.reason}" for item in result.report.skipped]
    lines += idle(types.values(), (*change.tree.folder(""), *change.gone))
    if result.empty:
        lines.append(NO_ADR)
    return lines


def _is_text(path: str) -> bool:
    return is_markdown(path) or is_instruction(path)


def _is_watched(path: str, settings: Settings, types: Types) -> bool:
    """Return whether a judge reviews a file, or it is an ADR or settings of the gate."""
    if path.startswith(ours(settings.approvals)) or settings.is_adr(path):
        return True
    if is_instruction(path) and settings.is_beside_adrs(path):
        return True
    return matches(path, tuple(glob for type in types.values() for glob in type.paths))


def _is_utf8(path: str) -> bool:
    """Return whether a path fits into JSON. A path in git may be any bytes."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _unread(item: Skipped) -> str:
    """Return the rule, the file, or both, that were not checked."""
    if item.check and item.path:
        return f"{item.check} in {item.path}"
    return item.path or item.check
