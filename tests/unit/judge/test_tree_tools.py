"""The tools of an API judge: what they show of a tree, what they refuse, and where they cut."""

import os
import time
from pathlib import Path

import pytest

from helix_hooks.judge.tree_tools import TreeTools


@pytest.fixture
def tools(tmp_path: Path) -> TreeTools:
    """The tools over a small tree, beside which a secret lies."""
    repo, judge = tmp_path / "repo", tmp_path / "judge"
    for folder in (repo / "docs", judge / "checks"):
        folder.mkdir(parents=True)
    (repo / "docs" / "a.md").write_text("one\ntwo kafka\nthree\n", encoding="utf-8")
    (repo / "b.py").write_text("KAFKA = 1\n", encoding="utf-8")
    (judge / "findings.json").write_text("[]\n", encoding="utf-8")
    (tmp_path / "secret").write_text("a secret beside the tree\n", encoding="utf-8")
    return TreeTools(str(repo), str(judge))


def called(tools: TreeTools, name: str, **arguments: object) -> str:
    return tools.call(name, arguments)


def test_files_are_listed_read_and_found(tools: TreeTools) -> None:
    assert called(tools, "list_files") == "b.py\ndocs/a.md"
    assert called(tools, "list_files", folder="docs") == "docs/a.md"
    assert called(tools, "list_files", folder="../judge") == "../judge/findings.json"
    assert called(tools, "read_file", path="docs/a.md") == "1\tone\n2\ttwo kafka\n3\tthree"
    assert called(tools, "read_file", path="docs/a.md", first=2, last=2) == "2\ttwo kafka"
    assert called(tools, "read_file", path="../judge/findings.json") == "1\t[]"
    assert called(tools, "search", text="kafka") == "docs/a.md:2: two kafka"
    assert (
        called(tools, "search", text="(?i)^.*kafka", is_pattern=True)
        == "b.py:1: KAFKA = 1\ndocs/a.md:2: two kafka"
    )
    assert called(tools, "search", text="kafka", folder="b.py") == "(nothing)"
    assert (
        called(tools, "read_file", path="docs/a.md", first=9)
        == "refused: docs/a.md has the lines 1 to 3"
    )


CALLS: list[tuple[str, object, str]] = [
    ("write_file", {"path": "a"}, "there is no tool 'write_file'"),
    ("__init__", {"repo": "/"}, "there is no tool '__init__'"),
    ("call", {"name": "search"}, "there is no tool 'call'"),
    ("read_file", None, "null is not of type"),
    ("read_file", {}, '"path" is a required property'),
    ("read_file", {"path": 1}, '1 is not of type "string"'),
    ("read_file", {"path": "b.py", "first": -1}, "-1 is less than the minimum of 0"),
    ("read_file", {"path": "b.py", "mode": "w"}, "'mode' was unexpected"),
    ("list_files", {"folder": "\ud800"}, ""),
]


@pytest.mark.parametrize(("name", "arguments", "words"), CALLS)
def test_a_call_that_is_none_is_refused(
    tools: TreeTools, name: str, arguments: dict[str, object] | None, words: str
) -> None:
    shown = tools.call(name, arguments)
    assert shown.startswith("refused: ") and words in shown, shown


OUTSIDE = [
    "../secret",
    "docs/../../secret",
    "../judge/../secret",
    "../judgement/../secret",
    "/etc/passwd",
    "//etc/passwd",
    "../judge//etc/passwd",
    "docs/link",
    "linked/secret",
    "..",
    "../repo/../secret",
    "docs\\..\\..\\secret",
    "secret\0",
    "file:///etc/passwd",
    "http://127.0.0.1:9/secret",
    "~/secret",
    "/proc/self/environ",
    "a" * 5000,
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_is_shown(tools: TreeTools, tmp_path: Path, path: str) -> None:
    """Attack on the judge: a path out of the tree for a tool of the judge by API: `..`, absolute, a link, a URL, NUL, the environment in `/proc`.
    Answer: refused; each path is resolved, and must be below the tree or the judge's folder.
    """
    os.symlink(tmp_path / "secret", tmp_path / "repo" / "docs" / "link")
    os.symlink(tmp_path, tmp_path / "repo" / "linked")
    for shown in (
        called(tools, "read_file", path=path),
        called(tools, "list_files", folder=path),
        called(tools, "search", text="secret", folder=path),
    ):
        assert shown.startswith("refused: ") or shown == "(nothing)", shown
    assert "secret" not in called(tools, "list_files") + called(
        tools, "search", text="a secret beside the tree"
    )


PATTERNS = ["(a+)+$", "(a|a)*b", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*(.*)*(.*)*x$"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_does_not_hang(tools: TreeTools, tmp_path: Path, pattern: str) -> None:
    """Attack on the judge: a pattern that takes exponential time on a line of the tree.
    Answer: searches use an engine that takes linear time, and one search ends after five seconds.
    """
    (tmp_path / "repo" / "bomb").write_text("a" * 50_000 + "!\n", encoding="utf-8")
    began = time.process_time()
    called(tools, "search", text=pattern, is_pattern=True)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "pattern", ["(?=a)", r"(a)\1", "(", "(a{1000}){1000}", "", "x" * 301, "a\nb"]
)
def test_a_pattern_that_is_none_is_refused(tools: TreeTools, pattern: str) -> None:
    assert called(tools, "search", text=pattern, is_pattern=True).startswith("refused: ")


def test_each_answer_is_bounded_and_says_so(tools: TreeTools, tmp_path: Path) -> None:
    """Attack on the judge: a file or a folder so large that a tool's answer fills the model's context.
    Answer: answers have limits of files, hits and characters, and say that they were cut and how to continue.
    """
    repo = tmp_path / "repo"
    (repo / "long.md").write_text("word " * 10 + "\n" + "kafka line\n" * 20_000, encoding="utf-8")
    (repo / "wide.md").write_text("x" * 100_000, encoding="utf-8")
    shown = called(tools, "read_file", path="long.md")
    last = shown.splitlines()[-1]
    assert len(shown) < 25_000 and last.startswith("(cut: 20001 lines; continue with first=")
    following = int(last.partition("first=")[2].strip(")"))
    assert shown.splitlines()[-2].startswith(f"{following - 1}\t")
    assert called(tools, "read_file", path="wide.md").endswith("(cut: the line 1 is longer)")
    assert called(tools, "search", text="kafka").endswith(
        "(cut: there may be more; search a folder of them)"
    )
    for number in range(600):
        (repo / "docs" / f"{number}.md").write_text("", encoding="utf-8")
    assert called(tools, "list_files", folder="docs").endswith(
        "(cut: 101 more files; name a folder)"
    )
