"""Many files under review in several runs of a judge, and one verdict of their answers."""

from collections.abc import Iterable
from typing import Any

from .suggestion import Suggestion
from .verdict import APPROVED, NEEDS_REVISION, REJECTED, Answer

MOST_FILES, MOST_CHARACTERS = 25, 300_000
"""The largest part of one run: files, so that the turns suffice, and characters, so that the model
still sees the first file at the end.
"""

_RESULTS = (REJECTED, NEEDS_REVISION, APPROVED)
_CHECKS = ("failed", "passed", "not_applicable")
"""Results from worst to best; a brief applied if it applied to one part."""

MOST_SUMMARY, MOST_QUESTION = 2000, 500
"""Characters of the summary of an answer, and of what a person must decide."""


def parts(sizes: Iterable[tuple[str, int]]) -> list[list[str]]:
    """Return paths in groups for one run each, in their order; a file that is larger than a part is
    one of its own.
    """
    found: list[list[str]] = []
    room = 0
    for path, size in sizes:
        if not found or len(found[-1]) == MOST_FILES or size > room:
            found.append([])
            room = MOST_CHARACTERS
        found[-1].append(path)
        room -= size
    return found


def united(answers: list[Answer]) -> Answer:
    """Return the answer to all parts: the worst result, the lowest confidence, every finding."""
    first, *others = answers
    if not others:
        return first
    return Answer(
        result=min((answer.result for answer in answers), key=_RESULTS.index),
        confidence=min(answer.confidence for answer in answers),
        summary=" ".join(dict.fromkeys(answer.summary for answer in answers))[:MOST_SUMMARY],
        findings=tuple(finding for answer in answers for finding in answer.findings),
        checks={
            name: min((answer.checks[name] for answer in answers), key=_CHECKS.index)
            for name in first.checks
        },
        recommendations=tuple(
            dict.fromkeys(text for answer in answers for text in answer.recommendations)
        ),
        suggestions=tuple(_suggestions(answers)),
        earlier=tuple(item for answer in answers for item in answer.earlier),
        needs_person=" ".join(
            dict.fromkeys(answer.needs_person for answer in answers if answer.needs_person)
        )[:MOST_QUESTION],
    )


def _suggestions(answers: list[Answer]) -> Iterable[Suggestion]:
    """Yield the suggestions of all parts, numbered as the findings of all parts are."""
    before = 0
    for answer in answers:
        yield from (item._replace(finding=item.finding + before) for item in answer.suggestions)
        before += len(answer.findings)


def written(answers: list[dict[str, Any]], answer: Answer) -> dict[str, Any]:
    """Return the answer to all parts in the form of one of them, as it is kept."""
    if len(answers) == 1:
        return answers[0]
    return {
        "result": answer.result,
        "confidence": answer.confidence,
        "summary": answer.summary,
        "findings": [finding for part in answers for finding in part["findings"]],
        "checks": answer.checks,
        "files": list(dict.fromkeys(path for part in answers for path in part["files"])),
        "recommendations": list(answer.recommendations),
        **({"needs_person": answer.needs_person} if answer.needs_person else {}),
        **({"earlier": dict(answer.earlier)} if answer.earlier else {}),
    }
