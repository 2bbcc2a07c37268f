"""Many files under review in several runs of a judge, and one verdict from their answers. Pure."""

from collections.abc import Iterable
from typing import Any

from .approval_result import APPROVED, NEEDS_REVISION, REJECTED
from .suggestion import Suggestion
from .verdict import Answer

MOST_FILES, MOST_CHARACTERS = 25, 300_000
"""The largest part of one run.

The number of files is limited by the turns of a run, and the characters by the context of a model,
which must still have the first file at the end.
"""

_RESULTS = (REJECTED, NEEDS_REVISION, APPROVED)
_CHECKS = ("failed", "passed", "not_applicable")
"""Results from worst to best. A brief applies if it applies to one part."""

MOST_SUMMARY, MOST_QUESTION = 2000, 500
"""Maximum characters of the summary of an answer, and of the question to a person."""


def parts(sizes: Iterable[tuple[str, int]]) -> list[list[str]]:
    """Return paths in groups for one run each, in their order.

    A file that is larger than a part has a group of its own.
    """
    groups: list[list[str]] = []
    room = 0
    for path, size in sizes:
        if not groups or len(groups[-1]) == MOST_FILES or size > room:
            groups.append([])
            room = MOST_CHARACTERS
        groups[-1].append(path)
        room -= size
    return groups


def united(answers: list[Answer]) -> Answer:
    """Return the answer to all parts: the worst result, the lowest confidence, every finding."""
    first, *others = answers
    if not others:
        return first
    findings = list(first.findings)
    recommendations: dict[str, None] = {}
    earlier: dict[str, str] = {}
    questions: dict[str, None] = {}
    for answer in others:
        findings += answer.findings
    for answer in answers:
        recommendations |= dict.fromkeys(answer.recommendations)
        earlier |= answer.earlier
        questions[answer.needs_person] = None
    return Answer(
        result=min((answer.result for answer in answers), key=_RESULTS.index),
        confidence=min(answer.confidence for answer in answers),
        summary=" ".join(dict.fromkeys(answer.summary for answer in answers))[:MOST_SUMMARY],
        findings=tuple(findings),
        checks={name: _worst_check(name, answers) for name in first.checks},
        recommendations=tuple(recommendations),
        suggestions=tuple(_suggestions(answers)),
        earlier=earlier,
        needs_person=" ".join(filter(None, questions))[:MOST_QUESTION],
    )


def _worst_check(name: str, answers: list[Answer]) -> str:
    return min((answer.checks[name] for answer in answers), key=_CHECKS.index)


def _suggestions(answers: list[Answer]) -> Iterable[Suggestion]:
    """Yield the suggestions of all parts, numbered like the findings of all parts."""
    before = 0
    for answer in answers:
        yield from (item._replace(finding=item.finding + before) for item in answer.suggestions)
        before += len(answer.findings)


def written(answers: list[dict[str, Any]], answer: Answer) -> dict[str, Any]:
    """Return the answer to all parts in the form of one answer, for the store."""
    if len(answers) == 1:
        return answers[0]
    findings: list[object] = []
    files: dict[str, None] = {}
    for part in answers:
        findings += part["findings"]
        files |= dict.fromkeys(part["files"])
    fields = {
        "result": answer.result,
        "confidence": answer.confidence,
        "summary": answer.summary,
        "findings": findings,
        "checks": answer.checks,
        "files": list(files),
        "recommendations": list(answer.recommendations),
    }
    if answer.needs_person:
        fields["needs_person"] = answer.needs_person
    if answer.earlier:
        fields["earlier"] = dict(answer.earlier)
    return fields
