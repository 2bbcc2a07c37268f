"""Signs of prompt injection in a change."""

from collections.abc import Iterable

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..paths import MAX_BYTES
from ..verdict.injection.signs import Text, decoded, indicators
from .assignment import Assignment
from .change import Change


def of_change(
    change: Change,
    assignment: Assignment,
    report: CheckReport,
) -> tuple[Finding, ...]:
    """Return the signs in all files that the change touches.

    Without a base these are the files under review. `report` has the concepts of the ADRs, which a
    judge reads too.
    """
    reviewed, withheld = assignment.reviewed, assignment.withheld
    texts: Iterable[Text] = ()
    if reviewed or withheld:
        concepts = [file.concept.path for file in report.files if file.concept]
        judged = {*reviewed, *concepts}
        touched = change.changed if change.merge_base else ()
        paths = dict.fromkeys((*reviewed, *withheld, *concepts, *touched))
        existing = filter(change.tree.there, paths)
        # A generator: only one text at a time is in memory.
        texts = (_text(change, path, path in judged) for path in existing)
    measures = [path for path in change.touched if not _is_result(path, change.approvals)]
    return indicators(texts, measures, bool(reviewed), withheld, change.ours)


def _is_result(path: str, folder: str) -> bool:
    """Return whether a path is a result in the folder of rubrics, which no review uses."""
    steps = path.removeprefix(f"{folder}/").split("/")
    return path.startswith(f"{folder}/") and steps[1:] == ["output", "approval-result.json"]


def _text(change: Change, path: str, is_judged: bool) -> Text:
    """Return the first megabyte of a file as a judge could read it, with the target of a link."""
    data = change.tree.content(path)
    text = decoded(data)
    reason = _unsearchable(data, text) if is_judged else ""
    if change.tree.is_link(path):
        target = (change.tree.stored(path) or b"").decode(errors="replace")
        text = f"{text}\n{target}"
    return Text(path, text, reason)


def _unsearchable(data: bytes, text: str) -> str:
    if len(data) > MAX_BYTES:
        return "it is larger than 1 MB, so only its beginning was searched"
    if b"\0" in data and "\0" in text:
        return "it is no text that can be searched"
    return ""
