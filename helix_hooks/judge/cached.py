"""The verdict from an answer that the judge gave to the same question before."""

from ..finding import Finding
from ..text.masking import Secrets, masked
from ..verdict import verdict
from ..verdict.quote import place_of
from ..verdict.verdict import FULL, LIGHT, AgentContext, ApprovalResult, ReadText, RefusedError
from . import store
from .question import Question
from .result import answered, without_secrets


def cached(
    question: Question,
    key: str,
    place: str,
    read: ReadText,
    secrets: Secrets,
) -> ApprovalResult | None:
    """Return the verdict by the answer that is stored at a place; None if none is acceptable.

    The answer is accepted anew. Secrets were masked in it, so its quotes are compared with the
    masked text, and one from which a secret was masked is left out.
    """

    def masked_text(path: str) -> str | None:
        text = read(path)
        return None if text is None else masked(text, secrets)

    entry = store.recall(place, key) or {}
    names, paths = question.names, question.paths
    try:
        answer = verdict.accepted(entry.get("answer"), question.schema, names, paths, masked_text)
    except RefusedError:
        return None
    findings = tuple(_with_sound_quote(finding, read) for finding in answer.findings)
    is_light = entry.get("decided_by") == LIGHT
    judge = question.light if is_light and question.light else question.agent
    context = AgentContext(
        agent=judge.name,
        model=entry["model"],
        cached=True,
        decided_by=LIGHT if is_light else FULL,
    )
    return without_secrets(answered(question, answer._replace(findings=findings), context), secrets)


def _with_sound_quote(finding: Finding, read: ReadText) -> Finding:
    text = read(finding.path) or ""
    if place_of(finding.evidence, text, finding.line):
        return finding
    return finding._replace(evidence="")
