"""`--since`: what was changed, measured by what held before."""

import os
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator

from .. import files, history
from ..adr.baseline import Baseline, parse
from ..adr.change import ACCEPTED_CHANGED
from ..adr.check import FileReport, Since, Source, Terms, examine, finding_of, settle
from ..adr.corpus import CLOSED, REFUSED, Corpus
from ..adr.gate import GATE_RELAXED
from ..adr.measure import Base, relaxations
from ..adr.reference import key_in_path
from ..adr.rule import Found
from ..errors import ConfigError
from ..places import PYPROJECT, READ_FIRST, neighbours
from ..relaxed import relaxed
from ..settings import Settings, decode, load
from .past import Past
from .since import Since as Parted
from .since import base_settings

_TOP = 4_000
"""Bytes of an ADR in which its header stands."""


def measure(options: Namespace, since: Parted, tree: files.StagedTree, settings: Settings, elsewhere: bool = False) -> "Measured":
    """A change measured by what held before it; `elsewhere` says that the settings are not those of the tree itself."""
    return Measured(since, tree, settings, options.baseline or settings.baseline, options.template is None, elsewhere)


class Measured:
    """A change and its measure: the settings and the baseline at the base. `plain` are settings as the files have them."""

    def __init__(self, since: Parted, tree: files.StagedTree, settings: Settings, baseline: str, plain: bool, elsewhere: bool) -> None:
        self.tree, self.settings, self.broken = tree, settings, ""
        self.touched = [change.path for change in since.changes if change.path in READ_FIRST or change.old in READ_FIRST]
        try:
            self.base_settings = settings if plain and not self.touched else base_settings(since)
        except ConfigError as error:
            self.base_settings, self.broken = settings, str(error)
        self.own_settings = load(tree.read, files.packaged) if elsewhere and self.touched else settings
        names = {new: old for new, old in since.past.old_names.items() if self.base_settings.is_adr(old)}
        self.since = since._replace(past=since.past._replace(old_names=names))
        self.base_baseline = _baseline(since.base, baseline)
        self.unsettled = self._unsettled()
        self.gone = [*self._settings(), *self._counts(_baseline(tree, baseline)), *self._vanished()]

    @property
    def past(self) -> Past:
        return self.since.past

    @property
    def taken(self) -> dict[str, list[str]]:
        return self.since.taken

    def selection(self, given: list[str]) -> files.Selection:
        """The ADRs that were changed or whose concept was, before or now; of those, what lies at or below the given paths."""
        there = [change.path for change in self.since.changes if change.status != "D" and self._is_adr(change.path)]
        there = [path for path in there if not self._is_other_name(self.tree, path)]
        found = dict.fromkeys((*there, *self._with_changed_concept()))
        inside = (path for path in found if not given or any(path == other or path.startswith(f"{other}/") or other == "." for other in given))
        return files.Selection(tuple(path for path in inside if self.tree.has(path) or path in there))

    def _is_adr(self, path: str) -> bool:
        """Whether a path is called an ADR now or was before; a link that leads to no folder of ADRs is one that can't be read."""
        return self.settings.is_adr(path) or self.base_settings.is_adr(path) or files.is_adr(self.tree, self.settings, path)

    def _with_changed_concept(self) -> Iterator[str]:
        """The ADRs whose concept was changed, and those that name an ADR whose status was changed or which is no more."""
        texts = {path for change in self.since.changes for path in (change.path, change.old) if not self._is_adr(path)}
        unsettled = [path.encode(errors="surrogateescape") for path in self.unsettled]
        numbers = [key for path in self.unsettled if (key := key_in_path(path)).isdigit()]
        if not texts and not unsettled:
            return
        for path in self.tree.folder(""):
            if self._is_adr(path):
                data = self.tree.content(path)
                near = not texts.isdisjoint(neighbours([path])) or b"oncept" in data or b"onzept" in data
                if (near and self._concepts(path) & texts) or any(os.path.basename(name) in data for name in unsettled) or _naming(data, numbers):
                    yield path

    def _unsettled(self) -> list[str]:
        """The ADRs that were deleted, or whose status was changed."""
        gone = (change.path for change in self.since.gone if self.base_settings.is_adr(change.path))
        kept = (change for change in self.since.changes if change.status in "MR" and self._is_adr(change.path))
        moved = (change.path for change in kept if self._status(self.tree, change.path) != self._status(self.since.base, change.old))
        return [*gone, *moved]

    def _status(self, tree: files.StagedTree, path: str) -> str:
        return examine(Source(tree.document(path)), self.base_settings.ruleset).status if tree.has(path) else ""

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
        old = examine(Source(before.doc, before.concept), self.base_settings.ruleset, set) if before else None
        counted = self.base_baseline.counts.get(self.past.old_names.get(file.path, file.path), {})
        base = Base(self.base_settings.ruleset, counted, bool(self.touched))
        hidden = GATE_RELAXED.check(relaxations(source, file, ruleset, base, counts, corpus))
        last = source.doc.last_line
        found = tuple(finding_of(GATE_RELAXED, item, file.path, last, ruleset.severities) for item in hidden)
        lines = {**file.lines, **source.doc.texts({finding.line for finding in found})} if found else file.lines
        terms = Terms(old.status if old else "", old is None, self._since(source, old, file), counts)
        return settle(file._replace(findings=(*file.findings, *found), lines=lines), ruleset, corpus, terms)

    def _since(self, source: Source, old: FileReport | None, file: FileReport) -> Since | None:
        """None where everything counts: for a new ADR, and where the status was changed, but for one that is retired."""
        if old is None or source.bases[0].doc.defect or (old.status != file.status and file.status not in (*CLOSED, *REFUSED)):
            return None
        left = Counter(source.bases[0].doc.data.split(b"\n"))
        changed = set()
        for number, line in enumerate(source.doc.data.split(b"\n"), 1):
            if left[line] > 0:
                left[line] -= 1
            else:
                changed.add(number)
        renamed = file.path in self.past.old_names
        said = {(item.kind, item.key, item.path) for item in old.entry.references} if old.entry else set()
        named = file.entry.references if file.entry else ()
        unsettled = {name for path in self.unsettled for name in (path, key_in_path(path)) if name}
        more = not {(item.kind, item.key, item.path) for item in named} <= said or any({item.key, item.path} & unsettled for item in named)
        return Since(frozenset(changed), frozenset((finding.check, finding.message) for finding in old.findings), renamed, more)

    def _vanished(self) -> Iterator[FileReport]:
        """ADRs that were moved to where nobody looks for one, or replaced by a link, and decided ones that were deleted; and those that were
        decided on the other branch meanwhile.
        """
        for change in self.since.changes:
            yield from self._hidden(change)
            yield from self._decided_meanwhile(change)
        for change in self.since.changes:
            old = self.past.old_names.get(change.path)
            if old and self.base_settings.is_adr(old) and not self._is_adr(change.path) and not self.tree.there(old):
                text = self.tree.content(change.path).decode(errors="replace")
                message = f"the ADR {old} was moved to where nobody looks for one: {change.path} is outside of `paths`"
                found = Found(1, message, "move it back, or let a person decide")
                yield from files.report_on(change.path, text, GATE_RELAXED, [found], self.base_settings.ruleset)
        for change in self.since.gone:
            if self.base_settings.is_adr(change.path) and not self._is_other_name(self.since.base, change.path):
                yield from self._deleted(change)

    def _hidden(self, change: history.Changed) -> Iterator[FileReport]:
        """An ADR that the change puts behind a link, or ADRs behind a submodule."""
        ruleset = self.base_settings.ruleset
        turned = change.status == "T" and self._is_adr(change.path) and self.tree.is_link(change.path)
        if turned or self._became_another(change):
            message = "the ADR was replaced by a symbolic link, and who owns its folder is not asked about the file that it leads to"
            yield from files.report_on(change.path, "", GATE_RELAXED, [Found(1, message, "commit the ADR itself")], ruleset)
        if self.tree.is_submodule(change.path) and not self.since.base.is_submodule(change.path):
            lost = [path for path in self.since.base.folder(change.path) if self._is_adr(path)]
            if lost or self._is_adr(change.path) or any(files.holds_adrs(item, change.path) for item in (self.settings, self.base_settings)):
                message = "the change puts a submodule where ADRs are looked for, and nobody looks into it"
                help = "commit the ADRs themselves, or let a person decide"
                yield from files.report_on(change.path, "", GATE_RELAXED, [Found(1, message, help)], ruleset)

    def _became_another(self, change: history.Changed) -> bool:
        """Whether a change made of an ADR no more than another name of one."""
        if change.status == "D" or not self.base_settings.is_adr(change.path) or not self._is_other_name(self.tree, change.path):
            return False
        moved = self.past.old_names.get(self.tree.place(change.path).path) == change.path
        return not moved and self.since.base.there(change.path) and not self._is_other_name(self.since.base, change.path)

    def _is_other_name(self, tree: files.StagedTree, path: str) -> bool:
        """Whether an ADR is checked by another name."""
        if path not in tree.names():
            return False
        return not any(files.is_adr(tree, settings, path) for settings in (self.settings, self.base_settings))

    def _decided_meanwhile(self, change: history.Changed) -> list[FileReport]:
        """An ADR that this change edits as a proposal, and that has another status on the other branch by now."""
        if change.status not in "MR" or not self._is_adr(change.path) or not self.since.tip.has(change.old):
            return []
        was, now = self._status(self.since.base, change.old), self._status(self.since.tip, change.old)
        if was == now or self.since.tip.same(change.old, self.since.base, change.old):
            return []
        text = self.tree.content(change.path).decode(errors="replace")
        found = Found(1, f"this ADR is {now or 'without a known status'} on the other branch by now, and was {was or 'not'} where this one began",
                      "bring this branch up to date")  # fmt: skip
        return files.report_on(change.path, text, GATE_RELAXED, [found], self.base_settings.ruleset)

    def _deleted(self, change: history.Changed) -> list[FileReport]:
        doc = self.since.base.document(change.path)
        was = examine(Source(doc), self.base_settings.ruleset)
        found = list(ACCEPTED_CHANGED.deleted(was.status, was.status_raw))
        return files.report_on(change.path, doc.data.decode(), ACCEPTED_CHANGED, found, self.base_settings.ruleset)

    def _counts(self, baseline: Baseline) -> list[FileReport]:
        """Entries of the baseline that count more than they did: they would let in what comes later."""
        help = "mend what it hides, or let a person decide"
        more = [
            Found(baseline.line(path), f"the baseline counts {count} {rule} in {path}, and counted {self._counted(path, rule)} before", help)
            for path, rules in baseline.counts.items()
            for rule, count in rules.items()
            if count > self._counted(path, rule)
        ]
        return files.report_on(baseline.path, baseline.text, GATE_RELAXED, more, self.base_settings.ruleset) if more else []

    def _counted(self, path: str, rule: str) -> int:
        return self.base_baseline.counts.get(self.past.old_names.get(path, path), {}).get(rule, 0)

    def _settings(self) -> Iterator[FileReport]:
        """What the change made milder in the settings, reported on the settings file that was changed."""
        reasons = [f"the settings could not be read before: {self.broken}"] if self.broken else []
        reasons += relaxed(self.base_settings, self.own_settings, self.tree.folder("")) if self.touched else []
        if not reasons:
            return
        path = next((path for path in self.touched if path != PYPROJECT), self.touched[0])
        text = self.tree.content(path).decode(errors="replace")
        found = [Found(1, f"the settings ask for less than before: {'; '.join(reasons)}", "take it back, or let a person decide")]
        yield from files.report_on(path, text, GATE_RELAXED, found, self.base_settings.ruleset)


def _baseline(tree: files.StagedTree, path: str) -> Baseline:
    """A baseline as one version had it; empty where it had none."""
    data = tree.read(path) if path else None
    return Baseline(path, {}) if data is None else parse(decode(data, path), path)


def _naming(data: bytes, numbers: list[str]) -> bool:
    """Whether a text may depend on one of some numbers."""
    return any(re.search(rb"(?<!\d)0*%s(?!\d)" % number.encode(), data[:_TOP]) for number in numbers)
