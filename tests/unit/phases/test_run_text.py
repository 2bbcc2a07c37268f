"""A run of a flow as text and as JSON."""

import json
import re

import pytest

from helix_hooks.phases.run_json import run_fields
from helix_hooks.phases.run_state import DECIDE, MAKE, PAUSED
from helix_hooks.phases.run_text import FlowView, as_text, duration, money
from helix_hooks.text import dumped
from tests.unit.phases.runs import FLOW, REJECTED_CODE, STATE, UNSAFE, progress, with_code

VIEW = FlowView(FLOW, STATE, "paused")
TABLE = """\
critical-8f3a paused: a person must decide about code-approval; running: security-approval
  phases.yaml, asked by @octocat, 3 of 5 phases approved, 5 min, $1.61 of $5.00

  state     phase              try  time   cost     gate
  approved  adr-creation       1/1  12 s   < $0.01  adr_complete: 1 ADR is comp…
  approved  adr-approval       1/1  40 s   $0.30    approval: approved with con…
  approved  implementation     2/3  4 min  $1.20
  paused    code-approval      1/1  31 s   $0.11    approval: 1 error stands
  running   security-approval  1/1

code-approval waits for a person: its gate rejected it, and no tries are left
  1 error stands
    error src/orders.py:3 security: SQL is built from input
  helix-hooks flow approve critical-8f3a --phase code-approval --override --reason TEXT
  helix-hooks flow reject critical-8f3a --phase code-approval --feedback TEXT
  helix-hooks flow retry critical-8f3a --phase code-approval
"""
HOSTILE = '\x1b[2J ghp_0123456789abcdefghij0123 \u202e ]:::x"<br>`\n##[group]'


def test_the_table_says_whose_turn_it_is_and_how_to_go_on() -> None:
    assert as_text(VIEW, columns=80) == TABLE


def test_colours_change_no_word() -> None:
    assert re.sub(r"\x1b\[[\d;]*m", "", as_text(VIEW, color=True, columns=80)) == TABLE


def test_rows_fit_the_terminal() -> None:
    rows = as_text(VIEW, columns=80).split("\n\n")[1].splitlines()
    assert max(map(len, rows)) <= 80


def test_json_has_the_question_with_its_commands() -> None:
    shown = json.loads(dumped(run_fields(VIEW)))
    assert (shown["version"], shown["state"], shown["cost_usd"]) == (1, "paused", 1.612)
    assert [question["needs_override"] for question in shown["questions"]] == [True]
    assert shown["phases"][3]["gate"]["findings"][0]["path"] == "src/orders.py"


@pytest.mark.parametrize("format", ["text", "json"])
def test_texts_of_others_do_nothing(format: str) -> None:
    """Attack on notifications: mentions, links, markup or headers of a mail in a title, a reason or a name.
    Answer: one line of plain text, in mails and in chats that render Markdown.
    Shown by: `test_texts_of_others_do_nothing`, `test_a_hostile_title_does_nothing`.
    """
    result = UNSAFE._replace(message=HOSTILE, gate_type=HOSTILE)
    asked = REJECTED_CODE._replace(result=result, question=HOSTILE, overridden=HOSTILE)
    phases = (FLOW.phases[0]._replace(type=HOSTILE), *FLOW.phases[1:])
    view = FlowView(FLOW._replace(phases=phases, path=HOSTILE), with_code(asked), "paused")
    text = as_text(view) if format == "text" else dumped(run_fields(view))
    assert not {"\x1b", "\u202e"} & set(text) and "ghp_" not in text


def test_a_phase_that_only_a_person_can_make_needs_no_override() -> None:
    asked = progress(PAUSED, pause=MAKE, question="nobody creates it: make output/plan.md")
    text = as_text(FlowView(FLOW, with_code(asked), "paused"))
    assert text.endswith("\n  helix-hooks flow approve critical-8f3a --phase code-approval\n")


def test_a_question_is_told_once_where_the_gate_says_the_same() -> None:
    words = "does the team agree?"
    result = UNSAFE._replace(message=words, findings=())
    asked = REJECTED_CODE._replace(result=result, question=words, pause=DECIDE)
    text = as_text(FlowView(FLOW, with_code(asked), "paused"))
    assert text.count(words) == 2  # in the table, and as the question
    text = as_text(FlowView(FLOW, with_code(asked._replace(question="decide")), "paused"))
    assert "code-approval waits for a person: decide\n  does the team agree?\n" in text


def test_a_run_that_needs_more_than_its_budget_asks_for_it() -> None:
    state = STATE._replace(question="$5.00 are used up", warning="more than $1.00 is used")
    text = as_text(FlowView(FLOW, state, "paused"))
    assert "a person must decide about budget, code-approval" in text
    assert "\n  warning: more than $1.00 is used\n" in text
    assert (
        "budget waits for a person: $5.00 are used up\n  helix-hooks flow approve critical-8f3a\n"
        in text
    )


def test_phases_that_the_run_leaves_out_are_told_apart() -> None:
    view = FlowView(FLOW, STATE._replace(only=("code-approval",)), "paused")
    shown = as_text(view)
    assert "0 of 1 phase approved" in shown and "adr-creation" not in shown


def test_a_rejected_run_says_how_it_can_go_on() -> None:
    state = with_code(REJECTED_CODE._replace(state="rejected", pause="", question=""))
    lines = as_text(FlowView(FLOW, state, "rejected")).splitlines()
    assert lines[0] == "critical-8f3a rejected: code-approval did not pass"
    assert [line.split()[2] for line in lines[-2:]] == ["approve", "retry"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (9.9, "9.9 s"), (61, "61 s"), (600, "10 min"), (9000, "2.5 h")]
)  # fmt: skip
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_money() -> None:
    assert [money(usd) for usd in (0, 0.001, 0.02, 12)] == ["$0.00", "< $0.01", "$0.02", "$12.00"]
