"""Whether the workflow that runs the gate is one that always starts, and that nobody else can change."""

import re
from collections.abc import Mapping

from ..config.settings import decode
from ..errors import ConfigError
from ..paths import WORKFLOW
from ..yaml_values import Value, load
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line
from .value import at, entries, items, text

CHECK = "helix"
"""The name under which the gate says what it came to; see `pull.payloads`."""

_EVENTS = {
    "pull_request": "nothing is annotated at its line",
    "pull_request_target": "the check is never written",
    "merge_group": "a merge queue waits for the check for ever",
    "issue_comment": "no command in a comment is heard",
    "schedule": "no deadline ever passes",
}
"""What must start the workflow, and what becomes of it otherwise."""

_FILTERS = ("paths", "paths-ignore")
_GATE = "/.github/workflows/gate.yml"
_ACTION = "helix-hooks"
_COMMIT = re.compile(r"[^@]+@(?:[0-9a-f]{40}|[0-9a-f]{64}|sha256:[0-9a-f]{64})")
_OF_ITS_OWN = ("github.run_id", "github.event.comment.id")
"""What gives a run for a comment a group that no other run is in."""

_INIT = "helix-hooks init --github"


def lines(data: bytes | None, others: Mapping[str, bytes]) -> list[Line]:
    """`others` are the other workflows by their paths: a job is known by its name, whatever file it is in."""
    if data is None:
        return [Line("workflow", MISSING, f"there is no {WORKFLOW}", _INIT)]
    try:
        found = load(decode(data, WORKFLOW), WORKFLOW)
    except ConfigError as error:
        return [Line("workflow", MISSING, f"it can't be read, so nothing says that it runs: {error}", f"fix it, or delete it and run `{_INIT}`")]
    there = Line("workflow", OK, f"{WORKFLOW} is there")
    return [there, _started(found), _unfiltered(found), *_losing(found), _pinned(found), _names({WORKFLOW: data, **others})]


def environments(data: bytes | None) -> list[str]:
    """The environments that jobs of the workflow name; what is computed when it runs is left out."""
    try:
        jobs = _jobs(load(decode(data or b"", WORKFLOW), WORKFLOW))
    except ConfigError:
        return []
    named = [at(job, "environment") for job in jobs.values()]
    found = [text(value) or text(at(value, "name")) for value in named]
    return list(dict.fromkeys(name for name in found if name and "${{" not in name))


def _started(workflow: Value) -> Line:
    found = _events(workflow)
    missing = [name for name in _EVENTS if name not in found]
    if not missing:
        return Line("workflow-events", OK, f"{', '.join(_EVENTS)} start it")
    said = "; ".join(f"{name} does not start it: {_EVENTS[name]}" for name in missing)
    return Line("workflow-events", MISSING, said, f"add {', '.join(missing)} to `on:` in {WORKFLOW}")


def _unfiltered(workflow: Value) -> Line:
    found = [f"{event}.{key}" for event, value in _events(workflow).items() if event in _EVENTS for key in _FILTERS if at(value, key)]
    if not found:
        return Line("workflow-filter", OK, "it starts whatever a change touches")
    said = f"{', '.join(found)}: a required check that never starts blocks for ever"
    return Line("workflow-filter", UNSAFE, said, f"take {', '.join(found)} out of {WORKFLOW}; the gate itself passes over what it does not watch")


def _losing(workflow: Value) -> list[Line]:
    """GitHub starts the newest of the runs that wait in a group, and leaves out the others."""
    group = at(workflow, "concurrency")
    name = text(group) or text(at(group, "group")) if group else ""
    if not name or any(part in name for part in _OF_ITS_OWN):
        return []
    said = "runs for comments wait in one group, of which GitHub leaves out all but the newest: a vote can be lost"
    return [Line("workflow-concurrency", UNSAFE, said, f"end the group with `github.run_id` for all but pushes, as `{_INIT}` writes it")]


def _pinned(workflow: Value) -> Line:
    found = _uses(workflow)
    if not any(map(_is_gate, found)):
        said = f"it calls neither gate.yml nor the action of {_ACTION}"
        return Line("workflow-pinned", MISSING, said, f"take over the job `gate` that `{_INIT}` writes")
    loose = [use for use in found if not use.startswith("./") and not _COMMIT.fullmatch(use)]
    if not loose:
        return Line("workflow-pinned", OK, "what it calls is pinned to commits")
    said = f"{', '.join(loose)}: whoever can move that tag or branch can change the gate"
    return Line("workflow-pinned", UNSAFE, said, f"name the full commit in {WORKFLOW}: uses: {loose[0].partition('@')[0]}@<40 hex digits>")


def _names(workflows: Mapping[str, bytes]) -> Line:
    """GitHub takes a job for a check run of its name, from the same App as ours."""
    taken, unread = [], []
    for path, data in workflows.items():
        try:
            jobs = _jobs(load(decode(data, path), path))
        except ConfigError:
            unread.append(path)
            continue
        taken += [path for id, job in jobs.items() if CHECK in (id, text(at(job, "name")))]
    help = f"call the job otherwise than `{CHECK}`, which is the name of the gate's check"
    if taken:
        return Line("workflow-jobs", UNSAFE, f"{', '.join(taken)}: a job called `{CHECK}` is green or red under the name of the check", help)
    if unread:
        return Line("workflow-jobs", UNKNOWN, f"{', '.join(unread)} can't be read here, so a job in it may be called `{CHECK}`", help)
    return Line("workflow-jobs", OK, f"no job is called `{CHECK}`, as the check is")


def _events(workflow: Value) -> dict[str, Value]:
    """What starts a workflow; `on:` may be one event, a list or a mapping."""
    on = at(workflow, "on")
    return entries(on) or {text(item): item for item in items(on) or ([on] if on else []) if text(item)}


def _jobs(workflow: Value) -> dict[str, Value]:
    return entries(at(workflow, "jobs"))


def _uses(workflow: Value) -> list[str]:
    """The workflows and actions that are called, each once."""
    found = [text(at(place, "uses")) for job in _jobs(workflow).values() for place in (job, *items(at(job, "steps")))]
    return list(dict.fromkeys(filter(None, found)))


def _is_gate(uses: str) -> bool:
    """A fork may have any owner, so the name decides."""
    name = uses.partition("@")[0]
    return name.endswith(_GATE) or name.split("/")[1:] == [_ACTION]
