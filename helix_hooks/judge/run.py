"""What `helix-hooks approve` does: the change and its rubric, Layers 1 to 3, the judges, the decision."""

import contextlib
import os
import signal
import threading
from argparse import Namespace
from collections.abc import Iterator
from types import FrameType

from ..adr.examine import CheckReport
from ..change import plan
from ..change.change import Change
from ..change.questions import NOTHING_CHANGED, by_policy
from ..change.relaxations import of_change
from ..change.repair import refuse_broken
from ..check import run as checks
from ..check.options import CheckOptions, CheckTarget
from ..check.run import fails
from ..check.settings import readable_settings
from ..check.upstream import behind
from ..config.approvals import ApprovalType, Run
from ..config.watched import idle
from ..console.output import colored, complain, write
from ..decision.approve_result import ApproveResult
from ..decision.decide import Decision, decide
from ..decision.facts import of_rejection, of_review
from ..errors import HelixError, UsageError
from ..finding import Finding
from ..paths import READ_FIRST
from ..report import verdict as report
from ..repository import files, git
from ..repository.revisions import Head
from ..verdict.injection.signs import indicators
from ..verdict.skip import NOTHING, unneeded
from ..verdict.verdict import APPROVED, REJECTED, ApprovalResult
from . import review, workspace
from .batch import Reviews


def approve(options: Namespace) -> int:
    repository = git.repository()
    if not repository:
        raise UsageError("approve needs a git repository, and this folder is not in one")
    _forget(options.result, repository)
    if options.base and (late := behind(repository, "--base", options.base)):
        complain(late)
    with reviewed(options, repository) as (change, judged):
        outcome = by_policy(judged, change, plan.approvals_of(change.rules))
        as_json = options.format == "json"
        text = report.rendered(report.payload(outcome)) if as_json else report.render(outcome, change.line, colored(options.color), options.quiet)
    write(text)
    _write_result(options.result, outcome)
    return outcome.decision.exit_code


@contextlib.contextmanager
def reviewed(options: Namespace, root: str) -> Iterator[tuple[Change, ApproveResult]]:
    """A change with what a review of it came to; nothing is left behind."""
    with _stopped_in_order():
        workspace.sweep()
        folder = workspace.fresh(root)
        change = None
        try:
            change = Change(options, root, folder)
            yield change, _Approval(options, change).outcome()
        finally:
            if change:
                change.close()
            workspace.Workspace(folder).remove()


