"""The comments of tests/cases/commands."""

from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "commands"
CUT = "\n====\n"


def comment(name: str) -> str:
    return (CASES / f"{name}.txt").read_text(encoding="utf-8").rpartition(CUT)[0]
