"""Runs of the Action on a pull request of the fake GitHub, what people say there, and what is shown."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import WRITER, Ended, Job, stand_in
from tests.stories.pull_request.first_run import first_run

REPOSITORY = "/repos/acme/decisions"


FORBIDDEN: dict[str, Any] = {
    "message": "Resource not accessible by integration",
    "documentation_url": "https://docs.github.com/rest",
}


LOST: dict[str, Any] = {"message": "Server Error"}


FOLDERS_OF_A_RUN = 2
"""That of the job and that of its judge."""


class Runner:
    """Jobs of one pull request after another, each with a runner of its own."""

    def __init__(self, github: FakeGitHub, repository: Repository, folder: Path) -> None:
        self.github, self.repository, self.folder, self.count = github, repository, folder, 0

    def job(self, number: int = 1, event: str = "pull_request_target", before: str = "") -> Job:
        self.count += 1
        return Job(
            self.github, self.repository, self.folder / f"job-{self.count}", number, event, before
        )

    def judge(self, **case: Any) -> dict[str, str]:
        self.count += 1
        return stand_in(self.folder / f"programs-{self.count}", **case)

    def run(self, number: int = 1, **case: Any) -> Ended:
        """All steps, of which the first run of a test may be a copy of one that was alike."""

        def steps() -> Ended:
            return self.job(number).steps(self.judge(**case))

        if self.count:
            return steps()
        ended = first_run(self.github, self.repository, self.folder, (number, case), steps)
        self.count = max(self.count, FOLDERS_OF_A_RUN)
        return ended


def push(repository: Repository, path: str, text: str | bytes) -> str:
    repository.stage(path, text)
    repository.commit()
    return repository.git("rev-parse", "HEAD").stdout.strip()


def push_all(repository: Repository, texts: dict[str, str]) -> None:
    """Push many files in one commit."""
    for path, text in texts.items():
        repository.write(path, text)
    repository.git("add", "--all")
    repository.commit()


def written(github: FakeGitHub) -> list[str]:
    return [
        f"{seen.verb} {seen.path.removeprefix(REPOSITORY)} {seen.status}"
        for seen in github.requests
        if seen.verb != "GET"
    ]


def texts(github: FakeGitHub) -> str:
    """All that can be read on the pull request."""
    runs = [f"{run.output['title']}\n{run.output['summary']}" for run in github.runs.values()]
    bodies = [
        item.body
        for items in (github.comments, github.remarks, github.reviews)
        for item in items.values()
    ]
    return "\n".join([*bodies, *runs])


def check(github: FakeGitHub) -> Any:
    """The check run that counts: the latest."""
    return [*github.runs.values()][-1]


def base_has(repository: Repository, files: dict[str, str], links: dict[str, str]) -> None:
    """Put files and links into main, and begin the pull request's branch anew."""
    branch = repository.git("branch", "--show-current").stdout.strip()
    repository.git("checkout", "--quiet", "main")
    for path, text in files.items():
        repository.stage(path, text)
    for path, target in links.items():
        (repository.root / path).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target, repository.root / path)
    repository.git("add", "--all")
    repository.commit()
    repository.git("checkout", "--quiet", branch)
    repository.git("rebase", "--quiet", "main")


def main_has(repository: Repository, path: str, text: str) -> None:
    """What the change is measured by."""
    repository.git("checkout", "--quiet", "main")
    repository.stage(path, text)
    repository.commit()
    repository.git("rebase", "--quiet", "main", "change")


UNSURE: dict[str, Any] = {"structured": {"confidence": 0.5}}


ME = "github-actions[bot]"


class People(Runner):
    """Jobs that comments, reviews and the schedule start."""

    def says(self, by: str, body: str, number: int = 1, **more: str) -> Ended:
        return self.told(self.github.comment(number, by, body), **more)

    def told(
        self,
        comment: int,
        action: str = "created",
        sender: str = "",
        before: str = "",
        **environment: str,
    ) -> Ended:
        self.count += 1
        self.last = Job.of_comment(
            self.github,
            self.repository,
            self.folder / f"job-{self.count}",
            comment,
            action,
            sender,
            before,
        )
        return self.last.step("command", GITHUB_TOKEN=WRITER, **environment)

    def sweep(self) -> Ended:
        return self.job(event="schedule").step("sweep", GITHUB_TOKEN=WRITER)

    def pending(self, **more: Any) -> str:
        """A pull request about which a person is asked; the beginning of its head's name."""
        assert self.run(**{**UNSURE, **more}).code == 4
        return self.github.head(1)[:7]


def answers(github: FakeGitHub) -> list[str]:
    return [
        item.body
        for item in github.comments.values()
        if item.author == ME and "<!-- helix:answer" in item.body
    ]


def reactions(github: FakeGitHub) -> list[str]:
    return [item.content for item in github.reactions.values()]


def summary(github: FakeGitHub) -> str:
    return str(check(github).output["summary"])


def policy(repository: Repository, text: str) -> None:
    main_has(repository, "config/approvals.yaml", f"policy: {text}\n")


def after(github: FakeGitHub, hours: float, seconds: int = 0) -> None:
    github.now = github.now + timedelta(hours=hours, seconds=seconds)


def in_between(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, verb: str, do: Callable[[], object]
) -> None:
    """Something happens just before the check run is written, once."""
    real, once = github.answer, iter([do])

    def answer(request: Any) -> Any:
        if request.verb == verb and "/check-runs" in request.path and (now := next(once, None)):
            now()
        return real(request)

    monkeypatch.setattr(github, "answer", answer)


FAILS: dict[str, Any] = {"result": {"is_error": True}}
