"""The verdict from a cached answer of the judge to the same question."""

from ..finding import Finding
from ..text.masking import Secrets, masked
from ..verdict import verdict
from ..verdict.approval_result import FULL, LIGHT, AgentContext, ApprovalResult
from ..verdict.quote import place_of
from ..verdict.verdict import ReadText, RefusedError
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
    """Return the verdict from the answer stored at `place`; None without an acceptable answer.

    The answer is validated again. Its secrets were masked, so its quotes are compared with the
    masked text. A quote that had a secret is removed.
    """

    def masked_text(path: str) -> str | None:
        text = read(path)
        if text is None:
            return None
        return masked(text, secrets)

    entry = store.recall(place, key) or {}
    names, paths = question.names, question.paths
    try:
        answer = verdict.accepted(
            entry.get("answer"), question.schema, names, paths, masked_text, question.asked
        )
    except RefusedError:
        return None
    findings = tuple(_with_true_quote(finding, read) for finding in answer.findings)
    judge, decided_by = question.agent, FULL
    if entry.get("decided_by") == LIGHT:
        judge, decided_by = question.light or question.agent, LIGHT
    context = AgentContext(
        agent=judge.name,
        model=entry["model"],
        cached=True,
        decided_by=decided_by,
    )
    return without_secrets(answered(question, answer._replace(findings=findings), context), secrets)


def _with_true_quote(finding: Finding, read: ReadText) -> Finding:
    """Return a finding without a quote that is not in its file."""
    text = read(finding.path) or ""
    if place_of(finding.evidence, text, finding.line):
        return finding
    return finding._replace(evidence="")
