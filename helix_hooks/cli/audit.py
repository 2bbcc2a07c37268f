"""`helix-hooks audit PR`: who decided what, as it was recorded, and as far as GitHub can confirm it today."""

import json
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ..action.settle import Access, access, evaluate, recorded
from ..console.output import write
from ..decision import chain
from ..decision.chain import Tip
from ..decision.pull_request import PullRequest
from ..doctor.github import repository_name
from ..errors import UsageError
from ..github import client, fetch
from ..publish import audit
from ..publish.confirmed import Record, Today, doubts, facts, person_now
from ..publish.sticky import sticky_of
from ..repository import files, git

Found = TypeVar("Found")

EXAMPLE = """examples:
  GITHUB_TOKEN=... helix-hooks audit 12
  GITHUB_TOKEN=... helix-hooks audit 12 --repo acme/decisions --format json

exit codes:
  0  nothing contradicts the decision; of an open pull request, the check run says what the facts on GitHub come to
  1  something does: the chain is broken, a signature is wrong, the check run says otherwise, or it was merged against the decision;
     or no run has left anything
  3  GitHub could not be asked

HELIX_RECORD_KEY, the secret record-key of the Action, checks the signatures."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pull", metavar="PR", type=_number, help="number of the pull request")
    parser.add_argument("--repo", metavar="OWNER/NAME", default="", help="the repository (default: GITHUB_REPOSITORY, else the remote `origin`)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is no number of a pull request, as in 12")
    return int(text)


def run(options: Namespace) -> int:
    environment = dict(os.environ)
    name = repository_name(git.repository() or ".", options.repo, environment)
    if not name:
        raise UsageError("no repository is named, and the remote `origin` is none on GitHub; name it: --repo OWNER/NAME")
    to = access(name, environment)
    with client.reached():
        pull = fetch.pull_request(to.repository, options.pull, to.app)
        given = recorded(pull.number, pull.status, pull.head)
        found = audit.Audit(name, pull, given, None)
        if given:
            settled = evaluate(to, given, pull)
            found = audit.Audit(name, settled.pull, settled.given, settled.outcome, settled.votes)
        found = _with_record(found, to)
    write(json.dumps(audit.payload(found), indent=2) + "\n" if options.format == "json" else audit.text(found))
    return 0 if found.is_sound else 1


def _with_record(found: audit.Audit, to: Access) -> audit.Audit:
    """With the decisions as they were taken, and what GitHub says of them today."""
    pull = found.pull
    sticky = sticky_of(pull.comments, to.ours)
    end = chain.in_comment(sticky.body) if sticky else None
    found = found._replace(record=_record(to, pull, end), end=end)
    if found.taken is None:
        return found
    pull = pull._replace(reviews=pull.reviews or fetch.reviews(to.repository, pull.number))
    seen = facts(found.taken, pull, _today(to, found.taken, pull))
    return found._replace(facts=(*seen, *(doubts(found.record) if found.record else ())))


def _record(to: Access, pull: PullRequest, end: Tip | None) -> Record | None:
    """The chain at what a merge queue has merged, else at the head, else where our comment says that it ends."""
    for commit in dict.fromkeys(filter(None, (pull.merged, pull.head, end and end.commit))):
        status = pull.status if commit == pull.head else fetch.status(to.repository, commit, to.app)
        found = chain.read(status.text if status else "", pull.number)
        if status and found.lines:
            links = chain.links(found, pull.project, to.record_key, fits())
            return Record(found, links, status, end, bool(to.record_key))
    return None


def fits() -> Callable[[object], bool]:
    """Return whether the fields of a line are those of a decision."""
    from jsonschema_rs import validator_for

    validator = validator_for(json.loads(files.packaged("schemas/decision.json") or b"{}"))

    def is_decision(fields: object) -> bool:
        try:
            return validator.is_valid(fields)
        except (ValueError, RecursionError):  # half of a character, which no schema takes
            return False

    return is_decision


def _today(to: Access, taken: dict[str, Any], pull: PullRequest) -> Today:
    accounts, members = dict[str, tuple[str, int] | None](), dict[str, bool | None]()
    for vote in taken["votes"]:
        login = person_now(vote, pull)
        accounts[login] = _read(partial(fetch.account, to.repository, login))
        if vote["as"] == "team":
            members[login] = _is_member(to, taken["approvers"]["teams"], login)
    listed = taken["files"] and not taken["queue"]
    return Today(accounts, members, _read(partial(fetch.contents, to.repository, pull.number)) if listed else {})


def _is_member(to: Access, teams: list[str], login: str) -> bool | None:
    found = [fetch.is_member(to.repository, team, login) for team in teams]
    if None in found and True not in found:
        return None
    return True in found


def _read(ask: Callable[[], Found]) -> Found | None:
    """Return what GitHub answers; None where this token may not know."""
    from github import GithubException

    try:
        return ask()
    except GithubException as error:
        if error.status not in (403, 404):
            raise
        return None
