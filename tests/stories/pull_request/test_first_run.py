"""A first run that is a copy, beside the run that it copies and beside one more."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fakes.runner import hub, served
from tests.stories.pull_request import first_run
from tests.stories.pull_request.scene import (
    UNSURE,
    People,
    answers,
    check,
    policy,
    push,
    texts,
    written,
)


@pytest.fixture(autouse=True)
def nothing_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_run, "_MADE", {})


@contextmanager
def scene(folder: Path) -> Iterator[People]:
    folder.mkdir()
    repository = served(folder)
    with hub(repository) as github:
        github.open_pull(1)
        yield People(github, repository, folder)


def files(people: People) -> dict[str, str]:
    """What the jobs have left, without the name of their folder."""
    return {
        str(place.relative_to(people.folder)): _text(place).replace(str(people.folder), "")
        for job in people.folder.glob("*-[0-9]")
        for place in job.rglob("*")
        if place.is_file()
    }


def _text(place: Path) -> str:
    return place.read_bytes().decode(errors="replace")


def without_ids(people: People) -> str:
    """All that can be read, without what is drawn by lot or measured, and what depends on it."""
    return re.sub(
        r"[0-9a-f]{64}|\b\d+ s\b|(?<=helix:page=)[0-9a-f.]+|[A-Za-z0-9+/=]{200,}",
        "",
        texts(people.github),
    )


def made() -> int:
    return len(first_run._MADE)


def test_a_copy_is_like_the_run(tmp_path: Path) -> None:
    with scene(tmp_path / "run") as ran, scene(tmp_path / "copy") as copied:
        assert ran.run(**UNSURE) == copied.run(**UNSURE) and made() == 1
        assert first_run.facts(ran.github) == first_run.facts(copied.github)
        assert files(ran) == files(copied) and len(files(ran)) > 20
        assert ran.count == copied.count
        ran.github.comments.clear()
        assert copied.github.comments


@pytest.mark.further
def test_a_copy_is_like_one_run_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scene(tmp_path / "run") as ran, scene(tmp_path / "copy") as copied:
        ran.run(**UNSURE)
        copied.run(**UNSURE)
        monkeypatch.setattr(first_run, "_MADE", {})
        with scene(tmp_path / "more") as more:
            more.run(**UNSURE)
            assert more.count == copied.count and files(more).keys() == files(copied).keys()
            for people in (more, copied):
                people.says("max", f"/helix approve {people.github.head(1)[:7]}")
                people.run(**UNSURE)
                assert check(people.github).conclusion == "success"
            assert written(more.github) == written(copied.github)
            assert without_ids(more) == without_ids(copied)
            assert answers(more.github) == answers(copied.github)


@pytest.mark.further
def test_what_differs_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scene(tmp_path / "plain") as people:
        people.run(**UNSURE)
    with scene(tmp_path / "case") as people:
        assert people.run().code == 0 and made() == 2
    with scene(tmp_path / "branch") as people:
        push(people.repository, "README.md", "More.\n")
        assert people.run(**UNSURE).code == 4 and made() == 3
    with scene(tmp_path / "base") as people:
        policy(people.repository, "{minimum_approvals: 2}")
        assert people.run(**UNSURE).code == 4 and made() == 4
    with scene(tmp_path / "comment") as people:
        people.github.comment(1, "max", "Nice.")
        assert people.run(**UNSURE).code == 4 and made() == 5
    with scene(tmp_path / "draft") as people:
        people.github.open_pull(1, draft=True)
        assert people.run(**UNSURE).code == 4 and made() == 6
    with scene(tmp_path / "environment") as people:
        monkeypatch.setenv("HELIX_RECORD_KEY", "a key")
        people.run(**UNSURE)
        assert made() == 7
    with scene(tmp_path / "answer") as people:
        monkeypatch.setattr(people.github, "answer", people.github.answer)
        people.run(**UNSURE)
        assert made() == 7
