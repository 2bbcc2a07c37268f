"""The line of judges at a terminal: at most ten times a second, and never in the way."""

import io

from helix_hooks.console import JudgeProgress


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


def test_some_states_are_drawn_and_the_line_is_cleared() -> None:
    stream, clock = Terminal(), Clock()
    line = JudgeProgress(stream, quiet=False, clock=clock)
    for _number in range(1000):
        clock.now += 0.001
        line.tell("adr", clock.now, "")
    line.clear()
    line.clear()
    states = stream.getvalue().split("\r\x1b[J")
    assert states[0] == states[-1] == ""
    assert len(states) - 2 <= 11 and all(item.endswith(" s") for item in states[1:-1])


def test_a_terminal_that_is_gone_changes_nothing() -> None:
    line = JudgeProgress(Gone(), quiet=False)
    line.tell("adr", 3, "Read")
    line.clear()


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
