"""`--mode check`: Layers 1 to 3 on the commit under review, under the settings of its base.

This step needs no token, no key and no network. It also verifies the ADRs that the change claims to
implement. Only commits are read for that: no command runs, and approvals recorded in this clone do
not count.
"""

import hashlib
import os
from collections.abc import Container, Iterable
from datetime import UTC, datetime
from itertools import islice

from ..adr.check_report import CheckReport, FileReport, Skipped, merged
from ..adr.check_report import exit_code as report_exit_code
from ..adr.corpus import Entry
from ..check.options import CheckContext, CheckOptions, CheckTarget
from ..check.run import CheckResult, check, prepare
from ..check.trees import GitTree
from ..config.approvals import Approvals
from ..config.settings import Settings
from ..config.watched import NO_ADR, idle
from ..console import print_message
from ..decision.handover import (
    LARGEST_GRAPH,
    LINKED,
    MOST_CHANGED,
    MOST_CLAIMED,
    MOST_FILES,
    RULES,
    ChangedAdr,
    ClaimedAdr,
    DiffPlace,
    Failure,
    Handover,
    Hunks,
    PlacedFinding,
    claimed_adr,
    fingerprints,
    hunks,
    within,
    worst_first,
)
from ..decision.reasons import of_claims, reasons_of
from ..decision.states import EXIT_CODES, PENDING, worst
from ..enforce.run import enforce
from ..errors import ConfigError, HelixError
from ..finding import Finding
from ..git.snapshot import difference
from ..judge import questions
from ..judge.approvals import approvals_of, chosen
from ..judge.assignment import Types
from ..judge.change import Change
from ..judge.repair import Sides, broken_by, on_broken_base, settings_report, sides
from ..paths import READ_FIRST, is_markdown, matches
from ..report import github as log
from ..report import graph, markdown, sarif
from ..text.masking import NO_SECRETS, masked
from ..verdict.approval_result import ReviewedFile
from ..verdict.injection.signs import is_instruction, ours
from ..verification.result import FAILED, VerificationResult, without_evidence
from ..verify.approved import FETCH
from ..verify.base import WorkBase
from ..verify.options import VerifyOptions
from ..verify.run import verify
from . import runner
from .links import NOWHERE
from .runner import StepOptions, Work, range_of
from .summary_text import claimed_section


def settings_hash(change: Change, config: str) -> str:
    """Return a hash of settings, rubrics and briefs at the base.

    `config` is the path of an approvals file, "" for the default. LINKED is appended if one of
    these files is a link.
    """
    tree = change.rules
    own = (*READ_FIRST, config)
    paths = [path for path in tree.folder("") if path in own or path.startswith(change.ours)]
    blobs = sorted((path, tree.blob(path)) for path in paths)
    digest = hashlib.sha256(repr(blobs).encode(errors="surrogateescape")).hexdigest()
    if any(tree.place(path).links for path in paths):
        # The content of a link's target is not in the hash.
        return digest + LINKED
    return digest


_MOST = 20
"""Maximum number of ADRs that one of them supersedes."""

_LONGEST = 200
"""Maximum number of characters of a text."""


def changed_adrs(report: CheckReport, touched: Container[str]) -> tuple[ChangedAdr, ...]:
    """Return the ADRs of a report that the change touches, at most 20."""
    files = (file for file in report.files if file.path in touched)
    entries = (file.entry for file in files if file.entry)
    return tuple(map(_changed_adr, islice(entries, MOST_CHANGED)))


def _changed_adr(entry: Entry) -> ChangedAdr:
    references = entry.of("supersedes")
    old = dict.fromkeys(_name(reference.key or reference.path) for reference in references)
    status = entry.status or " ".join(entry.status_text.split())
    name, title = graph.name(entry)[:_LONGEST], graph.title(entry)[:_LONGEST]
    return ChangedAdr(entry.path, name, title, status[:_LONGEST], tuple(old)[:_MOST])


def _name(key: str) -> str:
    if key.isascii() and key.isdigit():
        return f"ADR-{int(key):03}"
    return key[:_LONGEST]


