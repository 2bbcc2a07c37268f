"""A list of pull requests with the check runs and last comments of each, by GraphQL.

The REST API has no such list: it needs a request for each pull request.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..decision.pull_request import Status
from . import client, fetch
from .access import Access
from .write import Writer

OPEN = "states: OPEN"
RECENT = "orderBy: {field: UPDATED_AT, direction: DESC}"
"""All pull requests, the last changed one first."""

PAGE = 50
"""Pull requests of a request; each counts with its check runs and comments."""

_QUERY = """query($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name, followRenames: false) {
    databaseId
    pullRequests(%s, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title createdAt headRefOid
        comments(last: 20) { nodes { author { login } body createdAt } }
        commits(last: 1) { nodes { commit { oid statusCheckRollup { contexts(first: 100) {
          pageInfo { hasNextPage }
          nodes { ... on CheckRun {
            databaseId name externalId text completedAt checkSuite { app { databaseId } }
          } }
        } } } } }
      }
    }
  }
}"""
"""Documented at docs.github.com/graphql/reference/objects#pullrequest and #statuscheckrollup."""

_NO_CONTEXTS: dict[str, Any] = {"pageInfo": {"hasNextPage": False}, "nodes": []}
"""The check runs of a commit without any."""


class ListedComment(NamedTuple):
    """A comment on a pull request as a whole. `at` is in seconds since 1970."""

    login: str
    at: int
    body: str


class ListedPull(NamedTuple):
    """A pull request as an item of a list. `opened` is in seconds since 1970.

    `project` is the number of the repository. `statuses` are our check runs at the head, the last
    one written first; `is_whole`: there are no others. `comments` are the last ones.
    """

    number: int
    project: int
    title: str
    opened: int
    head: str
    statuses: tuple[Status, ...]
    is_whole: bool
    comments: tuple[ListedComment, ...]


def listed(to: Access, name: str, order: str) -> Iterator[ListedPull]:
    """Fetch the pull requests of OWNER/NAME, `OPEN` or `RECENT`, page by page.

    Raises:
        GithubException: GitHub refuses a part of the answer.
    """
    owner, _, repository = name.partition("/")
    variables: dict[str, Any] = {"owner": owner, "name": repository, "first": PAGE, "after": None}
    writer = Writer(to.repository, to.longest_wait)
    while True:
        found = writer.query(_QUERY % order, variables)["repository"]
        page = found["pullRequests"]
        for node in page["nodes"]:
            yield _item(node, int(found["databaseId"] or 0), to.app)
        if not page["pageInfo"]["hasNextPage"]:
            return
        variables["after"] = page["pageInfo"]["endCursor"]


def _item(node: dict[str, Any], project: int, app: int) -> ListedPull:
    commits = [item["commit"] for item in node["commits"]["nodes"]]
    is_whole, runs = False, list[dict[str, Any]]()
    if commits and commits[0]["oid"] == node["headRefOid"]:
        rollup = commits[0]["statusCheckRollup"] or {"contexts": _NO_CONTEXTS}
        is_whole = not rollup["contexts"]["pageInfo"]["hasNextPage"]
        # A commit status has no field here.
        runs = [_check_run(run) for run in rollup["contexts"]["nodes"] if run]
    comments = [item for item in node["comments"]["nodes"] if item and item["author"]]
    return ListedPull(
        number=int(node["number"]),
        project=project,
        title=str(node["title"]),
        opened=client.seconds(node["createdAt"]),
        head=str(node["headRefOid"]),
        statuses=tuple(fetch.ours(runs, app)),
        is_whole=is_whole,
        comments=tuple(
            ListedComment(item["author"]["login"], client.seconds(item["createdAt"]), item["body"])
            for item in comments
        ),
    )


def _check_run(node: dict[str, Any]) -> dict[str, Any]:
    """Return a check run as the REST API gives it."""
    return {
        "id": node["databaseId"] or 0,
        "name": node["name"],
        "external_id": node["externalId"],
        "conclusion": "",
        "completed_at": node["completedAt"],
        "app": {"id": ((node["checkSuite"] or {}).get("app") or {}).get("databaseId")},
        "output": {"text": node["text"], "annotations_count": 0},
    }
