"""What the fake GitHub answers about issues, and about a user by number."""

from tests.fakes.github import asking, payloads
from tests.fakes.github.payloads import Payload
from tests.fakes.github.reviews import LONGEST_BODY, invalid
from tests.fakes.github.state import Answer, Call, Issue, RefusedError, Route, State


def _list(state: State, call: Call) -> Answer:
    """Pull requests are issues too."""
    query = call.query
    found = [
        {**asking.issue_of(state, pull), "pull_request": _pull_urls(state, pull.number)}
        for pull in state.pulls.values()
    ]
    found += [payload(state, issue) for issue in state.issues.values()]
    wanted = query.get("state", "open")
    found = [item for item in found if wanted in ("all", item["state"])]
    creator = query.get("creator", "")
    found = [item for item in found if not creator or item["user"]["login"] == creator]
    newest_first = query.get("direction", "desc") == "desc"
    found.sort(key=lambda item: (item["created_at"], item["number"]), reverse=newest_first)
    return Answer(found)


def _pull_urls(state: State, number: int) -> Payload:
    page = f"{state.place.page}/pull/{number}"
    url = f"{state.place.root}/pulls/{number}"
    return {"url": url, "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}


def _create(state: State, call: Call) -> Answer:
    number = max((*state.pulls, *state.issues), default=0) + 1
    body, time = call.body.get("body") or "", state.tick()
    _check(body)
    issue = Issue(number, call.actor.login, str(call.body["title"]), body, time, time)
    state.issues[number] = issue
    return Answer(payload(state, issue), 201)


def _edit(state: State, call: Call) -> Answer:
    number = call.values["issue_number"]
    if not number.isdigit() or int(number) not in state.issues:
        raise RefusedError(404, "Not Found")
    changes = {key: call.body[key] for key in ("title", "body", "state") if key in call.body}
    _check(changes.get("body") or "")
    issue = state.issues[int(number)]._replace(**changes, updated=state.tick())
    state.issues[issue.number] = issue
    return Answer(payload(state, issue))


def _check(body: str) -> None:
    if len(body) > LONGEST_BODY:
        raise invalid("Issue", "body", f"body is too long (maximum is {LONGEST_BODY} characters)")


def _user(state: State, call: Call) -> Answer:
    number = call.values["account_id"]
    login = next((name for name in state.people if str(state.number("user", name)) == number), "")
    if not login:
        raise RefusedError(404, "Not Found")
    return Answer(payloads.public_user(state.user(login)))


def of_node(state: State, node: str) -> Issue | None:
    return next((issue for issue in state.issues.values() if f"I_{issue.number}" == node), None)


def pin(state: State, node: str) -> None:
    issue = of_node(state, node)
    assert issue
    state.issues[issue.number] = issue._replace(pinned=True)


def payload(state: State, issue: Issue) -> Payload:
    return {
        **payloads.issue(state.place, issue.number, "issues"),
        "id": 9000 + issue.number,
        "node_id": f"I_{issue.number}",
        "state": issue.state,
        "title": issue.title,
        "body": issue.body,
        "user": state.user(issue.author),
        "closed_at": None if issue.state == "open" else issue.updated,
        "created_at": issue.created,
        "updated_at": issue.updated,
        "author_association": state.association(issue.author),
    }


ROUTES = {
    "GET /repos/{owner}/{repo}/issues": Route(_list, ("issues:read", "issues:write")),
    "POST /repos/{owner}/{repo}/issues": Route(_create, ("issues:write",)),
    "PATCH /repos/{owner}/{repo}/issues/{issue_number}": Route(_edit, ("issues:write",)),
    "GET /user/{account_id}": Route(_user, ()),
}
