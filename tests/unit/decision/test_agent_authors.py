"""The coding agents that commits name, people who are none, and names that only look like one.

Attack by a hostile pull request: more commits than can be listed, so that no agent is seen; its name in capitals, wide or invisible letters.
Answer: the change counts as written by an agent; the names are equal.
Shown by: `tests/unit/decision/test_agent_authors.py`.
"""

import pytest

from helix_hooks.decision.authors import agents_in
from helix_hooks.decision.pull_request import Commit, Person

ALICE = Person("alice", 1)


def commit(message: str = "a change", **fields: tuple[str, ...]) -> Commit:
    return Commit((ALICE,), fields.get("emails", ()), message, fields.get("names", ()))


def trailer(line: str) -> Commit:
    return commit(f"a change\n\n{line}\n")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Co-Authored-By: Claude Opus 4.8 (1M context) <noreply@anthropic.com>", "Claude Opus 4.8 (1M context)"),
        ("co-authored-by: Claude <someone@example.org>", "Claude"),
        ("Co-authored-by: Claude Code <x@example.org>", "Claude Code"),
        ("Co-authored-by: Nobody <NoReply@Anthropic.com>", "Nobody"),
        ("Co-authored-by: Cursor <cursoragent@cursor.com>", "Cursor"),
        ("Co-authored-by: Copilot <175728472+Copilot@users.noreply.github.com>", "Copilot"),
        ("Co-authored-by: x <158243242+devin-ai-integration[bot]@users.noreply.github.com>", "x"),
        ("Co-authored-by: Codex <noreply@openai.com>", "Codex"),
        ("Co-authored-by: aider (gpt-5) <x@example.org>", "aider (gpt-5)"),
        ("Co-authored-by: Gemini 2.5 Flash <x@example.org>", "Gemini 2.5 Flash"),
        ("Assisted-by: Claude:claude-3-opus coccinelle sparse", "Claude"),
        ("Assisted-by: claude-code/claude-sonnet-4-6", "claude-code"),
        ("Assisted-by: LLM [TOOL1] [TOOL2]", "LLM"),
        ("Generated-by: Qwen-Coder", "Qwen-Coder"),
        ("Made-with: Cursor", "Cursor"),
        ("Co-authored-by: \uff23\uff4c\uff41\uff55\uff44\uff45 <x@example.org>", "\uff23\uff4c\uff41\uff55\uff44\uff45"),
        ("Co-authored-by: Cl\u200baude <x@example.org>", "Claude"),
        ("Co-authored-by: Acme Builder <x@example.org>", "Acme Builder"),
        ("Co-authored-by: x <builder@acme.example>", "x"),
    ],
)  # fmt: skip
def test_an_agent_in_a_trailer(line: str, name: str) -> None:
    (found,) = agents_in(ALICE, [trailer(line)], ("acme builder", "builder@ACME.example"))
    assert found.replace("\u200b", "").startswith(name[:4])


@pytest.mark.parametrize(
    "line",
    [
        "Co-authored-by: Claude Monet <claude@monet.fr>",
        "Co-authored-by: Jules Verne <jules@verne.fr>",
        "Co-authored-by: Jo <jo@anthropic.com>",
        "Co-authored-by: Bob <2+bob@users.noreply.github.com>",
        "Assisted-by: Jane Doe <jane@example.org>",
        "It was not Co-authored-by: Claude <noreply@anthropic.com>",
        "See the cursor of the editor.",
        "Co-authored-by: Cursory Glance <x@example.org>",
        "Reviewed-by: Claude <noreply@anthropic.com>",
    ],
)
def test_no_agent_in_a_message(line: str) -> None:
    assert agents_in(ALICE, [trailer(line)]) == ()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (commit(names=("Jo (aider)",)), ("Jo (aider)",)),
        (commit(names=("Claude Code",)), ("Claude Code",)),
        (commit(names=("Claude",)), ()),
        (commit(names=("Jules", "Devin")), ()),
        (commit(emails=("cursoragent@cursor.com",)), ("cursoragent@cursor.com",)),
        (Commit((Person("dependabot[bot]", 3, True),), (), ""), ("dependabot[bot]",)),
        (Commit((Person("Copilot", 3),), (), ""), ("Copilot",)),
        (Commit((Person("web-flow", 3),), ("noreply@github.com",), "", ("GitHub",)), ()),
        (Commit((Person("jules", 3),), (), "", ("jules",)), ()),
        (Commit((), ("",), "", ("",)), ()),
    ],
)
def test_authors_of_a_commit(given: Commit, found: tuple[str, ...]) -> None:
    assert tuple(name.replace("\u200b", "") for name in agents_in(ALICE, [given])) == found


def test_who_opened_the_pull_request_counts() -> None:
    assert agents_in(Person("acme[bot]", 4, True), [commit()]) == ("acme[bot]",)
    assert agents_in(Person("acme-builder", 4), [commit()], ("Acme-Builder",)) == ("acme-builder",)


def test_each_is_named_once_and_texts_do_nothing() -> None:
    commits = [
        trailer("Co-authored-by: Claude <noreply@anthropic.com>"),
        trailer("Co-Authored-By: CLAUDE <noreply@anthropic.com>"),
        trailer("Co-authored-by: \x1b[31m\u202egit ghp_0123456789abcdefghijABCDEFGHIJ012345 <noreply@anthropic.com>"),
        *(trailer(f"Co-authored-by: Codex {number} <noreply@openai.com>") for number in range(30)),
    ]  # fmt: skip
    found = agents_in(ALICE, commits)
    assert len(found) == 10 and found[0].casefold() == "claude"
    assert not {"\x1b", "\u202e"} & set("".join(found)) and "ghp_" not in "".join(found)
