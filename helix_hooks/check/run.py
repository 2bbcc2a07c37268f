"""What `helix-hooks check` does: settings, the ADRs, all layers, the report and the exit code."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.examine import Source, examine
from ..adr.finish import Terms, finish
from ..config.settings import Settings, decode, load
from ..console.output import colored, complain, write
from ..errors import ConfigError, HelixError, UsageError
from ..finding import failing
from ..paths import wanted
from ..report import text
from ..repository import files, git
from ..repository.links import WRONG
from ..repository.revisions import Revision
from .base import Past, last_commit
from .corpus import corpus_of

if TYPE_CHECKING:
    from argparse import Namespace

    from ..adr.baseline import Baseline
    from ..adr.corpus import Corpus
    from ..config.watched import Watch
    from .changes import Measured
    from .since import Since

FEWEST = 48
"""ADRs for which it pays to split the process; below it costs more than it saves."""

BASELINE = ".helix-baseline.json"


def run(options: "Namespace", repository: str | None, index: git.Index | None, head: Revision | None) -> int:
    checked = Check(options, repository, index, head)
    report = checked.report()
    if options.write_baseline:
        return _write_baseline(checked, report)
    _print(report, options)
    return 3 if checked.incomplete else int(fails(report, options.fail_on))


class Commit(NamedTuple):
    """A commit that is checked in the index's place, and the change that led to it (None where nobody says from where).

    `rules` is the tree whose settings count, None for those of the commit itself.
    """

    name: str
    since: "Since | None"
    rules: "files.Tree | None" = None


class Check:
    """One call: where the files come from, what they are measured by, and what was found."""

    def __init__(self, options: "Namespace", repository: str | None, index: git.Index | None, head: Revision | None,
                 commit: Commit | None = None) -> None:  # fmt: skip
        self.options, self.repository, self.root = options, repository, repository or "."
        self.at = commit or Commit("", None)
        self.incomplete = self.empty = False
        self.paths = git.given(repository, options.paths)
        self.tree: files.WorkTree | files.StagedTree = files.WorkTree(self.root, index)
        self.staged = bool(options.staged or options.since)
        if self.staged and index:
            self.tree = files.StagedTree(index, self.root)
            index.look_up(wanted(self.paths))
        self.settings = _with_template(load((self.at.rules or self.tree).read, files.packaged), options.template)
        self.baseline = _baseline(options, self.settings, self.tree, optional=self.at.rules is not None)
        self.index, self.head = index, head

    def report(self) -> CheckReport:
        measured = self._measured() if self.options.since else None
        selection = measured.selection(self.paths) if measured else self._selection()
        if self.options.since or not (self.options.paths or self.options.staged):
            self._look(measured, selection.paths)
        if not self.empty and not selection.paths and not (measured and measured.gone):
            complain("no ADR to check")
        return self._reported(selection, measured)

    def report_on(self, paths: list[str], only: bool = False) -> CheckReport:
        """The report on some ADRs, whether they were changed or not, and on what the change did to the settings.

        Unless it is asked for these `only`, the other ADRs that the change concerns, such as by their concept, are checked too.
        """
        measured = self._measured() if self.options.since else None
        self._look(measured, None)
        concerned = measured.selection([]).paths if measured and not only else ()
        return self._reported(files.Selection(tuple(dict.fromkeys((*paths, *concerned)))), measured)

    def _look(self, measured: "Measured | None", selected: tuple[str, ...] | None) -> None:
        """Note an empty repository. Raises ConfigError where the settings watch nothing.

        `selected` are the ADRs on the disk, if the work tree is checked as a whole.
        """
        if not self.index or (selected and self.settings.paths_at is None and not measured):
            return
        from ..config.watched import no_adr

        found = measured.watch if measured else self._watch(self.index)
        if found.adrs and selected == () and isinstance(self.tree, files.WorkTree):
            way_out = "check it out (`git restore`, `git sparse-checkout`), or commit the deletion"
            raise UsageError(f"{found.adrs[0]} is tracked, but no ADR is in the work tree; {way_out}")
        self.empty = not found.adrs and not found.lost and not selected
        if self.empty:
            complain(no_adr(self.settings))

    def _watch(self, index: git.Index) -> "Watch":
        from ..config.watched import watch
        from ..repository import views

        if isinstance(self.tree, files.StagedTree):
            return watch(views.of_commit(self.settings, self.tree))
        return watch(views.of_work_tree(self.settings, self.tree, index))

    def _reported(self, selection: files.Selection, measured: "Measured | None") -> CheckReport:
        past = measured.past if measured else self._past(selection.paths)
        try:
            return self._checked(selection, measured, past)
        finally:
            if past:
                past.close()

    def _checked(self, selection: files.Selection, measured: "Measured | None", past: Past | None) -> CheckReport:
        read = partial(_source, self.tree, self.settings, self._concept(len(selection.paths)), past)
        examined = partial(_examined, read, self.settings, self.tree)
        if len(selection.paths) < FEWEST:
            raw = list(map(examined, selection.paths))
        else:
            from ..parallel import each

            self.tree.remember()
            raw = each(selection.paths, examined, partial(_begin, self.tree, past))
        corpus, unknown = corpus_of(self.tree, self.repository, self.settings, raw, self.whole, self.staged, measured, self.at.name)
        if measured:
            reports = [*measured.settled(raw, read, corpus, self.baseline, partial(self._among_before, measured)), *measured.gone]
        else:
            reports = [finish(file, self.settings.ruleset, corpus, self._terms(file.path)) for file in raw]
        reports += self._stale(reports)
        reports = [_quoting(file, self.tree) for file in reports]
        skipped = (*selection.skipped, *unknown, *self._unmeasured())
        return CheckReport(tuple(sorted(reports, key=lambda file: file.path)), skipped)

    def _among_before(self, measured: "Measured", before: list[FileReport]) -> "Corpus":
        return corpus_of(measured.since.base, self.repository, measured.base_settings, before, False, self.staged, None, self.at.name)[0]

    @property
    def whole(self) -> bool:
        """Whether every ADR is read anyway."""
        return self.options.all or not (self.options.paths or self.options.staged or self.options.since)

    def _measured(self) -> "Measured | None":
        from .changes import measure
        from .since import NoBaseError, changed_since
        from .upstream import behind

        if not self.index or not isinstance(self.tree, files.StagedTree):
            return None
        try:
            since = self.at.since or changed_since(self.root, self.options.since, self.index)
            if not self.at.since and (late := behind(self.root, "--since", self.options.since)):
                complain(late)
            return measure(self.options, since, self.tree, self.settings, self.at.rules is not None)
        except NoBaseError as error:
            self.incomplete = True
            self.no_base = str(error)
            return None

    def _unmeasured(self) -> list[Skipped]:
        return [Skipped(rule, "", self.no_base) for rule in ("gate-relaxed", "accepted-changed", "status-transition")] if self.incomplete else []

    def _selection(self) -> files.Selection:
        if not self.options.staged or not self.index:
            return files.select(self.tree, self.root, self.paths, self.settings)
        if self.options.all:
            return files.Selection(tuple(files.adrs(self.tree, self.settings)), files.elsewhere(self.tree, self.settings))
        return files.select_staged(self.index, self.root, self.paths, self.settings, self.options.matching)

    def _past(self, paths: tuple[str, ...]) -> Past | None:
        if not self.repository or not self.head or self.incomplete or not paths:
            return None
        if isinstance(self.tree, files.WorkTree):
            named = () if self.whole or self.tree.names() else [path for path in paths if not path.startswith("/")]
            return last_commit(self.root, self.head, staged=False, paths=named, hidden=self.tree.hidden)
        return last_commit(self.root, self.head, staged=True)

    def _concept(self, count: int) -> str | None:
        if not self.options.concept:
            return None
        if count != 1:
            raise UsageError(f"--concept goes with exactly one ADR, and there are {count}")
        (path,) = git.given(self.repository, [self.options.concept])
        if not self.tree.has(path):
            raise UsageError(f"{path}: there is no such file to compare with")
        return path

    def _terms(self, path: str) -> Terms:
        return Terms(counts=self.baseline.counts.get(path) if self.baseline else None)

    def _stale(self, reports: list[FileReport]) -> list[FileReport]:
        """A report on the baseline file, when it counts more than there is."""
        if not self.baseline:
            return []
        from ..adr import baseline
        from ..adr.rules.gate.baseline_stale import BASELINE_STALE

        found = {file.path: file.counted or {} for file in reports}
        stale = BASELINE_STALE.check(self.baseline, baseline.stale(self.baseline, found, self.whole))
        return files.report_on(self.baseline.path, self.baseline.text, BASELINE_STALE, stale, self.settings.ruleset)


def _quoting(file: FileReport, tree: files.Tree) -> FileReport:
    """A report with the texts of lines that only the other ADRs made anyone look at."""
    unread = {finding.line for finding in file.findings} - file.lines.keys()
    if not unread:
        return file
    rows = tree.content(file.path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return file._replace(lines={**file.lines, **{line: rows[line - 1] for line in unread if line <= len(rows)}})


def _source(tree: files.Tree, settings: Settings, concept: str | None, past: Past | None, path: str) -> Source:
    found = files.source(tree, path, settings, concept)
    return found._replace(bases=past.before(path, tree, settings)) if past else found


def _examined(read: "partial[Source]", settings: Settings, tree: files.Tree, path: str) -> FileReport:
    return examine(read(path), settings.ruleset, tree.present)


def _begin(tree: files.Tree, past: Past | None) -> None:
    tree.in_a_process_of_its_own()
    if past:
        past.in_a_process_of_its_own()


def _with_template(settings: Settings, name: str | None) -> Settings:
    if name is None:
        return settings
    names = ("auto", *settings.ruleset.templates)
    if name not in names:
        raise UsageError(f"there is no template {name!r}; there are {', '.join(names)}")
    return settings._replace(ruleset=settings.ruleset._replace(template=name))


def _baseline(options: "Namespace", settings: Settings, tree: files.Tree, optional: bool = False) -> "Baseline | None":
    """The baseline that counts. An `optional` one that is gone or can't be read hides nothing."""
    path = options.baseline or settings.baseline
    if not path or options.write_baseline:
        return None
    try:
        return read_baseline(tree, path)
    except HelixError:
        if optional:
            return None
        raise


