"""What the fake GitHub answers by GraphQL: nodes of the type IssueComment and the viewer, by fields as GitHub's public schema has them.

A query of another shape is an error, as is a field that the schema does not have (docs.github.com/graphql/reference/objects#issuecomment,
docs.github.com/graphql/reference/queries#nodes).
"""

import re
from typing import Any

from tests.fakes.github.payloads import Payload
from tests.fakes.github.state import Comment, State, Token

MOST = 100
_SHAPE = re.compile(
    r"query\s*\(\s*\$(?P<name>\w+)\s*:\s*\[ID!\]!\s*\)\s*\{\s*nodes\s*\(\s*ids\s*:\s*\$(?P=name)\s*\)\s*"
    r"\{\s*\.\.\.\s*on\s+IssueComment\s*\{(?P<fields>(?:\s*\w+)+\s*)\}\s*\}\s*\}"
)
_VIEWER = {"query": "query { viewer { login } }", "variables": {}}
"""A query for the user of the token (docs.github.com/graphql/reference/queries#viewer)."""
_MAY = ("issues", "pull-requests")


def answer(state: State, actor: Token, body: Any) -> tuple[Payload, list[str]]:
    """The answer to a query, and what is wrong with it. GitHub answers 200 for both."""
    if body == _VIEWER:
        return {"data": {"viewer": {"login": actor.login}}}, []
    found = _SHAPE.fullmatch(str(body.get("query", "")).strip()) if isinstance(body, dict) else None
    if (
        not found
        or set(body) != {"query", "variables"}
        or set(body["variables"]) != {found["name"]}
    ):
        return _refused("the query is none that is played here")
    ids, fields = body["variables"][found["name"]], found["fields"].split()
    if unknown := [field for field in fields if field not in _FIELDS]:
        return _refused(f"Field '{unknown[0]}' doesn't exist on type 'IssueComment'")
    if not isinstance(ids, list) or not ids or not all(isinstance(name, str) for name in ids):
        return _refused("Variable $ids of type [ID!]! was provided invalid value")
    if len(ids) > MOST:
        return _refused(f"You may not provide more than {MOST} node ids; you provided {len(ids)}.")
    return _nodes(state, actor, ids, fields), []


def _refused(message: str) -> tuple[Payload, list[str]]:
    return {"errors": [{"message": message}]}, [message]


def _nodes(state: State, actor: Token, ids: list[str], fields: list[str]) -> Payload:
    known = {f"IC_{comment.id}": comment for comment in state.comments.values()}
    errors, nodes = list[Payload](), list[Payload | None]()
    for place, name in enumerate(ids):
        comment = known.get(name)
        if comment and any(actor.permissions.get(permission) for permission in _MAY):
            nodes.append({field: _value(state, comment, field) for field in fields})
            continue
        kind = "FORBIDDEN" if comment else "NOT_FOUND"
        message = (
            "Resource not accessible by integration"
            if comment
            else f"Could not resolve to a node with the global id of '{name}'"
        )
        nodes.append(None)
        errors.append(
            {
                "type": kind,
                "path": ["nodes", place],
                "message": message,
                "locations": [{"line": 1, "column": 23}],
            }
        )
    return {"data": {"nodes": nodes}, **({"errors": errors} if errors else {})}


def _value(state: State, comment: Comment, field: str) -> object:
    return _FIELDS[field](state, comment)


_FIELDS: dict[str, Any] = {
    "__typename": lambda _, __: "IssueComment",
    "id": lambda _, comment: f"IC_{comment.id}",
    "databaseId": lambda _, comment: comment.id,
    "body": lambda _, comment: comment.body,
    "createdAt": lambda _, comment: comment.created,
    "updatedAt": lambda _, comment: comment.updated,
    "lastEditedAt": lambda _, comment: comment.edited,
    "includesCreatedEdit": lambda _, comment: comment.edited is not None,
    "isMinimized": lambda _, comment: comment.hidden,
}
