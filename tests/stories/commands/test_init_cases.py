"""Every folder in tests/cases/init is a repository with ADRs, beside what `init` says and the settings that it writes.

`repository.txt` has the files, each below a line `=== path`. A path with `{1-8}` is eight files, in whose content `{n}` is the number.
`settings` is the settings file afterwards; without it `init` writes none. To see what the program says now, run
`.venv/bin/python -m pytest tests/stories/commands/test_init_cases.py -k NAME` and read the difference before you save it.
"""

import json
import re
from pathlib import Path

import pytest

from helix_hooks import yaml_reader
from helix_hooks.authoring.settings_text import values
from helix_hooks.paths import PYPROJECT, SETTINGS
from tests.conftest import ROOT, Repository, Run

CASES = ROOT / "tests" / "cases" / "init"
NAMES = sorted(path.name for path in CASES.iterdir())
LEARNED = {"template", "templates", "aliases"}
HOOKS = (
    "repos:\n  - repo: https://github.com/helix-hooks/helix-hooks\n    hooks: [{id: helix-adr}]\n"
)


def lay(name: str, repository: Repository) -> None:
    """Write and track the files of a case."""
    text = (CASES / name / "repository.txt").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^=== (.+)\n", text)
    for path, content in zip(parts[1::2], parts[2::2], strict=True):
        span = re.search(r"\{(\d+)-(\d+)\}", path)
        for number in range(int(span[1]), int(span[2]) + 1) if span else (0,):
            place = path.replace(span[0], f"{number:04}") if span else path
            repository.write(place, content.replace("{n}", str(number)))
    repository.write(".pre-commit-config.yaml", HOOKS)
    repository.git("add", "--all", "--force")


def settings_in(root: Path) -> tuple[str, str]:
    """Return the settings file of a repository and its text."""
    own = root / SETTINGS
    path = SETTINGS if own.exists() or not (root / PYPROJECT).exists() else PYPROJECT
    file = root / path
    return path, file.read_bytes().decode() if file.exists() else ""


def passing(run: Run) -> dict[str, bool]:
    files = json.loads(run("check", "--format", "json").out)["files"]
    return {
        file["path"]: all(item["severity"] != "error" for item in file["findings"])
        for file in files
    }


@pytest.mark.parametrize("name", NAMES)
def test_init(name: str, repository: Repository, run: Run) -> None:
    lay(name, repository)
    wanted = CASES / name / "settings"
    _, old = settings_in(repository.root)
    dry = run("init", "--dry-run")
    assert settings_in(repository.root)[1] == old, "a dry run writes nothing"
    result = run("init")
    assert dry.out == f"Nothing is written; without --dry-run:\n{result.out}"
    said = result.out.partition("\n\nNext:\n")[0]
    assert f"{said}\n" == (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert settings_in(repository.root)[1] == (
        wanted.read_bytes().decode() if wanted.exists() else old
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_no_adr_is_worse_for_it(name: str, repository: Repository, run: Run) -> None:
    lay(name, repository)
    before = passing(run)
    said = run("init").out
    after = passing(run)
    assert sum(after.values()) >= sum(before.values())
    counts = re.search(r"found +(\d+) ADRs?, of which (\d+) pass", said)
    if counts:
        assert (int(counts[1]), int(counts[2])) == (len(before), sum(before.values()))
    better = re.search(r"with it (\d+) pass", said)
    if better and "add these lines" not in said:
        assert int(better[1]) == sum(after.values())


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_the_second_run_changes_nothing(name: str, repository: Repository, run: Run) -> None:
    lay(name, repository)
    run("init")
    once = settings_in(repository.root)
    repository.git("add", "--all")
    second = run("init").out
    assert settings_in(repository.root) == once
    assert not re.search("^(created|changed)", second, re.MULTILINE)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_only_what_was_learned_is_written(name: str, repository: Repository, run: Run) -> None:
    """Whatever a heading, a file name or a field says, no other setting appears."""
    lay(name, repository)
    old = values(*settings_in(repository.root), {})
    run("init")
    new = values(*settings_in(repository.root), {})
    assert isinstance(old, dict) and isinstance(new, dict)
    assert new.keys() - old.keys() <= LEARNED
    assert {key: new[key] for key in old if key not in LEARNED} == {
        key: old[key] for key in old if key not in LEARNED
    }
    for template in new.get("templates", {}).values():
        assert template.keys() <= {"sections", "optional", "header"}


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in NAMES if (CASES / name / "settings").exists()])
def test_a_record_without_a_decision_is_an_error(
    name: str, repository: Repository, run: Run
) -> None:
    lay(name, repository)
    run("init")
    is_green = passing(run)
    path = next(path for path in sorted(is_green) if is_green[path])
    text = (repository.root / path).read_text(encoding="utf-8")
    decision = r"(?ms)^(#+) [^\n]*(?:decision|Decision|What we do)[^\n]*\n.*?(?=^#+ |\Z)"
    assert re.search(decision, text)
    repository.write(path, re.sub(decision, "", text))
    assert run("check", path).code == 1


def test_json_of_settings_reads_as_yaml() -> None:
    """Candidates are measured as JSON, so that this must mean the same."""
    hostile = {"a: b": ["- x", "{", "\u2028", "\x7f", "#", "'\"\\", "yes", "~"], "n": {"1": "2"}}
    root = yaml_reader.load(json.dumps(hostile), SETTINGS)
    assert values(SETTINGS, json.dumps(hostile), {}) == hostile and root.data.keys() == {
        "a: b",
        "n",
    }
