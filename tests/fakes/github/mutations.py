"""What the fake GitHub does with a mutation of GraphQL: many changes in one request, one after another, each of which may fail alone.

GitHub's description of the REST API does not have them; names and types are those of docs.github.com, "GraphQL, mutations".
"""

import re
from typing import Any

from tests.fakes.github import issues
from tests.fakes.github.payloads import Payload
from tests.fakes.github.reviews import LONGEST_BODY, change_remark
from tests.fakes.github.state import Remark, State, Token

_INPUTS = {
    "updatePullRequestReviewComment": {"pullRequestReviewCommentId", "body"},
    "deletePullRequestReviewComment": {"id"},
    "pinIssue": {"issueId"},
}
MOST_PINNED = 3
_CALL = re.compile(r"(\w+): (\w+)\(input: \$(\w+)\) \{ clientMutationId \}")
_MUTATION = re.compile(rf"mutation\((?P<types>[^()]*)\) \{{ (?P<calls>(?:{_CALL.pattern} ?)+)\}}")


def carried_out(state: State, body: Any, actor: Token) -> Payload:
    """Data of each call that was carried out, null and an error for each other one."""
    found = _MUTATION.fullmatch(body["query"])
    if not found:
        return {
            "errors": [
                {
                    "message": f"this mutation is not played: {body['query'][:200]}",
                    "type": "NOT_PLAYED",
                }
            ]
        }
    types = dict(part.removeprefix("$").split(": ") for part in found["types"].split(", "))
    data: Payload = {}
    errors: list[Payload] = []
    for alias, name, variable in _CALL.findall(found["calls"]):
        given = body["variables"][variable]
        wrong = _wrong(state, name, types.get(variable, ""), given, actor)
        data[alias] = None if wrong else {"clientMutationId": given.get("clientMutationId")}
        if wrong:
            errors.append({"type": wrong[0], "path": [alias], "message": wrong[1]})
        else:
            _change(state, name, given)
    return {"data": data, **({"errors": errors} if errors else {})}


def _wrong(
    state: State, name: str, kind: str, given: Payload, actor: Token
) -> tuple[str, str] | None:
    fields = _INPUTS.get(name)
    if (
        fields is None
        or kind != f"{name[0].upper()}{name[1:]}Input!"
        or set(given) - {"clientMutationId"} != fields
    ):
        return "argumentNotAccepted", f"{name} does not take {kind} {sorted(given)}"
    if name == "pinIssue":
        return _wrong_pin(state, given, actor)
    remark = _remark(state, given)
    if remark is None:
        return "NOT_FOUND", "Could not resolve to a node with the global id of the comment"
    if actor.permissions.get("pull-requests") != "write" or remark.author != actor.login:
        return "FORBIDDEN", "Resource not accessible by integration"
    return (
        ("UNPROCESSABLE", "Body is too long") if len(given.get("body", "")) > LONGEST_BODY else None
    )


def _wrong_pin(state: State, given: Payload, actor: Token) -> tuple[str, str] | None:
    issue = issues.of_node(state, given["issueId"])
    if issue is None:
        return "NOT_FOUND", "Could not resolve to a node with the global id of the issue"
    if actor.permissions.get("issues") != "write":
        return "FORBIDDEN", "Resource not accessible by integration"
    if sum(item.pinned for item in state.issues.values()) >= MOST_PINNED:
        return "UNPROCESSABLE", "Maximum 3 pinned issues per repository"
    return None


def _remark(state: State, given: Payload) -> Remark | None:
    node = given.get("id", given.get("pullRequestReviewCommentId"))
    return next((remark for remark in state.remarks.values() if f"PRRC_{remark.id}" == node), None)


def _change(state: State, name: str, given: Payload) -> None:
    if name == "pinIssue":
        issues.pin(state, given["issueId"])
        return
    remark = _remark(state, given)
    assert remark
    if name.startswith("delete"):
        del state.remarks[remark.id]
    else:
        change_remark(state, remark, given["body"])
