"""Answers to the requests of an editor about one ADR, as values."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..adr.corpus import Corpus
from ..adr.model import Adr
from ..editor.actions import combined, missing_sections, suppression
from ..editor.completion import Proposal, proposals
from ..editor.diagnostics import range_of
from ..editor.hover import hover_text
from ..editor.mentions import AdrMention, mention_at
from ..editor.positions import BufferText, TextPosition, TextRange, buffer_text
from ..errors import HelixError
from ..finding import Finding
from ..fixes.around import Around
from ..fixes.edit import Edit, Fix, applied
from ..fixes.effects import why_not
from ..fixes.registry import fixes_of
from ..paths import is_markdown
from ..report.adr_table import DatedEntry
from .project import Project

_MOST = 50
"""Maximum number of findings with quick fixes in one answer, because each fix is checked."""


class HoverAnswer(NamedTuple):
    """A Markdown text over a mention of an ADR."""

    range: TextRange
    markdown: str


class DefinitionAnswer(NamedTuple):
    """A mentioned ADR, and the position at which its text begins."""

    path: str
    position: TextPosition
    text: BufferText


class ActionAnswer(NamedTuple):
    """A fix and the finding that it repairs; None for the fix of all findings.

    A fix is `preferred` if it repairs the finding. A suppression is not preferred.
    """

    fix: Fix
    finding: Finding | None
    preferred: bool


def diagnostics(project: Project, paths: list[str]) -> dict[str, list[Finding]]:
    """Return the findings in open files by path; none for a file that is not an ADR.

    If a file could not be checked, its only finding says so.
    """
    try:
        return _diagnostics(project, paths)
    except HelixError as error:
        return {path: [_note(path, f"not checked: {error}")] for path in paths if is_markdown(path)}


def _diagnostics(project: Project, paths: list[str]) -> dict[str, list[Finding]]:
    by_path: dict[str, list[Finding]] = {path: [] for path in paths}
    if not project.clone.settings:
        by_path.update(_not_checked(project, paths))
    adrs = [path for path in paths if project.is_adr(path)]
    for report in project.reports(adrs):
        by_path[report.path] = [*report.findings]
    broken = project.broken
    if broken and broken.path:
        by_path[broken.path] = [
            Finding("error", "", "config", broken.about, broken.path, broken.line)
        ]
    return by_path


def _not_checked(project: Project, paths: list[str]) -> dict[str, list[Finding]]:
    """Return a finding for each Markdown file: without settings, any of them may be an ADR."""
    reason = "not checked"
    if project.broken:
        reason = f"{reason}: {project.broken}"
    return {path: [_note(path, reason)] for path in paths if is_markdown(path)}


def _buffer(project: Project, path: str) -> BufferText:
    """Return the text of a file; an empty one if it can't be read."""
    return buffer_text(project.text(path) or "")


def _note(path: str, reason: str) -> Finding:
    """Return a finding of no rule, at the start of a file: why it was not checked."""
    return Finding("error", "", "config", reason, path, end_column=1)


def hover(project: Project, path: str, position: TextPosition) -> HoverAnswer | None:
    """Return the hover text of the ADR under the cursor; None without a mention."""
    mention, corpus = _mentioned(project, path, position)
    adr = _target(project, mention, corpus, path)
    if not mention or not adr:
        return None
    successors: list[DatedEntry | None] = []
    for reference in adr.entry.of("superseded_by"):
        matches = corpus.find(reference, adr.entry.path)[:1]
        successors += [project.dated(match.path) for match in matches]
    return HoverAnswer(mention.range, hover_text(adr, filter(None, successors)))


def definition(project: Project, path: str, position: TextPosition) -> DefinitionAnswer | None:
    """Return the title of the ADR under the cursor; None without a mention."""
    mention, corpus = _mentioned(project, path, position)
    adr = _target(project, mention, corpus, path)
    if not adr:
        return None
    entry = adr.entry
    title = TextPosition(entry.title_line - 1, 0)
    return DefinitionAnswer(entry.path, title, _buffer(project, entry.path))


def completion(project: Project, path: str, position: TextPosition) -> list[Proposal]:
    """Return the proposals at a position of an ADR."""
    adr = _adr(project, path)
    if not adr:
        return []
    return proposals(adr, _buffer(project, path), position, project.all_adrs())


