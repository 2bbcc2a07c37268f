"""Each attack of docs/attacks.md names what shows it, and what it names exists."""

import re
from fnmatch import fnmatch

import pytest

from tests.conftest import ROOT

ROWS = [
    line
    for line in (ROOT / "docs" / "attacks.md")
    .read_text(encoding="utf-8")
    .partition("\n## Attacks")[2]
    .splitlines()
    if line.startswith("| ") and "---" not in line
]
CLAIMS = [row.strip("| ").split(" | ") for row in ROWS if not row.endswith("| test |")]
TESTS = {
    name
    for path in ROOT.glob("tests/**/*.py")
    for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
}
CASES = {path.name for path in ROOT.glob("tests/cases/*/*")} | {
    path.name for path in ROOT.glob("tests/cases/*/*/*")
}


def _exists(name: str) -> bool:
    plain = name.removesuffix("...").removesuffix("…")
    if plain.startswith("tests/"):
        return any(ROOT.glob(plain.rstrip("/")))
    if plain.startswith("test_"):
        cut_short = f"{plain}*" if plain != name else plain
        return any(fnmatch(test, cut_short) for test in TESTS) or any(
            ROOT.glob(f"tests/**/{plain}")
        )
    return any(fnmatch(case, plain) for case in CASES)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim[0][:60])
def test_a_claim_names_what_shows_it(claim: list[str]) -> None:
    attempt, answer, shown = claim
    assert attempt and answer
    if shown not in ("the same", "properties"):
        assert re.findall(r"`([^`]+)`", shown), shown
    assert [name for name in re.findall(r"`([^`]+)`", shown) if not _exists(name)] == []
