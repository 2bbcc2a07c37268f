"""Ask the GraphQL API whether comments were edited.

The REST API can't tell: its two times are equal for an edit within a second. Documented at
docs.github.com/graphql/reference/objects#issuecomment.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..decision.pull_request import EDITED, HIDDEN, UNKNOWN
from ..errors import HelixError
from .client import LONGEST_WAIT, error_text
from .write import Writer

if TYPE_CHECKING:
    from github.Repository import Repository

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
