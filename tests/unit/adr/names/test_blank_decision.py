"""A decision that decides nothing is told from a short one, in each language that is read."""

import pytest

from helix_hooks.adr.names.blank_decision import decides_nothing, is_wrapped_blank

NOTHING = (
    "Not yet decided", "We have not decided yet.", "The decision is still pending.", "Undecided", "To be decided later",
    "Noch nicht entschieden.", "Noch keine Entscheidung getroffen", "Pas encore décidé", "Aún no se ha decidido",
    "Ainda não decidido", "Non ancora deciso", "Nog niet besloten", "Ещё не решено", "尚未决定", "検討中", "아직 결정되지 않음",
    "x", "X.", "?", "???", "✅", "foo", "bla bla", "The decision", "1", "q",
)  # fmt: skip
SOMETHING = (
    "Yes.", "No", "None", "n/a", "Kafka", "Use Kafka.", "Option B", "Entschieden.", "Accepted", "是", "保留", "Open source it.",
    "This is discussed in ADR 4.", "We will not decide this.", "Not decided: who runs it. We use Kafka.", "Deferred to 2027",
)  # fmt: skip
WRAPPED = (
    "[[decision]]", "[[describe the decision]]", "«décision»", "«описание решения»", "【決定】", "「決定」", "{{ decision }}",
    "${decision}", "%DECISION%", "<<decision>>", "((decision))", "(description)",
)  # fmt: skip
NOT_WRAPPED = (
    "[[0007-use-kafka]]",
    "«Use Kafka»",
    "【重要】",
    "{{ macro() }}",
    "(see below)",
    "decision",
    "「Kafka」を使う",
    "",
)


@pytest.mark.parametrize("text", NOTHING)
def test_it_decides_nothing(text: str) -> None:
    assert decides_nothing(text, has_options=False)


@pytest.mark.parametrize("text", SOMETHING)
def test_a_short_decision_is_one(text: str) -> None:
    assert not decides_nothing(text, has_options=False)


@pytest.mark.parametrize("text", ["B", "2"])
def test_one_letter_names_an_option_where_there_are_options(text: str) -> None:
    assert not decides_nothing(text, has_options=True) and decides_nothing(text, has_options=False)


@pytest.mark.parametrize("text", WRAPPED)
def test_words_of_a_template_in_unusual_marks(text: str) -> None:
    assert is_wrapped_blank(text)


@pytest.mark.parametrize("text", NOT_WRAPPED)
def test_other_text_in_such_marks_is_none(text: str) -> None:
    assert not is_wrapped_blank(text)
