"""Lines at a terminal: after a second, at most ten times a second, and never in the way."""

import io
from itertools import count

from helix_hooks.console import JudgeProgress, LiveLines


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Gone(Terminal):
    """A terminal whose window was closed."""

    def write(self, _text: str) -> int:
        raise OSError(5, "Input/output error")


def test_a_short_check_shows_nothing() -> None:
    stream, clock = Terminal(), Clock()
    line = LiveLines(stream, after=1.0, clock=clock)
    for _number in range(900):
        clock.now += 0.001
        line.draw(lambda _columns: ["x"])
    line.clear()
    assert stream.getvalue() == ""


def test_a_long_check_shows_some_states_and_clears_the_line() -> None:
    stream, clock = Terminal(), Clock()
    line = LiveLines(stream, after=1.0, clock=clock)
    for _number in range(2000):
        clock.now += 0.001
        line.draw(lambda _columns: [f"{clock.now:.3f} s"])
    line.clear()
    line.clear()
    states = stream.getvalue().split("\r\x1b[J")
    assert states[0] == states[-1] == ""
    assert len(states) - 2 <= 11 and all(item.endswith(" s") for item in states[1:-1])


def test_a_terminal_that_is_gone_changes_nothing() -> None:
    seconds = count(step=10.0)
    line = LiveLines(Gone(), clock=lambda: next(seconds))
    line.draw(lambda _columns: ["x"])
    line.clear()


def test_lines_are_erased_from_the_first_one() -> None:
    stream, clock = Terminal(), Clock()
    lines = LiveLines(stream, clock=clock)
    lines.draw(lambda _columns: ["a", "b", "c"])
    clock.now += 1
    lines.draw(lambda _columns: ["d"])
    lines.clear()
    assert stream.getvalue() == "\r\x1b[Ja\nb\nc\r\x1b[2A\x1b[Jd\r\x1b[J"


def test_the_line_of_judges_fits_a_terminal_and_is_inert() -> None:
    stream = Terminal()
    JudgeProgress(stream, quiet=False).tell("adr", 3, "\x1b[2J" + "漢" * 80)
    line = stream.getvalue().removeprefix("\r\x1b[J")
    assert line == f"adr 3 s, \\x1b[2J{'漢' * 31}…"


def test_without_a_terminal_or_with_quiet_nothing_is_drawn() -> None:
    plain, quiet = io.StringIO(), Terminal()
    JudgeProgress(plain, quiet=False).tell("adr", 3, "Read")
    JudgeProgress(quiet, quiet=True).tell("adr", 3, "Read")
    assert plain.getvalue() == quiet.getvalue() == ""
