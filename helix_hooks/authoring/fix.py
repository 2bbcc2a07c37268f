"""Fixes of a work tree: computed, verified by a check of the tree with them, and written.

Each round fixes what the last one left, until nothing can be fixed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from .. import git
from ..adr.check_report import CheckReport
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..check import files, run
from ..check.corpus import corpus_around
from ..check.options import CheckOptions
from ..check.run import CheckContext
from ..check.work_tree import BufferTree
from ..errors import GitError
from ..finding import Finding
from ..fixes import id_quoting
from ..fixes.around import Around
from ..fixes.edit import Edit, Fix, applied, overlapping
from ..fixes.effects import why_not
from ..fixes.patch import FixedFile
from ..fixes.registry import fixes_of
from ..paths import MAX_BYTES, is_markdown
from ..report.adr_table import DatedEntry
from . import entries, index
from .fix_files import paths_of, reason_not_to_write
from .taken import taken

_ROUNDS = 40
"""Limit for rounds of fixes; each renumbering takes a round of its own."""
_CHECKS = 200
"""Limit for checks of the whole tree. Fixes not verified by then are left for the next call."""
_INDEX = "stale-index"


class FixOutcome(NamedTuple):
    """Fixes with the files that they change. `notices` are the fixes not made, with reasons."""

    fixes: tuple[Fix, ...]
    changes: tuple[FixedFile, ...]
    notices: tuple[str, ...]
    origins: Mapping[str, str]


class _Scope(NamedTuple):
    """The findings to fix: those in `paths`, or of these only some `pairs` of path and rule."""

    paths: frozenset[str]
    pairs: frozenset[tuple[str, str]] | None

    def has(self, finding: Finding, origin: Callable[[str], str]) -> bool:
        path = origin(finding.path)
        pairs = self.pairs
        return path in self.paths and (pairs is None or (path, finding.check) in pairs)


class _State(NamedTuple):
    """New contents by path, and for each new path of a renamed file its path on the disk."""

    contents: Mapping[str, bytes]
    origins: Mapping[str, str]

    def origin(self, path: str) -> str:
        return self.origins.get(path, path)


class _Work:
    """The fixes of one call, and the state of its rounds."""

    def __init__(self, context: CheckContext, scope: _Scope) -> None:
        self.context, self.scope = context, scope
        self.checks = 0
        self.applied: list[Fix] = []
        self.rejected: dict[tuple[str, str, str], str] = {}
        self.disk = BufferTree(context.target.root, context.target.contents, {})

    def reject(self, fix: Fix, reason: str) -> None:
        """Skip a fix in all further rounds."""
        line = f"{fix.path}:{fix.line}: not fixed: {fix.title} [{fix.check}]: {reason}"
        self.rejected[_key(fix)] = line

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
        names = {old: new for new, old in state.origins.items()}
        chosen = {names.get(path, path) for path in self.scope.paths}
        selected = files.select(tree, [], outer.settings).paths
        if chosen.issubset(selected):
            return run.check(context).report
        return run.check_files(context, sorted({*selected, *chosen}), only=True).report

    @cache  # noqa: B019 -- lives as long as one call
    def taken(self, folder: str) -> frozenset[str] | None:
        """Return the names of a folder on the disk and on branches; None if one can't be read."""
        try:
            return taken(self.context.target.repository, frozenset((folder,))).paths
        except GitError:
            return None

    @cache  # noqa: B019 -- lives as long as one call
    def reason(self, path: str) -> str:
        """Return the reason why a file is left alone, "" if it can be written."""
        return reason_not_to_write(self.context.target.root, path, self.disk)


def fixed(context: CheckContext, report: CheckReport) -> FixOutcome:
    """Return the fixes of the findings in a report on the work tree, or on a branch of it.

    Nothing is written.
    """
    work = _Work(context, _scope(context, report))
    state = _fixed_state(work)
    is_whole = work.scope.pairs is None and not context.options.paths
    if is_whole or state.origins:
        state = _with_index(work, state)
    return _outcome(work, state)


def _fixed_state(work: _Work) -> _State:
    """Return the state after all rounds of fixes."""
    state = _State({}, {})
    retried = state
    before = work.report(state)
    for _ in range(_ROUNDS):
        fixes = _candidates(work, state, before)
        if not fixes and work.rejected and retried is not state:
            # A fix that made something worse may be right after the other fixes.
            retried = state
            work.rejected.clear()
            fixes = _candidates(work, state, before)
        if not fixes:
            break
        state, before = _apply_verified(work, state, before, fixes)
        if work.checks >= _CHECKS:
            break
    return state


