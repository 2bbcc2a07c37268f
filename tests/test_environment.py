"""The tests pass on any machine: whatever surrounds pytest, a test sees one environment, and touches nothing outside."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import ROOT, Repository, environment

SECRET = "from outside"
CONFIG = """[user]
    useConfigOnly = true
[commit]
    gpgSign = true
[init]
    defaultBranch = trunk
[core]
    autocrlf = true
    hooksPath = {hooks}
    excludesFile = {ignored}
[diff]
    noprefix = true
    external = false
[color]
    ui = always
[status]
    short = true
"""


def surroundings(folder: Path) -> dict[str, str]:
    """An environment in which git, pip and Python do something else, as within a hook of a repository of somebody's own."""
    repository, hooks, home = (folder / name for name in ("outer", "hooks", "home"))
    for place in (repository, hooks, home / ".config" / "git"):
        place.mkdir(parents=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\necho a hook from outside; exit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    (home / ".gitconfig").write_text(CONFIG.format(hooks=hooks.as_posix(), ignored=(home / "ignored").as_posix()))
    for ignored in (home / "ignored", home / ".config" / "git" / "ignore"):
        ignored.write_text("*.md\n")
    (repository / "README").write_text("outer\n")
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    git = {"GIT_DIR": str(repository / ".git"), "GIT_INDEX_FILE": str(repository / ".git" / "index"), "GIT_WORK_TREE": str(repository)}
    names = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "GITHUB_TOKEN", "GITHUB_OUTPUT", "GITHUB_EVENT_NAME", "HELIX_AGENT_COMMAND", "SKIP")
    plain = {"HOME": str(home), "TZ": "Asia/Kathmandu", "TERM": "dumb", "COLUMNS": "20", "CI": "true", "FORCE_COLOR": "1", "PYTHONPATH": str(hooks)}
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    return {**dict.fromkeys(names, SECRET), **plain, **git, **proxies, "LC_ALL": "C", "GIT_EDITOR": "false", "GIT_PAGER": "false"}


@pytest.fixture(scope="module")
def commit_of_a_module(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A commit made before the first test of the module begins."""
    repository = Repository(tmp_path_factory.mktemp("module"))
    repository.stage("a.md", "one\r\ntwo\n")
    repository.git("commit", "--quiet", "--message", "a")
    return repository


def test_git_is_as_it_comes(commit_of_a_module: Repository) -> None:
    repository = commit_of_a_module
    assert repository.git("show", "HEAD:a.md").stdout == "one\ntwo\n" and repository.git("log", "--format=%an %G?").stdout == "test N\n"
    raw = subprocess.run(["git", "cat-file", "blob", "HEAD:a.md"], cwd=repository.root, capture_output=True, check=True).stdout
    assert raw == b"one\r\ntwo\n"
    assert repository.git("branch", "--show-current").stdout == "main\n"
    assert repository.git("ls-files").stdout == "a.md\n"


def test_nothing_of_the_machine_is_seen(commit_of_a_module: Repository) -> None:
    assert not [name for name, value in os.environ.items() if value == SECRET]
    assert not [name for name in os.environ if name.startswith(("GIT_DIR", "GIT_I", "GIT_W", "PYTHON", "GITHUB_", "ANTHROPIC_", "LC_", "XDG_"))]
    assert time.localtime(0).tm_hour == 0 and not list(Path.home().glob(".config/git/*"))
    assert os.umask(0o022) == 0o022


@pytest.mark.parametrize("more", [("-n", "1"), ("-p", "no:xdist")], ids=["in a worker", "without workers"])
def test_the_tests_pass_in_any_surroundings(more: tuple[str, ...], tmp_path: Path) -> None:
    given = {**{name: os.environ[name] for name in ("PATH", "PIP_CONFIG_FILE") if name in os.environ}, **surroundings(tmp_path)}
    index = (tmp_path / "outer" / ".git" / "index").read_bytes()
    chosen = [str(ROOT / "tests" / name) for name in ("test_environment.py", "test_staged.py", "test_new_and_init.py")]
    only = "as_it_comes or nothing_of_the_machine or in_a_subfolder or learns_the_style or is_one_line"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "inner"), *more, *chosen, "-k", only]
    done = subprocess.run(command, cwd=tmp_path, env=given, umask=0o077, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout + done.stderr
    assert (tmp_path / "outer" / ".git" / "index").read_bytes() == index
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == [".config", ".gitconfig", "ignored"]


def test_how_packages_are_fetched_is_the_machines_own(tmp_path: Path) -> None:
    outside = {"PIP_INDEX_URL": "https://pypi.example", "HTTPS_PROXY": "http://proxy.example", "no_proxy": "pypi.example", "HOME": "/somewhere"}
    found = environment(outside, tmp_path)
    assert found["PIP_INDEX_URL"] == "https://pypi.example" and found["HTTPS_PROXY"] == "http://proxy.example"
    assert found["no_proxy"] == "127.0.0.1,localhost,pypi.example" == found["NO_PROXY"] and found["HOME"] == str(tmp_path)