def read_baseline(tree: files.Tree, path: str) -> "Baseline":
    """The baseline of a tree. Raises UsageError where there is none, and ConfigError for one that can't be read."""
    data = tree.read(path)
    if data is None:
        raise UsageError(f"{path}: there is no such baseline; write it with --write-baseline")
    from ..adr import baseline

    return baseline.parse(decode(data, path), path)


def named_baseline(tree: files.Tree, path: str) -> "Baseline":
    """The baseline that settings name. Raises ConfigError."""
    if not tree.there(path):
        raise ConfigError(path, 1, "", "there is no such baseline, and the settings name it; write it with --write-baseline")
    return read_baseline(tree, path)


def _write_baseline(checked: Check, report: CheckReport) -> int:
    from ..adr import baseline

    path = checked.options.baseline or checked.settings.baseline or BASELINE
    findings = [finding for file in report.files for finding in file.findings]
    place = checked.tree.place(path)
    if place.kind == WRONG and place.links:
        raise ConfigError(path, 1, "", f"{place.reason}; nothing is written there")
    _save(baseline.render(findings), checked.root, path)
    counted = sum(finding.severity != "info" for finding in findings)
    use = "" if checked.settings.baseline else f"; name it in the settings: `baseline: {path}`"
    write(f"{path}: {counted} findings counted{use}\n")
    return 0


def _save(text: str, root: str, path: str) -> None:
    import os

    try:
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise HelixError(f"{path} could not be written: {error.strerror}") from None


def _print(report: CheckReport, options: "Namespace") -> None:
    rendered = (
        text.render(report, colored(options.color) and not options.output, options.quiet)
        if options.format == "text"
        else _rendered(report, options.format)
    )
    if not options.output:
        write(rendered)
        return
    try:
        with open(options.output, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(rendered)
    except OSError as error:
        raise HelixError(f"the report could not be written to {options.output}: {error.strerror}") from None


def _rendered(report: CheckReport, format: str) -> str:
    from importlib import import_module

    return str(import_module(f"helix_hooks.report.{format}").render(report))


def fails(report: CheckReport, fail_on: str) -> bool:
    """Whether a report has a finding of a severity at or above one; "never" is above all."""
    return any(report.count(severity) for severity in failing(fail_on))
