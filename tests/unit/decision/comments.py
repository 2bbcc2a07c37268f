"""The comments of tests/cases/commands, each with the commands that are in it."""

from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "commands"


CUT = "\n====\n"


def case(name: str) -> tuple[str, str, str]:
    """The comment, what it asks for, and the bug for which the program does not see that yet."""
    comment, _, rest = (CASES / f"{name}.txt").read_text(encoding="utf-8").rpartition(CUT)
    expected, _, bug = rest.partition("bug: ")
    return comment, expected, bug.strip()
