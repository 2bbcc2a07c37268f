"""When the step `judge` asks no judge, and with which options it asks one."""

import pytest

from helix_hooks.config.policy import Policy
from helix_hooks.decision.handover import Failure, Handover, RunTarget
from helix_hooks.decision.run_state import CarriedState
from helix_hooks.judge.options import ApproveOptions, Range, RunOptions
from helix_hooks.pull.judge import reason_not_to_ask
from helix_hooks.pull.runner import StepOptions, approve_options

TARGET = RunTarget(
    repository="acme/decisions",
    number=12,
    head="1" * 40,
    base="2" * 40,
    merge_base="3" * 40,
    nonce="0" * 32,
)
HANDOVER = Handover(target=TARGET, applies=True)
KEY = {"ANTHROPIC_API_KEY": "key"}
SPENT = HANDOVER._replace(policy=Policy(budget=2), carried=CarriedState(spent=2.5))


@pytest.mark.parametrize(
    ("handover", "environment", "reason"),
    [
        (HANDOVER, KEY, None),
        (HANDOVER, {"HELIX_AGENT_COMMAND": "judge"}, None),
        (
            HANDOVER,
            {},
            "the judge is not configured: there is no key of a model, such as anthropic-api-key",
        ),
        (HANDOVER._replace(applies=False), KEY, ""),
        (HANDOVER._replace(failure=Failure(3, "no network")), KEY, ""),
        (HANDOVER._replace(target=TARGET._replace(merges=True)), KEY, ""),
        (
            HANDOVER._replace(target=TARGET._replace(draft=True)),
            KEY,
            "this is a draft; the judge is asked when it is ready for review",
        ),
        (
            HANDOVER._replace(target=TARGET._replace(from_fork=True)),
            KEY,
            "this comes from a fork; the judge runs after a person with write access comments `/helix review`",
        ),
        (SPENT, KEY, "the budget of $2.00 for a pull request is used up ($2.50 so far)"),
        (SPENT._replace(carried=CarriedState(spent=1.5)), KEY, None),
    ],
)
def test_why_no_judge_is_asked(
    handover: Handover, environment: dict[str, str], reason: str | None
) -> None:
    assert reason_not_to_ask(handover, environment) == reason


def test_a_step_asks_by_the_settings_of_the_base_alone() -> None:
    step = StepOptions(
        types=("adr",),
        agent="claude",
        max_cost_usd=0.5,
        fresh=("adr",),
        config="c.yaml",
        fail_on="warning",
    )
    assert approve_options(step, HANDOVER, {"GITHUB_TOKEN": "token"}) == ApproveOptions(
        range=Range(base=TARGET.base, head=TARGET.head, merge_base=TARGET.merge_base),
        base_decides=True,
        types=("adr",),
        run=RunOptions(agent="claude", max_cost_usd=0.5),
        fail_on="warning",
        fresh=("adr",),
        config="c.yaml",
        secrets={"GITHUB_TOKEN": "token"},
    )
