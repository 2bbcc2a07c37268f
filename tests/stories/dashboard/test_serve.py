"""`helix-hooks queue serve` as a process: how it starts, what it refuses, and how it ends."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Repository
from tests.fakes.dashboard import free_port
from tests.fakes.postgres import Postgres
from tests.fakes.program import PROGRAM
from tests.stories.dashboard.people import eventually

pytestmark = [pytest.mark.slow, pytest.mark.further]


def serve(repository: Repository, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [str(PROGRAM), "queue", "serve", *arguments],
        cwd=repository.root,
        env={**os.environ, **more},
        stderr=subprocess.PIPE,
        text=True,
    )


@contextlib.contextmanager
def ended(server: "subprocess.Popen[str]") -> Iterator[None]:
    """Kill a server after a failed test, which would wait for its end."""
    try:
        yield
    except BaseException:
        server.kill()
        raise


@pytest.fixture
def port(repository: Repository) -> Iterator[int]:
    """The port of a server that runs, and is told to end by Ctrl-C."""
    repository.commit()
    found = free_port()
    with serve(repository, "--port", str(found)) as server:
        assert server.stderr is not None
        assert f"http://127.0.0.1:{found}/" in server.stderr.readline()
        yield found
        server.send_signal(signal.SIGINT)
        # click ends the line of `^C` at a terminal.
        assert (server.wait(20), server.stderr.read().strip()) == (128 + signal.SIGINT, "")


def test_a_server_shows_what_agents_ask(repository: Repository, port: int) -> None:
    ask = [str(PROGRAM), "ask", "Deploy v1.2", "--action", "production_deployment"]
    asked = subprocess.run(ask, cwd=repository.root, capture_output=True, check=False)
    assert asked.returncode == 4
    url = f"http://127.0.0.1:{port}/"
    eventually(lambda: httpx.get(url).text, lambda page: "Deploy v1.2" in page)
    second = serve(repository, "--port", str(port))
    said = second.communicate(timeout=30)[1]
    assert second.returncode == 2
    assert said.startswith(f"helix-hooks: can't listen at 127.0.0.1:{port}: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "would show the queue without sign-in"),
        (["--host", "no.such.host.invalid"], "would show the queue without sign-in"),
        (["--user-header", "X-User"], "--user-header requires --proxy"),
        (["--path", "helix"], "expected a path"),
    ],
)
def test_what_is_unsafe_does_not_start(
    repository: Repository, arguments: list[str], words: str
) -> None:
    server = serve(repository, *arguments)
    said = server.communicate(timeout=30)[1]
    assert (server.returncode, said.count("\n")) == (2, 1) and words in said


@pytest.mark.parametrize("gap", [0, pytest.param(8, marks=pytest.mark.soak)])
def test_a_restart_of_the_database(repository: Repository, own_server: Postgres, gap: int) -> None:
    repository.commit()
    port, database = free_port(), own_server.url()
    variables = {"HELIX_FLOW_DATABASE": database}
    ask = [str(PROGRAM), "ask", "Deploy v1.2", "--action", "production_deployment"]
    environment = {**os.environ, **variables}
    asked = subprocess.run(ask, cwd=repository.root, env=environment, check=False)
    assert asked.returncode == 4
    url = f"http://127.0.0.1:{port}/"
    with serve(repository, "--port", str(port), **variables) as server, ended(server):
        assert server.stderr is not None and server.stderr.readline()
        eventually(lambda: httpx.get(url).text, lambda page: "Deploy v1.2" in page)
        own_server.stop()
        time.sleep(gap)
        away = httpx.get(url, timeout=30)
        assert "is empty" not in away.text, "nothing is said that was not read"
        own_server.start()
        eventually(lambda: httpx.get(url).text, lambda page: "Deploy v1.2" in page)
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 128 + signal.SIGINT
        assert "Traceback" not in server.stderr.read()
