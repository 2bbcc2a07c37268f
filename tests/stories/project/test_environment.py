"""The tests pass on any machine.

Whatever surrounds pytest, a test sees one environment, and touches nothing outside.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, environment

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

# Python reads the place of an editable project in the encoding of the locale.
ENCODING = "C" if str(ROOT).isascii() else "C.UTF-8"
PLAIN = {
    "LC_ALL": ENCODING, "TZ": "Asia/Kathmandu", "TERM": "dumb", "COLUMNS": "20", "CI": "true",
    "FORCE_COLOR": "1", "GIT_EDITOR": "false", "GIT_PAGER": "false", "GIT_AUTHOR_NAME": SECRET,
    "http_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
    "ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": SECRET, "HELIX_AGENT_COMMAND": SECRET,
    "GITHUB_TOKEN": SECRET, "GITHUB_OUTPUT": SECRET, "GITHUB_EVENT_NAME": SECRET, "SKIP": SECRET,
}  # fmt: skip
FOREIGN = ("GIT_DIR", "GIT_I", "GIT_W", "PYTHON", "GITHUB_", "ANTHROPIC_", "LC_", "XDG_")
MODULES = ("project/test_environment.py", "check/test_staged.py", "commands/test_new_and_init.py")
CHOSEN = "as_it_comes or of_the_machine_is or in_a_subfolder or learns_the_style or is_one_line"


def surroundings(folder: Path) -> dict[str, str]:
    """Return an environment in which git, pip and Python behave otherwise, as within a git hook."""
    repository, hooks, home = (folder / name for name in ("outer", "hooks", "home"))
    for place in (repository, hooks, home / ".config" / "git"):
        place.mkdir(parents=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\necho a hook from outside; exit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    ignored = home / "ignored"
    config = CONFIG.format(hooks=hooks.as_posix(), ignored=ignored.as_posix())
    (home / ".gitconfig").write_text(config)
    for place in (ignored, home / ".config" / "git" / "ignore"):
        place.write_text("*.md\n")
    (repository / "README").write_text("outer\n")
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    own = repository / ".git"
    git = {"GIT_DIR": own, "GIT_INDEX_FILE": own / "index", "GIT_WORK_TREE": repository}
    paths = {**git, "HOME": home, "PYTHONPATH": hooks}
    return {**PLAIN, **{name: str(place) for name, place in paths.items()}}


@pytest.fixture(scope="module")
def commit_of_a_module(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A commit made before the first test of the module begins."""
    repository = Repository(tmp_path_factory.mktemp("module"))
    repository.stage("a.md", "one\r\ntwo\n")
    repository.git("commit", "--quiet", "--message", "a")
    return repository


def test_git_is_as_it_comes(commit_of_a_module: Repository) -> None:
    repository = commit_of_a_module
    show = ["git", "cat-file", "blob", "HEAD:a.md"]
    shown = subprocess.run(show, cwd=repository.root, capture_output=True, check=True)
    assert shown.stdout == b"one\r\ntwo\n"
    assert repository.git("log", "--format=%an %G?").stdout == "test N\n"
    assert repository.git("branch", "--show-current").stdout == "main\n"
    assert repository.git("ls-files").stdout == "a.md\n"


def test_nothing_of_the_machine_is_seen(commit_of_a_module: Repository) -> None:
    assert not [name for name, value in os.environ.items() if value == SECRET]
    assert not [name for name in os.environ if name.startswith(FOREIGN)]
    assert time.localtime(0).tm_hour == 0
    assert not list(Path.home().glob(".config/git/*"))
    assert os.umask(0o022) == 0o022


WORKERS = {"in a worker": ("-n", "1"), "without workers": ("-p", "no:xdist")}


@pytest.mark.further
@pytest.mark.parametrize("workers", WORKERS)
def test_the_tests_pass_in_any_surroundings(workers: str, tmp_path: Path) -> None:
    given = {"PATH": os.environ["PATH"], **surroundings(tmp_path)}
    index = tmp_path / "outer" / ".git" / "index"
    before = index.read_bytes()
    chosen = [ROOT / "tests" / "stories" / name for name in MODULES]
    inner = str(tmp_path / "inner")
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", inner, "-k", CHOSEN]
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pytest",
        *options,
        *WORKERS[workers],
        *chosen,
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env=given, umask=0o077, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout + done.stderr
    assert index.read_bytes() == before
    left = {path.name for path in (tmp_path / "home").iterdir()}
    assert left == {".config", ".gitconfig", "ignored"}


def test_how_packages_are_fetched_is_the_machines_own(tmp_path: Path) -> None:
    index, proxy = "https://pypi.example", "http://proxy.example"
    outside = {"PIP_INDEX_URL": index, "HTTPS_PROXY": proxy, "no_proxy": "pypi.example"}
    found = environment({**outside, "HOME": "/somewhere"}, tmp_path)
    assert (found["PIP_INDEX_URL"], found["HTTPS_PROXY"]) == (index, proxy)
    assert found["no_proxy"] == found["NO_PROXY"] == "127.0.0.1,localhost,pypi.example"
    assert found["HOME"] == str(tmp_path)
