"""`--since`: what was changed, measured by what held before."""

import os
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator

from ..adr.baseline import Baseline, parse
from ..adr.check_report import FileReport
from ..adr.corpus import CLOSED, REFUSED, Corpus
from ..adr.examine import Source, examine
from ..adr.finish import FileChange, Terms, finish
from ..adr.model import Found
from ..adr.parse import header
from ..adr.planted import idle, planted
from ..adr.reference import key_in_path
from ..adr.relaxation import Base, change_of, relaxations
from ..adr.rules.change.accepted_changed import ACCEPTED_CHANGED
from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..adr.rules.gate.unwatched_adr import UNWATCHED_ADR
from ..adr.severity import finding_of, is_old
from ..config.relaxed_rules import relaxed
from ..config.settings import Settings, decode
from ..config.watched import View, Watch, looks_like_adr, named, watch
from ..errors import ConfigError
from ..paths import PYPROJECT, READ_FIRST, neighbours
from ..repository import files, history, views
from .base import Past
from .since import Since as Parted
from .since import base_settings, readable_settings

_MARK = b"helix-d"
"""What suppressing and dropping comments begin with."""

_FEW = 8
"""Changes up to which it costs less to ask git for single paths of the base than for all."""

_TOP = 4_000
"""Bytes of an ADR in which its header stands."""


def measure(options: Namespace, since: Parted, tree: files.StagedTree, settings: Settings, elsewhere: bool = False) -> "Measured":
    """A change measured by what held before it; `elsewhere` says that the settings are not those of the tree itself."""
    return Measured(since, tree, settings, options.baseline or "", options.template is None, elsewhere)