def _scope(context: CheckContext, report: CheckReport) -> _Scope:
    options = context.options
    # A file outside of the repository has an absolute path.
    paths = frozenset(file.path for file in report.files if not file.path.startswith("/"))
    if not any((options.since, options.select, options.ignore)):
        return _Scope(paths, None)
    return _Scope(paths, frozenset(_pairs(report, on_branch=bool(options.since))))


def _pairs(report: CheckReport, on_branch: bool) -> Iterator[tuple[str, str]]:
    """Yield the path and the check of each finding that can be fixed."""
    for file in report.files:
        for finding in file.findings:
            # On a branch, old findings are information, and are not this change's to fix.
            if not (on_branch and finding.severity == "info"):
                yield finding.path, finding.check


def _candidates(work: _Work, state: _State, report: CheckReport) -> list[Fix]:
    """Return fixes that do not overlap, at most one of them with a new name."""
    chosen: list[Fix] = []
    edits: list[Edit] = []
    for fix in _possible(work, state, report):
        if _key(fix) in work.rejected:
            continue
        reason = _reason_against(work, state, fix)
        if reason:
            work.reject(fix, reason)
            continue
        # A second number depends on the names that the first one leaves.
        is_second_name = fix.renames and any(other.renames for other in chosen)
        if not is_second_name and not overlapping((*edits, *fix.edits)):
            chosen.append(fix)
            edits += fix.edits
    return chosen


def _possible(work: _Work, state: _State, report: CheckReport) -> Iterator[Fix]:
    """Yield the fixes of all findings in the scope, and of ids without quotes."""
    around = _around(work, state, report)
    findings: list[Finding] = []
    for file in report.files:
        findings += (item for item in file.findings if work.scope.has(item, state.origin))
    yield from fixes_of(findings, around)
    yield from _quoted(work, state, around)


def _reason_against(work: _Work, state: _State, fix: Fix) -> str:
    """Return the reason why a file of a fix can't be written, "" if all can."""
    for path in paths_of(fix):
        reason = work.reason(state.origin(path))
        if reason:
            return reason
    return ""


def _quoted(work: _Work, state: _State, around: Around) -> Iterator[Fix]:
    """Yield the fixes of ids without quotes in the ADRs of the scope."""
    if work.scope.pairs is not None:
        return
    names = {old: new for new, old in state.origins.items()}
    for old in sorted(work.scope.paths):
        path = names.get(old, old)
        text, adr = around.text(path), around.adr(path)
        if text and adr:
            yield from id_quoting.fixes(path, text, adr)


def _around(work: _Work, state: _State, report: CheckReport) -> Around:
    """Return what fixes ask about the work tree."""
    context, tree = work.context, work.tree(state)
    settings = context.settings
    corpus, _ = corpus_around(
        list(report.files),
        tree,
        settings,
        context.target,
        is_staged=False,
        is_whole=False,
        fates={},
    )

    @cache
    def adr(path: str) -> Adr | None:
        doc = tree.document(path)
        return None if doc.defect else read(Source(doc), settings.ruleset)

    def text(path: str) -> str | None:
        data = tree.raw(path)
        if data is None or len(data) > MAX_BYTES:
            return None
        return data.decode(errors="surrogateescape")

    return Around(
        ruleset=settings.ruleset,
        text=text,
        adr=adr,
        corpus=corpus,
        is_new=_newness(work, tree),
        below=tree.folder,
        taken=work.taken,
    )


def _newness(work: _Work, tree: BufferTree) -> Callable[[str], bool] | None:
    """Return a function that tells whether the last commit lacks a path; None if it can't tell."""
    target = work.context.target
    head = target.head
    if not head or not head.entries or git.merging(target.root):
        return None
    committed = frozenset(head.entries)
    # A new name may be the name of an old ADR that was moved.
    if any(is_markdown(path) and not tree.there(path) for path in committed):
        return None
    return lambda path: path not in committed


def _key(fix: Fix) -> tuple[str, str, str]:
    """Return the identity of a fix in all rounds; its place may change between them."""
    return fix.check, fix.path, fix.title


