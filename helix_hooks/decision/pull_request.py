"""The facts about a pull request on GitHub at one moment, bound to the commit `head`. Pure."""

import re
from typing import NamedTuple

from ..config.workflows import CHECK

GITHUB_ACTIONS = 41898282
"""The id of github-actions[bot], the author of everything that is written with the token of a
workflow (docs.github.com, "Use GITHUB_TOKEN").
"""


class Person(NamedTuple):
    """A user by name and number. A name can be changed and taken by another user, a number not."""

    login: str
    id: int
    is_bot: bool = False


NOBODY = Person("ghost", 0)
"""A user whose account was deleted."""


class Review(NamedTuple):
    """A review in a state of GitHub: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING.

    `commit` is the reviewed commit, `at` the time of submission, in seconds since 1970.
    """

    id: int
    by: Person
    state: str
    commit: str
    at: int = 0


EDITED = "edited comments do not count; post a new comment"
HIDDEN = "hidden comments do not count; post a new comment"
UNKNOWN = (
    "whether the comment was edited is not known ({}), so it does not count; the next run "
    "asks again"
)


class Comment(NamedTuple):
    """A comment on the pull request as a whole, written `at`, last `changed`: seconds since 1970.

    `edited` follows from these times. `node` is its id in GraphQL, "" if no query is needed;
    `doubt` is the reason from GraphQL why it can't approve, "" for none.
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
    """A comment of a review.

    `answers` is the id of the comment that it replies to, 0 for the first of its thread. `node` is
    its id in GraphQL.
    """

    id: int
    by: Person
    body: str
    answers: int = 0
    node: str = ""


class Status(NamedTuple):
    """The current state of our check run at a commit.

    `external_id` and `text` were written by the last run, see `check_run` and `run_record`.
    `older` are our check runs of the same name that it replaced, each with its conclusion.
    """

    id: int
    conclusion: str
    external_id: str
    annotations: int = 0
    text: str = ""
    completed: int = 0
    older: tuple[tuple[int, str], ...] = ()
    name: str = CHECK


class GroupMember(NamedTuple):
    """A pull request in a group of a merge queue, by the commit of it that is in the group.

    `reason` is why it is not approved there, "" if it is.
    """

    number: int
    head: str
    reason: str = ""


class PullRequest(NamedTuple):
    """The facts about a pull request at the time `now`. Times are in seconds since 1970.

    `base_ref` is its target branch, and `base` a recent commit at the tip of that branch.
    `siblings` are the numbers of the other open ones at the same head whose check run has the same
    name. `project` is the number of the repository. `closed` is when it was closed (0 for never),
    and `merged` its merge commit ("" if not merged). `check` is the name of its check run, `status`
    the check run of that name, and `elsewhere` are those of other names with a result about it,
    from when it had another base. `group` are the other ones in its group of a merge queue.
    `opened` is when it was opened.
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
    check: str = CHECK
    elsewhere: tuple[Status, ...] = ()
    group: tuple[GroupMember, ...] = ()
    title: str = ""
    opened: int = 0


class Commit(NamedTuple):
    """A commit of the pull request: its authors on GitHub and in git, and its message."""

    people: tuple[Person, ...]
    emails: tuple[str, ...]
    message: str
    names: tuple[str, ...] = ()

    @property
    def co_authors(self) -> list[tuple[str, str]]:
        """Name and address of each co-author in the message, read as GitHub reads it."""
        trailer = r"(?im)^[ \t]*co-authored-by:([^<\n]*)<([^>\n]+)>"
        return [(name.strip(), at.strip()) for name, at in re.findall(trailer, self.message)]