_MOST_TEXT, _MOST_QUOTE = 4_000, 1_500
"""Maximum characters of a text and of a quote in the hand-over; a page shows fewer."""


def placed(findings: Iterable[Finding], change: Change, by: str) -> tuple[PlacedFinding, ...]:
    """Return findings with their places and fingerprints.

    `by` is the source of the findings: the rules, or an approval type.
    """
    listed = list(findings)
    paths = dict.fromkeys(finding.path for finding in listed if finding.path)
    shown = {path: hunks_in(change, path) for path in paths}
    items = []
    for finding, mark in zip(listed, fingerprints(listed, by), strict=True):
        place = _place(finding, shown.get(finding.path, ()))
        items.append(
            PlacedFinding(finding=_capped(finding, place), fingerprint=mark, place=place, by=by)
        )
    return tuple(items)


def hunks_in(change: Change, path: str) -> Hunks:
    """Return the hunks of a file, which may be renamed."""
    paths = [path, change.names.get(path, path)]
    return hunks(difference(change.root, change.merge_base, change.head, paths))


def within_hunk(path: str, first: int, last: int, shown: Hunks) -> DiffPlace | None:
    """Return the place of lines if one hunk shows all of them, else None."""
    place = within(path, first, last, shown)
    if place is None or place.last != last:
        return None
    return place


def _place(finding: Finding, shown: Hunks) -> DiffPlace | None:
    last = max(finding.line, finding.end_line)
    return within(finding.path, finding.line, last, shown)


def _capped(finding: Finding, place: DiffPlace | None) -> Finding:
    """Return a finding with shortened texts and masked secrets."""
    texts = (finding.message, finding.help, finding.evidence)
    message, help, quote = (masked(text, NO_SECRETS) for text in texts)
    if place is None or quote != finding.evidence:
        # Only a comment at the place shows the quote, and a masked quote is not in the file.
        quote = ""
    return finding._replace(
        message=message[:_MOST_TEXT],
        help=help[:_MOST_TEXT],
        evidence=quote[:_MOST_QUOTE],
    )


_UNKNOWN = "The work"
_UNFETCHED = ", since its history could not be fetched"


def verify_options(handover: Handover, config: str) -> VerifyOptions:
    """Return the options of a verification of the change."""
    target = handover.target
    base = WorkBase(
        name=target.base_ref or target.base[:7],
        commit=target.base,
        fork=target.merge_base,
        is_own=False,
    )
    return VerifyOptions(
        head=target.head,
        claims=tuple(f"Implements: {name}" for name in handover.claims),
        runs_commands=False,
        known_base=base,
        config=config,
        counts_records=False,
    )


def with_claims(
    handover: Handover, root: str, base: GitTree, approvals: Approvals, config: str
) -> Handover:
    """Return the hand-over with the results of the claims, the worst ones first.

    `base` is the tree of the base.
    """
    results = _results(handover, root, config)
    claimed = worst_first([_claimed(result, base, approvals) for result in results])
    return handover._replace(
        claimed=tuple(claimed[:MOST_CLAIMED]),
        claimed_left_out=len(claimed[MOST_CLAIMED:]),
    )


def _results(handover: Handover, root: str, config: str) -> tuple[VerificationResult, ...]:
    try:
        return verify(verify_options(handover, config), root).results
    except HelixError as error:
        return (without_evidence(_UNKNOWN, "", FAILED, str(error)),)


def _claimed(result: VerificationResult, base: GitTree, approvals: Approvals) -> ClaimedAdr:
    reason = result.reason.replace(FETCH, _UNFETCHED)
    # An ADR that the change adds is under review itself, so its result must not block.
    is_new = bool(result.path) and not base.has(result.path)
    result = result._replace(reason=reason)
    return claimed_adr(result, blocks=approvals.verify.blocks and not is_new)


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
    enforced = enforce(
        change.rules, change.tree, context.settings, datetime.now(UTC).date(), change.diff
    )
    result = result._replace(report=merged(result.report, enforced.report))
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
