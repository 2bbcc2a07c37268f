"""docs/operations.md: its commands are executed, and what it says about an emptied trail happens."""

import contextlib
import json
import os
import re
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from tests.conftest import ROOT, Repository, Run
from tests.fakes.postgres import Postgres
from tests.fakes.program import PROGRAM
from tests.stories.flow.examples import FlowScene

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
ASK = ("ask", "Deploy 1.2", "--action", "production_deployment")


def commands(heading: str) -> tuple[str, str]:
    """Return the two blocks of a section: the backup, and the restoration."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    first, second = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return first, second


def shell(root: Path, text: str, **variables: str) -> str:
    """Run the lines of a block, and return its output."""
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", text],
        cwd=root,
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_is_backed_up_and_restored(repository: Repository, run: Run) -> None:
    repository.commit()
    assert run(*ASK).code == 4
    backup, restore = commands("Back up and restore a file")
    shell(repository.root, backup)
    assert run(*ASK, "--key", "after the backup").code == 4
    said = shell(repository.root, restore)
    assert said.startswith("1 event, 1 request: the hash chain is valid")


@pytest.mark.further
def test_a_server_is_backed_up_and_restored(
    repository: Repository, run: Run, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELIX_FLOW_DATABASE", postgres.url())
    repository.commit()
    assert run(*ASK).code == 4
    backup, restore = commands("Back up and restore a server")
    shell(repository.root, backup)
    said = shell(repository.root, restore, RESTORED=postgres.url())
    assert said.startswith("1 event, 1 request: the hash chain is valid")


def execute(repository: Repository, *statements: str) -> None:
    with sqlite3.connect(repository.root / ".git/helix-hooks/flows.sqlite") as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_an_emptied_trail_is_not_valid(repository: Repository, run: Run) -> None:
    repository.commit()
    assert run(*ASK).code == 4
    newest = re.search(r"newest (\S+)", run("queue", "verify").out)
    assert newest
    execute(repository, "DELETE FROM helix_events")
    emptied = run("queue", "verify")
    assert emptied.code == 1
    assert "event 1 is missing at the end\n" in emptied.out
    assert "has no event that opened it\n" in emptied.out
    execute(
        repository, "DELETE FROM helix_requests", "UPDATE helix_trail SET number = 0, hash = ''"
    )
    nothing = run("queue", "verify")
    assert nothing.code == 3 and "so nothing was verified" in nothing.err
    noted = run("queue", "verify", "--noted", newest[1])
    assert noted.code == 1 and f"event 1 with the hash {newest[1][2:]} is not in" in noted.out


@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgres", marks=pytest.mark.further)]
)
def test_the_figures_in_sql(
    database: str, scene: FlowScene, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres").url() if database == "postgres" else ""
    scene.environment["HELIX_FLOW_DATABASE"] = url
    asked = scene.call(*ASK, "--format", "json")
    id = json.loads(asked.stdout)["request"]["id"]
    code, text = scene.at_terminal("queue", "approve", id, typed=f"{id[:8]}\n")
    assert code == 0, text
    [query] = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    if url:
        with psycopg.connect(url) as connection:
            rows = connection.execute(query.encode()).fetchall()
    else:
        path = scene.repository.root / ".git" / "helix-hooks" / "flows.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as file:
            rows = file.execute(query).fetchall()
    month = datetime.now(UTC).strftime("%Y-%m")
    assert [(row[0], row[1], float(row[2])) for row in rows] == [(month, 1, 0.0)]
