"""Answers to the requests of an editor on one ADR, as values."""

from itertools import islice

from ..adr.check_report import CheckReport
from ..adr.corpus import Corpus
from ..adr.model import Adr
from ..editor.actions import combined, missing_sections, suppression
from ..editor.completion import Proposal, proposals
from ..editor.diagnostics import EditorDiagnostic, diagnostics_of, note_at, range_of
from ..editor.hover import hover_text
from ..editor.mentions import AdrMention, mention_at
from ..editor.positions import BufferText, TextPosition, TextRange, buffer_text
from ..errors import HelixError
from ..finding import Finding
from ..fixes.around import Around
from ..fixes.edit import Fix, applied
from ..fixes.registry import fixes_of
from ..fixes.verdicts import why_not
from ..records import NamedTuple
from ..report.adr_table import DatedEntry
from .project import Project

_MOST = 50
"""Findings with quick fixes in one answer; each fix is checked, and nobody reads a longer menu."""


class HoverAnswer(NamedTuple):
    """A Markdown text over a mention of an ADR."""

    range: TextRange
    markdown: str


class DefinitionAnswer(NamedTuple):
    """An ADR that is mentioned, and the place where its text begins."""

    path: str
    position: TextPosition
    text: BufferText


class ActionAnswer(NamedTuple):
    """Fixes, each with the finding that it repairs (None for all of them at once).

    A fix is `preferred` if it repairs the finding, and does not hide it.
    """

    fix: Fix
    finding: Finding | None
    preferred: bool


def diagnostics(project: Project, paths: list[str]) -> dict[str, list[EditorDiagnostic]]:
    """Return the diagnostics of open files by path; a file that is no ADR has none.

    A file that could not be checked has one that says so.
    """
    found: dict[str, list[EditorDiagnostic]] = {path: [] for path in paths}
    try:
        broken = project.broken
        if not project.clone.settings:
            reason = f"not checked: {broken}" if broken else "not checked"
            found.update({path: _note(reason) for path in paths if path.endswith(".md")})
        adrs = [path for path in paths if project.is_adr(path)]
        for report in project.reports(adrs):
            text = buffer_text(project.text(report.path) or "")
            found[report.path] = diagnostics_of(report.findings, text)
    except HelixError as error:
        return {path: _note(f"not checked: {error}") for path in paths if path.endswith(".md")}
    if broken and broken.path:
        text = buffer_text(project.text(broken.path) or "")
        found[broken.path] = [note_at(broken.line, "error", broken.about, text)]
    return found


def _note(reason: str) -> list[EditorDiagnostic]:
    return [note_at(1, "error", reason, buffer_text(""))]


def hover(project: Project, path: str, position: TextPosition) -> HoverAnswer | None:
    """Return the hover text on the ADR under the cursor."""
    mention, corpus = _mentioned(project, path, position)
    found = _found(project, mention, corpus, path)
    if not mention or not found:
        return None
    others = (
        other
        for reference in found.entry.of("superseded_by")
        for other in corpus.find(reference, found.entry.path)[:1]
    )
    successors = [dated for other in others if (dated := project.dated(other.path))]
    return HoverAnswer(mention.range, hover_text(found, successors))


def definition(project: Project, path: str, position: TextPosition) -> DefinitionAnswer | None:
    """Return the place of the ADR under the cursor."""
    mention, corpus = _mentioned(project, path, position)
    found = _found(project, mention, corpus, path)
    if not found:
        return None
    text = buffer_text(project.text(found.entry.path) or "")
    return DefinitionAnswer(found.entry.path, TextPosition(found.entry.title_line - 1, 0), text)


def completion(project: Project, path: str, position: TextPosition) -> list[Proposal]:
    """Return the proposals at a position of an ADR."""
    adr = _adr(project, path)
    if not adr:
        return []
    return proposals(adr, buffer_text(project.text(path) or ""), position, project.all_adrs())


def actions(project: Project, path: str, place: TextRange) -> list[ActionAnswer]:
    """Return the quick fixes for the first findings on the lines of a range, each once.

    The last one applies all repairs.
    """
    adr = _adr(project, path)
    if not adr:
        return []
    text = buffer_text(project.text(path) or "")
    findings = [finding for report in project.reports([path]) for finding in report.findings]
    fixes = _fixes(project, path, findings)
    answers: list[ActionAnswer] = []
    near = (item for item in findings if range_of(item, text).shares_line(place))
    for finding in islice(near, _MOST):
        same = [fix for fix in fixes if (fix.check, fix.line) == (finding.check, finding.line)]
        mine = [fix for fix in same if _is_safe(project, path, [fix])]
        answers += [ActionAnswer(fix, finding, preferred=True) for fix in mine]
        sections = missing_sections(adr, finding, text)
        answers += [ActionAnswer(fix, finding, preferred=not mine) for fix in sections]
        comment = suppression(adr, finding, text)
        answers += [ActionAnswer(comment, finding, preferred=False)] if comment else []
    answers = list({answer.fix: answer for answer in reversed(answers)}.values())[::-1]
    together = combined(fixes)
    if together and _is_safe(project, path, together):
        edits = tuple(edit for fix in together for edit in fix.edits)
        title = "Fix all that helix-hooks can fix safely"
        whole = Fix(check="", path=path, line=1, title=title, edits=edits)
        answers.append(ActionAnswer(whole, None, preferred=False))
    return answers


def _fixes(project: Project, path: str, findings: list[Finding]) -> list[Fix]:
    """Return the repairs of findings, by their rules."""
    settings, own = project.clone.settings, project.dated(path)
    if not settings or not own:
        return []
    corpus = project.corpus([own.entry])
    around = Around(ruleset=settings.ruleset, text=project.text, adr=project.adr, corpus=corpus)
    return fixes_of(findings, around)


def _is_safe(project: Project, path: str, fixes: list[Fix]) -> bool:
    """Return whether a check finds nothing worse after some fixes, and hides nothing."""
    edits = [edit for fix in fixes for edit in fix.edits]
    paths = list(dict.fromkeys((path, *(edit.path for edit in edits))))
    texts = {name: text for name in paths if (text := project.text(name)) is not None}
    if len(texts) < len(paths) or any(fix.renames for fix in fixes):
        return False
    after = project.edited(
        {
            name: applied(text, [edit for edit in edits if edit.path == name])
            for name, text in texts.items()
        }
    )
    try:
        before, now = (CheckReport(tuple(one.reports(paths))) for one in (project, after))
    finally:
        after.forget()
    return not why_not(before, now, fixes, {})


def _adr(project: Project, path: str) -> Adr | None:
    return project.adr(path) if project.is_adr(path) else None


def _mentioned(
    project: Project, path: str, position: TextPosition
) -> tuple[AdrMention | None, Corpus]:
    """Return the mention under the cursor, and the ADRs around the file."""
    adr = _adr(project, path)
    own = project.dated(path) if adr else None
    corpus = project.corpus([own.entry] if own else [])
    if not adr:
        return None, corpus
    return mention_at(adr, buffer_text(project.text(path) or ""), position), corpus


def _found(
    project: Project, mention: AdrMention | None, corpus: Corpus, path: str
) -> DatedEntry | None:
    if not mention:
        return None
    found = corpus.find(mention.reference, path)[:1]
    return project.dated(found[0].path) if found else None
