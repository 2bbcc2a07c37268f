"""What the wheel carries is what a pre-commit environment has to work with.

Attack by a hostile ADR: a `yaml.py` beside the ADR.
Answer: the console script and `python -I` do not import it; plain `python -m helix_hooks` would.
Shown by: `tests/stories/install/test_wheel.py`.
"""

import email
import email.message
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from readme_renderer import markdown

from helix_hooks import __version__
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
        "msgspec",
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
    assert done["check"].returncode == 1 and "[section-missing]" in done["check"].stdout, done[
        "check"
    ].stderr
    assert done["rules"].returncode == 0
    assert done["approve"].returncode == 2
    assert (
        done["approve"].stderr
        == "helix-hooks: approve needs packages that are not installed: pip install 'helix-hooks[all]'\n"
    )


def test_the_wheel_has_types_links_and_classifiers(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    assert "helix_hooks/py.typed" in archive.namelist()
    fields = _metadata(archive)
    names = {line.partition(",")[0] for line in fields.get_all("Project-URL", [])}
    assert names == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    classifiers = fields.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 15)} <= {
        *classifiers
    }


def test_pypi_shows_the_readme_with_links_that_work(wheel: Path) -> None:
    """PyPI renders the description by readme_renderer, and outside of the repository."""
    text = str(_metadata(zipfile.ZipFile(wheel)).get_payload())
    page = markdown.render(text)
    assert page is not None
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert len(addresses) > 20
    headings = "#user-content-"
    assert [item for item in addresses if not item.startswith(("https://", headings))] == []
    released = f"https://github.com/helix-hooks/helix-hooks/blob/v{__version__}/"
    for address in addresses:
        if address.startswith(released):
            path = address.removeprefix(released).partition("#")[0]
            assert (ROOT / path).exists(), path


def _metadata(archive: zipfile.ZipFile) -> email.message.Message:
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(archive.read(name))


@pytest.mark.further
def test_twine_accepts_the_packages(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--sdist", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    packages = [str(wheel), *map(str, tmp_path.glob("*.tar.gz"))]
    command = [sys.executable, "-m", "twine", "check", "--strict", *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2
