"""The category of a request, and whether a person is asked at all: eight actions by four levels."""

import pytest

from helix_hooks.config.policy import MATRIX, AgentPolicy, asks, category
from helix_hooks.errors import UsageError
from helix_hooks.waiting.answering import minimum_of
from helix_hooks.waiting.opening import content_of, opened
from helix_hooks.waiting.request import AUTO_APPROVED, PENDING, Asker
from tests.unit.waiting.asked import LEVELS, START, draft, policy, request


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("action", MATRIX)
def test_an_action_at_a_level(action: str, level: str) -> None:
    found = opened(draft(action), policy(level, deadline=3600), START)
    is_asked = asks(action, level) or not level
    assert found.status == (PENDING if is_asked else AUTO_APPROVED)
    assert found.category == category(action)
    assert found.expires_at == (START + 3600 if is_asked else 0)
    assert bool(found.why) == is_asked
    if not is_asked:
        assert found.decided_at == START
        assert found.comment == f"autonomy {level} does not require a person for {action}"


@pytest.mark.parametrize("action", MATRIX)
@pytest.mark.parametrize(
    ("confidence", "expertise", "kind"),
    [
        (0.849, "", "uncertainty"),
        (0.0, "", "uncertainty"),
        (0.85, "", ""),
        (1.0, "", ""),
        (1.0, "law", "expertise"),
        (0.1, "law", "expertise"),
    ],
)
def test_doubt_asks_a_person_at_every_level(
    action: str, confidence: float, expertise: str, kind: str
) -> None:
    wanted = draft(action)._replace(confidence=confidence, expertise=expertise)
    found = opened(wanted, policy("autonomous"), START)
    is_critical = category(action) == "critical"
    assert found.category == ("critical" if is_critical or not kind else kind) or not kind
    assert (found.status == PENDING) == (is_critical or bool(kind))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"action": "deploy"}, "unknown action 'deploy' (expected one of requirements_approval"),
        ({"title": ""}, "a request needs a title"),
        ({"confidence": 1.1}, "invalid confidence 1.1 (expected a number from 0 to 1)"),
        ({"confidence": -0.1}, "invalid confidence -0.1"),
        ({"confidence": float("nan")}, "invalid confidence nan"),
        ({"recommendation": "yes"}, "invalid recommendation 'yes' (expected approve or reject)"),
    ],
)
def test_what_is_not_allowed_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as refused:
        opened(draft()._replace(**change), policy(), START)  # type: ignore[arg-type]
    assert words in str(refused.value)


def test_the_content_is_what_is_asked_and_by_whom() -> None:
    first = request()
    later = request(wanted=draft(id="another"))._replace(requested_at=START + 5)
    assert content_of(first) == content_of(later)
    others = [
        first._replace(title="Start sprint 5"),
        first._replace(action="pr_merge"),
        first._replace(requested_by=first.requested_by._replace(name="max")),
        first._replace(confidence=0.9),
        first._replace(context=first.context._replace(files=("a",))),
    ]
    assert len({content_of(item) for item in (first, *others)}) == 6


@pytest.mark.parametrize(
    ("asker", "minimum"),
    [
        (Asker("jane", verified=True), 1),
        (Asker("jane", verified=True, agent="claude"), 2),
        (Asker("github-actions[bot]", verified=True), 2),
    ],
)
def test_more_must_approve_what_agents_ask_for(asker: Asker, minimum: int) -> None:
    by = policy()._replace(agents=AgentPolicy(2))
    found = opened(draft()._replace(requested_by=asker), by, START)
    assert (found.minimum, minimum_of(found._replace(minimum=1), by)) == (minimum, minimum)


@pytest.mark.parametrize(
    ("own", "to", "deadline", "action", "expected"),
    [
        (0, (), 100, "escalate", (100, "escalate", ("bob",))),
        (60, (), 0, "block", (60, "block", ())),
        (60, (), 100, "escalate", (60, "escalate", ("bob",))),
        (600, (), 100, "block", (100, "block", ())),
        (60, ("acme/board",), 0, "block", (60, "escalate", ("acme/board",))),
        (60, ("acme/board",), 86_460, "block", (60, "escalate", ("acme/board",))),
        (60, ("acme/board",), 100, "escalate", (60, "escalate", ("bob", "acme/board"))),
        (1, (), 100, "auto_approve", (1, "block", ())),
        (600, (), 100, "auto_approve", (100, "block", ())),
    ],
)
def test_a_request_has_its_own_deadline(
    own: int,
    to: tuple[str, ...],
    deadline: int,
    action: str,
    expected: tuple[int, str, tuple[str, ...]],
) -> None:
    """Attack on the queue: ask with a deadline of one second where the policy approves by time.
    Answer: a deadline of the requester never approves.
    """
    wanted = draft()._replace(within=own, escalate_to=to)
    made = request(policy(deadline=deadline, action=action), wanted)
    assert (made.expires_at - START, made.expiry.action, made.expiry.to) == expected


def test_an_escalation_makes_no_deadline_later() -> None:
    """Attack on the queue: get a day more than the policy gives by an escalation of one's own.
    Answer: refused.
    """
    wanted = draft()._replace(within=61, escalate_to=("bob",))
    with pytest.raises(UsageError, match="adds 24 hours, and the policy gives this request 1d"):
        request(policy(deadline=86_400), wanted)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"escalate_to": ("bob",)}, "--escalate-to needs a deadline"),
        ({"escalate_to": ("@bob",), "within": 60}, "invalid name '@bob'"),
        ({"escalate_to": ("a b",), "within": 60}, "invalid name 'a b'"),
    ],
)
def test_a_wrong_escalation_is_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        request(wanted=draft()._replace(**more))  # type: ignore[arg-type]
