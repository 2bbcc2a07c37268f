"""Requests and votes as tests need them."""

from helix_hooks.config.policy import Deciders, Expiry, Policy
from helix_hooks.phases.run_state import Decider
from helix_hooks.waiting.opening import RequestDraft, opened
from helix_hooks.waiting.request import ApprovalRequest, Asker, RequestVote

START = 1_800_000_000
ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
JANE = Asker("jane", verified=True)
LEVELS = ("", "full_control", "milestone", "autonomous")


def draft(action: str = "sprint_start", *, id: str = ID, title: str = "Start sprint 4") -> RequestDraft:  # fmt: skip
    return RequestDraft(id=id, project="acme/shop", action=action, title=title, requested_by=JANE)


def policy(
    level: str = "full_control",
    *,
    deadline: int = 0,
    action: str = "block",
    minimum: int = 1,
    sole: str = "",
) -> Policy:
    names = ("critical", "milestone", "routine", "uncertainty", "expertise")
    return Policy(
        autonomy=level,
        deciders=Deciders(minimum=minimum, sole=sole),
        deadlines=dict.fromkeys(names, deadline) if deadline else {},
        expiry=Expiry(action, ("bob",) if action == "escalate" else ()),
    )


def request(by: Policy | None = None, wanted: RequestDraft | None = None) -> ApprovalRequest:
    return opened(wanted or draft(), by or policy(), START)


def vote(name: str, *, approves: bool = True, at: int = START + 60, verified: bool = True, reason: str = "", right: str = "role maintain") -> RequestVote:  # fmt: skip
    return RequestVote(Decider(name, verified=verified), approves, at, reason, right)
