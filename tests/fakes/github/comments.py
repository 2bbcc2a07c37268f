"""What the fake GitHub answers about the conversation of a pull request, and about reactions."""

from tests.fakes.github import payloads
from tests.fakes.github.payloads import Payload
from tests.fakes.github.reviews import LONGEST_BODY, invalid, only_its_author
from tests.fakes.github.state import Answer, Call, Comment, Reaction, RefusedError, Route, State


def _comments(state: State, call: Call) -> Answer:
    pull = state.pull(call.values["issue_number"])
    found = [comment for comment in state.comments.values() if comment.number == pull.number]
    return Answer([_payload(state, comment) for comment in found])


def _create(state: State, call: Call) -> Answer:
    pull = state.pull(call.values["issue_number"])
    _no_longer_than_allowed(call.body["body"])
    return Answer(
        _payload(state, add_comment(state, pull.number, call.actor.login, call.body["body"])), 201
    )


def _no_longer_than_allowed(body: str) -> None:
    if len(body) > LONGEST_BODY:
        raise invalid(
            "IssueComment", "body", f"body is too long (maximum is {LONGEST_BODY} characters)"
        )


def add_comment(state: State, number: int, author: str, body: str) -> Comment:
    time = state.touch(number)
    comment = Comment(state.next_id(), number, author, body, time, time)
    state.comments[comment.id] = comment
    return comment


def change_comment(
    state: State, comment: Comment, body: str, within_the_second: bool = False
) -> Comment:
    """Edit a comment; within the second in which it was written, the two times of REST are the same."""
    time = comment.created if within_the_second else state.touch(comment.number)
    state.comments[comment.id] = comment._replace(body=body, updated=time, edited=time)
    return state.comments[comment.id]


def _comment(state: State, call: Call) -> Comment:
    number = call.values["comment_id"]
    if not number.isdigit() or int(number) not in state.comments:
        raise RefusedError(404, "Not Found")
    return state.comments[int(number)]


def _edit(state: State, call: Call) -> Answer:
    comment = _comment(state, call)
    only_its_author(comment.author, call.actor)
    _no_longer_than_allowed(call.body["body"])
    return Answer(_payload(state, change_comment(state, comment, call.body["body"])))


def _delete(state: State, call: Call) -> Answer:
    comment = _comment(state, call)
    only_its_author(comment.author, call.actor)
    del state.comments[comment.id]
    return Answer(None, 204)


def _react(state: State, call: Call) -> Answer:
    """The same reaction twice is one, and the status says so."""
    comment, content = _comment(state, call), call.body["content"]
    for reaction in state.reactions.values():
        if (reaction.comment, reaction.author, reaction.content) == (
            comment.id,
            call.actor.login,
            content,
        ):
            return Answer(_reaction_payload(state, reaction), 200)
    reaction = Reaction(state.next_id(), comment.id, call.actor.login, content, state.tick())
    state.reactions[reaction.id] = reaction
    return Answer(_reaction_payload(state, reaction), 201)


def _reaction_payload(state: State, reaction: Reaction) -> Payload:
    return {
        "id": reaction.id,
        "node_id": f"REA_{reaction.id}",
        "user": state.user(reaction.author),
        "content": reaction.content,
        "created_at": reaction.created,
    }


def _payload(state: State, comment: Comment) -> Payload:
    url = f"{state.place.root}/issues/comments/{comment.id}"
    given = [
        reaction.content for reaction in state.reactions.values() if reaction.comment == comment.id
    ]
    return {
        "id": comment.id,
        "node_id": f"IC_{comment.id}",
        "url": url,
        "html_url": f"{state.place.page}/pull/{comment.number}#issuecomment-{comment.id}",
        "issue_url": f"{state.place.root}/issues/{comment.number}",
        "user": state.user(comment.author),
        "body": comment.body,
        "created_at": comment.created,
        "updated_at": comment.updated,
        "author_association": state.association(comment.author),
        "performed_via_github_app": state.app(comment.author)
        if payloads.is_bot(comment.author)
        else None,
        "reactions": payloads.reactions(url, given),
    }


_READ, _WRITE = ("issues:read", "pull-requests:read"), ("issues:write", "pull-requests:write")
ROUTES = {
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": Route(_comments, _READ),
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": Route(_create, _WRITE),
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": Route(_edit, _WRITE),
    "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}": Route(_delete, _WRITE),
    "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": Route(_react, _WRITE),
}
