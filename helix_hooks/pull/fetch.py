"""Fetch the facts about a pull request from GitHub.

Lists are read as plain JSON. An object of PyGithub sends another request for each field that GitHub
left out of a list, such as `in_reply_to_id` of a comment that is not a reply. Whether a comment was
edited is asked of the GraphQL API, because the times of the REST API are equal for an edit within a
second (docs.github.com/graphql/reference/objects#issuecomment).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from ..config.policy import ROLES
from ..config.workflows import CHECK
from ..decision.pull_request import (
    EDITED,
    HIDDEN,
    UNKNOWN,
    Comment,
    Commit,
    LineComment,
    PullRequest,
    Review,
    Status,
)
from ..errors import HelixError
from .check_run import EXTERNAL, states_before
from .client import (
    LARGEST_PAGE,
    LONGEST_WAIT,
    answer,
    error_text,
    listed,
    pages_of,
    seconds,
    server_time,
)
from .event import person
from .write import Writer, is_limit

if TYPE_CHECKING:
    from github.Repository import Repository

_LISTED = 250
"""Maximum number of commits that GitHub lists of a pull request (docs.github.com, "List commits on
a pull request").
"""

_HIDDEN = (403, 404)
"""Status codes of GitHub for an object that the token may not see, or that does not exist."""


def pull_request(repository: "Repository", number: int, app: int = 0) -> PullRequest:
    """Fetch a pull request with its comments and our check run at its head.

    Reviews, commits and files are fetched later if they matter. `app` is the number of the App that
    writes our check runs, 0 for any App. `now` is the time by GitHub's clock.
    """
    headers, pull = answer(repository, f"/pulls/{number}", "head")
    head, base = pull["head"], pull["base"]
    merged = ""
    if pull.get("merged"):
        merged = pull.get("merge_commit_sha") or ""
    check = check_name(repository, base["ref"], default_branch(base))
    return PullRequest(
        number=number,
        author=person(pull["user"]),
        head=head["sha"],
        base=base["sha"],
        is_open=pull["state"] == "open",
        comments=comments(repository, number),
        status=status(repository, head["sha"], app, check),
        base_ref=base["ref"],
        now=server_time(headers),
        project=(base.get("repo") or {}).get("id") or 0,
        closed=seconds(pull.get("closed_at")),
        merged=merged,
        check=check,
        title=str(pull.get("title") or ""),
        opened=seconds(pull.get("created_at")),
    )


def default_branch(base: dict[str, Any]) -> str:
    """Return the default branch of the repository from the base of a pull request."""
    return str((base.get("repo") or {}).get("default_branch") or "")


def check_name(repository: "Repository", branch: str, default: str) -> str:
    """Return the name of the check run for a branch. `default` is the default branch.

    A check run belongs to a commit. So a pull request for a branch that anybody may create must not
    write the check run that another pull request at the same commit needs.
    """
    if branch == default or is_protected(repository, branch):
        return CHECK
    return f"{CHECK} ({branch})"


def is_protected(repository: "Repository", branch: str) -> bool | None:
    """Return whether rules protect a branch; None if GitHub does not show it."""
    from github import GithubException

    try:
        data = answer(repository, f"/branches/{quote(branch, safe='')}", "protected")[1]
    except GithubException as error:
        if error.status not in _HIDDEN or is_limit(error):
            raise
        return None
    return bool(data["protected"])


def line_comments(repository: "Repository", number: int) -> tuple[LineComment, ...]:
    """Fetch the comments in the diff."""
    return tuple(_line_comment(item) for item in listed(repository, f"/pulls/{number}/comments"))


def reviews(repository: "Repository", number: int) -> tuple[Review, ...]:
    """Fetch the reviews of a pull request, oldest first."""
    return tuple(_review(item) for item in listed(repository, f"/pulls/{number}/reviews"))


def comments(repository: "Repository", number: int) -> tuple[Comment, ...]:
    """Fetch the comments on a pull request as a whole, oldest first."""
    return tuple(_comment(item) for item in listed(repository, f"/issues/{number}/comments"))


def _comment(item: dict[str, Any]) -> Comment:
    at, changed = seconds(item["created_at"]), seconds(item["updated_at"])
    node = item.get("node_id") or ""
    doubt = ""
    if not node:
        doubt = UNKNOWN.format("GitHub gives no name for it")
    return Comment(
        id=item["id"],
        by=person(item["user"]),
        body=item.get("body") or "",
        at=at,
        edited=at != changed,
        changed=changed,
        node=node,
        doubt=doubt,
    )


def list_open(repository: "Repository") -> tuple[int, list[dict[str, Any]]]:
    """Fetch the time by GitHub's clock, and the open pull requests as items of a list."""
    pages = [*pages_of(repository, f"{repository.url}/pulls", {"state": "open"})]
    pulls: list[dict[str, Any]] = []
    for _, page in pages:
        pulls.extend(page)
    return server_time(pages[0][0]), pulls


def recent(repository: "Repository") -> Iterator[dict[str, Any]]:
    """Fetch all pull requests as items of a list, the last changed one first, page by page."""
    yield from listed(repository, "/pulls", state="all", sort="updated", direction="desc")


def siblings(
    repository: "Repository", number: int, head: str, check: str = CHECK
) -> tuple[int, ...]:
    """Fetch the other open pull requests at the same head that need the check run `check`."""
    return tuple(
        other["number"]
        for other in listed(repository, f"/commits/{head}/pulls")
        if _is_sibling(other, number, head) and _needs(repository, other["base"], check)
    )


def _needs(repository: "Repository", base: dict[str, Any], check: str) -> bool:
    """Return whether a branch needs a check run; CHECK too if its protection is not known."""
    branch, default = base["ref"], default_branch(base)
    if check != CHECK:
        return check_name(repository, branch, default) == check
    return branch == default or is_protected(repository, branch) is not False


def status(repository: "Repository", commit: str, app: int = 0, name: str = CHECK) -> Status | None:
    """Fetch the latest of our check runs of a name, with the older ones that it replaced."""
    found = _by_name(partial(named_check_runs, repository, commit, name), app)
    return next(iter(found), None)


def statuses(repository: "Repository", commit: str, app: int = 0) -> list[Status]:
    """Fetch the latest of our check runs of each name, the last one written first."""
    return _by_name(partial(_all_check_runs, repository, commit), app)


def status_about(repository: "Repository", commit: str, app: int, number: int) -> Status | None:
    """Fetch our check run with a result about a pull request; any of ours if there is none."""
    found = statuses(repository, commit, app)
    about = [status for status in found if number in states_before(status)]
    return next(iter([*about, *found]), None)


def _by_name(runs: Callable[[], Iterator[dict[str, Any]]], app: int) -> list[Status]:
    """Return `ours` of the check runs at a commit; none at an unknown commit."""
    from github import GithubException

    try:
        return ours(runs(), app)
    except GithubException as error:
        # GitHub deletes a commit some time after a push has removed it from all branches.
        if error.status not in (404, 422):
            raise
        return []


def ours(runs: Iterable[dict[str, Any]], app: int) -> list[Status]:
    """Return the latest of our check runs of each name, the last one written first."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        if _is_our_check_run(run, app):
            by_name.setdefault(run["name"], []).append(run)
    found = [_latest(of_name) for of_name in by_name.values()]
    return sorted(found, key=lambda status: (-status.completed, -status.id))


def _latest(runs: list[dict[str, Any]]) -> Status:
    newest, *older = sorted(runs, key=lambda run: -int(run["id"]))
    return _status(newest)._replace(
        older=tuple((int(run["id"]), run["conclusion"] or "") for run in older)
    )


def named_check_runs(repository: "Repository", commit: str, name: str) -> Iterator[dict[str, Any]]:
    """Fetch all check runs of a name at a commit."""
    path = f"/commits/{commit}/check-runs"
    yield from listed(repository, path, "check_runs", check_name=name, filter="all")


def _all_check_runs(repository: "Repository", commit: str) -> Iterator[dict[str, Any]]:
    path = f"/commits/{commit}/check-runs"
    yield from listed(repository, path, "check_runs", filter="all")


def _is_our_check_run(run: dict[str, Any], app: int) -> bool:
    """Return whether we wrote a check run: any App can write one with our name."""
    if run["name"] != CHECK and not run["name"].startswith(f"{CHECK} ("):
        return False
    if not (run.get("external_id") or "").startswith(EXTERNAL):
        return False
    return not app or (run.get("app") or {}).get("id") == app


def _review(item: dict[str, Any]) -> Review:
    at = seconds(item.get("submitted_at"))
    return Review(item["id"], person(item["user"]), item["state"], item.get("commit_id") or "", at)


def _line_comment(item: dict[str, Any]) -> LineComment:
    return LineComment(
        id=item["id"],
        by=person(item["user"]),
        body=item.get("body") or "",
        answers=item.get("in_reply_to_id") or 0,
        node=item.get("node_id") or "",
    )


def _is_sibling(other: dict[str, Any], number: int, head: str) -> bool:
    return bool(
        other["state"] == "open" and other["number"] != number and other["head"]["sha"] == head
    )


def _status(run: dict[str, Any]) -> Status:
    output = run["output"]
    return Status(
        id=run["id"],
        conclusion=run["conclusion"] or "",
        external_id=run["external_id"],
        annotations=output["annotations_count"],
        text=output["text"] or "",
        completed=seconds(run.get("completed_at")),
        name=run["name"],
    )


def commits(repository: "Repository", number: int) -> tuple[tuple[Commit, ...], bool]:
    """Fetch the commits of a pull request, and whether these are all."""
    listed_commits = tuple(_commit(item) for item in listed(repository, f"/pulls/{number}/commits"))
    return listed_commits, len(listed_commits) < _LISTED


def commit_names(repository: "Repository", number: int) -> tuple[str, ...]:
    """Fetch the SHAs of the commits of a pull request, oldest first."""
    return tuple(str(item["sha"]) for item in listed(repository, f"/pulls/{number}/commits"))


def _commit(item: dict[str, Any]) -> Commit:
    # A user is null if GitHub knows no account with the address in the commit.
    people = tuple(person(user) for user in (item.get("author"), item.get("committer")) if user)
    signatures = [item["commit"].get(field) or {} for field in ("author", "committer")]
    emails = tuple(signature.get("email") for signature in signatures)
    names = tuple(signature.get("name") for signature in signatures)
    return Commit(
        people,
        tuple(filter(None, emails)),
        item["commit"].get("message") or "",
        tuple(filter(None, names)),
    )


def role(repository: "Repository", login: str) -> str:
    """Fetch the role of a user: read, triage, write, maintain, admin, or "none".

    It is "" for an unknown user. A custom role of an organisation counts as its base role.
    """
    return account(repository, login)[0]


def account(repository: "Repository", login: str) -> tuple[str, int]:
    """Fetch the role of a user, and the number of the account; "" and 0 for an unknown user."""
    from github import GithubException

    try:
        data = answer(repository, f"/collaborators/{quote(login)}/permission", "role_name")[1]
    except GithubException as error:
        if error.status != 404:
            raise
        return "", 0
    role = data["role_name"]
    if role not in ROLES:
        # A custom role; `permission` has the role that it extends.
        role = data["permission"]
    return str(role), int((data.get("user") or {}).get("id") or 0)


def contents(repository: "Repository", number: int) -> dict[str, str]:
    """Fetch the git blob hashes of the changed files of a pull request, "" for a deleted file."""
    blobs = {}
    for file in listed(repository, f"/pulls/{number}/files"):
        blobs[file["filename"]] = str(file["sha"])
        if file["status"] == "removed":
            blobs[file["filename"]] = ""
    return blobs


class ChangedPaths(NamedTuple):
    """The paths of a pull request: added or renamed to, edited, and removed or renamed from."""

    added: frozenset[str]
    edited: frozenset[str]
    removed: frozenset[str]


def changed_paths(repository: "Repository", number: int) -> ChangedPaths:
    """Fetch the changed paths of a pull request; GitHub lists the first 3,000."""
    added, edited, removed = set[str](), set[str](), set[str]()
    for file in listed(repository, f"/pulls/{number}/files"):
        if file["status"] == "removed":
            removed.add(file["filename"])
        elif file["status"] in ("added", "renamed", "copied"):
            added.add(file["filename"])
        else:
            edited.add(file["filename"])
        if file["status"] == "renamed":
            removed.add(file["previous_filename"])
    return ChangedPaths(frozenset(added), frozenset(edited), frozenset(removed))


def is_member(repository: "Repository", team: str, login: str) -> bool | None:
    """Fetch whether a user is in a team (`org/team`); None if the token may not read teams."""
    from github import GithubException

    org, _, slug = team.partition("/")
    api = repository.url.partition("/repos/")[0]
    url = f"{api}/orgs/{quote(org)}/teams/{quote(slug)}/memberships/{quote(login)}"
    try:
        membership: Any = repository.requester.requestJsonAndCheck("GET", url)[1]
    except GithubException as error:
        # The token of a workflow gets 403 for each team.
        if error.status == 403:
            return None
        if error.status == 404:
            return False
        raise
    return bool(membership["state"] == "active")


QUERY = (
    "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id lastEditedAt "
    "includesCreatedEdit isMinimized } } }"
)
AT_ONCE = 100
"""Maximum number of nodes in a query (docs.github.com, "Rate limits and query limits for the
GraphQL API").
"""


def doubts(
    repository: "Repository", nodes: Iterable[str], longest_wait: int = LONGEST_WAIT
) -> dict[str, str]:
    """Return for each comment, by node id, why it can't approve; "" if it can.

    The reasons: it was edited, it is hidden, or GitHub did not answer.
    """
    ids = list(dict.fromkeys(nodes))
    writer = Writer(repository, longest_wait)
    reasons: dict[str, str] = {}
    for start in range(0, len(ids), AT_ONCE):
        reasons |= _doubts_of(writer, ids[start : start + AT_ONCE])
    return reasons


def _doubts_of(writer: Writer, ids: list[str]) -> dict[str, str]:
    """Return the doubts about at most AT_ONCE comments."""
    from github import GithubException

    try:
        # A query changes nothing, so it may be sent like a change that is safe to repeat.
        nodes = _nodes(writer.change(QUERY, {"ids": ids}).get("nodes"))
    except HelixError as error:
        return dict.fromkeys(ids, UNKNOWN.format(error))
    except (GithubException, OSError) as error:
        return dict.fromkeys(ids, UNKNOWN.format(error_text(error)))
    return {id: _doubt(nodes.get(id, {})) for id in ids}


def _nodes(answer: Any) -> dict[str, Mapping[str, Any]]:
    """Return the comments of an answer by node id, without those that GitHub gives as null."""
    nodes: dict[str, Mapping[str, Any]] = {}
    if not isinstance(answer, list):
        return nodes
    for node in answer:
        if isinstance(node, dict) and isinstance(node.get("id"), str):
            nodes[node["id"]] = node
    return nodes


def _doubt(node: Mapping[str, Any]) -> str:
    if "lastEditedAt" not in node:
        return UNKNOWN.format("GitHub gives no such comment, or the token may not read it")
    if node["lastEditedAt"] is not None or node.get("includesCreatedEdit"):
        return EDITED
    if node.get("isMinimized"):
        return HIDDEN
    return ""


_COMPARED = 300
"""Maximum number of files that GitHub lists of a comparison (docs.github.com, "Compare two
commits").
"""

_MOST_MESSAGES = 1_000
"""Maximum number of commit messages that are fetched of a comparison."""


class ListedCommit(NamedTuple):
    """A commit with its parents and its message."""

    sha: str
    parents: tuple[str, ...]
    message: str


class ComparedCommits(NamedTuple):
    """The merge base of a change as GitHub computes it, the time by GitHub's clock, and the first
    1,000 commits. `total` is the number of all commits.
    """

    merge_base: str
    now: int
    commits: tuple[ListedCommit, ...]
    total: int

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(commit.message for commit in self.commits)


def compare(repository: "Repository", base: str, head: str) -> ComparedCommits:
    """Fetch the comparison of a change with its base."""
    path = f"/compare/{base}...{head}?per_page={LARGEST_PAGE}"
    headers, compared = answer(repository, path, "merge_base_commit")
    commits = [*compared.get("commits", ())]
    pages = min(_MOST_MESSAGES, compared.get("total_commits", 0)) / LARGEST_PAGE
    for page in range(2, math.ceil(pages) + 1):
        commits += answer(repository, f"{path}&page={page}", "commits")[1]["commits"]
    return ComparedCommits(
        merge_base=str(compared["merge_base_commit"]["sha"]),
        now=server_time(headers),
        commits=tuple(map(_listed_commit, commits)),
        total=int(compared.get("total_commits", -1)),
    )


def _listed_commit(item: dict[str, Any]) -> ListedCommit:
    parents = tuple(str(parent["sha"]) for parent in item["parents"])
    return ListedCommit(str(item["sha"]), parents, str(item["commit"]["message"]))


def changed_since(repository: "Repository", before: str, now: str) -> tuple[str, ...] | None:
    """Fetch the paths that differ between two commits of a branch.

    Return None if GitHub does not list all of them, or if `now` does not follow `before`.
    """
    compared = answer(repository, f"/compare/{quote(before)}...{quote(now, safe='')}", "files")[1]
    files = compared["files"]
    if compared["status"] not in ("ahead", "identical") or len(files) >= _COMPARED:
        return None
    paths: list[str] = []
    for file in files:
        paths += filter(None, (file["filename"], file.get("previous_filename")))
    return tuple(paths)
