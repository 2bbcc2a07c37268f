"""Run the rules of accepted ADRs on a tree, in a process of their own, and report breaches."""

import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import NamedTuple

from .. import proc
from ..adr.check_report import CheckReport, FileReport, Skipped, finding_of
from ..adr.corpus import CLOSED, REFUSED
from ..adr.enforcement import CodeRule, Enforcement, enforcement_of, in_force
from ..adr.model import Adr, Described, RuleResult
from ..adr.rules.gate.decision_violated import decision_violated
from ..adr.rules.gate.enforcement_unproven import Problem, enforcement_unproven
from ..adr.rules.registry import OFF
from ..change.weakened_rules import weakened
from ..check.branch import BranchDiff
from ..check.files import with_checks
from ..check.trees import FILE, FOLDER, LINK, SUBMODULE, GitTree, Tree
from ..config.settings import Settings
from ..errors import HelixError
from ..extras import require
from ..paths import MAX_BYTES
from ..proc.run import Limits, Listeners, Stop, run
from ..text import counted, listed, printable
from . import checks
from .base_decisions import accepted_adrs
from .checks import Answers, DecisionChecks, Job, Places, files_of
from .governing import binding_decision
from .named import exists

HOLDS, BROKEN, UNCHECKED, UNCONCERNED = "holds", "broken", "unchecked", "not concerned"
PRESENT, MISSING = "present", "missing"
"""The states of a rule, and of a check that an ADR names. A present check was not run."""

