"""Read the event that started the workflow, from the files and variables of the runner.

Documented at docs.github.com, "Events that trigger workflows".
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..decision.pull_request import NOBODY, Person
from ..errors import HelixError, UsageError

_QUEUE = re.compile(r"(?:refs/heads/)?gh-readonly-queue/.+/pr-(\d+)-[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class CommentEvent(NamedTuple):
    """The comment or review of an event.

    `action` is "created", "edited" or "deleted", and "reviewed" for a review. `body` is the text,
    before the edit if there was one, and `now` the text after it. For a review, `body` is its
    state. `by` wrote it, and `sender` caused the event.
    """

    action: str
    id: int
    by: Person
    body: str
    sender: Person
    now: str = ""


class Event(NamedTuple):
    """The event of a run. `number` is the number of the pull request, 0 for none.

    `head` and `base` are its commits at the time of the event, `before` is the head before a push;
    each is "" if the event does not have it. With `merges`, `head` is the commit that a merge queue
    would put on the base. With `anew`, deadlines restart: a person started the run, or the pull
    request was a draft. `text` is the description of the pull request. With `retargeted`, it has
    just got another base. `default_branch` is that of the repository.
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
    anew: bool = False
    comment: CommentEvent | None = None
    text: str = ""
    retargeted: bool = False
    default_branch: str = ""


def read(environment: Mapping[str, str]) -> Event:
    """Return the event of this run.

    Raises:
        UsageError: This is not a workflow, or the event has no reader here.
        HelixError: The event is not what GitHub documents.
    """
    variables = ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY")
    name, path, repository = (environment.get(key, "") for key in variables)
    missing = [key for key in variables if not environment.get(key)]
    if missing:
        raise UsageError(
            f"{', '.join(missing)} not set: this command is for a workflow of GitHub Actions"
        )
    if not _REPOSITORY.fullmatch(repository):
        raise UsageError(
            f"invalid GITHUB_REPOSITORY {repository!r} (expected owner and name, e.g. "
            "acme/decisions)"
        )
    return parse(name, repository, _payload(path))


def before(environment: Mapping[str, str]) -> str:
    """Return the head before the push that started this run; "" if the event has none."""
    try:
        return read(environment).before
    except HelixError:
        return ""


