"""A fault of each kind at each call of a first run, of a vote and of a sweep.

Nothing is wrongly green, nothing is written twice, and the next run does what was lost.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import ANY, DROPPED, FakeGitHub, Fault
from tests.fakes.runner import Ended
from tests.stories.pull_request.scene import (
    LOST,
    ME,
    UNSURE,
    People,
    after,
    check,
    policy,
    summary,
)

LIMIT = {
    "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    "documentation_url": "https://docs.github.com/rest",
}
MOVED = {"message": "Moved Permanently", "url": "x", "documentation_url": "x"}
ELSEWHERE = {"Location": "http://127.0.0.1:1/repositories/4711"}
FAULTS = {
    "502 for ever": Fault(ANY, ".*", 502, LOST, times=20),
    "502, once, stored": Fault(ANY, ".*", 502, LOST, after=True),
    "a lost connection, stored": Fault(ANY, ".*", DROPPED, after=True),
    "a lost connection, for ever": Fault(ANY, ".*", DROPPED, times=20),
    "a secondary limit of ten minutes": Fault(
        ANY, ".*", 403, LIMIT, {"Retry-After": "600"}, times=20
    ),
    "a redirect": Fault(ANY, ".*", 307, MOVED, ELSEWHERE, times=20),
}


class Story(NamedTuple):
    """What happens before, the run with the fault, the run after it, and what the last one comes to.

    `calls` is the number of requests of the run without a fault.
    """

    before: Callable[[People, Repository], object]
    run: Callable[[People], Ended]
    again: Callable[[People], Ended]
    conclusion: str
    calls: int


def first_run(people: People) -> Ended:
    return people.job().steps(people.judge(**UNSURE))


def asked(people: People, repository: Repository) -> None:
    policy(repository, "{deadlines: {uncertainty: 24h}}")
    people.pending()


def vote(people: People) -> Ended:
    return people.says("max", f"/helix approve {people.github.head(1)}")


def look(people: People) -> Ended:
    return people.sweep()


def late(people: People, repository: Repository) -> None:
    asked(people, repository)
    after(people.github, 25)


STORIES = {
    "a first run": Story(lambda _, __: None, first_run, first_run, "action_required", 15),
    "a vote": Story(asked, vote, look, "success", 15),
    "a sweep": Story(late, look, look, "failure", 13),
}


def ended_well(github: FakeGitHub, story: Story) -> None:
    """Check what is on the pull request: one of each, and the conclusion of the story."""
    ours = [item.body for item in github.comments.values() if item.author == ME]
    assert len([body for body in ours if body.startswith("### ")]) == 1, ours
    heads = Counter((run.name, run.sha) for run in github.runs.values())
    assert set(heads.values()) == {1}, heads
    assert check(github).conclusion == story.conclusion, summary(github)


@pytest.mark.parametrize("name", STORIES)
def test_without_a_fault(
    name: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    story = STORIES[name]
    story.before(people, repository)
    github.requests.clear()
    story.run(people)
    assert len(github.requests) == story.calls
    ended_well(github, story)


CALLS = [(name, call) for name, story in STORIES.items() for call in range(story.calls)]


@pytest.mark.sampled
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("name", "call"), CALLS)
def test_a_fault_at_a_call(
    name: str,
    call: int,
    fault: str,
    github: FakeGitHub,
    repository: Repository,
    people: People,
    waits: list[float],
) -> None:
    story = STORIES[name]
    story.before(people, repository)
    github.requests.clear()
    github.faults.append(FAULTS[fault]._replace(skip=call))
    ended = story.run(people)
    assert "Traceback" not in ended.err
    assert github.requests[call].status == FAULTS[fault].status, "the fault was met"
    if github.runs and story.conclusion != "success":
        assert check(github).conclusion != "success"
    github.faults.clear()
    story.again(people)
    ended_well(github, story)
