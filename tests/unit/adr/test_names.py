"""Sections and statuses by meaning, not by spelling."""

import pytest

from helix_hooks.adr.names import (
    SECTIONS,
    STATUSES,
    linked,
    meanings,
    named,
    normalise,
    number,
    number_in_path,
    number_in_title,
    statuses,
)
from helix_hooks.adr.rules.contextual.rule import says

MEANINGS = meanings()
STATUS = statuses()


@pytest.mark.parametrize(
    ("title", "meaning"),
    [
        ("Kontext", "context"), ("KONTEXT", "context"), ("  1. Kontext: ", "context"), ("II. Context", "context"), ("A) Context", "context"),
        ("📌 Context", "context"), ("**Context**", "context"), ("Context and Problem Statement", "context"), ("背景 (Context)", "context"),
        ("Entscheidung", "decision"), ("Decision Outcome", "decision"), ("Decision 2 — use Kafka", "decision"), ("Decision: use Kafka", "decision"),
        ("Migration", "migration"), ("Migrations-Plan", "migration"), ("Migrationsplan", "migration"), ("5. Migration and roll-out", "migration"),
        ("Considered options <!-- optional -->", "options"), ("Alternativen (geprüft)", "options"), ("Consequences / trade-offs", "consequences"),
        ("TL;DR", "summary"), ("Open questions", "questions"), ("Статус", "status"), ("상태 (Status)", "status"),
    ],
)  # fmt: skip
def test_a_heading_means(title: str, meaning: str) -> None:
    assert meaning in MEANINGS.of(title)


@pytest.mark.parametrize(
    "title",
    [
        "Emigration",
        "Contextual rules",
        "Zeitplan",
        "No migration needed",
        "Keine Migration",
        "Decisive factors",
        "",
        "###",
    ],
)
def test_a_free_heading_means_nothing(title: str) -> None:
    assert MEANINGS.of(title) == ()


@pytest.mark.parametrize("table", [SECTIONS, STATUSES], ids=["sections", "statuses"])
def test_names_of_the_table_are_already_normal(
    table: dict[str, dict[str, tuple[str, ...]]],
) -> None:
    """The table is read by a cheaper step than `normalise`; here the two are the same."""
    for languages in table.values():
        for names in languages.values():
            for name in names:
                assert normalise(name) == " ".join(name.casefold().replace("-", " ").split()), name


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_language_names_the_required_sections_and_statuses(language: str) -> None:
    for section in (
        "context",
        "decision",
        "options",
        "consequences",
        "implementation",
        "documentation",
        "acceptance-criteria",
        "migration",
    ):
        assert language in SECTIONS[section], section
    for status in ("Proposed", "Accepted", "Implemented", "Superseded", "Deprecated", "Rejected"):
        assert language in STATUSES[status], status


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ("Accepted", "Accepted"), ("accepted.", "Accepted"), ("✅ **Accepted** (2026-06-07). **Fully implemented**", "Accepted"),
        ("[accepted ]", "Accepted"), ("Superseded by [ADR-7](7.md)", "Superseded"), ("superceded by ADR-7", "Superseded"),
        ("~~Proposed~~ Accepted", "Accepted"), ("2017-11-22 提议", "Proposed"), ("Accepted — parts refined/superseded since", "Accepted"),
        ("Akzeptiert", "Accepted"), ("Résolu", "Accepted"), ("Aceito (revisado Abr/2026)", "Accepted"), ("Принято (методология)", "Accepted"),
        ("Vorgeschlagen", "Proposed"), ("In Review", "Proposed"), ("Rechazado", "Rejected"), ("being evaluated", "Proposed"), ("Ersetzt durch ADR-3", "Superseded"),
    ],
)  # fmt: skip
def test_a_status_means(raw: str, status: str) -> None:
    assert STATUS.read(raw) == status


@pytest.mark.parametrize(
    "raw",
    [
        "Apprroved",
        "proposed | accepted | rejected",
        "Done-ish",
        "",
        "{status}",
        "unaccepted",
        "lgtm",
    ],
)
def test_an_unknown_status_means_nothing(raw: str) -> None:
    assert STATUS.read(raw) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("a breaking change", "breaking change"), ("Breaking\nChanges", "breaking change"), ("**Breaking** change", "breaking change"),
        ("Das ist nicht abwärtskompatibel.", "nicht abwärtskompatibel"), ("This is not only a breaking change", "breaking change"),
        ("There is no plan. It is a breaking change", "breaking change"), ("ein breaking-change", "breaking change"), ("ÜBERGANG", "übergang"),
    ],
)  # fmt: skip
def test_a_text_says(text: str, phrase: str) -> None:
    assert says(text, (phrase,)) is not None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("keine Breaking Changes", "breaking change"), ("no breaking changes", "breaking change"), ("a non-breaking change", "breaking change"),
        ("ohne jede Breaking Changes", "breaking change"), ("not a breaking change", "breaking change"), ("Breaking changes: none", "breaking change"),
        ("| Breaking Change | Nein |", "breaking change"), ("## Breaking Changes\n\nKeine.", "breaking change"), ("would be a breaking change", "breaking change"),
        ("Breaking changes are not expected", "breaking change"), ("erneut", "neu"),
        ("Neuübertragung", "neu"), ("Kapitel", "api"), ("codebreaking changes", "breaking change"),
    ],
)  # fmt: skip
def test_a_text_does_not_say(text: str, phrase: str) -> None:
    assert says(text, (phrase,)) is None


def test_numbers_are_numbers() -> None:
    assert [
        number(id) for id in ("ADR-023", "023", "23", "0023-use.md", "ADR-023  # why", "kafka")
    ] == [23, 23, 23, 23, 23, None]
    paths = (
        "adr/0007-x.md",
        "adr/ADR-007-x.md",
        "adr/0007-x/README.md",
        "adr/2024-01-02-x.md",
        "adr/x.md",
        "adr/adr_7.md",
    )
    assert [number_in_path(path) for path in paths] == [7, 7, 7, None, None, 7]
    assert [
        number_in_title(title)
        for title in ("ADR-007: x", "7. x", "0007 - x", "Seven", "3 ways to fail")
    ] == [7, 7, 7, None, None]
    text = "see ADR-23, adr 0024 and [x](../0025-x.md), not 26, KADR-27 or x0028-y.md"
    assert (named(text), linked(text)) == ({23, 24}, {25})