@contextlib.contextmanager
def _stopped_in_order() -> Iterator[None]:
    """A signal to end becomes an error, so that nothing stays behind."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HelixError("the run was stopped")

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in numbers} if threading.current_thread() is threading.main_thread() else {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Approval:
    """One call, step by step; whatever stops it before a judge is asked has cost nothing."""

    def __init__(self, options: Namespace, change: Change) -> None:
        self.options, self.change = options, change
        if options.base and not options.from_base:
            refuse_broken(change, options.base)
        self.approvals = plan.approvals_of(change.rules, options.config)
        self.types = {name: type._replace(run=self._run(type.run)) for name, type in plan.chosen(self.approvals, options.type).items()}
        head = Head(change.root, change.index) if change.last else None
        rules = change.rules if options.from_base else None
        target = CheckTarget(change.root, change.index, head, commit=change.head, diff=change.diff, rules=rules)
        self.context = checks.prepare(CheckOptions(staged=True), target)
        self.before = self.context.settings if not {*change.touched} & {*READ_FIRST} else readable_settings(change.rules)
        self.stated: list[ApprovalResult] = []

    def _run(self, run: Run) -> Run:
        """The settings of a run, with what the command line says instead."""
        if self.options.agent:
            plan.agent(self.approvals, self.options.agent, os.environ)
        given = {"agent": self.options.agent, "model": self.options.model, "timeout": self.options.timeout, "max_cost_usd": self.options.max_cost_usd}
        return run._replace(**{key: value for key, value in given.items() if value is not None})

    def outcome(self) -> ApproveResult:
        given, named = self._given(), bool(self.options.paths)
        for line in of_change(self.change, self.options.config):
            complain(f"relaxed or changed: {line}")
        withheld = [
            path for path in plan.withheld(self.types, self.change.changed, self.change.gone, self._is_adr) if self._is_asked_for(path, given)
        ]
        reviewed = given if named else [path for path in self.change.changed if path not in withheld]
        share = plan.shared_out(self.types, reviewed, self._is_adr, named)
        adrs = [path for name, paths in share.items() for path in paths if not self.types[name].paths or self._is_adr(path)]
        others = (path for path in withheld if path.endswith(".md") and self._is_adr(path))
        paths = list(dict.fromkeys((*adrs, *others)))
        checked, _, is_empty, notices = checks.check_files(self.context, paths, only=named)
        for line in notices:
            complain(line)
        if fails(checked, self.options.fail_on):
            return self._stopped(checked)
        only_adrs = not any(type.paths for type in self.types.values())
        if not any(share.values()) and not withheld and not (is_empty and only_adrs):
            if not self.change.base:
                raise UsageError("nothing to review: no file of an approval type differs from the last commit; name files, or give a --base")
            complain("nothing to review: the change touches no file of an approval type")
        asked = {name: paths for name, paths in share.items() if not self._unneeded(self.types[name], paths, named)}
        for line in idle(self.types.values(), (*self.change.tree.folder(""), *self.change.gone)):
            complain(line)
        found = self._indicators([path for paths in share.values() for path in paths], withheld, checked)
        reviews = Reviews(self.options, self.change, self.approvals, self.types, checked)
        reviews.run(asked, found)
        if found:
            self.stated = [
                stated._replace(result=REJECTED, confidence=0, summary=f"{stated.summary}, and a person decides") for stated in self.stated
            ]
        decision = decide(of_review(reviews.assessments, found))
        decisions = {name: decide(of_review({name: assessment}, found)) for name, assessment in reviews.assessments.items()}
        return self._outcome(decision, checked, (*self.stated, *reviews.stated), reviews.verdicts, decisions, found)

    def _outcome(self, decision: Decision, checked: CheckReport, stated: tuple[ApprovalResult, ...], verdicts: tuple[ApprovalResult, ...] = (),
                 decisions: dict[str, Decision] | None = None, found: tuple[Finding, ...] = ()) -> ApproveResult:  # fmt: skip
        change = self.change
        return ApproveResult(decision, checked, verdicts, decisions or {}, stated, found, change.rubric_from, change.base, change.head)

    def _given(self) -> list[str]:
        """The named files; of a named folder, those that a type reviews."""
        if self.options.head and not self.options.base and not self.options.paths:
            raise UsageError("--head needs a --base to tell what was changed, or the files to review")
        found: list[str] = []
        for path in git.given(self.change.root, self.options.paths):
            folder = "" if path == "." else path
            below = [] if self.change.index.kind(path) else self.change.tree.folder(folder)
            shares = plan.shared_out(self.types, below, self._is_adr, given=False).values()
            reviewed = [one for one in below if any(one in share for share in shares) and (not self.change.base or one in self.change.changed)]
            if below and not reviewed and self.change.base:
                continue  # nothing in there was changed
            if not reviewed and not self.change.index.kind(path):
                raise UsageError(f"{path}: {'nothing in there is reviewed by' if below else 'there is no such file for'} {', '.join(self.types)}")
            found += reviewed or [files.real(self.change.tree, self.context.settings, path)]
        return list(dict.fromkeys(found))

    def _is_adr(self, path: str) -> bool:
        if path in self.change.tree.names():
            return files.is_adr(self.change.tree, self.context.settings, path)
        return self.context.settings.is_adr(path) or (self.before is not None and self.before.is_adr(path))

    def _is_asked_for(self, path: str, given: list[str]) -> bool:
        """Whether a path is among those that this call is about, and not judged anyway."""
        named = git.given(self.change.root, self.options.paths)
        return path not in given and (not named or any(one in (".", path) or path.startswith(f"{one}/") for one in named))

    def _stopped(self, checked: CheckReport) -> ApproveResult:
        reason = "the deterministic checks have findings, so no judge was asked and nothing was spent"
        findings = tuple(finding for file in checked.files for finding in file.findings)
        stated = tuple(review.stated(name, REJECTED, reason, findings) for name in self.types)
        return self._outcome(decide(of_rejection(reason)), checked, stated)

    def _unneeded(self, type: ApprovalType, paths: list[str], named: bool) -> bool:
        """Whether a judge could say nothing. Without a base nobody has said what was there before, and a named file is judged."""
        reason = "" if paths else NOTHING_CHANGED
        if type.run.semantic == "false":
            reason = "semantic is false in the settings"
        elif paths and type.run.semantic == "auto" and (self.change.base or not named):
            reasons = dict.fromkeys(self._same(path) for path in paths)
            reason = "; ".join(reasons) if all(reasons) else ""
        if reason:
            self.stated.append(review.stated(type.name, APPROVED, reason))
        return bool(reason)

    def _same(self, path: str) -> str:
        before, old = self.change.before, self.change.names.get(path, path)
        if before is None or not path.endswith(".md") or not before.has(old) or not self.change.tree.has(path) or self.change.tree.is_link(path):
            return ""
        reason = unneeded(before.document(old), self.change.tree.document(path), self.context.settings.ruleset.meanings)
        return "the file was only renamed" if old != path and reason == NOTHING else reason

    def _indicators(self, reviewed: list[str], withheld: list[str], checked: CheckReport) -> tuple[Finding, ...]:
        """The signs in all files that the change touches; without a base nobody knows which those are, and those under review count."""
        concepts = [file.concept.path for file in checked.files if file.concept]
        judged = {*reviewed, *concepts}
        texts = dict.fromkeys((*reviewed, *withheld, *concepts, *(self.change.changed if self.change.parted else ())))
        here = (self.change.searched(path, path in judged) for path in texts if self.change.tree.there(path))
        return indicators(here if reviewed or withheld else (), self.change.touched, bool(reviewed), withheld, self.change.ours)


def _forget(path: str | None, root: str) -> None:
    """A verdict of an earlier run is not taken for one of this run; anything else is not this program's to overwrite. Raises UsageError."""
    if not path:
        return
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise UsageError(f"--result {path}: there is no such folder")
    if not os.path.lexists(path):
        return
    if os.path.islink(path) or not os.path.isfile(path):
        raise UsageError(f"--result {path}: this is no regular file; name another one")
    with open(path, "rb") as file:
        start = file.read(4096)
    if start.strip() and (b'"result"' not in start or start.lstrip()[:1] not in b"{["):
        raise UsageError(f"--result {path}: what is there is no result of an earlier run; name another file")
    if git.run(["--literal-pathspecs", "ls-files", "-z", "--", os.path.abspath(path)], root, check=False).stdout:
        raise UsageError(f"--result {path}: this file is tracked by git; name another one")
    try:
        os.unlink(path)
    except OSError as error:
        raise HelixError(f"--result {path}: what is there could not be removed: {error.strerror}") from None


def _write_result(path: str | None, outcome: ApproveResult) -> None:
    if not path:
        return
    results = report.results(outcome)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(report.rendered(results[0] if len(results) == 1 else results))
    except OSError as error:
        raise HelixError(f"the result could not be written to {path}: {error.strerror}") from None