class Measured:
    """A change and its measure: the settings and the baseline at the base. `given` is a baseline that the settings do not name; `plain` are
    settings as the files have them.
    """

    def __init__(self, since: Parted, tree: files.StagedTree, settings: Settings, given: str, plain: bool, elsewhere: bool) -> None:
        self.tree, self.settings, self.broken, self.elsewhere = tree, settings, "", elsewhere
        if len(since.changes) > _FEW:
            since.base.remember()
        self.touched = [change.path for change in since.changes if change.path in READ_FIRST or change.old in READ_FIRST]
        try:
            self.base_settings = settings if plain and not self.touched else base_settings(since)
        except ConfigError as error:
            self.base_settings, self.broken = settings, str(error)
        self.own_settings = self._own_settings()
        renamed = since.past.old_names.items()
        names = {new: old for new, old in renamed if self.base_settings.is_adr(old) and not self._is_second(new)}
        self.since = since._replace(past=since.past._replace(old_names=names, settings=self.base_settings))
        self._new_names = {old: new for new, old in names.items()}
        self.base_baseline = _readable_baseline(since.base, given or self.base_settings.baseline)
        self.unsettled = self._unsettled()
        now = _readable_baseline if elsewhere else _baseline
        self.gone = [*self._settings(), *self._counts(now(tree, given or settings.baseline)), *self._vanished()]
        self.watch = self._watched()
        self.gone += [*self._unwatched(), *self._last()]

    @property
    def past(self) -> Past:
        return self.since.past

    @property
    def taken(self) -> dict[str, list[str]]:
        return self.since.taken

    def _own_settings(self) -> Settings:
        """The settings of the change. Of broken ones `soundness` tells, where those of the base count anyway."""
        own = readable_settings(self.tree) if self.elsewhere and self.touched else None
        return own or self.settings

    def _watched(self) -> Watch:
        """Return what is watched after the change. Raises ConfigError where that is nothing, unless the settings of the base count."""
        now, before = self._views()
        try:
            return watch(now, before)
        except ConfigError:
            if not self.elsewhere:
                raise
            return Watch(tuple(before.adrs))

    def _views(self) -> tuple[View, View]:
        """What may be watched after the change, and before it.

        Settings from elsewhere are those of the branch that the change goes to. They are compared
        with the files that a merge leaves there, unless the change itself names other files.
        """
        before = views.of_commit(self.base_settings, self.since.base)
        own, base = self.own_settings, self.base_settings
        if self.elsewhere and (own.paths, own.exclude) == (base.paths, base.exclude):
            return View(self.settings, self._merged()), before
        return views.of_commit(self.own_settings, self.tree), before

    def _merged(self) -> dict[str, None]:
        gone = {change.old for change in self.since.changes if change.status in "DR"}
        there = [change.path for change in self.since.changes if change.status != "D"]
        return dict.fromkeys((*(path for path in self.since.tip.folder("") if path not in gone), *there))

    def selection(self, given: list[str]) -> files.Selection:
        """The ADRs that were changed or whose concept was, before or now; of those, what lies at or below the given paths."""
        there = [change.path for change in self.since.changes if change.status != "D" and self._is_adr(change.path)]
        concerned = dict.fromkeys((*there, *self._with_changed_concept(), *self._become_adrs()))
        found = [path for path in concerned if not self._is_other_name(self.tree, path)]
        inside = (path for path in found if not given or any(path == other or path.startswith(f"{other}/") or other == "." for other in given))
        return files.Selection(tuple(path for path in inside if self.tree.has(path) or path in there))

    def _is_adr(self, path: str) -> bool:
        """Whether a path is called an ADR now or was before; a link that leads to no folder of ADRs is one that can't be read."""
        return self.settings.is_adr(path) or self.base_settings.is_adr(path) or files.is_adr(self.tree, self.settings, path)

    def _with_changed_concept(self) -> Iterator[str]:
        """The ADRs whose concept was changed, or is no longer theirs alone, and those that name an ADR whose status was changed or which is no
        more.
        """
        texts = {path for change in self.since.changes for path in (change.path, change.old)}
        moved = (path for change in self.since.changes if change.status != "M" for path in (change.path, change.old) if self._is_adr(path))
        texts |= {neighbours([path])[2] for path in moved}
        unsettled = [path.encode(errors="surrogateescape") for path in self.unsettled]
        numbers = [key for path in self.unsettled if (key := key_in_path(path)).isdigit()]
        for path in self.tree.folder(""):
            if self._is_adr(path):
                data = self.tree.content(path)
                near = not texts.isdisjoint(neighbours([path])) or b"oncept" in data or b"onzept" in data or self.touched or self._by_link(path)
                if (
                    (near and self._has_another_concept(path, texts))
                    or any(os.path.basename(name) in data for name in unsettled)
                    or _naming(data, numbers)
                ):
                    yield path

    def _unsettled(self) -> list[str]:
        """The ADRs that were deleted, or whose status was changed."""
        gone = (change.path for change in self.since.gone if self.base_settings.is_adr(change.path))
        kept = (change for change in self.since.changes if change.status in "MR" and self._is_adr(change.path))
        moved = (change.path for change in kept if self._status(self.tree, change.path) != self._status(self.since.base, change.old))
        return [*gone, *moved]

    def _status(self, tree: files.StagedTree, path: str) -> str:
        ruleset = self.base_settings.ruleset
        stated = header.read(tree.document(path), ruleset.meanings).text("status") if tree.has(path) else ""
        return ruleset.statuses.read(stated) or "" if stated else ""

    def _become_adrs(self) -> Iterator[str]:
        """Files that the change's settings make ADRs, of those that have comments which then hide something."""
        for path in self.tree.folder("") if self.touched else ():
            if self.own_settings.is_adr(path) and not self.base_settings.is_adr(path) and _MARK in self.tree.content(path).lower():
                yield path

    def _by_link(self, path: str) -> bool:
        """Whether a concept of an ADR may be a link."""
        return any(map(self.tree.is_link, neighbours([path])[1:]))

    def _has_another_concept(self, path: str, changed: set[str]) -> bool:
        """Whether an ADR's concept, now or before, is among some changed files, or another one than before."""
        now, before = self._concept(self.tree, self.own_settings, path), self._concept(self.since.base, self.base_settings, path)
        return not changed.isdisjoint(now | before) or (now != before and self.since.base.has(path))

    def _concept(self, tree: files.StagedTree, settings: Settings, path: str) -> set[str]:
        """The path of an ADR's concept, and where it leads to when it is a link."""
        concept = files.concept_of(tree, tree.document(path), settings) if tree.has(path) else None
        return {concept.path, *tree.place(concept.path).passed} if concept else set()

    def settled(
        self,
        raw: list[FileReport],
        read: Callable[[str], Source],
        corpus: Corpus,
        baseline: Baseline | None,
        among: Callable[[list[FileReport]], Corpus],
    ) -> list[FileReport]:
        """The reports, with what the change hides, and with findings on unchanged lines made informative. `among` gives the corpus of some
        ADRs as they were before.
        """
        sources = [read(file.path) for file in raw]
        before = [self._before(source) for source in sources]
        hiding = [old for file, old in zip(raw, before, strict=True) if old and self._may_hide(file.path, old)]
        then = among(hiding) if hiding else None
        files = zip(raw, sources, before, strict=True)
        return [self._one(file, source, old, then, corpus, baseline.counts.get(file.path, {}) if baseline else {}) for file, source, old in files]

    def _before(self, source: Source) -> FileReport | None:
        """What the base's rules found in an ADR as it was."""
        if not source.bases:
            return None
        before = source.bases[0]
        return examine(Source(before.doc, before.concept), self.base_settings.ruleset, self.since.base.present)

    def _may_hide(self, path: str, old: FileReport) -> bool:
        """Whether something hid findings in an ADR as it was, for which its neighbours of then have to be known."""
        entry = old.entry
        return bool(old.comments or self._counts_of(path) or (entry and is_old(entry.key, self.base_settings.ruleset.strict_from)))

    def _counts_of(self, path: str) -> dict[str, int]:
        """What the base's baseline counted in an ADR."""
        return self.base_baseline.counts.get(self.past.old_names.get(path, path), {})

    def _one(
        self, file: FileReport, source: Source, old: FileReport | None, then: Corpus | None, corpus: Corpus, counts: dict[str, int]
    ) -> FileReport:
        ruleset = self.settings.ruleset
        looked_at = old if old and not source.bases[0].doc.defect and self.base_settings.is_adr(old.path) else None
        base = Base(self.base_settings.ruleset, self._counts_of(file.path), bool(self.touched), looked_at, then, self._new_names)
        change = change_of(source, file, ruleset, base, counts, corpus)
        hiding = relaxations(change)
        unused = idle(change)
        concept = files.concept_of(self.tree, source.doc, self.own_settings) if self.touched else source.concept
        hidden = [*GATE_RELAXED.check(hiding), *(item for _, _, item in unused), *planted(change, hiding, concept)]
        last = source.doc.last_line
        found = tuple(finding_of(GATE_RELAXED, item, file.path, last, ruleset.severities) for item in hidden)
        lines = {**file.lines, **source.doc.texts({finding.line for finding in found})} if found else file.lines
        told = frozenset((line, rule) for line, rule, _ in unused)
        terms = Terms(old.status if old else "", not base.old, self._since(source, old, file), counts, told)
        return finish(file._replace(findings=(*file.findings, *found), lines=lines), ruleset, corpus, terms)

    def _since(self, source: Source, old: FileReport | None, file: FileReport) -> FileChange | None:
        """None where everything counts: for a new ADR, and where the status was changed, but for one that is retired."""
        if old is None or source.bases[0].doc.defect or (old.status != file.status and file.status not in (*CLOSED, *REFUSED)):
            return None
        known = Counter((finding.check, finding.message) for finding in old.findings)
        more = Counter((finding.check, finding.message) for finding in file.findings) - known
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
        refers = not {(item.kind, item.key, item.path) for item in named} <= said or any({item.key, item.path} & unsettled for item in named)
        return FileChange(frozenset(changed), frozenset(known.keys() - more.keys()), renamed, refers)

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
            was_adr = self.base_settings.is_adr(change.path) and not self._is_other_name(self.since.base, change.path)
            if was_adr and not self._keeps_a_name(change.path):
                yield from self._deleted(change) or self._left_behind(change)

    def _keeps_a_name(self, path: str) -> bool:
        """Whether an ADR that lost a name is checked by another one, which it had before as well."""
        base = self.since.base
        end = base.place(path).path
        names = (name for name in self.tree.names() if base.there(name) and base.place(name).path == end != path)
        return any(self._is_adr(name) and not self._is_other_name(self.tree, name) for name in names)

    def _left_behind(self, change: history.Changed) -> list[FileReport]:
        """An ADR that lost the link which made it one, while its file stays."""
        end = self.since.base.place(change.path).path
        seen = (self.tree.place(name).path for name in self.tree.names() if self._is_adr(name))
        if end == change.path or not self.tree.has(end) or self._is_adr(end) or end in seen:
            return []
        message = f"the ADR {change.path} lost its link: {end} is outside of `paths`"
        found = [Found(1, message, "restore the link, or let a person decide")]
        text = self.tree.content(end).decode(errors="replace")
        return files.report_on(end, text, GATE_RELAXED, found, self.base_settings.ruleset)

    def _unwatched(self) -> Iterator[FileReport]:
        """Changed files that look like ADRs, and that neither the settings nor those of the base watch."""
        told = {file.path for file in self.gone}
        for change in self.since.changes:
            path = change.path
            if change.status == "D" or path in told or self._is_adr(path) or not looks_like_adr(self.settings, path):
                continue
            text = self.tree.content(path).decode(errors="replace")
            found = UNWATCHED_ADR.check(path, self.settings.paths)
            yield from files.report_on(path, text, UNWATCHED_ADR, found, self.base_settings.ruleset)

    def _last(self) -> Iterator[FileReport]:
        """The last ADRs, where the change took them away and not each of them is reported already."""
        lost = self.watch.lost
        told = {self.past.old_names.get(file.path, file.path) for file in self.gone}
        if told.issuperset(lost):
            return
        doc = self.since.base.document(lost[0])
        message = f"no ADR is left in this repository; this change takes away {named(lost)}"
        found = Found(1, message, "keep one, or let a person decide")
        yield from files.report_on(lost[0], doc.data.decode(errors="replace"), GATE_RELAXED, [found], self.base_settings.ruleset)

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

    def _is_second(self, path: str) -> bool:
        """Whether a path is called an ADR, and only leads to one that is checked by another name."""
        return self._is_adr(path) and self._is_other_name(self.tree, path)

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
        help = "fix what it hides, or let a person decide"
        more = [
            Found(baseline.line(path), f"the baseline counts {count} {rule} in {path}, and counted {self._counted(path, rule)} before", help)
            for path, rules in baseline.counts.items()
            for rule, count in rules.items()
            if count > self._counted(path, rule)
        ]
        return files.report_on(baseline.path, baseline.text, GATE_RELAXED, more, self.base_settings.ruleset) if more else []

    def _counted(self, path: str, rule: str) -> int:
        return self._counts_of(path).get(rule, 0)

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


def _readable_baseline(tree: files.StagedTree, path: str) -> Baseline:
    """A baseline; one that can't be read hides nothing, so that a change can repair it."""
    try:
        return _baseline(tree, path)
    except ConfigError:
        return Baseline(path, {})


def _naming(data: bytes, numbers: list[str]) -> bool:
    """Whether a text may depend on one of some numbers."""
    return any(re.search(rb"(?<!\d)0*%s(?!\d)" % number.encode(), data[:_TOP]) for number in numbers)
