"""Programs that send are killed at random: each notice arrives, and what comes twice says so."""

import random
import re
import time
from collections import Counter

import pytest

from tests.fakes.receivers import Posted, Webhook
from tests.stories.notify.scene import Scene, entry

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:'imghdr' is deprecated"),
]


def told(posts: list[Posted]) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Return how often each channel was told of each entry: the first time, and again."""
    first: Counter[tuple[str, str]] = Counter()
    again: Counter[tuple[str, str]] = Counter()
    for post in posts:
        text = post.body["message"]
        found = again if "receive this message twice" in text else first
        found.update((post.path, id) for id in re.findall(r"^Id: ([^,]+),", text, re.MULTILINE))
    return first, again


@pytest.mark.parametrize(
    "rounds",
    [pytest.param(2, marks=pytest.mark.further), pytest.param(25, marks=pytest.mark.soak)],
)
def test_each_notice_arrives_and_a_repetition_says_so(
    rounds: int, stored: Scene, chat: Webhook
) -> None:
    chosen = random.Random(rounds)
    stored.people(
        {"bob": chat.url(), "carol": chat.url(path="/carol")},
        more="batch: 0s\nmost_per_hour: 100000\n",
    )
    entries = []
    for number in range(rounds):
        entries += [entry(number * 4 + more) for more in range(4)]
        stored.noted(*entries)
        programs = [stored.sending() for _ in range(3)]
        for _ in range(2):
            time.sleep(chosen.random() * 2)
            chosen.choice(programs).kill()
        for program in programs:
            program.wait()
    wanted = {(path, item.id) for path in ("/", "/carol") for item in entries}
    while any(status[1] for status in stored.statuses()):
        stored.hasten()
        stored.send()
    first, again = told(chat.posts)
    assert set(first) | set(again) == wanted
    assert set(first.values()) == {1}
    assert [(status[1], status[3]) for status in stored.statuses()] == [(0, 0)] * 2
