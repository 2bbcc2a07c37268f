"""What the fake GitHub knows: the facts a test sets and the things that requests make. All records are replaced, never changed."""

import re
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tests.fakes.github import git, payloads
from tests.fakes.github.git import Commit
from tests.fakes.github.payloads import Payload, Place

_KNOWN_USERS = {"github-actions[bot]": 41898282}
_KNOWN_APPS = {"github-actions[bot]": 15368}
_NOREPLY = re.compile(r"(?:\d+\+)?([^@+]+)@users\.noreply\.github\.com")


class Token(NamedTuple):
    """Whom a token speaks for, and what it may: {"pull-requests": "write"}. An app's token speaks for its bot."""

    login: str
    permissions: Mapping[str, str]


class Call(NamedTuple):
    """A request as a handler sees it: what stood in the path, the query, the body and who asks."""

    values: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    actor: Token


class Answer(NamedTuple):
    """`listed` is the key of the payload that is paged through, by `size` at a time; a payload that is a list is paged itself."""

    payload: Any
    status: int = 200
    listed: str | None = None
    size: int = 30
    most: int = 100


class RefusedError(Exception):
    """An answer that says no."""

    def __init__(self, status: int, message: str, errors: list[Any] | None = None) -> None:
        super().__init__(status, message, errors)
        self.status, self.message, self.errors = status, message, errors


class Pull(NamedTuple):
    """A pull request. `fork` is the full name of the repository its head is in, None once that was deleted.

    `frozen` is the head and the base of one that is closed; those of an open one are where its branches are.
    """

    number: int
    base: str
    head: str
    author: str
    title: str
    fork: str | None
    created: str
    updated: str
    draft: bool = False
    body: str | None = None
    closed: str | None = None
    merged: bool = False
    frozen: tuple[str, str] | None = None


class Review(NamedTuple):
    id: int
    pull: int
    author: str
    state: str
    body: str
    commit: str
    submitted: str


class Remark(NamedTuple):
    """A review comment: it stands at a line of the diff as it was at `commit`."""

    id: int
    pull: int
    review: int
    author: str
    path: str
    body: str
    commit: str
    created: str
    updated: str
    side: str
    line: int
    start_side: str | None = None
    start_line: int | None = None
    reply_to: int | None = None


class Comment(NamedTuple):
    """A comment in the conversation of a pull request; `edited` is when that was done last, and `hidden` says that it is minimized."""

    id: int
    number: int
    author: str
    body: str
    created: str
    updated: str
    edited: str | None = None
    hidden: bool = False


class Issue(NamedTuple):
    """An issue, which is no pull request."""

    number: int
    author: str
    title: str
    body: str
    created: str
    updated: str
    state: str = "open"
    pinned: bool = False


class Reaction(NamedTuple):
    id: int
    comment: int
    author: str
    content: str
    created: str


class Status(NamedTuple):
    id: int
    sha: str
    author: str
    state: str
    context: str
    description: str | None
    target: str | None
    created: str


class Run(NamedTuple):
    """A check run. `author` is the bot of the app that made it."""

    id: int
    author: str
    name: str
    sha: str
    started: str
    output: Payload
    external_id: str = ""
    details: str | None = None
    status: str = "queued"
    conclusion: str | None = None
    completed: str | None = None
    annotations: tuple[Payload, ...] = ()


Handler = Callable[["State", Call], Answer]


class Route(NamedTuple):
    """Who answers a request, and what a token needs: one of the permissions, such as `checks:write`."""

    handler: Handler
    permissions: tuple[str, ...]