def actions(project: Project, path: str, place: TextRange) -> list[ActionAnswer]:
    """Return the quick fixes for the first findings on the lines of a range, each once.

    The last one applies all safe repairs of the file.
    """
    adr = _adr(project, path)
    if not adr:
        return []
    text = _buffer(project, path)
    findings = [finding for report in project.reports([path]) for finding in report.findings]
    fixes = _fixes(project, path, findings)
    near = (item for item in findings if range_of(item, text).shares_line(place))
    answers: dict[Fix, ActionAnswer] = {}
    for finding in islice(near, _MOST):
        repairs = _repairs(project, path, finding, fixes)
        for answer in _answers(adr, finding, repairs, text):
            answers.setdefault(answer.fix, answer)
    return [*answers.values(), *_fix_all(project, path, fixes)]


def _repairs(project: Project, path: str, finding: Finding, fixes: list[Fix]) -> list[Fix]:
    """Return the safe fixes of a finding."""
    of_finding = (fix for fix in fixes if (fix.check, fix.line) == (finding.check, finding.line))
    return [fix for fix in of_finding if _is_safe(project, path, [fix])]


def _answers(
    adr: Adr, finding: Finding, repairs: list[Fix], text: BufferText
) -> Iterator[ActionAnswer]:
    """Yield the quick fixes for one finding, the best first."""
    for fix in repairs:
        yield ActionAnswer(fix, finding, preferred=True)
    for fix in missing_sections(adr, finding, text):
        yield ActionAnswer(fix, finding, preferred=not repairs)
    comment = suppression(adr, finding, text)
    if comment:
        yield ActionAnswer(comment, finding, preferred=False)


def _fix_all(project: Project, path: str, fixes: list[Fix]) -> Iterator[ActionAnswer]:
    """Yield the fix that applies all repairs, if they are safe together."""
    together = combined(fixes)
    if together and _is_safe(project, path, together):
        edits = tuple(edit for fix in together for edit in fix.edits)
        title = "Apply all safe fixes"
        whole = Fix(check="", path=path, line=1, title=title, edits=edits)
        yield ActionAnswer(whole, None, preferred=False)


def _fixes(project: Project, path: str, findings: list[Finding]) -> list[Fix]:
    """Return the repairs of findings, by their rules."""
    settings, own = project.clone.settings, project.dated(path)
    if not settings or not own:
        return []
    corpus = project.corpus([own.entry])
    around = Around(ruleset=settings.ruleset, text=project.text, adr=project.adr, corpus=corpus)
    return fixes_of(findings, around)


def _is_safe(project: Project, path: str, fixes: list[Fix]) -> bool:
    """Return whether fixes add no finding and hide none, by checking the files with them."""
    if any(fix.renames for fix in fixes):
        return False
    edits: dict[str, list[Edit]] = {path: []}
    for edit in [edit for fix in fixes for edit in fix.edits]:
        edits.setdefault(edit.path, []).append(edit)
    texts: dict[str, str] = {}
    for name, edits_of_file in edits.items():
        text = project.text(name)
        if text is None:
            return False
        texts[name] = applied(text, edits_of_file)
    after = project.edited(texts)
    try:
        before, now = (CheckReport(tuple(one.reports(texts))) for one in (project, after))
    finally:
        after.forget()
    return not why_not(before, now, fixes, {})


def _adr(project: Project, path: str) -> Adr | None:
    if not project.is_adr(path):
        return None
    return project.adr(path)


def _mentioned(
    project: Project, path: str, position: TextPosition
) -> tuple[AdrMention | None, Corpus]:
    """Return the mention under the cursor, and the ADRs around the file."""
    adr = _adr(project, path)
    if not adr:
        return None, project.corpus([])
    own = project.dated(path)
    corpus = project.corpus([own.entry] if own else [])
    return mention_at(adr, _buffer(project, path), position), corpus


def _target(
    project: Project, mention: AdrMention | None, corpus: Corpus, path: str
) -> DatedEntry | None:
    """Return the mentioned ADR; None if the corpus has no such ADR."""
    if not mention:
        return None
    for match in corpus.find(mention.reference, path):
        return project.dated(match.path)
    return None
