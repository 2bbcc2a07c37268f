"""Programs that deliver are killed at random: each notice arrives, and what comes twice says so."""

import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from helix_hooks.queue import courier
from helix_hooks.queue.outbox import LEASE
from tests.fakes.receivers import Posted, Webhook
from tests.stories.notify.scene import Scene, entry

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are found in /proc"),
    pytest.mark.filterwarnings("ignore:'imghdr' is deprecated"),
]


def couriers() -> list[int]:
    """Return the processes that send, whoever has started them."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if courier.__name__.encode() in words:
            found.append(int(place.parent.name))
    return found


def kill_one_of(chosen: random.Random, programs: list["subprocess.Popen[bytes]"]) -> None:
    """Kill a program, or what it has started."""
    program = chosen.choice(programs)
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
    try:
        mine = [int(pid) for pid in children.read_text().split()]
    except OSError:
        mine = []
    targets = [pid for pid in mine if pid in couriers()]
    if targets and chosen.random() < 0.5:
        os.kill(targets[0], signal.SIGKILL)
    else:
        program.kill()


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
        programs = [stored.delivering() for _ in range(3)]
        for _ in range(2):
            time.sleep(chosen.random() * 2)
            kill_one_of(chosen, programs)
        for program in programs:
            program.wait()
    wanted = {(path, item.id) for path in ("/", "/carol") for item in entries}
    for hours in range(1, 10):
        stored.send(later=hours * 3600 + LEASE)
    first, again = told(chat.posts)
    assert set(first) | set(again) == wanted
    assert set(first.values()) == {1}
    assert max(again.values(), default=0) <= 2
    assert [status[1:4] for status in stored.statuses()] == [(0, len(entries), 0)] * 2
