"""Blanks of templates differ from real text by marks in any language, and by English and German words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.adr.blank import (
    HINTS,
    decides_nothing,
    is_blank,
    is_blank_alone,
    is_blank_title,
    is_blank_value,
    is_label,
    is_left_over,
    markers,
)

WORDS = st.text("abcdefghij", min_size=1, max_size=8)
PHRASES = st.lists(WORDS, min_size=2, max_size=12).map(" ".join)
SENTENCES = PHRASES.map(lambda phrase: f"We {phrase} from now on.")

BLANKS = (
    "TODO", "**TBD**", "tbc.", "To be done", "...", "…", "{title}", "{short title of it}", "<decision>",
    "<what is decided, and why>", "[describe the context]", "[option 1]", "[name]", "[YYYY-MM-DD]",
    "YYYY-MM-DD", "TT.MM.JJJJ", "2024-xx-xx",
    "lorem ipsum dolor sit amet, and so on", "Noch offen", "Here be text",
    'Chosen option: "{title of option 1}", because {reason | other reason}', "Good, because {argument a}",
    'Chosen option: "", because', "* Good, because", "Gut, weil [Argument a]", "Chosen option: TBD",
    "[Link type] [Link to ADR]", "{driver 1, e.g., a force, …}", "{it resolves force {force} | … | it is best (see below)}",
    'Chosen option: "{title}", because {it resolves force {force} | …}', "{제목}", "{在此描述}", "[背景を説明してください]",
    "ＴＯＤＯ", "｛short title｝", "［describe the context］", "＜decision＞", "TBD…", "T.B.D.", "t.b.a.",
)  # fmt: skip
TEXTS = (
    "n/a", "None", "Not applicable", "Kafka", "We use Kafka.", "Use {id} as the key", "{a, b, c}", '{"id": 1}',
    "{{ name }}", "<Table rows={rows}>", "${user name}", "[x]", "[1]", "[RFC 2119]", "[ADR-12]", "[see below]", "[Rejected]", "[TOC]",
    "[Note: this was moved]", "[Update 2020-01-01: no longer true]", "[text](target.md)", "[[Wiki link]]",
    "2024-02-29", "29.02.2024", "1.2.3", "", "Good, because it is fast", "Chosen option: Kafka, because it is fast",
    "A list <String> of names", "<https://example.org>", "Something to do is left", "The title", "a == b", "42", "✅",
    "(see the notes)", "Offene Punkte", "The to-do list app", "-", "Pending",
)  # fmt: skip
HINT_TEXTS = ("What is the issue that we see?", "TODO: name it")
REAL_TEXTS = (
    "Describe resources in YAML.", "List dependencies in one file.", "The problem is the load.",
    "How do we test the UI?", "Declarative flows provide a solution.", "Rejected. Modes describe how it works.",
    "ADRは日本語で記述する。", "The change that we're proposing is Kafka.", "What becomes easier: deployments.",
)  # fmt: skip


@pytest.mark.parametrize("text", BLANKS)
def test_a_blank_is_one(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_no_blank(text: str) -> None:
    assert not is_blank(text) and not is_left_over(text)


@pytest.mark.parametrize("text", [*HINT_TEXTS, *(f"{hint} and so on" for hint in sorted(HINTS))])
def test_a_hint_is_one(text: str) -> None:
    assert is_blank_alone(text) and not is_left_over(text)


@pytest.mark.parametrize("text", REAL_TEXTS)
def test_a_decision_is_no_hint(text: str) -> None:
    assert not is_blank_alone(text) and not is_blank(text)


@pytest.mark.parametrize(
    "title",
    ["ADR-NNN: [Title]", "ADR 000 - {제목}", "7. <title>", "0001 - TODO"],
)  # fmt: skip
def test_a_title_is_blank(title: str) -> None:
    assert is_blank_title(title)


@pytest.mark.parametrize(
    "title",
    ["7. Use Kafka", "Titles of books", "ADR-007: Use {id} in paths", "References cited in {citationkey}", "[JIRA-7] Use Kafka", "Todo app", "TBD as a state of orders", "Record architecture decisions"],
)  # fmt: skip
def test_a_title_says_something(title: str) -> None:
    assert not is_blank_title(title)


@pytest.mark.parametrize("value", ["TBD", "{name}", "[list all who decided]", "YYYY-MM-DD", "…"])
def test_a_value_is_blank(value: str) -> None:
    assert is_blank_value(value)


@pytest.mark.parametrize(
    "value", ["todo", "{Ann Miller, Ben Wu}", "n/a", "2024-02-29", "[Ann Miller]", "-"]
)
def test_a_value_says_something(value: str) -> None:
    assert not is_blank_value(value)


def test_a_mark_is_no_word_of_a_sentence() -> None:
    assert markers("TODO: name it. Prices are TBD. FIXME") == ["TODO", "TBD", "FIXME"]
    assert not markers(
        "The structured-TODO conversion adds FIXME comments, and a TODO when it fails"
    )
    assert is_label("TODO: name it") and is_label("TBD") and not is_label("TODOs are fine")


NOTHING = (
    "Not yet decided", "We have not decided yet.", "The decision is still pending.", "Undecided", "To be decided later",
    "Noch nicht entschieden.", "Noch keine Entscheidung getroffen", "Wird noch entschieden", "In Klärung",
    "x", "X.", "?", "???", "✅", "foo", "bla bla", "The decision", "1", "q",
)  # fmt: skip
SOMETHING = (
    "Yes.", "No", "None", "n/a", "Kafka", "Use Kafka.", "Option B", "Entschieden.", "Accepted", "是", "保留", "Open source it.",
    "This is discussed in ADR 4.", "We will not decide this.", "Not decided: who runs it. We use Kafka.", "Deferred to 2027",
)  # fmt: skip


@pytest.mark.parametrize("text", NOTHING)
def test_it_decides_nothing(text: str) -> None:
    assert decides_nothing(text, has_options=False)


@pytest.mark.parametrize("text", SOMETHING)
def test_a_short_decision_is_one(text: str) -> None:
    assert not decides_nothing(text, has_options=False)


@pytest.mark.parametrize("text", ["B", "2"])
def test_one_letter_names_an_option_where_there_are_options(text: str) -> None:
    assert not decides_nothing(text, has_options=True) and decides_nothing(text, has_options=False)


@given(PHRASES)
def test_words_in_braces_are_a_blank_wherever_they_stand(phrase: str) -> None:
    assert is_blank(f"{{{phrase}}}") and is_left_over(f"Good, because {{{phrase}}}")


@given(SENTENCES)
def test_a_sentence_is_no_blank(sentence: str) -> None:
    assert not is_blank_alone(sentence)
