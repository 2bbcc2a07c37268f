"""A capped verification as an entry."""

from helix_hooks.verification.attempts import EXHAUSTED, UNCHANGED, AttemptKey, Attempts
from helix_hooks.verification.pending import Pending
from helix_hooks.waiting.entry import ProjectPolicy
from helix_hooks.waiting.verification_entry import entry

KEY = AttemptKey("docs/adr/014 use.md", "c0ffee", "c1", "s")
HERE = ProjectPolicy("shop")


def capped(reason: str) -> Pending:
    attempts = Attempts(KEY, 3, "f", reason, 1000)
    return Pending(
        attempts, "014", "Use Kafka", ("src/queue.py: the file is missing",), "# Feedback"
    )


def test_what_is_missing_and_what_to_do() -> None:
    found = entry(capped(EXHAUSTED), HERE)
    assert found.id == "verify:docs/adr/014 use.md" and found.asked_at == 1000
    assert found.title == "ADR-014: Use Kafka is not fulfilled after 3 attempts"
    assert found.reasons == (
        "an agent gave up: no attempt is left",
        "src/queue.py: the file is missing",
    )
    assert found.ways_on[0] == "helix-hooks verify 'docs/adr/014 use.md'"
    assert (
        entry(capped(UNCHANGED), HERE)
        .reasons[0]
        .endswith("the last two attempts left the same files")
    )
