"""Every folder in tests/cases/loosened is a change of settings: the repository `before` and `after`, and the relaxations that `approve` names.

Where the change breaks its settings, nothing is compared; `expected.txt` has the exit code and the error instead.

Attack by a hostile pull request: add a delegate, or require fewer approvals for agents, in the change itself.
Answer: the base counts; the change is reported as relaxed, also for past days.
Shown by: `delegates`, `agents-authors*`.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.program import approve

CASES = ROOT / "tests" / "cases" / "loosened"
TOLD = "relaxed or changed: "


def commit_tree(repository: Repository, folder: Path) -> None:
    """Commit the files of a folder, and nothing else."""
    for place in repository.root.iterdir():
        if place.name != ".git":
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    if folder.exists():
        # Without the times of the files, by which git would take an equally long file as unchanged.
        shutil.copytree(folder, repository.root, copy_function=shutil.copyfile, dirs_exist_ok=True)
    repository.git("add", "--all", "--force")
    repository.commit()


@pytest.fixture
def relaxations(repository: Repository, tmp_path: Path) -> Callable[[Path, Path], str]:
    """Return what `approve` says about the change from one folder to another."""

    def relaxations(before: Path, after: Path) -> str:
        commit_tree(repository, before)
        repository.git("checkout", "--quiet", "-b", "change")
        commit_tree(repository, after)
        programs = judges.programs(tmp_path / "programs", {"as": "claude", "absent": True})
        environment = judges.without_claude(judges.environment(None, programs))
        done = approve("--base", "main", "--fail-on", "never", env=environment)
        if done.returncode == 2:
            return f"exit 2\n{done.stderr}"
        lines = [line for line in done.stderr.splitlines() if TOLD in line]
        return "".join(f"{line.partition(TOLD)[2]}\n" for line in lines) or "nothing\n"

    return relaxations


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_each_relaxation_is_named(
    name: str, relaxations: Callable[[Path, Path], str], written: Path | None
) -> None:
    """Attack on the judge: a relaxation among many harmless changes, so that the person who approves does not see it.
    Answer: each is listed in words, with its line, and that no judge has looked.
    Shown by: `test_each_relaxation_is_named`, `tests/cases/loosened/everything`, `test_the_page_lists_each_protected_file_and_each_relaxation`.
    """
    told = relaxations(CASES / name / "before", CASES / name / "after")
    if written:
        (written / name / "expected.txt").write_text(told, encoding="utf-8")
    expected = (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert told == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["policy: {{overrides: [{}]}}\n", "policy: {{approvers: {{roles: [admin], users: [{}]}}}}\n"],
)
def test_settings_with_many_names_are_compared_once_each(
    tmp_path: Path, text: str, relaxations: Callable[[Path, Path], str]
) -> None:
    """A megabyte of them took minutes: each name was looked up in a list of all."""
    for name in ("before", "after"):
        place = tmp_path / name / "config" / "approvals.yaml"
        place.parent.mkdir(parents=True)
        names = ",".join(f"{name}-{number}" for number in range(20_000))
        place.write_text(text.format(names), encoding="utf-8")
    assert "after-9 and 19990 more" in relaxations(tmp_path / "before", tmp_path / "after")
