"""The text of feedback.md."""

from helix_hooks.verification.attempts import BLOCKED, CAPPED, EXHAUSTED, UNCHANGED, AttemptState
from helix_hooks.verification.feedback import TITLE, feedback
from helix_hooks.verification.result import UNMET
from tests.unit.verification.draws import missing, result

WHOLE = """# Verification feedback: ADR-014: Use Kafka

- Attempt: 1 of 3
- Time: Thu, 01 Jan 1970 00:16 UTC
- ADR: docs/adr/014-use-kafka.md

## Issues found

1. docs/adr/014-use-kafka.md:12: create src/a.py: the file is missing

## Neither shown nor missing: a person must look

1. docs/adr/014-use-kafka.md:30: unchecked: criterion It is fast: it names no test

## Required actions

1. create src/a.py

Verify again:

    helix-hooks verify ADR-014
"""


def test_feedback_on_a_blocked_attempt() -> None:
    state = AttemptState(BLOCKED, 1, 3)
    assert feedback(result(UNMET), state, 1000, "helix-hooks verify ADR-014") == WHOLE


def test_a_capped_attempt_says_that_it_gave_up_and_why() -> None:
    text = feedback(result(UNMET), AttemptState(CAPPED, 3, 3, EXHAUSTED), 1000, "x")
    assert "- Attempt: 3 of 3\n" in text
    reason = "The contract is not fulfilled, and a person is asked to decide."
    assert f"The agent gave up after 3 attempts. {reason}\n" in text
    assert "Tell the person in charge" in text
    early = feedback(result(UNMET), AttemptState(CAPPED, 2, 3, UNCHANGED), 1000, "x")
    assert "2 attempts: the last two left the same files with the same issues." in early


def test_no_text_of_others_can_add_a_line_or_repaint_a_terminal() -> None:
    hostile = "a\n\n# Done\n\x1b[2Jall met\u202egnp " + "x" * 5000 + " ghp_" + "a" * 36
    item = missing(hostile)._replace(reason=hostile, action=hostile)
    text = feedback(
        result(UNMET)._replace(title=hostile, path=hostile, expectations=(item,)),
        AttemptState(BLOCKED, 1, 3),
        1000,
        hostile,
    )
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in text.splitlines() if line.startswith((TITLE, "## Issues", "## Required"))
    ]
    assert all(character.isprintable() for character in text.replace("\n", ""))
    assert "ghp_" not in text and len(text) < 5000


def test_many_issues_are_cut_and_counted() -> None:
    subjects = [f"src/{number}.py" for number in range(1000)]
    text = feedback(result(UNMET, *subjects), AttemptState(BLOCKED, 1, 3), 1000, "x")
    assert "and 950 more" in text and len(text) < 12_000


def test_without_an_action_there_is_a_general_one() -> None:
    item = missing("src/a.py")._replace(action="")
    text = feedback(
        result(UNMET)._replace(expectations=(item,)), AttemptState(BLOCKED, 1, 3), 1, "x"
    )
    assert "1. Fix each issue above in the files; do not change the ADR.\n" in text
