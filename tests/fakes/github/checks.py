"""What the fake GitHub answers about check runs and commit statuses."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from tests.fakes.github import payloads
from tests.fakes.github.payloads import Payload
from tests.fakes.github.reviews import invalid
from tests.fakes.github.state import Answer, Call, RefusedError, Route, Run, State, Status

LONGEST_DESCRIPTION, LONGEST_MESSAGE, LONGEST_TITLE = 140, 65_536, 255
_FAILED = {"error", "failure"}


def _runs(state: State, call: Call) -> Answer:
    """`latest`, which GitHub takes where no filter is named, is the last of each name of each app."""
    sha, query = state.sha(call.values["ref"]), call.query
    found = [
        run
        for run in state.runs.values()
        if run.sha == sha and query.get("check_name", run.name) == run.name
    ]
    if query.get("filter", "latest") == "latest":
        found = list({(run.author, run.name): run for run in found}.values())
    found = [run for run in found if query.get("status", run.status) == run.status]
    found = [
        run
        for run in found
        if query.get("app_id", str(state.number("app", run.author)))
        == str(state.number("app", run.author))
    ]
    newest_first = sorted(found, key=lambda run: run.id, reverse=True)
    return Answer(
        {"total_count": len(found), "check_runs": [_payload(state, run) for run in newest_first]},
        listed="check_runs",
    )


def _create(state: State, call: Call) -> Answer:
    if not payloads.is_bot(call.actor.login):
        raise RefusedError(403, "You must authenticate via a GitHub App.")
    body, time = call.body, state.tick()
    sha = state.sha(body["head_sha"])
    output = {"title": None, "summary": None, "text": None}
    run = Run(state.next_id(), call.actor.login, body["name"], sha, time, output)
    state.runs[run.id] = _changed(run, body, time)
    return Answer(_payload(state, state.runs[run.id]), 201)


def _update(state: State, call: Call) -> Answer:
    run = _run(state, call)
    if run.author != call.actor.login:
        number = state.number("app", run.author)
        raise RefusedError(
            403,
            f"Invalid app_id `{number}` - check run can only be modified by the GitHub App that created it.",
        )
    state.runs[run.id] = _changed(run, call.body, state.tick())
    return Answer(_payload(state, state.runs[run.id]))


def _changed(run: Run, body: Mapping[str, Any], time: str) -> Run:
    """A check run after a request. Annotations are added to those it has; a conclusion completes it."""
    if body.get("conclusion") == "stale":
        raise invalid("CheckRun", "conclusion", "conclusion stale is set by GitHub alone")
    output = body.get("output", {})
    annotations = output.get("annotations", [])
    if not all(_is_allowed(annotation) for annotation in annotations):
        raise RefusedError(
            422,
            "Validation Failed",
            [{"resource": "CheckRun", "code": "invalid", "field": "annotations"}],
        )
    run = run._replace(
        name=body.get("name", run.name),
        external_id=body.get("external_id", run.external_id),
        details=body.get("details_url", run.details),
        started=_stamp(body.get("started_at", run.started)),
        output={key: output.get(key, value) for key, value in run.output.items()},
        annotations=(*run.annotations, *annotations),
    )
    if "conclusion" in body:
        return run._replace(
            status="completed",
            conclusion=body["conclusion"],
            completed=_stamp(body.get("completed_at", time)),
        )
    return (
        run._replace(status=body["status"], conclusion=None, completed=None)
        if "status" in body
        else run
    )


def _is_allowed(annotation: Mapping[str, Any]) -> bool:
    """Columns are for annotations of a single line."""
    lengths = (
        ("message", LONGEST_MESSAGE),
        ("raw_details", LONGEST_MESSAGE),
        ("title", LONGEST_TITLE),
    )
    one_line = annotation["start_line"] == annotation["end_line"]
    return all(len(annotation.get(key, "")) <= longest for key, longest in lengths) and (
        one_line or not {"start_column", "end_column"} & set(annotation)
    )


def _stamp(time: str) -> str:
    return payloads.stamp(datetime.fromisoformat(time))


def _run(state: State, call: Call) -> Run:
    number = call.values["check_run_id"]
    if not number.isdigit() or int(number) not in state.runs:
        raise RefusedError(404, "Not Found")
    return state.runs[int(number)]


def _get(state: State, call: Call) -> Answer:
    return Answer(_payload(state, _run(state, call)))


def _payload(state: State, run: Run) -> Payload:
    url, page = f"{state.place.root}/check-runs/{run.id}", f"{state.place.page}/runs/{run.id}"
    return {
        "id": run.id,
        "name": run.name,
        "node_id": f"CR_{run.id}",
        "head_sha": run.sha,
        "external_id": run.external_id,
        "url": url,
        "html_url": page,
        "details_url": run.details or page,
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": run.started,
        "completed_at": run.completed,
        "output": {
            **run.output,
            "annotations_count": len(run.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": state.number("suite", f"{run.author} {run.sha}")},
        "app": state.app(run.author),
        "pull_requests": _pulls(state, run.sha),
    }


def _pulls(state: State, sha: str) -> list[Payload]:
    """The open pull requests whose head is a commit; those from forks are left out, as GitHub leaves them out."""
    own = state.repository_payload(state.place.name)
    repository = {key: own[key] for key in ("id", "url", "name")}
    return [
        {
            "id": state.number("pull", str(pull.number)),
            "number": pull.number,
            "url": f"{state.place.root}/pulls/{pull.number}",
            "head": {"ref": pull.head, "sha": sha, "repo": repository},
            "base": {"ref": pull.base, "sha": state.tips(pull)[0], "repo": repository},
        }
        for pull in state.pulls.values()
        if not pull.closed and pull.fork == state.place.name and state.tips(pull)[1] == sha
    ]


def _create_status(state: State, call: Call) -> Answer:
    description = call.body.get("description")
    if len(description or "") > LONGEST_DESCRIPTION:
        raise invalid(
            "Status",
            "description",
            f"description is too long (maximum is {LONGEST_DESCRIPTION} characters)",
        )
    sha, context, target = (
        state.sha(call.values["sha"]),
        call.body.get("context", "default"),
        call.body.get("target_url"),
    )
    status = Status(
        state.next_id(),
        sha,
        call.actor.login,
        call.body["state"],
        context,
        description,
        target,
        state.tick(),
    )
    state.statuses[status.id] = status
    return Answer({**_status_payload(state, status), "creator": state.user(status.author)}, 201)


def _combined(state: State, call: Call) -> Answer:
    """The last status of each context, and what they come to."""
    sha = state.sha(call.values["ref"])
    latest = {
        status.context: status for status in state.statuses.values() if status.sha == sha
    }.values()
    url = f"{state.place.root}/commits/{sha}"
    found = {
        "state": _together({status.state for status in latest}),
        "statuses": [_status_payload(state, status) for status in latest],
        "sha": sha,
        "total_count": len(latest),
        "repository": state.repository_payload(state.place.name),
        "commit_url": url,
        "url": f"{url}/status",
    }
    return Answer(found, listed="statuses")


def _together(states: Iterable[str]) -> str:
    if _FAILED & set(states):
        return "failure"
    return "success" if set(states) == {"success"} else "pending"


def _status_payload(state: State, status: Status) -> Payload:
    return {
        "id": status.id,
        "node_id": f"SC_{status.id}",
        "url": f"{state.place.root}/statuses/{status.sha}",
        "avatar_url": state.user(status.author)["avatar_url"],
        "state": status.state,
        "context": status.context,
        "description": status.description,
        "target_url": status.target,
        "created_at": status.created,
        "updated_at": status.created,
    }


ROUTES = {
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs": Route(_runs, ("checks:read",)),
    "POST /repos/{owner}/{repo}/check-runs": Route(_create, ("checks:write",)),
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}": Route(_get, ("checks:read",)),
    "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}": Route(_update, ("checks:write",)),
    "POST /repos/{owner}/{repo}/statuses/{sha}": Route(_create_status, ("statuses:write",)),
    "GET /repos/{owner}/{repo}/commits/{ref}/status": Route(_combined, ("statuses:read",)),
}
