"""`--mode check`: Layers 1 to 3 on the commit under review, by the settings of its base. No token, no key, no network."""

import hashlib
import os
from collections.abc import Iterable

from ..adr.check_report import CheckReport, Skipped
from ..change import questions, relaxations
from ..change.approvals import approvals_of, chosen
from ..change.change import Change
from ..change.repair import of_change, on_broken_base, settings_report
from ..change.soundness import Sides, sides
from ..check import run as checks
from ..check.options import CheckOptions, CheckTarget
from ..check.run import fails
from ..config.approvals import ApprovalType
from ..config.settings import Settings
from ..config.watched import NO_ADR, idle
from ..console.output import complain
from ..decision.handover import LARGEST_GRAPH, MOST_FILES, RULES, Handover
from ..decision.reasons import reasons_of
from ..decision.states import EXIT_CODES, PENDING
from ..errors import ConfigError, HelixError
from ..github import runner
from ..globs import matches
from ..report import github as log
from ..report import markdown, sarif
from ..verdict.injection.signs import is_instruction, ours
from .changed_adrs import changed_adrs
from .options import StepOptions, range_of
from .placed import placed
from .settings_hash import settings_hash
from .work import Work


def run(options: StepOptions, work: Work) -> int:
    given = work.load(os.environ)
    if given.failure:
        raise HelixError(f"the snapshot failed: {given.failure[1]}")
    try:
        found, report = _checked(given, options, work)
    except (HelixError, OSError) as error:
        code = error.exit_code if isinstance(error, HelixError) else 3
        work.save(given._replace(failure=(code, str(error)), applies=True))
        complain(error)
        return code
    work.save(found)
    runner.annotate(log.render(report))
    work.save_log(os.environ, sarif.render(report))
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request":
        runner.summarise(os.environ, markdown.render(report))
    for reason in reasons_of(found) if found.failure or found.repair else ():
        complain(f"{reason.text}; {reason.way_out}")
    if found.repair:
        return EXIT_CODES[PENDING]
    return found.failure[0] if found.failure else int(fails(report, options.fail_on))


def _checked(given: Handover, options: StepOptions, work: Work) -> tuple[Handover, CheckReport]:
    """The hand-over, by the settings of the base; where those of the change are broken, with what is wrong there beside the findings."""
    change = Change(work.objects, "", range_of(given.target))
    try:
        found = sides(change, options.config, options.types)
        broken = settings_report(found.change, change)
        if found.base:
            return _without_rules(given, change, found, options.config), CheckReport(broken)
        given, report = _by_rules(given, options, change)
        if not found.change:
            return given, report
        said = placed((finding for file in broken for finding in file.findings), change, RULES)
        told = of_change(found)
        given = given._replace(rule_findings=(*said, *given.rule_findings), broken=told, failure=(ConfigError.exit_code, told[0].error), applies=True)
        return given, report._replace(files=(*broken, *report.files))
    finally:
        change.close()


def _without_rules(given: Handover, change: Change, found: Sides, config: str) -> Handover:
    """The hand-over of a change to a base by whose settings nothing can be checked."""
    given = _about(given, change, config, change.touched)
    why = f"Layers 1 to 3: the settings of {given.target.base_ref or change.base[:7]} are broken"
    said = placed((finding for file in settings_report(found.change, change) for finding in file.findings), change, RULES)
    return on_broken_base(given._replace(applies=True, rule_findings=said, skipped=(why,)), change, found, config)


def _about(given: Handover, change: Change, config: str, paths: Iterable[str]) -> Handover:
    """With the settings that count, and what the change made of some files that the gate watches."""
    contents = _contents(change, paths)
    content = hashlib.sha256(repr(contents).encode(errors="surrogateescape")).hexdigest()
    touched = {*change.touched}
    named = [(path, blob[1] if blob else "") for path, blob in contents if path in touched and _is_utf8(path)]
    subject = given.target._replace(settings=settings_hash(change, config), content=content, approvals=change.approvals)
    loosened = relaxations.of_change(change, config)
    return given._replace(target=subject, files=tuple(named[:MOST_FILES]), files_left_out=max(0, len(named) - MOST_FILES), loosened=loosened)


def _by_rules(given: Handover, options: StepOptions, change: Change) -> tuple[Handover, CheckReport]:
    """Return the hand-over with the findings by the rules of the base, and their report."""
    target = CheckTarget(change.root, change.index, commit=change.head, diff=change.diff, rules=change.rules)
    context = checks.prepare(CheckOptions(staged=True), target)
    report, _, is_empty, notices = checks.check(context)
    for line in notices:
        complain(line)
    settings = context.settings
    said = placed((finding for file in report.files for finding in file.findings), change, RULES)
    approvals = approvals_of(change.rules, options.config)
    policy = approvals.policy
    protected = questions.protected(change, policy, options.config)
    types = chosen(approvals, options.types)
    skipped = (
        *(f"{_unread(item)}: {item.reason}" for item in report.skipped),
        *idle(types.values(), (*change.tree.folder(""), *change.gone)),
        *([NO_ADR] if is_empty else []),
    )
    applies = bool(report.files or protected) or any(_is_watched(path, settings, types) for path in change.touched)
    concepts = {file.concept.path for file in report.files if file.concept}
    looked_at = (path for path in change.touched if path in protected or path.endswith(".md") or is_instruction(path))
    given = _about(given, change, options.config, [*concepts, *looked_at, *(path for path in change.touched if _is_watched(path, settings, types))])
    return given._replace(
        applies=applies,
        adrs=report.adrs,
        fail_on=options.fail_on,
        rule_findings=said,
        skipped=skipped,
        protected=protected,
        policy=policy,
        graph=drawn if len(drawn := markdown.graph(report)) <= LARGEST_GRAPH else "",
        changed=changed_adrs(report, change.touched),
    ), report


def _is_watched(path: str, settings: Settings, types: dict[str, ApprovalType]) -> bool:
    """Whether a judge reviews a file, or the gate itself goes by it."""
    globs = tuple(glob for type in types.values() for glob in type.paths)
    is_near = is_instruction(path) and settings.is_beside_adrs(path)
    is_ours = path.startswith(ours(settings.approvals))
    return is_ours or settings.is_adr(path) or is_near or matches(path, globs)


def _contents(change: Change, paths: Iterable[str]) -> list[tuple[str, tuple[str, str] | None]]:
    """Files as they are at the head, by which an approval may hold for another commit with the same ones."""
    return sorted((path, change.tree.blob(path)) for path in set(paths))


def _is_utf8(path: str) -> bool:
    """Return whether JSON can hold a name; git knows others."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _unread(item: Skipped) -> str:
    """Return what was not checked: a rule everywhere, a rule in one file, or a file."""
    return f"{item.check} in {item.path}" if item.check and item.path else item.path or item.check
