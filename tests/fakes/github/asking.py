"""What the fake GitHub answers when people are asked: for a review, to take a pull request on, and who is in a team."""

from tests.fakes.github import payloads, pulls
from tests.fakes.github.payloads import Payload
from tests.fakes.github.state import Answer, Call, Pull, RefusedError, Route, State


def _request_review(state: State, call: Call) -> Answer:
    """The author can't be asked, nor somebody who is no collaborator; then nobody is."""
    pull, body = state.pull(call.values["pull_number"]), call.body or {}
    people, teams = body.get("reviewers", []), body.get("team_reviewers", [])
    if pull.author in people:
        raise RefusedError(422, "Review cannot be requested from pull request author.")
    if any(state.role(login) is None for login in people) or any(
        f"{state.place.owner}/{slug}" not in state.teams for slug in teams
    ):
        raise RefusedError(
            422,
            "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator.",
        )
    state.asked.setdefault(pull.number, []).extend([*people, *teams])
    return Answer(pulls.simple(state, pull), 201)


def _assign(state: State, call: Call) -> Answer:
    """Somebody who can't be assigned is passed over without a word."""
    pull = state.pull(call.values["issue_number"])
    found = [login for login in (call.body or {}).get("assignees", []) if state.role(login)]
    state.assigned.setdefault(pull.number, []).extend(found)
    return Answer(issue_of(state, pull), 201)


def issue_of(state: State, pull: Pull) -> Payload:
    """A pull request as an issue."""
    number = state.number("pull", str(pull.number))
    assigned = [state.user(login) for login in state.assigned.get(pull.number, [])]
    return {
        **payloads.issue(state.place, pull.number, "pull"),
        "id": number,
        "node_id": f"I_{number}",
        "state": "closed" if pull.closed else "open",
        "title": pull.title,
        "body": pull.body,
        "user": state.user(pull.author),
        "assignee": assigned[0] if assigned else None,
        "assignees": assigned,
        "comments": sum(comment.number == pull.number for comment in state.comments.values()),
        "closed_at": pull.closed,
        "created_at": pull.created,
        "updated_at": pull.updated,
        "author_association": state.association(pull.author),
    }


def _membership(state: State, call: Call) -> Answer:
    """A token of a workflow may not know; GitHub answers it with 403."""
    team, login = f"{call.values['org']}/{call.values['team_slug']}", call.values["username"]
    if call.actor.permissions.get("members") != "read":
        raise RefusedError(403, "Resource not accessible by integration")
    if login not in state.teams.get(team, ()):
        raise RefusedError(404, "Not Found")
    url = f"{state.place.api}/orgs/{call.values['org']}/teams/{call.values['team_slug']}/memberships/{login}"
    return Answer({"url": url, "role": "member", "state": "active"})


_WRITE = ("issues:write", "pull-requests:write")
ROUTES = {
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": Route(
        _request_review, ("pull-requests:write",)
    ),
    "POST /repos/{owner}/{repo}/issues/{issue_number}/assignees": Route(_assign, _WRITE),
    "GET /orgs/{org}/teams/{team_slug}/memberships/{username}": Route(_membership, ()),
}
