"""Ask GitHub's GraphQL whether comments were edited.

REST can't tell: its two times are equal for an edit within a second. Documented at
docs.github.com/graphql/reference/objects#issuecomment.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..decision.pull_request import EDITED, HIDDEN, UNKNOWN
from ..errors import HelixError
from .client import LONGEST_WAIT, said
from .write import Writer

if TYPE_CHECKING:
    from github.Repository import Repository

QUERY = (
    "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id lastEditedAt "
    "includesCreatedEdit isMinimized } } }"
)
AT_ONCE = 100
"""Nodes that GitHub gives for one query (docs.github.com, "Rate limits and query limits for the
GraphQL API").
"""


def doubts(
    repository: "Repository", nodes: Iterable[str], longest_wait: int = LONGEST_WAIT
) -> dict[str, str]:
    """Return for each comment, by node id, why it can't approve, "" where it can.

    It was edited, it is hidden, or GitHub did not say.
    """
    names = list(dict.fromkeys(nodes))
    writer = Writer(repository, longest_wait)
    found: dict[str, str] = {}
    for start in range(0, len(names), AT_ONCE):
        found |= _asked(writer, names[start : start + AT_ONCE])
    return found


def _asked(writer: Writer, names: list[str]) -> dict[str, str]:
    """Return the doubts about some comments.

    A query changes nothing, so it is sent as a change that may be carried out twice.
    """
    from github import GithubException

    try:
        nodes = _nodes(writer.change(QUERY, {"ids": names}).get("nodes"))
    except HelixError as error:
        return dict.fromkeys(names, UNKNOWN.format(error))
    except (GithubException, OSError) as error:
        return dict.fromkeys(names, UNKNOWN.format(said(error)))
    return {name: _doubt(nodes.get(name, {})) for name in names}


def _nodes(answer: Any) -> dict[str, Mapping[str, Any]]:
    """Return the comments of an answer by their node id; one that GitHub does not give is null."""
    known = answer if isinstance(answer, list) else []
    return {
        node["id"]: node
        for node in known
        if isinstance(node, dict) and isinstance(node.get("id"), str)
    }


def _doubt(node: Mapping[str, Any]) -> str:
    if "lastEditedAt" not in node:
        return UNKNOWN.format("GitHub gives no such comment, or the token may not read it")
    if node["lastEditedAt"] is not None or node.get("includesCreatedEdit"):
        return EDITED
    return HIDDEN if node.get("isMinimized") else ""
