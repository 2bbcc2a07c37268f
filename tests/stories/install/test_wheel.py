"""What the wheel carries is what a pre-commit environment has to work with."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

COMMANDS = {"check": ["check", "0001-x.md"], "rules": ["rules"], "approve": ["approve"]}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(place), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = place.glob("*.whl")
    return built


def test_the_wheel_carries_code_defaults_templates_and_examples(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("approvals", "config"):
        for path in (ROOT / folder).rglob("*.*"):
            assert f"helix_hooks/defaults/{path.relative_to(ROOT).as_posix()}" in names
    for pattern in ("*.py", "templates/*/*.md", "examples/*/*.md", "schemas/*.json"):
        for path in (ROOT / "helix_hooks").rglob(pattern):
            assert path.relative_to(ROOT).as_posix() in names
    assert not [name for name in names if name.startswith(("tests", "docs", "scripts"))]


def test_the_installed_wheel_works_on_its_own(wheel: Path, tmp_path: Path) -> None:
    """In an environment that sees only the wheel and its dependencies, started where a hostile `yaml.py` lies."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    work = tmp_path / "work"
    (work / "adr").mkdir(parents=True)
    (work / "yaml.py").write_text("raise SystemExit('imported from the checkout')\n")
    (work / "adr" / "0001-x.md").write_text(
        "---\nadr_id: '001'\ntitle: x\nstatus: Proposed\nchange_scope: major\n---\n\n# x\n\n## Kontext\n"
    )
    program = f"import sys; sys.path.insert(0, {str(site)!r}); from helix_hooks.cli.main import main; import helix_hooks; print(helix_hooks.__file__); sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, "check", "adr/0001-x.md"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    assert str(site) in done.stdout.splitlines()[0]
    assert done.returncode == 1 and "[major-needs-migration]" in done.stdout, done.stderr


@pytest.mark.further
def test_the_environment_of_a_hook_has_no_extra(wheel: Path, tmp_path: Path) -> None:
    """An environment as pre-commit makes it: the package with its dependencies, and nothing else."""
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run(
        [*pip, "install", "--quiet", "--disable-pip-version-check", str(wheel)],
        check=True,
        capture_output=True,
    )
    listed = json.loads(
        subprocess.run([*pip, "list", "--format", "json"], check=True, capture_output=True).stdout
    )
    assert {item["name"].lower() for item in listed} == {
        "click",
        "helix-hooks",
        "pyromark",
        "pyyaml",
        "typing_extensions",
    }
    (tmp_path / "0001-x.md").write_text("# x\n", encoding="utf-8")
    program = [python, "-I", "-m", "helix_hooks"]
    done = {
        name: subprocess.run(
            [*program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        for name, arguments in COMMANDS.items()
    }
    assert done["check"].returncode == 1 and "[headings-missing]" in done["check"].stdout, done[
        "check"
    ].stderr
    assert done["rules"].returncode == 0
    assert done["approve"].returncode == 2
    assert (
        done["approve"].stderr
        == "helix-hooks: approve requires the extra 'approve'; install it: pip install 'helix-hooks[approve]'\n"
    )
