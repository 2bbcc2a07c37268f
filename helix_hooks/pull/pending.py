"""The open pull requests of a repository that wait for a person.

A list costs one request for each 50 pull requests: the last run of the gate noted on its check run
whether a pull request waits, for whom and since when. What a person opens is read again, with the
votes, roles and deadlines of now.
"""

from typing import NamedTuple

from ..decision import run_record
from ..decision.commands import REJECT, VOTES, Command, commands
from ..decision.states import BLOCKED, FAILED, MOVED, PENDING
from ..errors import HelixError
from ..waiting.entry import QueueEntry
from ..waiting.pull_entry import PullFacts, entry_id, in_mark, pull_entry, waits
from . import client, fetch, pull_list
from .access import Access
from .check_run import states_before
from .earlier_runs import recorded
from .evaluate import Evaluation, evaluate
from .links import comment_box
from .pull_list import ListedPull
from .title import title
from .write import reached_within_limits

_MAY_WAIT = (PENDING, BLOCKED, FAILED)
"""States of the last run that may wait for a person."""


class PendingPulls(NamedTuple):
    """The entries of a repository, and a line for each pull request that was not read.

    `limit` is the error of GitHub's rate limit if it was reached, "" if not.
    """

    entries: tuple[QueueEntry, ...] = ()
    problems: tuple[str, ...] = ()
    limit: str = ""


def waiting(to: Access, name: str) -> PendingPulls:
    """Return the pull requests of OWNER/NAME that wait.

    A check run by an earlier version of the gate has no note; then the pull request is read by
    itself, with at least four requests.

    Raises:
        RateLimitError: GitHub limits requests.
        HelixError: The list was not read.
    """
    with reached_within_limits():
        pulls = [*pull_list.listed(to, name, pull_list.OPEN)]
    entries, problems, limit = list[QueueEntry](), list[str](), ""
    for pull in pulls:
        try:
            entry = _entry(to, name, pull, limit)
        except HelixError as error:
            if isinstance(error, client.RateLimitError):
                limit = str(error)
            problems.append(f"{entry_id(name, pull.number)}: {error}")
            continue
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            about = f"{type(error).__name__}: {error}"
            problems.append(
                f"{entry_id(name, pull.number)}: GitHub's answer can't be read ({about})"
            )
            continue
        if entry:
            entries.append(entry)
    return PendingPulls(tuple(entries), tuple(problems), limit)


def _entry(to: Access, name: str, pull: ListedPull, limit: str) -> QueueEntry | None:
    """Return the entry of a pull request; after a `limit`, without a further request."""
    try:
        return _noted(to, name, pull)
    except ValueError:
        if limit:
            raise client.RateLimitError(limit) from None
        return current(to, pull.number)


def _noted(to: Access, name: str, pull: ListedPull) -> QueueEntry | None:
    """Return the entry that the last run noted, None if it waits for nobody.

    Raises:
        ValueError: There is no note of the last run.
    """
    states = ((status, states_before(status).get(pull.number)) for status in pull.statuses)
    about = [(status, state) for status, state in states if state not in (None, MOVED)]
    if not pull.is_whole:
        raise ValueError("not all check runs are listed")
    if not about or about[0][1] not in _MAY_WAIT:
        return None
    text = about[0][0].text
    entry = in_mark(text, pull.number)
    if entry is None:
        return None
    answered = _answered(pull, text)
    late = tuple(f"the gate has not counted the answer of @{login} yet" for login in answered)
    return entry._replace(
        id=entry_id(name, pull.number),
        project=name,
        repository=name,
        title=pull.title,
        asked_at=entry.asked_at or pull.opened,
        url=comment_box(to.server, name, pull.number),
        head=pull.head,
        answered=answered,
        reasons=(*entry.reasons, *late),
    )


def _answered(pull: ListedPull, text: str) -> tuple[str, ...]:
    """Return who has answered about the head since the last run read the comments."""
    record = run_record.read(text, pull.number)
    looked = record.carried.looked if record else 0
    return tuple(
        dict.fromkeys(
            comment.login
            for comment in pull.comments
            if comment.at > looked and any(_is_about(pull, item) for item in commands(comment.body))
        )
    )


def _is_about(pull: ListedPull, command: Command) -> bool:
    if command.name not in VOTES or command.wrong:
        return False
    return command.name == REJECT or pull.head.startswith(command.commit)


def current(to: Access, number: int) -> QueueEntry | None:
    """Return the entry of a pull request by its current facts; None if it waits for nobody.

    Raises:
        RateLimitError: GitHub limits requests.
        HelixError: GitHub refuses a request, or can't be reached.
    """
    with reached_within_limits():
        pull = fetch.pull_request(to.repository, number, to.app)
        record = recorded(number, pull.status, pull.head)
        if not pull.is_open:
            return None
        if record is None:
            states = states_before(pull.status) if pull.status else {}
            if states.get(number) in _MAY_WAIT:
                raise HelixError("the result of the gate on its check run can't be read")
            return None
        return entry_of(to, evaluate(to, record, pull))


def entry_of(to: Access, now: Evaluation) -> QueueEntry | None:
    """Return the entry of an evaluated pull request; None if it waits for nobody."""
    if not waits(now.decision):
        return None
    pull = now.pull
    commits, has_all = to.commits(pull.number, pull.head)
    facts = PullFacts(
        turn=title(now.handover, now.decision),
        url=comment_box(to.server, now.handover.target.repository, pull.number),
        handover=now.handover,
        decision=now.decision,
        pull=pull,
        votes=now.votes,
        commits=commits,
        has_all_commits=has_all,
    )
    return pull_entry(facts)
