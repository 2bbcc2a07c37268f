"""Whether comments are as they were written, which only GitHub's GraphQL tells: two times of REST are the same for an edit within a second.

Documented at docs.github.com/graphql/reference/objects#issuecomment.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..pull.facts import EDITED, HIDDEN, UNKNOWN
from .client import once, said

if TYPE_CHECKING:
    from github.Repository import Repository

QUERY = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id lastEditedAt includesCreatedEdit isMinimized } } }"
AT_ONCE = 100
"""Nodes that GitHub gives for one query (docs.github.com, "Rate limits and query limits for the GraphQL API")."""


def doubts(repository: "Repository", nodes: Iterable[str]) -> dict[str, str]:
    """Return for each comment, by node id, why it can't approve: it was edited, it is hidden, or GitHub did not say. "" where it can."""
    names = list(dict.fromkeys(nodes))
    found: dict[str, str] = {}
    for start in range(0, len(names), AT_ONCE):
        found |= _asked(repository, names[start : start + AT_ONCE])
    return found


def _asked(repository: "Repository", names: list[str]) -> dict[str, str]:
    from github import GithubException

    requester = repository.requester
    asks = {"query": QUERY, "variables": {"ids": names}}
    try:
        _, answer = once(lambda: requester.requestJsonAndCheck("POST", requester.graphql_url, input=asks), lambda: None)
    except (GithubException, OSError) as error:
        return dict.fromkeys(names, UNKNOWN.format(said(error)))
    nodes = _nodes(answer)
    silent = UNKNOWN.format(_refusal(answer))
    return {name: _doubt(nodes[name], silent) if name in nodes else silent for name in names}


def _nodes(answer: Any) -> dict[str, Mapping[str, Any]]:
    """The comments of an answer by their node id. Beside errors there may be some."""
    data = answer.get("data") if isinstance(answer, dict) else None
    nodes = data.get("nodes") if isinstance(data, dict) else None
    known = nodes if isinstance(nodes, list) else []
    return {node["id"]: node for node in known if isinstance(node, dict) and isinstance(node.get("id"), str)}


def _doubt(node: Mapping[str, Any], silent: str) -> str:
    if "lastEditedAt" not in node:
        return silent
    if node["lastEditedAt"] is not None or node.get("includesCreatedEdit"):
        return EDITED
    return HIDDEN if node.get("isMinimized") else ""


def _refusal(answer: Any) -> str:
    """What GitHub says of a query that it did not answer in full."""
    errors = answer.get("errors") if isinstance(answer, dict) else None
    first = errors[0] if isinstance(errors, list) and errors else None
    message = first.get("message") if isinstance(first, dict) else None
    return f"GitHub answered: {message}" if message else "GitHub knows no such comment"
