"""Commands name the extra that they need; all others work without one."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from helix_hooks import extras
from helix_hooks.cli import COMMANDS
from helix_hooks.errors import MissingExtraError
from tests.conftest import ROOT, Repository

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""

MISSING = {name for names in extras.PACKAGES.values() for name in names}
DISTRIBUTIONS = {
    "GitPython": "git",
    "PyGithub": "github",
    "cryptography": "cryptography",
    "jsonschema-rs": "jsonschema_rs",
}
WITHOUT = """import sys
for name in {names!r}:
    sys.modules[name] = None
from helix_hooks.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
ADR = '---\nadr_id: "1"\ntitle: x\nstatus: Proposed\n---\n\n# x\n\n## Context\n\nText.\n'
ARGUMENTS = {
    "explain": ["duplicate-id"],
    "new": ["A title"],
    "github": ["--mode", "check"],
    "audit": ["7"],
}


def _without(names: set[str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    program = WITHOUT.format(names=sorted(names))
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_missing_extra_is_one_line_with_the_way_out(repository: Repository, command: str) -> None:
    repository.stage("docs/adr/0001-x.md", ADR)
    repository.commit()
    done = _without(MISSING, command, *ARGUMENTS.get(command, []))
    if command in extras.NEEDED_BY:
        extra = extras.NEEDED_BY[command]
        line = f"helix-hooks: {command} needs the packages of the extra '{extra}'; install them: pip install 'helix-hooks[{extra}]'\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    else:
        assert (
            done.returncode in (0, 1)
            and "extra" not in done.stderr
            and "Traceback" not in done.stderr
        ), done.stderr


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_needs_no_extra(repository: Repository, command: str) -> None:
    assert repository.root
    assert _without(MISSING, command, "--help").returncode == 0


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (command, name)
        for command, extra in extras.NEEDED_BY.items()
        for name in extras.PACKAGES[extra]
    ],
)
def test_each_package_of_an_extra_is_asked_for(
    repository: Repository, command: str, name: str
) -> None:
    assert repository.root
    done = _without({name}, command, *ARGUMENTS.get(command, []))
    assert done.returncode == 2 and "needs the packages of the extra" in done.stderr


def test_an_extra_installs_what_it_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {extra: _names(items) for extra, items in project["optional-dependencies"].items()}
    assert listed["approve"] == {*extras.PACKAGES["approve"]}
    assert listed["approve"] | listed["github"] == {*extras.PACKAGES["github"]}
    assert project["optional-dependencies"]["full"] == ["helix-hooks[approve,github]"]
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
        extras.require("approve")