class State:
    """`people` are roles by login, `teams` logins by `org/team`, `asked` and `assigned` who was asked for a review or assigned to a pull request, `roles` what a custom role builds on, `emails` logins by address of a commit.

    `rules` are those of the rulesets and `protection` is the classic one, both for any branch, as GitHub answers them; `environments` have the
    branches that may use them, None for all; `protected` are the protected branches; `most_entries` is how many a tree lists; `owner_errors` is what GitHub finds in CODEOWNERS.
    """

    def __init__(self, repository: Path, place: Place) -> None:
        self.repository, self.place = repository, place
        self.people: dict[str, str] = {}
        self.teams: dict[str, tuple[str, ...]] = {}
        self.asked: dict[int, list[str]] = {}
        self.assigned: dict[int, list[str]] = {}
        self.roles: dict[str, str] = {}
        self.emails: dict[str, str] = {}
        self.tokens: dict[str, Token] = {}
        self.archived: tuple[str, ...] = ()
        self.default_branch = "main"
        self.protected: tuple[str, ...] = ()
        self.most_entries = 100_000
        self.actions_may_approve = True
        self.actions_may_write = False
        self.rules: list[Payload] = []
        self.protection: Payload | None = None
        self.environments: dict[str, Payload | None] = {}
        self.owner_errors: list[Payload] = []
        self.pulls: dict[int, Pull] = {}
        self.reviews: dict[int, Review] = {}
        self.remarks: dict[int, Remark] = {}
        self.comments: dict[int, Comment] = {}
        self.reactions: dict[int, Reaction] = {}
        self.issues: dict[int, Issue] = {}
        self.statuses: dict[int, Status] = {}
        self.runs: dict[int, Run] = {}
        self.used = 0
        self.lock = threading.RLock()
        self._numbers: dict[tuple[str, str], int] = {}
        self._last = 1000
        self._now = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def names(self) -> list[str]:
        """The full names of all repositories on this server."""
        return [self.place.name]

    def named(self, name: str) -> "State":
        """The repository of a full name. Raises RefusedError for an unknown one."""
        if name.lower() != self.place.name.lower():
            raise RefusedError(404, "Not Found")
        return self

    @property
    def now(self) -> datetime:
        """The server's clock. It goes on by a second with everything that happens and can be set forward."""
        return self._now

    @now.setter
    def now(self, time: datetime) -> None:
        if time < self._now:
            raise ValueError(f"the clock stands at {self._now} already")
        self._now = time

    def tick(self) -> str:
        self._now += timedelta(seconds=1)
        return payloads.stamp(self._now)

    def next_id(self) -> int:
        self._last += 1
        return self._last

    def number(self, kind: str, key: str) -> int:
        """The id of something that is known by a name."""
        if (kind, key) not in self._numbers:
            known = {"user": _KNOWN_USERS, "app": _KNOWN_APPS}.get(kind, {})
            self._numbers[kind, key] = known.get(key) or self.next_id()
        return self._numbers[kind, key]

    def user(self, login: str) -> Payload:
        return payloads.user(self.place, login, self.number("user", login))

    def app(self, login: str) -> Payload:
        owner = "github" if login in _KNOWN_APPS else self.place.owner
        return payloads.app(self.place, login, self.number("app", login), self.user(owner))

    def repository_payload(self, name: str) -> Payload:
        place = self.place._replace(name=name)
        number, owner = self.number("repository", name), self.user(place.owner)
        return payloads.repository(
            place, number, owner, default_branch=self.default_branch, fork=name != self.place.name
        )

    def role(self, login: str) -> str | None:
        """Logins are the same in any case."""
        return next(
            (role for name, role in self.people.items() if name.lower() == login.lower()), None
        )

    def association(self, login: str) -> str:
        return "NONE" if self.role(login) in (None, "none", "read") else "COLLABORATOR"

    def commit_payload(self, made: Commit) -> Payload:
        author, committer = self._behind(made.author.email), self._behind(made.committer.email)
        return payloads.commit(self.place, made, author, committer)

    def _behind(self, email: str) -> Payload | None:
        noreply = _NOREPLY.fullmatch(email)
        login = self.emails.get(email) or (noreply[1] if noreply else None)
        return self.user(login) if login else None

    def pull(self, number: str | int) -> Pull:
        if not str(number).isdigit() or int(number) not in self.pulls:
            raise RefusedError(404, "Not Found")
        return self.pulls[int(number)]

    def touch(self, number: int) -> str:
        """Something happened to a pull request, and this is when."""
        time = self.tick()
        self.pulls[number] = self.pulls[number]._replace(updated=time)
        return time

    def tips(self, pull: Pull) -> tuple[str, str]:
        """The base and the head of a pull request: of an open one, where the branches are now."""
        return pull.frozen or (self._tip(pull.base), self._tip(pull.head))

    def _tip(self, branch: str) -> str:
        sha = git.resolve(self.repository, f"refs/heads/{branch}")
        if not sha:
            raise LookupError(f"no branch {branch}")
        return sha

    def range(self, pull: Pull) -> tuple[str, str]:
        """The merge base and the head: what the diff of a pull request is between."""
        base, head = self.tips(pull)
        return git.merge_base(self.repository, base, head), head

    def commits(self, pull: Pull) -> tuple[Commit, ...]:
        return git.commits(self.repository, *self.tips(pull))

    def sha(self, name: str) -> str:
        """The commit that a reference in a path means."""
        found = git.resolve(self.repository, name)
        if not found:
            raise RefusedError(422, f"No commit found for SHA: {name}")
        return found
