"""No fix makes a verdict worse: the project's examples, broken at random, and fixed twice."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.fakes.program import program

EXAMPLES = sorted(
    path
    for path in (ROOT / "helix_hooks" / "examples").glob("*/*s.md")
    if path.parent.name != "file-unreadable"  # not UTF-8, so nothing is fixed there
)
WORDS = (
    "Accepted", "accepted", "Superseded", "status", "change_scope", "adr_id", "major", "depends_on",
    "supersedes", "Supersedes", "ADR-", "\n", '"', "---", ":", "|",
)  # fmt: skip


def broken(text: str, word: str, place: int, how: str) -> str:
    """Drop, double or swap characters in one occurrence of a word."""
    parts = text.split(word)
    if len(parts) == 1:
        return text
    cut = place % (len(parts) - 1)
    middle = len(word) // 2
    wrong = {
        "drop": word[:middle] + word[middle + 1 :],
        "double": word[: middle + 1] + word[middle:],
        "swap": word[:middle] + word[middle : middle + 2][::-1] + word[middle + 2 :],
    }[how]
    return word.join(parts[: cut + 1]) + wrong + word.join(parts[cut + 1 :])


def verdicts(root: Path) -> dict[str, list[int]]:
    """Return for each ADR its number of errors, and of errors and warnings."""
    done = program("check", "--format", "json", env=os.environ, cwd=root)
    files = json.loads(done.stdout)["files"]
    severities = {
        file["path"]: [finding["severity"] for finding in file["findings"]] for file in files
    }
    return {
        path: [found.count("error"), found.count("error") + found.count("warning")]
        for path, found in severities.items()
    }


def fix(root: Path) -> str:
    done = program("check", "--fix", env=os.environ, cwd=root)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / "docs" / "adr").iterdir()}


damages = st.lists(
    st.tuples(
        st.sampled_from(WORDS), st.integers(0, 5), st.sampled_from(["drop", "double", "swap"])
    ),
    max_size=4,
)


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(
    names=st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4, unique=True),
    damage=damages,
    numbers=st.lists(st.integers(1, 3), min_size=4, max_size=4),
    committed=st.integers(0, 4),
)
def test_no_verdict_is_worse_and_a_second_run_changes_nothing(
    names: list[Path], damage: list[tuple[str, int, str]], numbers: list[int], committed: int
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        folder = root / "docs" / "adr"
        folder.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        for order, (example, number) in enumerate(zip(names, numbers, strict=False)):
            text = example.read_text(encoding="utf-8")
            if order == committed:
                subprocess.run(["git", "add", "--all"], cwd=root, check=True)
                subprocess.run(["git", "commit", "-qm", "x", "--allow-empty"], cwd=root, check=True)
            else:
                for word, place, how in damage:
                    text = broken(text, word, place, how)
            (folder / f"000{number}-{example.parent.name}-{example.stem}.md").write_text(
                text, encoding="utf-8"
            )
        before = verdicts(root)
        printed = fix(root)
        after, first = verdicts(root), contents(root)
        fixed = [line for line in printed.splitlines() if ": fixed: " in line]
        renamed = {
            line.split(":")[0]: line.split("renamed to ")[1].split(",")[0]
            for line in fixed
            if "renamed to " in line
        }
        for path, (errors, both) in before.items():
            new_errors, new_both = after[renamed.get(path, path)]
            assert new_errors <= errors and new_both <= both, (path, fixed)
        fix(root)
        assert contents(root) == first
