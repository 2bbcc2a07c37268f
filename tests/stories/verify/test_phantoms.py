"""Work that is not there, and looks as if it were: with the real git."""

import os
import shutil
import subprocess

import pytest

from tests.conftest import Repository, Run
from tests.stories.verify.work import START, WITH_CRITERIA, deliver, missing, start, states

_PATH = "src/orders.py"
_KAFKA = "docs/kafka.md"
_REPLAYS = "criterion test_replays passes"
_NO_TESTS = [
    ("tests/test_more.py", "def helper():\n    def test_replays(): ...\n"),
    ("tests/test_more.py", '# def test_replays\n"""def test_replays"""\n'),
    ("tests/names.json", '["test_replays"]\n'),
    (".gitignore", "test_replays\n"),
    ("tests/orders.test.js", "// TODO: test_replays\nlet x = 1 // test_replays\n"),
    ("tests/orders.go", "/*\nfunc test_replays()\n*/\n"),
    ("tests/orders.rb", "# def test_replays\n"),
]
_TESTS = [
    ("tests/orders.rs", "#[test]\nfn test_replays() {}\n"),
    ("tests/orders.test.ts", 'glob("/*"); it("test_replays", () => {})\n'),
    ("tests/orders.rb", "def test_replays # it does\nend\n"),
    ("tests/orders.c", "/* It replays. */ void test_replays(void) {}\n"),
    ("tests/test_more.py", "if True:\n    async def test_replays(): ...\n"),
]


@pytest.mark.parametrize(
    ("path", "text", "promise"),
    [
        (_PATH, "", "create"),
        (_PATH, " \n\t\n", "create"),
        (_KAFKA, "\ufeff", "docs"),
        (_KAFKA, "\u200b\u2060\n", "docs"),
        (_KAFKA, "\u00a0\n", "docs"),
        ("src/main.py", "queue = 'rabbit'\n\n\n", "modify"),
        ("src/main.py", "\nqueue = 'rabbit'  \n", "modify"),
        ("src/main.py", "queue = 'rabbit'\r\n", "modify"),
    ],
)
def test_what_nobody_sees_is_no_work(
    path: str, text: str, promise: str, delivered: Repository, run: Run
) -> None:
    delivered.write(path, text)
    assert missing(run) == [f"{promise} {path}"]


@pytest.mark.parametrize("target", ["/etc/hosts", "nowhere", "orders.py", "../../x", ".git/HEAD"])
def test_a_link_that_leads_nowhere_is_no_file(target: str, started: Repository, run: Run) -> None:
    deliver(started, _PATH, "src/rabbit.py")
    (started.root / _PATH).symlink_to(target)
    (started.root / "src/rabbit.py").unlink()
    (started.root / "src/rabbit.py").symlink_to(target)
    found = missing(run)
    assert found[:2] == [f"create {_PATH}", "delete src/rabbit.py"]


def test_a_folder_that_becomes_a_link_hides_nothing(delivered: Repository, run: Run) -> None:
    shutil.rmtree(delivered.root / "src")
    (delivered.root / "src").symlink_to("/usr")
    assert len([name for name in missing(run) if "src/" in name]) == 4


def test_a_folder_that_becomes_a_repository_hides_nothing(delivered: Repository, run: Run) -> None:
    subprocess.run(["git", "init", "-q", "src"], cwd=delivered.root, check=True)
    assert f"create {_PATH}" in missing(run)


def test_a_submodule_that_was_there_before_can_not_be_looked_into(
    repository: Repository, run: Run
) -> None:
    commit = "1" * 40
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},src/kafka")
    repository.commit("Add a submodule")
    start(repository)
    deliver(repository, "src/kafka/__init__.py")
    assert missing(run) == []


def test_a_pipe_is_no_file(started: Repository, run: Run) -> None:
    deliver(started, _PATH)
    os.mkfifo(started.root / _PATH)
    assert f"create {_PATH}" in missing(run)


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_change_that_no_commit_will_have_does_not_count(
    flag: str, delivered: Repository, run: Run
) -> None:
    delivered.git("update-index", flag, "src/main.py")
    result = run("verify", "ADR-014")
    assert "src/main.py: git ignores its changes" in result.out
    assert missing(run) == ["modify src/main.py"]


def test_a_hidden_file_without_a_change_of_its_own_counts(delivered: Repository, run: Run) -> None:
    delivered.git("add", "--all")
    delivered.git("update-index", "--assume-unchanged", "src/main.py", _PATH)
    assert missing(run) == []


@pytest.mark.parametrize(
    ("path", "text", "state"),
    [
        *((path, text, "unchecked") for path, text in _NO_TESTS),
        *((path, text, "present") for path, text in _TESTS),
    ],
)
def test_the_name_of_a_test_alone_is_no_test(
    path: str, text: str, state: str, repository: Repository, run: Run
) -> None:
    start(repository, WITH_CRITERIA, files={**START, path: "\n"})
    deliver(repository)
    repository.write("tests/test_orders.py", "def test_sends(): ...\n")
    repository.write(path, text)
    assert states(run, "ADR-014")[_REPLAYS] == state
