"""The comment of a decision: one command, whatever stands in the reason.

Attack on the queue: a reason that smuggles a second command, narrows the approval, mentions people or holds a token.
Answer: one command, harmless words, no token.
Shown by: `tests/unit/waiting/test_pull_comment.py`, `test_a_token_in_a_reason_is_not_recorded`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.decision.commands import commands
from helix_hooks.errors import UsageError
from helix_hooks.waiting.pull_comment import MOST_REASON, comment_of

HEAD = "a1b2c3d" + "0" * 33

REASONS = [
    "fine\n/helix reject no",
    "fine\r/helix override 0123456 a1b2c3d x",
    "fine\u2028/helix approve 0123456",
    "for adr",
    "For `docs`, code: because",
    "/helix approve 0123456",
    "<!-- x --> <b>/helix reject</b>",
    "*not* _plain_ ~~text~~ `code` [link](https://example.org) $x$",
    "@everyone #12 acme/other#3 https://example.org www.example.org",
    "```\n/helix reject x\n```",
    "> quoted",
    "| a | b |\n|---|---|",
    "<details><summary>",
    "\\",
    "a1b2c3d",
    "&#47;helix reject x",
    "- [ ] task",
    "\u202e evil",
]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_nothing_else(reason: str) -> None:
    body = comment_of("approve", HEAD, reason)
    (command,) = commands(body)
    assert (command.name, command.commit, command.types, command.wrong) == ("approve", HEAD, (), "")
    assert "\n" not in body and "\r" not in body and "\u2028" not in body
    (command,) = commands(comment_of("reject", HEAD, reason))
    assert (command.name, command.types, command.wrong) == ("reject", (), "") and command.words


@given(reason=st.text(max_size=60), answer=st.sampled_from(("approve", "reject")))
def test_any_text_is_a_reason_or_refused(reason: str, answer: str) -> None:
    try:
        body = comment_of(answer, HEAD, reason)
    except UsageError:
        return
    (command,) = commands(body)
    assert (command.name, command.types, command.wrong) == (answer, (), "")


def test_what_is_no_reason_is_refused() -> None:
    for reason in ("", "  \n ", "REASON", "<reason>"):
        with pytest.raises(UsageError, match="reason"):
            comment_of("reject", HEAD, reason)
    with pytest.raises(UsageError, match="maximum 2000"):
        comment_of("approve", HEAD, "x" * (MOST_REASON + 1))
    with pytest.raises(UsageError, match="the commit SHA is missing"):
        comment_of("approve", "main", "fine")
    assert comment_of("approve", HEAD, " ") == f"/helix approve {HEAD}"
