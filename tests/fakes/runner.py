"""A pull request on the fake GitHub, and the steps of the Action as a runner would take them: each its own process, with its own secrets."""

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from helix_hooks.cli.main import main
from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.github import git
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.program import program

READS = {"contents": "read", "pull-requests": "read", "checks": "read"}
WRITES = {
    "contents": "read",
    "pull-requests": "write",
    "issues": "write",
    "checks": "write",
    "statuses": "write",
}
READER, WRITER = "ghs_reader0000000000000", "ghs_writer0000000000000"
ADR = "docs/adr/0007-kafka.md"
BROKEN = "# 7. Use Kafka between the services\n\n## Status\n\nProposed\n\n## Context\n\nThree services exchange orders over HTTP, and orders are lost.\n"


class Ended(NamedTuple):
    """How a step ended."""

    code: int
    out: str
    err: str


class Job:
    """The runner of one workflow run on a pull request."""

    def __init__(self, fake: FakeGitHub, repository: Repository, folder: Path, number: int = 1, event: str = "pull_request_target",
                 before: str = "") -> None:  # fmt: skip
        self.fake, self.folder = fake, folder
        folder.mkdir()
        payload = {
            **self.event(repository, number, event),
            **({"before": before} if before else {}),
        }
        (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        for name in ("output", "summary"):
            (folder / name).touch()
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("ANTHROPIC_API_KEY", "GITHUB_TOKEN")},
            "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(folder / "event.json"), "GITHUB_REPOSITORY": fake.place.name,
            "GITHUB_API_URL": fake.url, "GITHUB_SERVER_URL": f"file://{repository.root.parent.parent}", "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary"), "HELIX_GITHUB_PAUSE": "0",
        }  # fmt: skip

    def event(self, repository: Repository, number: int, event: str) -> dict[str, Any]:
        if event == "schedule":
            return {"schedule": "17 * * * *"}
        pull = self.fake.pulls[number]
        if event == "workflow_dispatch":
            return {"inputs": {"pull-request": str(number)}}
        base, head = (
            git.resolve(repository.root, f"refs/heads/{name}") for name in (pull.base, pull.head)
        )
        repository_told = {"default_branch": self.fake.default_branch}
        if event == "merge_group":
            return {
                "repository": repository_told,
                "merge_group": {
                    "base_ref": f"refs/heads/{pull.base}",
                    "head_ref": f"refs/heads/gh-readonly-queue/{pull.base}/pr-{number}-{base}",
                    "head_sha": head,
                    "base_sha": base,
                },
            }
        source = {"sha": head, "repo": {"full_name": pull.fork}}
        if event == "pull_request_review":
            last = [*self.fake.reviews.values()][-1]
            by = self.fake.user(last.author)
            told = {
                "number": number,
                "draft": pull.draft,
                "head": source,
                "base": {"sha": base, "ref": pull.base},
            }
            return {
                "action": "submitted",
                "review": {"id": last.id, "user": by, "state": last.state.lower()},
                "sender": by,
                "pull_request": told,
            }
        return {
            "repository": repository_told,
            "pull_request": {
                "number": number,
                "draft": pull.draft,
                "body": pull.body,
                "head": source,
                "base": {"sha": base, "ref": pull.base},
            },
        }

    @classmethod
    def of_comment(cls, fake: FakeGitHub, repository: Repository, folder: Path, comment: int, action: str = "created", sender: str = "",
                   before: str = "") -> "Job":  # fmt: skip
        """The run that GitHub starts for a comment; `before` is its text before an edit."""
        found = fake.comments[comment]
        job = cls(fake, repository, folder, found.number, "issue_comment")
        by, done_by = (
            {**fake.user(login), "type": fake.user(login)["type"]}
            for login in (found.author, sender or found.author)
        )
        told = {"id": comment, "user": by, "body": found.body}
        issue = {
            "number": found.number,
            "pull_request": {"url": f"{fake.url}/pulls/{found.number}"},
        }
        payload = {
            "action": action,
            "comment": told,
            "issue": issue,
            "sender": done_by,
            "changes": {"body": {"from": before}} if before else {},
        }
        (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        return job

    def step(self, mode: str, *more: str, **environment: str) -> Ended:
        """One step. A judge is run in a process of its own, since it makes this program adopt orphans; the others in this one."""
        arguments, given = ["github", "--mode", mode, *more], {**self.environment, **environment}
        if mode in ("judge", "gate"):
            done = program(*arguments, cwd=self.folder, env=given)
            return Ended(done.returncode, done.stdout, done.stderr)
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, given, clear=True),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            return Ended(main(arguments), out.getvalue(), err.getvalue())

    def steps(self, judge: dict[str, str] | None = None, **environment: str) -> Ended:
        """All of them; the code and the output are those of the last."""
        self.step("snapshot", GITHUB_TOKEN=READER)
        self.step("check")
        self.step("judge", **{**(judge or {}), **environment})
        return self.step("publish", GITHUB_TOKEN=WRITER, **environment)

    @property
    def outputs(self) -> dict[str, str]:
        """What the steps have put out, as the runner reads it."""
        found, lines = {}, iter((self.folder / "output").read_text(encoding="utf-8").splitlines())
        for line in lines:
            name, _, end = line.partition("<<")
            value = []
            for part in lines:
                if part == end:
                    break
                value.append(part)
            found[name] = "\n".join(value)
        return found


def served(folder: Path) -> Repository:
    """A repository with a change, where a server would keep it: in a folder of its owner."""
    root = folder / "server" / "acme" / "decisions"
    root.mkdir(parents=True)
    repository = Repository(root)
    lay_out(repository)
    return repository


def hub(repository: Repository, **more: str) -> FakeGitHub:
    """A GitHub of a repository, with tokens of a workflow and some people."""
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    fake = FakeGitHub(repository.root, **more)
    fake.tokens[READER] = Token("github-actions[bot]", READS)
    fake.tokens[WRITER] = Token("github-actions[bot]", WRITES)
    fake.people.update(alice="write", max="maintain", anna="admin", eve="write")
    return fake


def stand_in(folder: Path, **case: Any) -> dict[str, str]:
    """The environment of the judge's step, with a program for claude that does what a case says."""
    whole = {"as": "claude", "result": {}, **case}
    programs = judges.programs(
        folder, {key: value for key, value in whole.items() if value is not None}
    )
    return {
        **judges.without_claude(judges.environment(None, programs)),
        "ANTHROPIC_API_KEY": judges.KEY,
    }
