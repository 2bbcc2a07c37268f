"""The facts about a pull request as GitHub tells them at one moment, bound to the commit `head`.

Pure.
"""

from typing import NamedTuple

GITHUB_ACTIONS = 41898282
"""The id of github-actions[bot], who writes with the token of a workflow (docs.github.com, "Use
GITHUB_TOKEN").
"""


class Person(NamedTuple):
    """A user by name and number; only the number can't be given away and taken by somebody else."""

    login: str
    id: int
    is_bot: bool = False


NOBODY = Person("ghost", 0)
"""Somebody whose account is gone."""


class Review(NamedTuple):
    """A review in one of GitHub's states: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED,
    PENDING.

    `commit` is what was looked at, `at` when it was submitted, in seconds since 1970.
    """

    id: int
    by: Person
    state: str
    commit: str
    at: int = 0


EDITED = "the comment was edited, so it counts no more; write a new one"
HIDDEN = "the comment is hidden, so nobody reads it; write a new one"
UNKNOWN = (
    "whether the comment was edited is not known ({}), so it does not count; the next run "
    "asks again"
)


class Comment(NamedTuple):
    """A comment on the pull request as a whole, written `at`, and last `changed` then, in seconds
    since 1970.

    `edited` is what these times tell. `node` is its name in GraphQL, "" where GitHub need not be
    asked; `doubt` is why it can't approve by what GraphQL tells, "" where it can.
    """

    id: int
    by: Person
    body: str
    at: int = 0
    edited: bool = False
    changed: int = 0
    node: str = ""
    doubt: str = ""


class LineComment(NamedTuple):
    """A comment of a review; `answers` is the id of the one that it replies to, 0 for the first of
    its thread.

    `node` is its name in GraphQL.
    """

    id: int
    by: Person
    body: str
    answers: int = 0
    node: str = ""


class Status(NamedTuple):
    """Our check run at a commit, as it is now.

    `external_id` and `text` are what the run before wrote there, see `check_run` and `run_record`.
    `older` are ours that it has replaced, each with its conclusion.
    """

    id: int
    conclusion: str
    external_id: str
    annotations: int = 0
    text: str = ""
    completed: int = 0
    older: tuple[tuple[int, str], ...] = ()


class PullRequest(NamedTuple):
    """The facts about a pull request, as GitHub says at `now`. Times are in seconds since 1970.

    `base_ref` is the branch that it goes to, and `base` a commit at its tip some time ago.
    `siblings` are the numbers of the other open ones at the same head. `project` is the number of
    the repository. `closed` is when it was closed (0 for never), and `merged` the commit as which
    it was merged ("" for not).
    """

    number: int
    author: Person
    head: str
    base: str
    is_open: bool
    reviews: tuple[Review, ...] = ()
    comments: tuple[Comment, ...] = ()
    line_comments: tuple[LineComment, ...] = ()
    status: Status | None = None
    siblings: tuple[int, ...] = ()
    base_ref: str = ""
    now: int = 0
    project: int = 0
    closed: int = 0
    merged: str = ""


class Commit(NamedTuple):
    """A commit of the pull request: its authors, as GitHub and as git know them, and its
    message. `names` are those that git has.
    """

    people: tuple[Person, ...]
    emails: tuple[str, ...]
    message: str
    names: tuple[str, ...] = ()
