"""Sections and statuses by meaning, not by spelling."""

import pytest

from helix_hooks.adr.names import SECTIONS, STATUSES, meanings, normalise, statuses

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
