"""docs/architecture.md tells the way of a vote as the program goes it."""

import re
import sys
from pathlib import Path
from types import FrameType

import helix_hooks
from helix_hooks.decision.commands import commands
from tests.conftest import ROOT
from tests.fakes.github.server import FakeGitHub
from tests.stories.pull_request.scene import People, check

PACKAGE = Path(helix_hooks.__file__).parent
MOST_STATIONS = 15


def stations() -> list[tuple[str, str]]:
    """Return the file and the function of each numbered line of the section."""
    text = (ROOT / "docs/architecture.md").read_text()
    section = text.partition("## A comment, to a decision\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. `([\w/]+\.py):([\w.]+)`", section, re.MULTILINE)


def test_the_way_of_a_vote(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    comment = github.comment(1, "max", f"/helix approve {head}")
    commands.cache_clear()  # other tests have read the same comment
    entered: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            place = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            entered.append((place, code.co_qualname))

    sys.setprofile(note)
    try:
        people.told(comment)
    finally:
        sys.setprofile(None)
    assert check(github).conclusion == "success"
    listed = stations()
    assert 10 < len(listed) <= MOST_STATIONS
    calls = iter(entered)
    for place in listed:
        assert place in calls, f"{place} is not entered after the ones before it"
