"""The approval of an ADR is dated by the history of its own path: a copy of another ADR is no rename."""

import pytest

from tests.conftest import Repository, Run

TEMPLATE = """---
files:
  create: [src/{file}.py]
---
# {number}. {title}

## Status

Accepted

## Context

The services exchange orders over HTTP, and orders are lost when one of them is down for a while.
Each team has asked for a way that does not lose them, and that shows what was sent and when it was.

## Decision

We will put a broker between the services, which keeps what was sent until it has been taken out.

## Consequences

One more program runs, and somebody watches it and pays for it each month of the year.
"""
OLD, NEW = "docs/adr/0001-kafka.md", "docs/adr/0002-rabbit.md"


def text(number: int, file: str) -> str:
    return TEMPLATE.format(number=number, title=f"Use {file}", file=file)


@pytest.fixture
def history(repository: Repository) -> Repository:
    """An ADR, a file, and a second ADR of the same template that promises this very file."""
    repository.stage(OLD, text(1, "kafka"))
    repository.commit("Accept ADR-001")
    repository.stage("src/rabbit.py", "def take():\n    return 1\n")
    repository.commit("Add what nobody has asked for yet")
    return repository


def test_a_copy_of_an_older_adr_has_a_date_of_its_own(history: Repository, run: Run) -> None:
    history.stage(NEW, text(2, "rabbit"))
    history.commit("Accept ADR-002")
    history.git("checkout", "--quiet", "-b", "work")
    history.stage("README.md", "# Work\n")
    history.commit("Do nothing\n\nImplements: ADR-002")
    result = run("verify", NEW, "--base", "main")
    assert result.code == 1, result.out
    assert "verified" not in result.out.splitlines()[0]


def test_a_renamed_adr_keeps_its_date(history: Repository, run: Run) -> None:
    history.git("rm", "--quiet", OLD)
    history.stage(NEW, text(1, "rabbit"))
    history.commit("Rename ADR-001, and let it promise another file")
    history.git("checkout", "--quiet", "-b", "work")
    history.stage("README.md", "# Work\n")
    history.commit("Do nothing\n\nImplements: ADR-001")
    assert run("verify", NEW, "--base", "main").code == 0
