"""The question to a judge, with what an earlier round has found."""

import pytest

from helix_hooks.config.agents import Agent, Run
from helix_hooks.config.approvals import ApprovalType
from helix_hooks.finding import Finding
from helix_hooks.judge.question import EARLIER, Question
from helix_hooks.judge.rubric import answer_schema
from helix_hooks.verdict.approval_result import ReviewedFile
from helix_hooks.verdict.earlier import ANSWERED, EarlierFinding, EarlierRound
from helix_hooks.verdict.prompt import Brief

PATHS = ["a.md", "b.md"]
RUN = Run(
    agent="claude",
    model="claude-sonnet-5-5",
    fallback_model="",
    timeout=1,
    max_retries=0,
    retry_delay=0,
    required_confidence=0,
    semantic="auto",
    max_cost_usd=1,
    max_turns=1,
)


def found(id: str, path: str, answer: str = "") -> EarlierFinding:
    return EarlierFinding(id * 16, Finding("error", "scope", "agent", id, path), answer=answer)


def question(*findings: EarlierFinding, since: bytes | None = b"") -> Question:
    round = EarlierRound("adr", "c" * 40, findings)
    plain = Question(
        type=ApprovalType("adr", True, RUN, (), (), (), ""),
        agent=Agent("claude", "claude", ("claude",)),
        rubric="# ADRs",
        briefs=(Brief("scope", "# Scope"),),
        skills={},
        files=tuple(ReviewedFile(path, "0" * 40) for path in PATHS),
        concepts=(),
        findings=(),
        diff=None,
        entries=[],
        schema=answer_schema(["scope"], PATHS),
        earlier=round,
        since=since,
    )
    return plain.asking(round.asked)


def required(part: Question) -> list[str]:
    names: list[str] = part.schema["properties"]["earlier"]["required"]
    return [name[0] for name in names]


def test_each_part_is_asked_about_its_files_and_the_first_about_the_others() -> None:
    whole = question(found("a", "a.md"), found("b", "b.md"), found("c", "gone.md"))
    one, two = whole.about(["a.md"], (1, 2)), whole.about(["b.md"], (2, 2))
    assert (required(whole), required(one), required(two)) == (["a", "b", "c"], ["a", "c"], ["b"])
    assert [item.id[0] for item in two.asked] == ["b"]


def test_a_part_without_earlier_findings_is_not_asked() -> None:
    two = question(found("a", "a.md")).about(["b.md"], (2, 2))
    assert "earlier" not in two.schema["required"] and two.earlier_text == ""
    assert "earlier.json" not in two.texts({"b.md": "x"}, "word")


@pytest.mark.parametrize(
    ("since", "told"),
    [
        (b"+x", "is in `../judge/since.diff`"),
        (b"", "nothing was changed since"),
        (None, "is not known"),
    ],
)
def test_the_message_says_what_is_there(since: bytes | None, told: str) -> None:
    texts = question(found("a", "a.md"), since=since).texts({"a.md": "x"})
    assert told in texts["prompt.md"].decode() and ("since.diff" in texts) == bool(since)
    assert f"{EARLIER}`" in texts["prompt.md"].decode() and "earlier.json" in texts


def test_a_judge_is_told_of_what_is_settled_and_asked_nothing() -> None:
    settled = question(found("a", "a.md", ANSWERED))
    assert required(settled) == [] and '"findings": []' in settled.earlier_text