_NEW = "new"
_ENGINE = os.path.join(os.path.dirname(__file__), "engine.py")
_SECONDS = 120.0
_MOST_PLACES = 100
"""Places of a rule that are listed."""
_CODING = re.compile(r"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
"""The encoding of a Python file, which may stand in its first two lines (PEP 263)."""
_CODINGS = frozenset(("utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii", "latin-1", "iso-8859-1"))


class CheckState(NamedTuple):
    """A rule of the accepted ADR at a path, or a check that it names, and its state."""

    path: str
    check: str
    state: str


class Enforced(NamedTuple):
    """The report on the code, and the states of all checks.

    `base` names the commit whose accepted ADRs count, `accepted` is their number. `explained` are
    those that only say `none`, and `silent` those without entries. `proven` new rules will count
    once they are on the base. It is `incomplete` if an ADR or a file was not read at all.
    """

    base: str
    accepted: int
    states: tuple[CheckState, ...]
    explained: int
    silent: int
    proven: int
    report: CheckReport
    incomplete: bool = False


def enforce(
    base: GitTree,
    head: Tree,
    settings: Settings,
    today: date,
    diff: BranchDiff | None = None,
    name: str = "HEAD",
) -> Enforced:
    """Run the rules of the base's accepted ADRs on the head, and prove those of the head's ADRs.

    With a `diff`, only changed files and changed ADRs are concerned. `settings` are those of the
    base, and `name` is its name for people.

    Raises:
        MissingExtraError: There are rules, and no engine is installed.
        HelixError: The engine failed or took too long.
    """
    this = _Run(base, head, settings, today, diff)
    accepted = accepted_adrs(base, settings)
    decisions = [item for adr in accepted.adrs if (item := this.checks_of(adr))]
    this.work(decisions, this.proposed())
    for path in accepted.unread:
        this.skip(path, "this ADR of the base can't be read, so its rules do not run")
    if any(item.checks.rules for item in decisions):
        this.look_behind()
    explained = sum(
        not (item.checks.rules or item.checks.named or item.checks.defects) for item in decisions
    )
    report = CheckReport(this.files(), tuple(this.skipped))
    return Enforced(
        base=name,
        accepted=len(accepted.adrs),
        states=tuple(this.states),
        explained=explained,
        silent=len(accepted.adrs) - len(decisions),
        proven=this.proven,
        report=report,
        incomplete=this.is_incomplete,
    )


class _Run:
    """One run: the trees, and the results by file."""

    def __init__(
        self,
        base: GitTree,
        head: Tree,
        settings: Settings,
        today: date,
        diff: BranchDiff | None,
    ) -> None:
        self._base, self._head, self._settings = base, head, settings
        self._today, self._diff = today, diff
        self._results: dict[str, list[tuple[Described, RuleResult]]] = {}
        self.states: list[CheckState] = []
        self.skipped: list[Skipped] = []
        self.is_incomplete = False
        self.proven = 0
        self._in_part: set[str] = set()
        self._before_tree = diff.base if diff else base
        self._moved = diff.old_names if diff else {}
        changed = [item for item in diff.changes if item.status != "D"] if diff else []
        self._paths: Collection[str] = [item.path for item in changed] if diff else head.paths
        if diff:
            paths = set(self._paths)
            self._paths = [
                *self._paths,
                *(link for link in head.links if head.place(link).path in paths),
            ]
        self._touched = (
            {path for item in diff.changes for path in (item.path, item.old)} if diff else None
        )

    def checks_of(self, adr: Adr) -> DecisionChecks | None:
        """Return the checks of an accepted ADR of the base; None without any."""
        found = enforcement_of(adr.doc)
        if found is None:
            return None
        path = adr.doc.path
        new_path = next((new for new, old in self._moved.items() if old == path), path)
        is_same = self._touched is not None and path not in self._touched
        now = found if is_same else self._accepted_now.get(new_path)
        others = [item for other, item in self._accepted_now.items() if other != new_path]
        lost = weakened(found, now, others)
        decision = binding_decision(adr)
        for defect in found.defects:
            self.skip(path, f"line {defect.line}: {defect.message}")
        return DecisionChecks(
            name=decision.name,
            path=new_path if self._head.has(new_path) else path,
            sentence=decision.sentence,
            checks=found,
            now=now,
            weakened=frozenset(id for _, id, _ in lost),
        )

    @cached_property
    def _adrs(self) -> dict[str, Adr]:
        """The ADRs of the head with checks, changed or not: any may carry a rule on."""
        return {
            path: adr
            for path in sorted(self._head.paths)
            if (adr := with_checks(self._head, self._settings, path))
        }

    @cached_property
    def _accepted_now(self) -> dict[str, Enforcement]:
        return {path: checks for path, adr in self._adrs.items() if (checks := in_force(adr))}

    def proposed(self) -> list[tuple[str, Enforcement]]:
        """Return the checks of the concerned ADRs that are in force or may come into force."""
        concerned = set(self._paths)
        return [
            (path, checks)
            for path, adr in self._adrs.items()
            if path in concerned
            and adr.status not in (*CLOSED, *REFUSED)
            and (checks := enforcement_of(adr.doc))
        ]

    def work(
        self, decisions: list[DecisionChecks], proposed: list[tuple[str, Enforcement]]
    ) -> None:
        """Run all rules, and record what they report."""
        jobs: dict[str, Job] = {}
        for item in decisions:
            for rule in item.checks.rules:
                files = self._files(rule)
                if files is not None:
                    jobs[item.key(rule)] = checks.job(rule, files)
        known = {(item.path, rule.id) for item in decisions for rule in item.checks.rules}
        for path, enforcement in proposed:
            for rule in enforcement.rules:
                key = f"{path}\0{rule.id}"
                jobs.update(checks.proofs(key, rule))
                if path in self._accepted_now and (path, rule.id) not in known:
                    jobs[f"{key}\0{_NEW}"] = checks.job(rule, self._of_tree(rule))
        answers = answers_of(jobs, self._texts(_names(jobs)))
        before = self._before(decisions, answers)
        for item in decisions:
            for rule in item.checks.rules:
                self._record(item, rule, answers, before)
            self._look_for_named(item)
        for path, enforcement in proposed:
            self._prove(path, enforcement, answers)
        if self._in_part:
            number = counted(len(self._in_part), "file")
            text = f"{number} read in part, so a rule may miss something: "
            names = listed([printable(path) for path in sorted(self._in_part)])
            self.skipped.append(Skipped(decision_violated.id, "", text + names))

    def _files(self, rule: CodeRule) -> list[str] | None:
        """Return the files that a rule reads; None if the change does not concern it."""
        if self._diff is None:
            return self._of_tree(rule)
        if rule.packages:
            is_concerned = any(map(rule.reads, self._touched or ()))
            return self._of_tree(rule) if is_concerned else None
        return files_of(rule, self._paths, self._moved, self._is_file) or None

    def _of_tree(self, rule: CodeRule) -> list[str]:
        return files_of(rule, self._head.paths, {}, self._is_file)

    def _is_file(self, path: str) -> bool:
        return self._head.place(path).kind == FILE

    def _texts(self, paths: Iterable[str]) -> dict[str, str]:
        return {path: self._text(path) for path in sorted(paths)}

    def _text(self, path: str) -> str:
        """Return the text of a file; one that can't be read as it runs is reported."""
        text = self._head.text(path)
        coding = re.match(_CODING, text) if path.endswith(".py") else None
        if self._head.raw(path) is None:
            self.skip(path, "it can't be read")
        elif coding and coding[1].casefold() not in _CODINGS:
            self.skip(path, f"its encoding {coding[1]} is not known")
        elif len(self._head.content(path)) >= MAX_BYTES:
            reason = f"it is larger than {MAX_BYTES // 1_000_000} MB"
            if len(self._before_tree.content(self._moved.get(path, path))) < MAX_BYTES:
                self.skip(path, reason)
            else:
                self.skipped.append(Skipped(decision_violated.id, path, reason))
        return text

    def skip(self, path: str, reason: str) -> None:
        """Ask a person about what no rule has read."""
        self.is_incomplete = True
        result = RuleResult(
            line=1,
            message=f"no rule has read this: {reason}",
            help="make it readable for the rules, or a person looks at it",
            question=True,
            subject=reason,
        )
        self._report(path, enforcement_unproven, [result])

    def look_behind(self) -> None:
        """Ask a person about changed links to folders and submodules, which no rule reads."""
        for path in self._paths if self._diff else ():
            kind = self._head.look(path)[0]
            if kind == SUBMODULE:
                self.skip(path, "it is a submodule")
            elif kind == LINK and self._head.place(path).kind == FOLDER:
                self.skip(path, "it is a link to a folder")

    def _before(self, decisions: list[DecisionChecks], answers: Answers) -> Answers:
        """Return the answers on the base, for rules that report a place or can't run now."""
        base, jobs = self._before_tree, dict[str, Job]()
        for item in decisions:
            for rule in item.checks.rules:
                answer = answers.get(item.key(rule))
                if not answer or not (answer.error or (answer.places and self._diff)):
                    continue
                if rule.packages:
                    files = [path for path in base.paths if rule.reads(path)]
                else:
                    paths = {place[0] for place in answer.places}
                    files = [self._moved.get(path, path) for path in paths]
                files = [path for path in files if base.place(path).kind == FILE]
                jobs[item.key(rule)] = checks.job(rule, files)
        return answers_of(jobs, {path: base.text(path) for path in sorted(_names(jobs))})

    def _record(
        self, item: DecisionChecks, rule: CodeRule, answers: Answers, before: Answers
    ) -> None:
        """Record the state of a rule, and what it reports."""
        key, state = item.key(rule), HOLDS
        if key not in answers:
            self.states.append(CheckState(item.path, rule.id, UNCONCERNED))
            return
        answer, earlier = answers[key], before.get(key, Places([], [], ""))
        found = list(
            checks.breaches(item, rule, answer.places, self._old(rule, earlier), self._today)
        )
        found.sort(key=lambda place: place[1].is_old)
        for path, breach in found[:_MOST_PLACES]:
            self._report(path, decision_violated, decision_violated.check([breach]))
            state = BROKEN
        if more := len(found[_MOST_PLACES:]):
            text = f"{counted(more, 'more place')} of the rule {rule.id}, not listed"
            self.skipped.append(Skipped(decision_violated.id, "", text))
        self._in_part.update(answer.unread)
        if answer.error or not any(map(rule.reads, self._head.paths)):
            state = UNCHECKED
            self._not_run(item, rule, answer, earlier)
        self.states.append(CheckState(item.path, rule.id, state))

    def _old(self, rule: CodeRule, earlier: Places) -> Counter[tuple[str, str]]:
        """Count the places that the rule reported on the base, by their paths now and hashes."""
        new_names = {old: new for new, old in self._moved.items()}
        reported = [
            row
            for row in earlier.places
            if rule.reads(row[0]) and not rule.is_excepted(row[0], self._today)
        ]
        return Counter((new_names.get(row[0], row[0]), row[6]) for row in reported)

    def _not_run(
        self, item: DecisionChecks, rule: CodeRule, answer: Places, earlier: Places
    ) -> None:
        """Record that a rule had nothing to run on, or could not run."""
        error, is_question = answer.error, rule.id in item.weakened
        was_missing = earlier.is_missing
        if not error:
            error, is_question = "no file is left that it reads", True
            was_missing = not any(map(rule.reads, self._before_tree.paths))
        if was_missing:
            # The decision may be older than the code that it is about.
            reason = f"the rule {rule.id} has nothing to run on: {error}"
            self.skipped.append(Skipped(decision_violated.id, item.path, reason))
        elif earlier.error:
            self.skip(item.path, f"the rule {rule.id} can't run: {error}")
        else:
            text = f"can't run any more: {error}"
            self._unproven(item.path, [checks.problem(rule, text, question=is_question)])

    def _look_for_named(self, item: DecisionChecks) -> None:
        """Record which checks exist that an accepted ADR names."""
        for named in item.checks.named:
            state = PRESENT if exists(self._head, named) else MISSING
            self.states.append(CheckState(item.path, named.text, state))
            # A check that the change no longer names is a question of its own, `gate-relaxed`.
            if state == MISSING and item.still_names(named):
                message = f"{item.name} names {named.text}, which does not exist"
                self._unproven(item.path, [Problem(named.line, named.text, message)])

    def _prove(self, path: str, enforcement: Enforcement, answers: Answers) -> None:
        """Record which rules of an ADR prove nothing, and which checks it names in vain."""
        reported = {item.subject for _, item in self._results.get(path, ())}
        for rule in enforcement.rules:
            key = f"{path}\0{rule.id}"
            problems = list(checks.unproven(key, rule, answers))
            if rule.id not in reported:
                self._unproven(path, problems)
            is_new = f"{key}\0{_NEW}" in answers
            self.proven += is_new and not problems
            if today := answers.get(f"{key}\0{_NEW}"):
                new = [row for row in today.places if not rule.is_excepted(row[0], self._today)]
                today = today._replace(places=new)
                reads_some = any(map(rule.reads, self._head.paths))
                self._unproven(path, checks.on_today(rule, today, reads_some=reads_some))
        for named in enforcement.named:
            if named.text not in reported and not exists(self._head, named):
                message = f"{named.text} does not exist"
                self._unproven(path, [Problem(named.line, named.text, message)])

    def _unproven(self, path: str, problems: Iterable[Problem]) -> None:
        self._report(path, enforcement_unproven, enforcement_unproven.check(problems))

    def _report(self, path: str, rule: Described, results: Iterable[RuleResult]) -> None:
        self._results.setdefault(path, []).extend((rule, item) for item in results)

    def files(self) -> tuple[FileReport, ...]:
        """Return the reports on files with a finding, in the order of their paths."""
        severities = self._settings.ruleset.severities
        reports: list[FileReport] = []
        for path, results in sorted(self._results.items()):
            tree = self._head if self._head.has(path) else self._base
            rows = tree.text(path).split("\n")
            findings = [
                finding_of(rule, item, path, len(rows), severities)
                for rule, item in results
                if severities.get(rule.id) != OFF
            ]
            findings.sort(key=lambda finding: (finding.line, finding.column))
            lines = {finding.line: rows[finding.line - 1] for finding in findings}
            if findings:
                reports.append(FileReport(path, tuple(findings), lines))
        return tuple(reports)


def _names(jobs: Mapping[str, Job]) -> set[str]:
    """Return the files of the tree that some jobs read."""
    return {
        name for job in jobs.values() if isinstance(job["texts"], list) for name in job["texts"]
    }


def answers_of(jobs: Mapping[str, Job], texts: Mapping[str, str]) -> Answers:
    """Run the engine.

    Raises:
        MissingExtraError: It is not installed.
        HelixError: It failed, or took too long.
    """
    if not jobs:
        return {}
    require("enforce", "enforce")
    chunks: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        request = os.path.join(folder, "request.json")
        with open(request, "w", encoding="utf-8") as stream:
            json.dump({"jobs": jobs, "texts": texts}, stream)
        command = [sys.executable, "-I", _ENGINE]
        environment = {**proc.environment(os.environ), "TMPDIR": folder}
        limits, listeners = Limits(_SECONDS), Listeners(chunks.append)
        ended = run(command, folder, environment, request, limits, listeners, Stop())
    if ended.stopped:
        raise HelixError(f"the rules took more than {_SECONDS:.0f} s, so nothing was checked")
    if ended.code:
        last = (ended.errors.strip().splitlines() or [""])[-1]
        raise HelixError(f"the engine {ended.how}, so nothing was checked: {printable(last, 200)}")
    answers = json.loads(b"".join(chunks))
    return {key: Places(**answer) for key, answer in answers.items()}