def _apply_verified(
    work: _Work, state: _State, before: CheckReport, fixes: list[Fix]
) -> tuple[_State, CheckReport]:
    """Apply the fixes that make nothing worse, and return the report after them."""
    good = fixes
    while good and work.checks < _CHECKS:
        trial = _after(work, state, good)
        after = work.report(trial)
        reason = why_not(before, after, good, _new_names(good))
        if not reason:
            work.applied += good
            return trial, after
        if len(good) == 1:
            work.reject(good[0], reason)
            break
        good = _without_bad(work, state, before, good)
    return state, before


def _without_bad(work: _Work, state: _State, before: CheckReport, fixes: list[Fix]) -> list[Fix]:
    """Return the fixes without those that make something worse, alone or together.

    Halving finds one bad fix among many with a number of checks that grows with the logarithm.
    """
    middle = len(fixes) // 2
    good: list[Fix] = []
    for half in (fixes[:middle], fixes[middle:]):
        if work.checks >= _CHECKS:
            break
        after = work.report(_after(work, state, half))
        reason = why_not(before, after, half, _new_names(half))
        if not reason:
            good += half
        elif len(half) == 1:
            work.reject(half[0], reason)
        else:
            good += _without_bad(work, state, before, half)
    if len(good) < len(fixes):
        return good
    # Each half is right, and both together are not. One fix is tried, so that the rounds end.
    return good[:1]


def _new_names(fixes: Iterable[Fix]) -> dict[str, str]:
    """Return the old path of each renamed file by its new path."""
    names: dict[str, str] = {}
    for fix in fixes:
        names.update((rename.new_path, rename.path) for rename in fix.renames)
    return names


def _after(work: _Work, state: _State, fixes: Iterable[Fix]) -> _State:
    """Return the state after fixes that do not overlap."""
    fixes, tree = list(fixes), work.tree(state)
    contents, origins = dict(state.contents), dict(state.origins)
    edits: dict[str, list[Edit]] = {}
    for fix in fixes:
        for edit in fix.edits:
            edits.setdefault(edit.path, []).append(edit)
    for path, own in edits.items():
        data = tree.raw(path) or b""
        text = applied(data.decode(errors="surrogateescape"), own)
        contents[path] = text.encode(errors="surrogateescape")
    for new, old in _new_names(fixes).items():
        contents[new] = contents.pop(old, tree.raw(old) or b"")
        origins[new] = origins.pop(old, old)
    return _State(contents, origins)


def _with_index(work: _Work, state: _State) -> _State:
    """Return the state with a current table in each README that has one."""
    tree, settings, root = work.tree(state), work.context.settings, work.context.target.root
    adrs = entries.entries_at(tree, settings, files.select(tree, [], settings).paths)
    paths = dict.fromkeys((*index.marked_files(root, adrs), index.default_path(adrs)))
    fixes: list[Fix] = []
    for path in paths:
        fix = _index_fix(tree, path, adrs) if path and work.disk.has(path) else None
        if not fix:
            continue
        reason = work.reason(path)
        if reason:
            work.reject(fix, reason)
        else:
            fixes.append(fix)
    work.applied += fixes
    return _after(work, state, fixes) if fixes else state


def _index_fix(tree: BufferTree, path: str, adrs: Sequence[DatedEntry]) -> Fix | None:
    """Return the fix that makes the table of a README current; None if it is, or has no place."""
    data = tree.raw(path) or b""
    if len(data) > MAX_BYTES:
        return None
    text = data.decode(errors="surrogateescape")
    new = index.refreshed(text, path, adrs)
    if new == text:
        return None
    line = text[: text.find(index.BEGIN)].count("\n") + 1
    edit = Edit(path, 0, len(text), new)
    return Fix(check=_INDEX, path=path, line=line, title="the index is current", edits=(edit,))


def _outcome(work: _Work, state: _State) -> FixOutcome:
    changes = [
        FixedFile(
            path=state.origin(path),
            new_path=path,
            before=work.disk.raw(state.origin(path)) or b"",
            after=data,
        )
        for path, data in state.contents.items()
    ]
    return FixOutcome(
        fixes=tuple(sorted(work.applied, key=lambda fix: (fix.path, fix.line))),
        changes=tuple(sorted(changes)),
        notices=tuple(work.rejected.values()),
        origins=state.origins,
    )
