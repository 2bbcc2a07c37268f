"""The line of a long check: after a second, at most ten times a second, and never in the way."""

import io
from itertools import count

from helix_hooks.console.progress import CheckProgress


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Gone(io.StringIO):
    """A terminal whose window was closed."""

    def write(self, _text: str) -> int:
        raise OSError(5, "Input/output error")


def test_a_short_check_shows_nothing() -> None:
    stream, clock = io.StringIO(), Clock()
    line = CheckProgress(stream, clock)
    for number in range(900):
        clock.now += 0.001
        line.tell(number, 900)
    line.clear()
    assert stream.getvalue() == ""


def test_a_long_check_shows_some_states_and_clears_the_line() -> None:
    stream, clock = io.StringIO(), Clock()
    line = CheckProgress(stream, clock)
    for number in range(2000):
        clock.now += 0.001
        line.tell(number, 2000)
    line.clear()
    line.clear()
    states = stream.getvalue().split("\r\x1b[K")
    assert states[0] == states[-1] == ""
    assert len(states) - 2 <= 11 and all(item.endswith(" of 2000 ADRs") for item in states[1:-1])


def test_a_terminal_that_is_gone_changes_nothing() -> None:
    seconds = count(step=10.0)
    line = CheckProgress(Gone(), lambda: next(seconds))
    line.tell(1, 2)
    line.clear()
