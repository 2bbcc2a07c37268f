"""Signs in a change that somebody tries to steer the judge."""

from collections.abc import Iterable

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..paths import MAX_BYTES
from ..verdict.injection.readings import decoded
from ..verdict.injection.signs import Text, indicators
from .assignment import Assignment
from .change import Change


def of_change(
    change: Change,
    assignment: Assignment,
    report: CheckReport,
) -> tuple[Finding, ...]:
    """Return the signs in all files that the change touches.

    Without a base nobody knows which those are; then the files under review count. `report` names
    the concepts of the ADRs, which a judge reads too.
    """
    reviewed, withheld = assignment.reviewed, assignment.withheld
    concepts = [file.concept.path for file in report.files if file.concept]
    touched = change.changed if change.merge_base else ()
    texts: Iterable[Text] = ()
    if reviewed or withheld:
        judged = {*reviewed, *concepts}
        paths = dict.fromkeys((*reviewed, *withheld, *concepts, *touched))
        there = (path for path in paths if change.tree.there(path))
        texts = (_text(change, path, path in judged) for path in there)
    measures = [path for path in change.touched if not _is_result(path, change.approvals)]
    return indicators(texts, measures, bool(reviewed), withheld, change.ours)


def _is_result(path: str, folder: str) -> bool:
    """Return whether a path is that of a result among the rubrics, by which nothing is measured."""
    steps = path.removeprefix(f"{folder}/").split("/")
    return path.startswith(f"{folder}/") and steps[1:] == ["output", "approval-result.json"]


def _text(change: Change, path: str, is_judged: bool) -> Text:
    """Return the first megabyte of a file as a judge could read it, with the target of a link."""
    data = change.tree.content(path)
    text = decoded(data)
    target = ""
    if change.tree.is_link(path):
        target = (change.index.read(path) or b"").decode(errors="replace")
    reason = _unsearchable(data, text) if is_judged else ""
    return Text(path, f"{text}\n{target}" if target else text, reason)


def _unsearchable(data: bytes, text: str) -> str:
    if len(data) > MAX_BYTES:
        return "it is larger than 1 MB, so only its beginning was searched"
    if b"\0" in data and "\0" in text:
        return "it is no text that can be searched"
    return ""
