"""The file of GitHub's answers: a faulty one costs requests and nothing else."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helix_hooks.github import answers
from helix_hooks.github.answers import StoredAnswer, StoredAnswers, place, stored

ANSWER = StoredAnswer('W/"1"', "<https://x>; rel=next", b'{"a": "\\u00e4"}')


def test_an_answer_is_kept_for_the_next_process(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    with stored(environment) as first, stored(environment) as second:
        first.keep("key", ANSWER)
        assert second.find("key") == ANSWER and second.find("other") is None
        second.keep("key", ANSWER._replace(etag="2"))
    with stored(environment) as third:
        assert third.find("key") == ANSWER._replace(etag="2")
    assert (tmp_path / "helix-hooks").stat().st_mode & 0o777 == 0o700


def test_many_threads_and_connections_write_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "own" / "github.sqlite")
    several = [StoredAnswers(path) for _ in range(3)]
    with ThreadPoolExecutor(12) as pool:
        for number in range(120):
            pool.submit(several[number % 3].keep, str(number), ANSWER)
    assert all(several[0].find(str(number)) == ANSWER for number in range(120))


def test_old_answers_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "own" / "github.sqlite")
    monkeypatch.setattr(answers, "_MOST", 2)
    first = StoredAnswers(path)
    for key in ("a", "b", "c"):
        first.keep(key, ANSWER)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE answers SET used = used - 5000000 WHERE key = 'a'")
    first.close()
    second = StoredAnswers(path)
    assert second.find("a") is None and second.find("b") and second.find("c")
    second.keep("d", ANSWER)
    second.close()
    with sqlite3.connect(path) as file:
        assert len(file.execute("SELECT key FROM answers").fetchall()) == 2


@pytest.mark.parametrize("fault", ["no place", "relative", "damaged", "locked", "a file above"])
def test_without_a_file_nothing_is_kept_and_nothing_fails(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_SECONDS", 0.01)
    path = tmp_path / "own" / "github.sqlite"
    path.parent.mkdir()
    if fault == "damaged":
        path.write_bytes(b"no database" * 1000)
    if fault == "locked":
        StoredAnswers(str(path)).close()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
    if fault == "a file above":
        path.parent.rmdir()
        path.parent.write_text("a file")
    where = {"no place": "", "relative": place({"XDG_CACHE_HOME": "x", "HOME": ""})}
    kept = StoredAnswers(where.get(fault, str(path)))
    kept.keep("key", ANSWER)
    assert kept.find("key") is None
    kept.close()
    assert kept.find("key") is None
