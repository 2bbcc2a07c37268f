"""`--since`: what was changed, measured by what held before."""

import os
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator

from .. import files, history
from ..adr.baseline import Baseline, parse
from ..adr.change import ACCEPTED_CHANGED
from ..adr.check import FileReport, Since, Source, Terms, examine, finding_of, settle
from ..adr.corpus import Corpus
from ..adr.gate import GATE_RELAXED
from ..adr.measure import Base, relaxations
from ..adr.rule import Found
from ..places import PYPROJECT, READ_FIRST, neighbours
from ..relaxed import relaxed
from ..settings import Settings, decode
from .past import Past
from .since import NoBaseError, base_settings, changed_since
from .since import Since as Parted

__all__ = ["Measured", "NoBaseError", "measure"]


def measure(root: str, options: Namespace, tree: files.Tree, settings: Settings) -> "Measured":
    """Raises UsageError for an unknown revision, NoBaseError where there is nothing to measure by."""
    return Measured(changed_since(root, options.since, options.staged), tree, settings, options.baseline or settings.baseline)


class Measured:
    """A change and its measure: the settings and the baseline at the base."""

    def __init__(self, since: Parted, tree: files.Tree, settings: Settings, baseline: str) -> None:
        self.since, self.tree, self.settings = since, tree, settings
        self.base_settings = base_settings(since)
        data = since.base.read(baseline) if baseline else None
        self.base_baseline = parse(decode(data, baseline), baseline) if data is not None else Baseline(baseline, {})
        self.gone = [*self._settings(), *self._vanished()]

    @property
    def past(self) -> Past:
        return self.since.past

    @property
    def taken(self) -> dict[str, list[str]]:
        return self.since.taken

    def selection(self, given: list[str]) -> files.Selection:
        """The ADRs that were changed or whose concept was, before or now; of those, what lies at or below the given paths."""
        there = [change.path for change in self.since.changes if change.status != "D" and self._is_adr(change.path)]
        found = dict.fromkeys((*there, *self._with_changed_concept()))
        inside = (path for path in found if not given or any(path == other or path.startswith(f"{other}/") or other == "." for other in given))
        return files.Selection(tuple(path for path in inside if self.tree.has(path) or path in there))

    def _is_adr(self, path: str) -> bool:
        return self.settings.is_adr(path) or self.base_settings.is_adr(path)

    def _with_changed_concept(self) -> Iterator[str]:
        texts = {path for change in self.since.changes for path in (change.path, change.old) if path.endswith(".md") and not self._is_adr(path)}
        if not texts:
            return
        named = [os.path.basename(path).encode(errors="surrogateescape") for path in texts]
        for path in self.tree.folder(""):
            if self._is_adr(path):
                data = self.tree.read(path) or b""
                if not texts.isdisjoint(neighbours([path])) or any(name in data for name in named):
                    yield from [path] if self._concepts(path) & texts else []

    def _concepts(self, path: str) -> set[str]:
        """The paths of an ADR's concept now and before."""
        found = set()
        for tree, settings in ((self.tree, self.settings), (self.since.base, self.base_settings)):
            if tree.has(path):
                concept = files.concept_of(tree, tree.document(path), settings)
                found.add(concept.path if concept else "")
        return found

    def settled(self, raw: list[FileReport], read: Callable[[str], Source], corpus: Corpus, baseline: Baseline | None) -> list[FileReport]:
        """The reports, with what the change hides, and with findings on unchanged lines made informative."""
        return [self._one(file, read(file.path), corpus, baseline.counts.get(file.path, {}) if baseline else {}) for file in raw]

    def _one(self, file: FileReport, source: Source, corpus: Corpus, counts: dict[str, int]) -> FileReport:
        ruleset = self.settings.ruleset
        before = source.bases[0] if source.bases else None
        old = examine(Source(before.doc, before.concept), self.base_settings.ruleset) if before else None
        base = Base(self.base_settings.ruleset, self.base_baseline.counts.get(self.past.old_names.get(file.path, file.path), {}))
        hidden = GATE_RELAXED.check(relaxations(source, file, ruleset, base, counts, corpus))
        last = source.doc.last_line
        found = tuple(finding_of(GATE_RELAXED, item, file.path, last, ruleset.severities) for item in hidden)
        lines = {**file.lines, **source.doc.texts({finding.line for finding in found})} if found else file.lines
        terms = Terms(old.status if old else "", old is None, self._since(source, old, file), counts)
        return settle(file._replace(findings=(*file.findings, *found), lines=lines), ruleset, corpus, terms)

    def _since(self, source: Source, old: FileReport | None, file: FileReport) -> Since | None:
        """None where everything counts: for a new ADR, and where the status was changed."""
        if old is None or old.status != file.status or source.bases[0].doc.defect:
            return None
        left = Counter(source.bases[0].doc.data.split(b"\n"))
        changed = set()
        for number, line in enumerate(source.doc.data.split(b"\n"), 1):
            if left[line] > 0:
                left[line] -= 1
            else:
                changed.add(number)
        return Since(frozenset(changed), frozenset((finding.check, finding.message) for finding in old.findings))

    def _vanished(self) -> Iterator[FileReport]:
        """ADRs that were moved to where nobody looks for one, and decided ones that were deleted."""
        for change in self.since.changes:
            old = self.past.old_names.get(change.path)
            if old and self.base_settings.is_adr(old) and not self._is_adr(change.path):
                text = (self.tree.read(change.path) or b"").decode(errors="replace")
                message = f"the ADR {old} was moved to where nobody looks for one: {change.path} is outside of `paths`"
                found = Found(1, message, "move it back, or let a person decide")
                yield from files.report_on(change.path, text, GATE_RELAXED, [found], self.settings.ruleset)
        for change in self.since.gone:
            if self.base_settings.is_adr(change.path):
                yield from self._deleted(change)

    def _deleted(self, change: history.Changed) -> list[FileReport]:
        doc = self.since.base.document(change.path)
        was = examine(Source(doc), self.base_settings.ruleset)
        found = list(ACCEPTED_CHANGED.deleted(was.status))
        return files.report_on(change.path, doc.data.decode(), ACCEPTED_CHANGED, found, self.settings.ruleset)

    def _settings(self) -> Iterator[FileReport]:
        """What the change made milder in the settings, reported on the settings file that was changed."""
        touched = [change.path for change in self.since.changes if change.path in READ_FIRST or change.old in READ_FIRST]
        reasons = relaxed(self.base_settings, self.settings, self.tree.folder("")) if touched else []
        if not reasons:
            return
        path = next((path for path in touched if path != PYPROJECT), touched[0])
        text = (self.tree.read(path) or b"").decode(errors="replace")
        found = [Found(1, f"the settings ask for less than before: {'; '.join(reasons)}", "take it back, or let a person decide")]
        yield from files.report_on(path, text, GATE_RELAXED, found, self.settings.ruleset)
