"""A PostgreSQL server on loopback, for as long as a test session lasts."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PASSWORD = "a secret of the database"
_USERS = ("postgres", "nobody")
"""Who runs the server where the tests run as root, which initdb refuses."""


def missing() -> str:
    """Return why there is no server here, "" if there is one."""
    absent = [name for name in ("initdb", "pg_ctl", "postgres") if not shutil.which(name)]
    return f"PostgreSQL is not installed: no {', '.join(absent)} on the PATH" if absent else ""


class Postgres:
    """A server in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._data = folder, folder / "data"
        self._databases = 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        folder.mkdir(mode=0o755)
        self._user = _user()
        if self._user:
            shutil.chown(folder, self._user)
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._call(
            "initdb", "--no-sync", "--auth=scram-sha-256", "--username=helix", f"--pwfile={secret}",
            "--encoding=UTF8", "--no-locale", f"--pgdata={self._data}",
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k '{self._folder}' -c fsync=off -c max_connections=200"
        self._call("pg_ctl", f"--pgdata={self._data}", "--wait", f"--log={self._folder}/log", f"--options={options}", "start")  # fmt: skip

    def stop(self) -> None:
        self._call("pg_ctl", f"--pgdata={self._data}", "--wait", "--mode=immediate", "stop")

    def url(self, name: str = "", password: str = PASSWORD) -> str:
        """Return the URL of a new database, or of one by its name."""
        if not name:
            self._databases += 1
            name = f"flows{os.getpid()}_{self._databases}"
            import psycopg

            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://helix:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/{name}"

    def _call(self, *command: str) -> None:
        as_user = ["runuser", "-u", self._user, "--"] if self._user else []
        done = subprocess.run(
            [*as_user, *command], cwd=self._folder, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"


@contextlib.contextmanager
def server(folder: Path) -> Iterator[Postgres]:
    """Give a server, which is stopped at the end."""
    made = Postgres(folder)
    try:
        yield made
    finally:
        with contextlib.suppress(AssertionError):
            made.stop()


@contextlib.contextmanager
def session_server() -> Iterator[Postgres]:
    """Give a server for the tests of a process, which are skipped where there is none."""
    if missing():
        pytest.skip(missing())
    folder = Path(tempfile.mkdtemp(prefix="helix-pg-"))  # short: a socket's path is limited
    folder.chmod(0o755)
    try:
        with server(folder / "server") as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str:
    if os.geteuid() != 0:
        return ""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _USERS if name in names)
