"""What set the workflow off, from the files and variables of the runner (docs.github.com, "Events that trigger workflows")."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import HelixError, UsageError

_QUEUE = re.compile(r"(?:refs/heads/)?gh-readonly-queue/.+/pr-(\d+)-[0-9a-f]{40}")
_TARGETS = ("pull_request", "pull_request_target")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Event(NamedTuple):
    """`number` is the pull request's; `head` and `base` are its commits as the event knows them, `before` its last head before a push, ""
    where it does not say.

    `merges` says that `head` is what a merge queue would put on the base.
    """

    name: str
    repository: str
    number: int
    head: str = ""
    base: str = ""
    draft: bool = False
    from_fork: bool = False
    merges: bool = False
    before: str = ""
    base_ref: str = ""


def read(environment: Mapping[str, str]) -> Event:
    """The event of this run. Raises UsageError outside of a workflow, and for events that are about no pull request."""
    wanted = ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY")
    name, path, repository = (environment.get(key, "") for key in wanted)
    if missing := [key for key in wanted if not environment.get(key)]:
        raise UsageError(f"{', '.join(missing)} not set: this command is for a workflow of GitHub Actions; docs/github.md says how to run it by hand")
    if not _REPOSITORY.fullmatch(repository):
        raise UsageError(f"GITHUB_REPOSITORY is {repository!r}; an owner and a name are wanted, as in acme/decisions")
    return parse(name, repository, _payload(path))


def _payload(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise HelixError(f"the event, {path} (GITHUB_EVENT_PATH), can't be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise HelixError(f"the event, {path} (GITHUB_EVENT_PATH), is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise HelixError(f"the event, {path} (GITHUB_EVENT_PATH), is no JSON object")
    return found


def parse(name: str, repository: str, payload: dict[str, Any]) -> Event:
    """An event by its name and what GitHub says of it."""
    try:
        if name in _TARGETS:
            return _of_pull_request(name, repository, payload["pull_request"])._replace(
                before=commit(payload["before"]) if payload.get("before") else ""
            )
        if name == "merge_group":
            return _of_queue(repository, payload["merge_group"])
        if name == "workflow_dispatch":
            return Event(name, repository, _number(payload.get("inputs") or {}))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise HelixError(f"the event {name} is not what GitHub describes: {what}") from None
    raise UsageError(f"the event {name} is not one that this mode knows; it knows {', '.join((*_TARGETS, 'merge_group', 'workflow_dispatch'))}")


def _of_pull_request(name: str, repository: str, pull: dict[str, Any]) -> Event:
    head, base = pull["head"], pull["base"]
    source = (head.get("repo") or {}).get("full_name", "")  # a fork may be gone
    return Event(name, repository, int(pull["number"]), commit(head["sha"]), commit(base["sha"]), bool(pull["draft"]), source != repository,
                 base_ref=str(base["ref"]))  # fmt: skip


def _of_queue(repository: str, group: dict[str, Any]) -> Event:
    found = _QUEUE.fullmatch(group["head_ref"])
    if not found:
        raise HelixError(f"the merge queue calls its branch {group['head_ref']!r}, which names no pull request")
    return Event("merge_group", repository, int(found[1]), commit(group["head_sha"]), commit(group["base_sha"]), merges=True)


def _number(inputs: dict[str, Any]) -> int:
    text = str(inputs.get("pull-request", ""))
    if not (text.isascii() and text.isdigit() and int(text)):
        raise UsageError(f"the input pull-request is {text!r}; the number of a pull request is wanted")
    return int(text)


def commit(name: object) -> str:
    """The name of a commit, in full. Raises HelixError for what git could take for something else."""
    if not isinstance(name, str) or not _SHA.fullmatch(name):
        raise HelixError(f"{name!r} is no name of a commit")
    return name
