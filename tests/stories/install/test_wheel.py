"""What the wheel carries is what a pre-commit environment has to work with."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(place), str(ROOT)], check=True, capture_output=True)
    (built,) = place.glob("*.whl")
    return built


def test_the_wheel_carries_code_defaults_templates_and_examples(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("approvals", "config"):
        for path in (ROOT / folder).rglob("*.*"):
            assert f"helix_hooks/defaults/{path.relative_to(ROOT).as_posix()}" in names
    for pattern in ("*.py", "templates/*/*.md", "examples/*/*.md"):
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
    (work / "adr" / "0001-x.md").write_text("---\nadr_id: '001'\ntitle: x\nstatus: Proposed\nchange_scope: major\n---\n\n# x\n\n## Kontext\n")
    program = f"import sys; sys.path.insert(0, {str(site)!r}); from helix_hooks.cli.main import main; import helix_hooks; print(helix_hooks.__file__); sys.exit(main())"
    done = subprocess.run([sys.executable, "-I", "-c", program, "check", "adr/0001-x.md"], cwd=work, capture_output=True, text=True, check=False)
    assert str(site) in done.stdout.splitlines()[0]
    assert done.returncode == 1 and "[major-needs-migration]" in done.stdout, done.stderr
