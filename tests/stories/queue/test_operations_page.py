"""Operations in docs/dashboard.md: the commands are executed; an emptied trail is reported so."""

import contextlib
import functools
import json
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.conftest import ROOT, Repository, Run
from tests.fakes.dashboard import Desk, free_port
from tests.fakes.github.server import FakeGitHub
from tests.fakes.postgres import Postgres
from tests.fakes.program import PROGRAM
from tests.stories.dashboard.people import (
    Clock,
    Place,
    behind_proxy,
    eventually,
    fields_of,
    shown,
)
from tests.stories.flow.examples import FlowScene

PAGE = (ROOT / "docs" / "dashboard.md").read_text(encoding="utf-8")
ASK = ("ask", "Deploy 1.2", "--action", "production_deployment")


def blocks(heading: str) -> list[str]:
    """Return the blocks of commands of a section."""
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n### ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


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
    backup, restore = blocks("Back up and restore a file")
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
    backup, restore = blocks("Back up and restore a server")
    shell(repository.root, backup)
    said = shell(repository.root, restore, RESTORED=postgres.url())
    assert said.startswith("1 event, 1 request: the hash chain is valid")


@pytest.mark.further
def test_the_trail_is_complete_after_a_restart(
    repository: Repository, run: Run, own_server: Postgres
) -> None:
    database = own_server.url()
    repository.commit()
    [verify] = blocks("A database that restarts")
    shell(
        repository.root,
        "helix-hooks ask 'Deploy 1.2' --action production_deployment || true",
        HELIX_FLOW_DATABASE=database,
    )
    own_server.stop()
    own_server.start()
    said = shell(repository.root, verify, HELIX_FLOW_DATABASE=database)
    assert said.startswith("1 event, 1 request: the hash chain is valid")


@pytest.mark.further
def test_two_servers_show_and_decide_the_same_entries(scene: FlowScene, postgres: Postgres) -> None:
    settings = json.loads((scene.repository.root / "config/approvals.yaml").read_text())
    policy = {"approvers": {"users": ["anna", "ben"], "roles": []}}
    scene.repository.stage("config/approvals.yaml", json.dumps({**settings, "policy": policy}))
    scene.repository.commit("Name deciders")
    scene.environment["HELIX_FLOW_DATABASE"] = postgres.url()
    with both_servers(scene) as (first, second):
        id = json.loads(scene.call(*ASK, "--format", "json").stdout)["request"]["id"]
        anna, ben = behind_proxy(first, "anna"), behind_proxy(second, "ben")
        eventually(lambda: anna.opened(id), lambda page: "Deploy 1.2" in page)
        form = fields_of(
            eventually(lambda: ben.opened(id), lambda page: "Deploy 1.2" in page),
            id,
            answer="reject",
            reason="no",
        )
        assert "1 can be undone" in shown(anna.decide(id, "approve").text)
        eventually(ben.page, lambda page: "Deploy 1.2" not in page)
        assert "was approved by @anna" in shown(ben.send({**form, "from": "entry"}).text)


def _status(place: Place) -> str:
    """Return the status with which a server answers a user, "" while it does not listen."""
    try:
        return str(httpx.get(place.url, headers={"X-User": "anna"}).status_code)
    except httpx.ConnectError:
        return ""


@contextlib.contextmanager
def both_servers(scene: FlowScene) -> Iterator[tuple[Place, Place]]:
    """Run the commands of the page at two free ports."""
    [start] = blocks("Several servers")
    ports = free_port(), free_port()
    for documented, port in zip(("8480", "8481"), ports, strict=True):
        assert start.count(documented) == 1
        start = start.replace(documented, str(port))
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    with (
        FakeGitHub(scene.repository.root) as github,
        subprocess.Popen(
            ["sh", "-c", f"{start}wait"],
            cwd=scene.repository.root,
            env={**os.environ, **scene.environment, "PATH": path},
            start_new_session=True,
        ) as shell,
    ):
        try:
            first, second = (
                Place(f"http://127.0.0.1:{port}", Desk(), github, Clock()) for port in ports
            )
            for place in (first, second):
                eventually(functools.partial(_status, place), lambda status: status == "200")
            yield first, second
        finally:
            os.killpg(shell.pid, signal.SIGTERM)


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


def test_many_requests_are_asked_and_listed(repository: Repository) -> None:
    repository.commit()
    [measure] = blocks("Many requests")
    assert measure.count("range(900)") == 1
    said = shell(repository.root, measure.replace("range(900)", "range(30)"))
    assert "Request 29" in said
    assert "30 events, 30 requests: the hash chain is valid" in said
