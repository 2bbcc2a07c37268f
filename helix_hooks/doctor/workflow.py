"""Judge the workflow that runs the gate: it must always start, and no change may replace it.

Pure.
"""

import re
from collections.abc import Mapping

from ..config import workflows
from ..config.settings import decode
from ..config.workflows import CHECK, jobs
from ..errors import ConfigError
from ..paths import WORKFLOW
from ..yaml_reader import Value, at, entries, items, load, text
from . import MISSING, OK, UNKNOWN, UNSAFE, Line

_EVENTS = {
    "pull_request": "findings are not annotated on their lines",
    "pull_request_target": "the check is never written",
    "merge_group": "a merge queue waits for the check for ever",
    "issue_comment": "commands in comments are ignored",
    "schedule": "no deadline ever passes",
}
"""Events that must start the workflow, each with the effect if it does not."""

_FILTERS = ("paths", "paths-ignore")
_GATE = "/.github/workflows/gate.yml"
_ACTION = "helix-hooks"
_COMMIT = re.compile(r"[^@]+@(?:[0-9a-f]{40}|[0-9a-f]{64}|sha256:[0-9a-f]{64})")
_OF_ITS_OWN = ("github.run_id", "github.event.comment.id")
"""Parts of a group's name that give each run for a comment its own group."""

_INIT = "helix-hooks init --github"


def lines(data: bytes | None, others: Mapping[str, bytes]) -> list[Line]:
    """Return the lines on the workflow.

    `others` are the other workflows by path: a job in any file can have the name of the check.
    """
    if data is None:
        return [Line("workflow", MISSING, f"there is no {WORKFLOW}", _INIT)]
    try:
        workflow = load(decode(data, WORKFLOW), WORKFLOW)
    except ConfigError as error:
        message = f"it can't be read, so it may not run: {error}"
        return [Line("workflow", MISSING, message, f"fix it, or delete it and run `{_INIT}`")]
    # `on:` is one event, a list or a mapping.
    on = at(workflow, "on")
    named = items(on) or ([on] if on else [])
    events = entries(on) or {text(item): item for item in named}
    return [
        Line("workflow", OK, f"{WORKFLOW} is there"),
        _started(events),
        _unfiltered(events),
        *_losing(workflow),
        _pinned(workflow),
        _names({WORKFLOW: data, **others}),
    ]


def environments(data: bytes | None) -> list[str]:
    """Return the environments of the workflow's jobs, without those computed at run time."""
    defined = workflows.jobs_in(data or b"", WORKFLOW) or {}
    values = [at(job, "environment") for job in defined.values()]
    names = dict.fromkeys(text(value) or text(at(value, "name")) for value in values)
    return [name for name in names if name and "${{" not in name]


def _started(events: Mapping[str, Value]) -> Line:
    check = "workflow-events"
    missing = [name for name in _EVENTS if name not in events]
    if not missing:
        return Line(check, OK, f"{', '.join(_EVENTS)} start it")
    message = "; ".join(f"{name} does not start it: {_EVENTS[name]}" for name in missing)
    return Line(check, MISSING, message, f"add {', '.join(missing)} to `on:` in {WORKFLOW}")


def _unfiltered(events: Mapping[str, Value]) -> Line:
    check = "workflow-filter"
    filters = [f"{name}.{key}" for name in _EVENTS for key in _FILTERS if at(events.get(name), key)]
    if not filters:
        return Line(check, OK, "it starts whatever a change touches")
    names = ", ".join(filters)
    message = f"{names}: a required check that never starts blocks for ever"
    needless = "the gate itself ignores what it does not watch"
    return Line(check, UNSAFE, message, f"take {names} out of {WORKFLOW}; {needless}")


def _losing(workflow: Value) -> list[Line]:
    """Return a line if runs for comments share a group.

    GitHub starts the newest of the waiting runs in a group, and cancels the others.
    """
    group = at(workflow, "concurrency")
    name = text(group) or text(at(group, "group"))
    if not name or any(part in name for part in _OF_ITS_OWN):
        return []
    shared = "runs for comments share a group, and GitHub cancels all but the newest waiting run"
    help = f"end the group name with `github.run_id`, except for pushes, as `{_INIT}` writes it"
    return [Line("workflow-concurrency", UNSAFE, f"{shared}: a vote can be lost", help)]


def _pinned(workflow: Value) -> Line:
    check = "workflow-pinned"
    callers = [
        caller for job in jobs(workflow).values() for caller in (job, *items(at(job, "steps")))
    ]
    uses = [*filter(None, dict.fromkeys(text(at(caller, "uses")) for caller in callers))]
    # Only the name of the gate counts, since a fork may have any owner.
    names = [use.partition("@")[0] for use in uses]
    if not any(name.endswith(_GATE) or name.split("/")[1:] == [_ACTION] for name in names):
        message = f"it calls neither gate.yml nor the action of {_ACTION}"
        return Line(check, MISSING, message, f"copy the job `gate` that `{_INIT}` writes")
    loose = [use for use in uses if not use.startswith("./") and not _COMMIT.fullmatch(use)]
    if not loose:
        return Line(check, OK, "what it calls is pinned to commits")
    message = f"{', '.join(loose)}: a person who can move that tag or branch can change the gate"
    pin = f"uses: {loose[0].partition('@')[0]}@<40 hex digits>"
    return Line(check, UNSAFE, message, f"name the full commit in {WORKFLOW}: {pin}")


def _names(files: Mapping[str, bytes]) -> Line:
    """Return the line on jobs with the name of the check.

    GitHub writes a check run with the name of each job, as the same App as the gate.
    """
    check = "workflow-jobs"
    taken, unread = [], []
    for path, data in files.items():
        named = workflows.jobs_in(data, path)
        if named is None:
            unread.append(f"{path} can't be read here")
            continue
        taken += [path for id, job in named.items() if workflows.is_named_like_the_check(id, job)]
        if any(map(workflows.may_be_named_like_the_check, named.values())):
            unread.append(f"{path} computes the name of a job")
    help = f"choose a name for the job other than `{CHECK}`, which is the name of the gate's check"
    if taken:
        problem = f"a job called `{CHECK}` writes its result under the name of the check"
        return Line(check, UNSAFE, f"{', '.join(taken)}: {problem}", help)
    if unread:
        problem = f"so a job in it may be called `{CHECK}`"
        return Line(check, UNKNOWN, f"{', '.join(unread)}, {problem}", help)
    return Line(check, OK, f"no job has the name of the check, `{CHECK}`")
