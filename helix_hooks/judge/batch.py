"""The judges of one call, at once or one after another, and what is kept of their verdicts."""

import os
import signal
import sys
import threading
from argparse import Namespace
from functools import partial
from types import FrameType

from ..adr.examine import CheckReport
from ..change import plan
from ..change.change import Change
from ..config.approvals import Approvals, ApprovalType
from ..console.output import complain
from ..console.progress import Progress
from ..decision.assess import Assessment, assess
from ..finding import Finding
from ..globs import matches
from ..repository import snapshot
from ..repository.git import FILE
from ..text.masking import masked, secrets_of
from ..verdict import verdict
from ..verdict.quote import place_of
from ..verdict.verdict import REJECTED, AgentContext, ApprovalResult, RefusedError
from . import orphans, store
from .process import Stop
from .provider import FailedError
from .review import Outside, Question, failed, result, review, stated, without_secrets

_DIFF = 1_000_000
"""Bytes of the change that a judge is shown; it can read the files for the rest."""


class Reviews:
    """Runs the types of one call; `verdicts` and `assessments` hold what came of it, `stated` what holds for types that were not run."""

    def __init__(self, options: Namespace, change: Change, approvals: Approvals, types: dict[str, ApprovalType], checked: CheckReport) -> None:
        self._options, self._change, self._approvals, self._types, self._checked = options, change, approvals, types, checked
        self._secrets = secrets_of({**options.secrets, **os.environ})
        self.assessments: dict[str, Assessment] = {}
        self.stated: tuple[ApprovalResult, ...] = ()
        self._found: dict[str, ApprovalResult] = {}
        self._done = {name: threading.Event() for name in types}
        self._lock = threading.Lock()
        self._stop = Stop()
        self._asked: set[str] = set()
        self._progress = Progress(sys.stderr, list(types), options.quiet)

    @property
    def verdicts(self) -> tuple[ApprovalResult, ...]:
        return tuple(self._found[name] for name in self._types if name in self._found)

    def run(self, share: dict[str, list[str]], indicators: tuple[Finding, ...]) -> None:
        """Ask the judges of some types about their files. A type that comes after another waits for it."""
        if not share:
            return
        self._place = store.folder(self._change.root)
        questions = {name: self._question(self._types[name], paths) for name, paths in share.items()}
        asked = {name: question for name, question in questions.items() if not self._known(question, indicators)}
        for name in self._types:
            if name not in asked:
                self._done[name].set()
        self._asked = {*questions}
        if asked:
            self._all(asked, indicators)
        for name in self._asked - self.assessments.keys() - {found.approval_type for found in self.stated}:
            self._settle(failed(questions[name], FailedError("agent", "the review ended without a result"), AgentContext("")), indicators)
        for name in self._found:
            self._record(name)

    def _all(self, asked: dict[str, Question], indicators: tuple[Finding, ...]) -> None:
        orphans.adopt()
        spared = orphans.children()
        before = {number: signal.signal(number, self._asked_to_stop) for number in _SIGNALS} if _in_main_thread() else {}
        threads = [threading.Thread(target=self._one, args=(question, indicators)) for question in asked.values()]
        try:
            for thread in threads:
                thread.start()
            verdict.prepare()
            for thread in threads:
                thread.join()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            self._progress.clear()
            orphans.end_all(spared)

    def _asked_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop.asked = True

    def _question(self, type: ApprovalType, paths: list[str]) -> Question:
        change = self._change
        rubric = plan.rubric(change.rules, type, paths, change.approvals)
        objects = {path: change.tree.blob(path) for path in paths}
        reports = [file for file in self._checked.files if file.path in paths]
        concepts = tuple(dict.fromkeys(file.concept.path for file in reports if file.concept))
        shown = change.behind([*paths, *concepts])
        diff = snapshot.difference(change.root, change.parted, change.head, shown, _DIFF) if change.parted else None
        findings = tuple(finding for file in reports for finding in file.findings)
        hashes = tuple((path, found[1] if found and found[0] == FILE else "") for path, found in objects.items())
        near = {*paths, *concepts}
        entries = [item for item in change.entries if not type.codebase or item.path in near or matches(item.path, type.codebase)]
        agent = plan.agent(self._approvals, type.run.agent, os.environ)
        return Question(type, agent, rubric.text, rubric.briefs, rubric.skills, hashes, concepts, findings, diff or None, entries, rubric.schema)

    def _known(self, question: Question, indicators: tuple[Finding, ...]) -> bool:
        """Whether the same question was answered before, or there is none that could be asked."""
        reason = _unreadable(question, self._text)
        if reason:
            self._settle(failed(question, FailedError("setup", reason), AgentContext(question.agent.name)), indicators)
            return True
        if self._options.no_cache or self._options.keep_workspace or question.type.name in self._options.fresh:
            return False
        kept = store.recall(self._place, store.key(question, os.environ)) or {}
        try:
            answer = verdict.accepted(kept.get("answer"), question.schema, question.names, question.paths, self._text_without_secrets)
        except RefusedError:
            return False
        answer = answer._replace(findings=tuple(map(self._quoting, answer.findings)))
        found = result(question, answer, AgentContext(question.agent.name, kept["model"], cached=True))
        self._settle(without_secrets(found, self._secrets), indicators)
        return True

    def _text(self, path: str) -> str | None:
        with self._lock:
            return self._change.readable(path)

    def _text_without_secrets(self, path: str) -> str | None:
        """Return the text in which the quotes of a kept answer stand, from which secrets were taken out."""
        text = self._text(path)
        return None if text is None else masked(text, self._secrets)

    def _quoting(self, finding: Finding) -> Finding:
        """Return a finding of a kept answer; what was taken out of its quote left none."""
        text = self._text(finding.path) or ""
        return finding if place_of(finding.evidence, text, finding.line) else finding._replace(evidence="")

    def _one(self, question: Question, indicators: tuple[Finding, ...]) -> None:
        name, first = question.type.name, question.type.after
        try:
            if first in self._done:
                self._done[first].wait()
                if not self._lets_pass(first):
                    with self._lock:
                        self.stated += (stated(name, REJECTED, f"not asked, since {first} is not approved"),)
                    return
            given, answer = review(question, self._outside(name))
            self._settle(given, indicators)
            if answer is not None and not self._options.no_cache:
                entry = {"answer": answer, "model": given.agent_context.model, "asked": given.timestamp}
                store.remember(self._place, store.key(question, os.environ), entry)
        finally:
            self._done[name].set()

    def _lets_pass(self, name: str) -> bool:
        """Whether what comes after a type may be asked: it is approved, or had nothing that a judge was needed for."""
        return self.assessments[name].state == "approved" if name in self.assessments else name not in self._asked

    def _outside(self, name: str) -> Outside:
        kept = partial(_kept, name) if self._options.keep_workspace else None
        return Outside(self._change.root, self._text, dict(os.environ), self._secrets, self._stop, partial(self._progress.tell, name), kept)

    def _settle(self, found: ApprovalResult, indicators: tuple[Finding, ...]) -> None:
        type = self._types[found.approval_type]
        self._found[type.name] = found
        self.assessments[type.name] = assess(found, type.run.required_confidence, indicators)

    def _record(self, name: str) -> None:
        found, assessment = self._found[name], self.assessments[name]
        entry = {
            "approval_id": found.approval_id, "approval_type": name, "timestamp": found.timestamp, "result": found.result,
            "decision": assessment.state,
            "confidence": found.confidence, "failed_at": found.findings[0].check if found.failed else None,
            "findings": len(found.findings), "files": dict(found.files), "base": self._change.base or None, **found.agent_context._asdict(),
        }  # fmt: skip
        try:
            store.record(self._place, entry)
        except OSError as error:
            complain(f"the run could not be recorded for `stats`: {error.strerror}")


_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _unreadable(question: Question, text: verdict.ReadText) -> str:
    """Why a judge can't be shown a file, "" for none."""
    for path, hash in question.files:
        if not hash:
            return f"{path} is a link, a submodule or not there, and only regular files are reviewed"
        if not path.isprintable():
            return f"{path!a} has a name that can't be shown; rename it"
        if text(path) is None:
            return f"{path} is not given to a judge: it instructs agents, lies in large file storage, is larger than 1 MB or at no harmless place"
    return ""


def _kept(name: str, folder: str) -> None:
    complain(f"{name}: the judge's folder is {folder} (prompt and rubric in judge/, the repository in repo/)")
