"""Commands name the extra that they need; all others work without one."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from helix_hooks import extras
from helix_hooks.cli.shared import COMMANDS, EXTRAS
from helix_hooks.errors import MissingExtraError
from tests.conftest import ROOT, Repository

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""

MISSING = {name for names in extras.PACKAGES.values() for name in names}
DISTRIBUTIONS = {
    "GitPython": "git",
    "PyGithub": "github",
    "dbos": "dbos",
    "cryptography": "cryptography",
    "jsonschema-rs": "jsonschema_rs",
    "alembic": "alembic",
    "apprise": "apprise",
}
STARTER = """import json, os, sys
packages = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(packages))
import helix_hooks.cli.main

def run(asked):
    for name in set(packages) - set(asked["missing"]):
        del sys.modules[name]
    os.chdir(asked["folder"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT), number)
    sys.argv[1:] = asked["arguments"]
    helix_hooks.cli.main.console()

for line in sys.stdin:
    process = os.fork()
    if not process:
        try:
            run(json.loads(line))
        finally:
            os._exit(70)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""
"""Has imported the command line without any extra, and runs each command in a fork."""
ADR = '---\nadr_id: "1"\ntitle: x\nstatus: Proposed\n---\n\n# x\n\n## Context\n\nText.\n'
ARGUMENTS = {
    "decisions": ["src/a.py"],
    "enforce": [],
    "contract": ["1"],
    "explain": ["duplicate-id"],
    "new": ["A title"],
    "github": ["--mode", "check"],
    "audit": ["7"],
    "flow": ["list"],
    "run": ["phases.yaml"],
    "ask": ["A title", "--action", "pr_merge"],
    "queue": ["list"],
    "report": ["html"],
}


class Without(Protocol):
    def __call__(
        self, missing: set[str], *arguments: str
    ) -> "subprocess.CompletedProcess[str]": ...


@pytest.fixture(scope="module")
def starter() -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", STARTER, json.dumps(sorted(MISSING))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.communicate()


@pytest.fixture
def without(repository: Repository, tmp_path: Path, starter: "subprocess.Popen[str]") -> Without:
    """Run a command where packages are missing."""

    def call(missing: set[str], *arguments: str) -> "subprocess.CompletedProcess[str]":
        places = {name: str(tmp_path / name) for name in ("out", "err")}
        folder = str(repository.root)
        asked = {"missing": sorted(missing), "arguments": arguments, "folder": folder, **places}
        assert starter.stdin and starter.stdout
        print(json.dumps(asked), file=starter.stdin, flush=True)
        code = int(starter.stdout.readline())
        out, err = (Path(place).read_text(encoding="utf-8") for place in places.values())
        return subprocess.CompletedProcess(arguments, code, out, err)

    return call


@pytest.mark.sampled
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_missing_extra_is_one_line_with_the_way_out(
    repository: Repository, without: Without, command: str
) -> None:
    repository.stage("docs/adr/0001-x.md", ADR)
    repository.commit()
    done = without(MISSING, command, *ARGUMENTS.get(command, []))
    if command in EXTRAS:
        advice = "pip install 'helix-hooks[all]'"
        line = f"helix-hooks: {command} needs packages that are not installed: {advice}\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    else:
        assert done.returncode in (0, 1, 4), done.stderr
        assert "not installed" not in done.stderr, done.stderr
        assert "Traceback" not in done.stderr, done.stderr


@pytest.mark.sampled
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_needs_no_extra(without: Without, command: str) -> None:
    assert without(MISSING, command, "--help").returncode == 0


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command, extra in EXTRAS.items() for name in extras.PACKAGES[extra]],
)
def test_each_package_of_an_extra_is_asked_for(without: Without, command: str, name: str) -> None:
    done = without({name}, command, *ARGUMENTS.get(command, []))
    assert done.returncode == 2 and "needs packages that are not installed" in done.stderr


def test_an_extra_installs_what_it_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {extra: _names(items) for extra, items in project["optional-dependencies"].items()}
    assert listed["approve"] == {*extras.PACKAGES["approve"]}
    assert listed["approve"] | listed["github"] == {*extras.PACKAGES["github"]}
    assert listed["queue"] <= {*extras.PACKAGES["queue"]}
    needed = {*extras.PACKAGES["flow"], *extras.PACKAGES["github"], *extras.PACKAGES["queue"]}
    assert needed == {*extras.PACKAGES["queue"]} <= {*extras.PACKAGES["dashboard"]}
    all_extras = "helix-hooks[dashboard,enforce,judge,lsp,mcp]"
    assert project["optional-dependencies"]["all"] == [all_extras]
    assert not MISSING & _names(project["dependencies"])


def _names(items: list[str]) -> set[str]:
    return {
        module
        for distribution, module in DISTRIBUTIONS.items()
        for item in items
        if item.startswith(distribution)
    }


def test_an_empty_folder_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "left_by_an_uninstall").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(extras.PACKAGES, "approve", ("left_by_an_uninstall",))
    with pytest.raises(MissingExtraError):
        extras.require("approve", "approve")