def _payload(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            payload = json.load(file)
    except OSError as error:
        raise HelixError(
            f"the event, {path} (GITHUB_EVENT_PATH), can't be read: {error.strerror}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise HelixError(
            f"the event, {path} (GITHUB_EVENT_PATH), is not valid JSON: {error}"
        ) from None
    if not isinstance(payload, dict):
        raise HelixError(f"the event, {path} (GITHUB_EVENT_PATH), is not a JSON object")
    return payload


def parse(name: str, repository: str, payload: dict[str, Any]) -> Event:
    """Return an event by its name and payload.

    Raises:
        UsageError: The event has no reader here.
        HelixError: The payload is not what GitHub documents.
    """
    if name not in _READERS:
        raise UsageError(f"unsupported event {name} (expected one of {', '.join(_READERS)})")
    try:
        return _READERS[name](name, repository, payload)
    except KeyError as error:
        problem = f"it has no {error}"
    except (TypeError, ValueError, AttributeError) as error:
        problem = str(error)
    raise HelixError(f"the event {name} is not what GitHub documents: {problem}") from None


def _of_pull_request(name: str, repository: str, payload: dict[str, Any]) -> Event:
    pull = payload["pull_request"]
    head, base = pull["head"], pull["base"]
    # The repository of the head is null after a fork was deleted.
    source = (head.get("repo") or {}).get("full_name", "")
    before = ""
    if payload.get("before"):  # only the event of a push has it
        before = commit(payload["before"])
    return Event(
        name=name,
        repository=repository,
        number=int(pull["number"]),
        head=commit(head["sha"]),
        base=commit(base["sha"]),
        draft=bool(pull["draft"]),
        from_fork=source != repository,
        before=before,
        base_ref=str(base["ref"]),
        anew=payload.get("action") == "ready_for_review",
        text=str(pull.get("body") or ""),
        retargeted="base" in (payload.get("changes") or {}),
        default_branch=_default_branch(payload),
    )


def _default_branch(payload: dict[str, Any]) -> str:
    return str((payload.get("repository") or {}).get("default_branch") or "")


def _of_review(name: str, repository: str, payload: dict[str, Any]) -> Event:
    # The event of a review may leave out `draft`.
    pull = {"draft": False, **payload["pull_request"]}
    of_pull = _of_pull_request(name, repository, {"pull_request": pull})
    review = payload.get("review") or {}
    comment = CommentEvent(
        action="reviewed",
        id=int(review.get("id") or 0),
        by=person(review.get("user")),
        body=str(review.get("state") or ""),
        sender=person(payload.get("sender")),
    )
    return Event(
        name=name,
        repository=repository,
        number=of_pull.number,
        from_fork=of_pull.from_fork,
        comment=comment,
    )


def _of_comment(name: str, repository: str, payload: dict[str, Any]) -> Event:
    """Return the event of a comment. For the comment of an issue, the number is 0."""
    comment, action = payload["comment"], str(payload["action"])
    body, now = comment["body"], ""
    if action == "edited":
        body, now = payload["changes"].get("body", {}).get("from"), comment["body"]
    number = 0
    if payload["issue"].get("pull_request"):
        number = int(payload["issue"]["number"])
    of_comment = CommentEvent(
        action=action,
        id=int(comment["id"]),
        by=person(comment["user"]),
        body=body or "",
        sender=person(payload["sender"]),
        now=now or "",
    )
    return Event(name=name, repository=repository, number=number, comment=of_comment)


def _of_schedule(name: str, repository: str, _: dict[str, Any]) -> Event:
    return Event(name=name, repository=repository, number=0)


def _of_hand(name: str, repository: str, payload: dict[str, Any]) -> Event:
    return Event(
        name=name, repository=repository, number=_number(payload.get("inputs") or {}), anew=True
    )


def _of_queue(name: str, repository: str, payload: dict[str, Any]) -> Event:
    group = payload["merge_group"]
    match = _QUEUE.fullmatch(group["head_ref"])
    if not match:
        raise HelixError(
            f"the branch of the merge queue, {group['head_ref']!r}, does not name a pull request"
        )
    return Event(
        name=name,
        repository=repository,
        number=int(match[1]),
        head=commit(group["head_sha"]),
        base=commit(group["base_sha"]),
        merges=True,
        base_ref=str(group["base_ref"]).removeprefix("refs/heads/"),
        default_branch=_default_branch(payload),
    )


def _number(inputs: dict[str, Any]) -> int:
    text = str(inputs.get("pull-request", ""))
    if not (text.isascii() and text.isdigit() and int(text)):
        raise UsageError(
            f"the input pull-request is {text!r} (expected the number of a pull request, e.g. 12)"
        )
    return int(text)


def person(user: dict[str, Any] | None) -> Person:
    """Return a user; NOBODY for null, which GitHub sends for a deleted account."""
    if not user:
        return NOBODY
    return Person(user["login"], user["id"], user.get("type") == "Bot")


def commit(name: object) -> str:
    """Return the full SHA of a commit.

    Raises:
        HelixError: It is not a full SHA, so git could take it for an option or a branch.
    """
    if not isinstance(name, str) or not _SHA.fullmatch(name):
        raise HelixError(f"invalid commit SHA {name!r}")
    return name


_READERS: dict[str, Callable[[str, str, dict[str, Any]], Event]] = {
    "pull_request": _of_pull_request,
    "pull_request_target": _of_pull_request,
    "merge_group": _of_queue,
    "workflow_dispatch": _of_hand,
    "issue_comment": _of_comment,
    "pull_request_review": _of_review,
    "schedule": _of_schedule,
}
