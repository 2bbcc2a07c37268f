"""Fix findings of a work tree: compute fixes, verify each by a check of the tree with it, write.

Each round fixes what the last one left, until nothing can be fixed.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from .. import git, writing
from ..adr.check_report import CheckReport
from ..adr.corpus import Corpus
from ..adr.examine import Source, read
from ..adr.model import Adr, Edit, Files, Fix, applied
from ..adr.rules.registry import fixes
from ..check import files, run
from ..check.around import corpus_around
from ..check.options import CheckContext, CheckOptions
from ..check.work_tree import BufferTree
from ..errors import GitError, HelixError
from ..finding import LAYERS, SEVERITIES, Finding
from ..paths import MAX_BYTES, is_markdown
from .difference import ChangedFile
from .new import taken

_ROUNDS = 40
"""Limit for rounds of fixes; each renumbering takes a round of its own."""
_CHECKS = 200
"""Limit for checks of the whole tree. Fixes not verified by then are left for the next call."""
_ON_ONE_ADR = ("structure", "rules", "concept")


class FixOutcome(NamedTuple):
    """Fixes with the files that they change. `notices` are the fixes not made, with reasons."""

    fixes: tuple[Fix, ...]
    changes: tuple[ChangedFile, ...]
    notices: tuple[str, ...]


class _State(NamedTuple):
    """New contents by path, and for each new path of a renamed file its path on the disk."""

    contents: Mapping[str, bytes]
    origins: Mapping[str, str]


def fixed(context: CheckContext, report: CheckReport) -> FixOutcome:
    """Return the fixes of the findings in a report on the work tree, or on a branch of it.

    Nothing is written.
    """
    work = _Work(context, report)
    state = _State({}, {})
    before = work.report(state)
    done: list[Fix] = []
    for _ in range(_ROUNDS):
        # A fix that made something worse may be right after the other fixes.
        work.notices.clear()
        right = work.right(state, before, work.candidates(state, before))
        if not right:
            break
        done += right
        state = work.after(state, right)
        before = work.report(state)
    changes = [
        ChangedFile(old, path, work.disk.raw(old) or b"", data)
        for path, data in state.contents.items()
        for old in [state.origins.get(path, path)]
    ]
    done.sort(key=lambda fix: (fix.path, fix.line))
    return FixOutcome(tuple(done), tuple(sorted(changes)), tuple(work.notices))


class _Work:
    """The fixes of one call.

    `paths` are the ADRs to fix, `pairs` the only findings to fix, by path and rule; None for all.
    """

    def __init__(self, context: CheckContext, report: CheckReport) -> None:
        self.context = context
        self.checks = 0
        self.notices: list[str] = []
        self.disk = self.tree(_State({}, {}))
        # A file outside of the repository has an absolute path.
        self.paths = [file.path for file in report.files if not os.path.isabs(file.path)]
        self.pairs: set[tuple[str, str]] | None = None
        options = context.options
        if options.since or options.select or options.ignore:
            # On a branch, old findings are information, and are not this change's to fix.
            self.pairs = {
                (finding.path, finding.check)
                for finding in report.findings
                if not (options.since and finding.severity == "info")
            }

    def tree(self, state: _State) -> BufferTree:
        """Return the work tree with the new contents."""
        target, gone = self.context.target, frozenset(state.origins.values())
        return BufferTree(target.root, target.contents, state.contents, gone)

    def report(self, state: _State) -> CheckReport:
        """Return the report on every ADR, and on those that the user names."""
        self.checks += 1
        tree, outer = self.tree(state), self.context
        # Neither --select nor a branch: a fix must not cause a finding of any rule in any ADR.
        options = CheckOptions(
            template=outer.options.template,
            baseline=outer.options.baseline,
            use_baseline=outer.options.use_baseline,
        )
        context = outer._replace(options=options, paths=[], tree=tree, diff=None, no_base="")
        new_names = {old: new for new, old in state.origins.items()}
        paths = {new_names.get(path, path) for path in self.paths}
        paths.update(files.select(tree, [], outer.settings).paths)
        return run.check_files(context, sorted(paths), only=True).report

    def candidates(self, state: _State, report: CheckReport) -> list[Fix]:
        """Return fixes that do not overlap, at most one of them with a new name."""
        findings: list[Finding] = []
        for finding in report.findings:
            path = state.origins.get(finding.path, finding.path)
            is_asked = self.pairs is None or (path, finding.check) in self.pairs
            if path in self.paths and is_asked:
                findings.append(finding)
        chosen: list[Fix] = []
        edits: list[Edit] = []
        for fix in fixes(findings, *self._around(state, report)):
            paths = (fix.path, *(edit.path for edit in fix.edits))
            reasons = (self._unwritable(state.origins.get(path, path)) for path in paths)
            reason = next(filter(None, reasons), "")
            if reason:
                self._leave(fix, reason)
                continue
            # A second number depends on the names that the first one leaves.
            is_second_name = fix.new_path and any(other.new_path for other in chosen)
            if not is_second_name and not _overlapping((*edits, *fix.edits)):
                chosen.append(fix)
                edits += fix.edits
        return chosen

    def _around(self, state: _State, report: CheckReport) -> tuple[Files, Corpus]:
        """Return the files and the ADRs from which fixes are computed."""
        tree, settings, target = self.tree(state), self.context.settings, self.context.target
        corpus, _ = corpus_around(
            list(report.files), tree, settings, target, is_staged=False, is_whole=False, fates={}
        )

        def text(path: str) -> str | None:
            data = tree.raw(path)
            if data is None or len(data) > MAX_BYTES:
                return None
            return data.decode(errors="surrogateescape")

        @cache
        def adr(path: str) -> Adr | None:
            doc = tree.document(path)
            return None if doc.defect else read(Source(doc), settings.ruleset)

        @cache
        def names(folder: str) -> frozenset[str] | None:
            try:
                return taken(target.repository, frozenset((folder,))).paths
            except GitError:
                return None

        return Files(text, adr, self._newness(tree), names), corpus

    def _unwritable(self, path: str) -> str:
        """Return the reason why a file on the disk is left alone, "" if it can be written."""
        mode = os.stat(os.path.join(self.context.target.root, path)).st_mode
        return "" if mode & 0o222 else "it is read-only (chmod u+w)"

    def _newness(self, tree: BufferTree) -> Callable[[str], bool] | None:
        """Return a function that tells whether the last commit lacks a path; None if none can."""
        head = self.context.target.head
        if not head or not head.entries or git.merging(self.context.target.root):
            return None
        committed = frozenset(head.entries)
        # A new name may be the name of an old ADR that was moved.
        if any(is_markdown(path) and not tree.there(path) for path in committed):
            return None
        return lambda path: path not in committed

    def right(self, state: _State, before: CheckReport, fixes: list[Fix]) -> list[Fix]:
        """Return the fixes that make nothing worse: all together, else those that fit together."""
        if not fixes or not self._why_not(state, before, fixes):
            return fixes
        right: list[Fix] = []
        for fix in fixes:
            reason = self._why_not(state, before, [*right, fix])
            if reason:
                self._leave(fix, reason)
            else:
                right.append(fix)
        return right

    def _why_not(self, state: _State, before: CheckReport, fixes: list[Fix]) -> str:
        if self.checks >= _CHECKS:
            return "too many fixes; run the command again"
        return why_not(before, self.report(self.after(state, fixes)), fixes)

    def _leave(self, fix: Fix, reason: str) -> None:
        place = f"{fix.path}:{fix.line}"
        self.notices.append(f"{place}: not fixed: {fix.title} [{fix.check}]: {reason}")

    def after(self, state: _State, fixes: Iterable[Fix]) -> _State:
        """Return the state after fixes that do not overlap."""
        tree = self.tree(state)
        contents, origins = dict(state.contents), dict(state.origins)
        edits: dict[str, list[Edit]] = {}
        for fix in fixes:
            for edit in fix.edits:
                edits.setdefault(edit.path, []).append(edit)
        for path, own in edits.items():
            text = applied((tree.raw(path) or b"").decode(errors="surrogateescape"), own)
            contents[path] = text.encode(errors="surrogateescape")
        for fix in fixes:
            if fix.new_path:
                contents[fix.new_path] = contents.pop(fix.path, tree.raw(fix.path) or b"")
                origins[fix.new_path] = origins.pop(fix.path, fix.path)
        return _State(contents, origins)


def _overlapping(edits: Iterable[Edit]) -> bool:
    """Return whether two edits replace the same place of a file."""
    ordered = sorted(edits, key=lambda edit: (edit.path, edit.start, edit.end))
    for former, later in pairwise(ordered):
        # Two insertions at one offset would have no defined order.
        is_same_place = former[:3] == later[:3]
        if is_same_place or (former.path == later.path and later.start < former.end):
            return True
    return False


def why_not(before: CheckReport, after: CheckReport, fixes: Sequence[Fix]) -> str:
    """Return the reason not to apply fixes, "" without one: they add or hide a finding.

    A corrected status could close an ADR, and its errors would become milder.
    """
    old_names = {fix.new_path: fix.path for fix in fixes if fix.new_path}

    def counted(
        report: CheckReport,
        severities: tuple[str, ...] = SEVERITIES,
        layers: Sequence[str] = LAYERS,
    ) -> Counter[tuple[str, str]]:
        """Return the number of findings by path and rule."""
        return Counter(
            (old_names.get(finding.path, finding.path), finding.check)
            for finding in report.findings
            if finding.severity in severities and finding.layer in layers
        )

    checked = {old_names.get(file.path, file.path) for file in after.files}
    is_lost = any(file.path not in checked for file in before.files)
    if is_lost or len(after.skipped) > len(before.skipped):
        return "an ADR would no longer be checked"
    # Errors alone first: an error must not take the place of a warning.
    for severities in (("error",), ("error", "warning")):
        for path, check in sorted(counted(after, severities) - counted(before, severities)):
            return f"{path} would get a finding of {check}"
    fixed = Counter((fix.path, fix.check) for fix in fixes)
    # Under its right key, a field is no longer missing.
    gone = {(path, "header-invalid") for path, check in fixed if check == "key-misspelt"}
    errors = [counted(report, ("error",), _ON_ONE_ADR) for report in (before, after)]
    for path, check in sorted(errors[0] - errors[1]):
        if (path, check) not in gone | fixed.keys():
            return f"an error of {check} in {path} would be hidden"
    for path, check in fixed - (counted(before) - counted(after)):
        return f"the finding of {check} in {path} would stay"
    return ""


def write(root: str, changes: Sequence[ChangedFile]) -> None:
    """Write files.

    Raises:
        HelixError: A file has changed since it was read, and nothing was written; or one can't be
            written.
    """
    for change in changes:
        if not _is_as_read(os.path.join(root, change.path), change.before):
            problem = f"{change.path} changed during the fix"
            raise HelixError(f"{problem}; nothing was written, run the command again")
    for change in changes:
        file = os.path.join(root, change.path)
        try:
            if change.after != change.before:
                writing.replace(file, change.after)
            if change.new_path != change.path:
                writing.move(file, os.path.join(root, change.new_path))
        except OSError as error:
            raise HelixError(f"{change.path} could not be written: {error.strerror}") from None


def _is_as_read(file: str, data: bytes) -> bool:
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            return False
        with open(file, "rb") as opened:
            return opened.read(len(data) + 1) == data
    except OSError:
        return False
