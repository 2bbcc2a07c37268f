"""A room imports only from those above it, and pure rooms touch nothing outside of the program."""

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"

PURE = (
    "__init__", "errors", "finding", "paths", "yaml_values", "globs", "text",
    "adr.names", "adr.parse", "adr.template", "adr.concept", "adr.suppress", "adr.baseline", "adr.lifecycle", "adr.reference", "adr.mention",
    "adr.compare", "adr.model", "adr.corpus", "adr.profile", "adr.rules.contextual", "adr.rules", "adr.examine", "adr.relaxation", "adr.planted",
    "config", "verdict", "decision", "safety", "publish", "report",
)  # fmt: skip
EDGES = (
    "console", "parallel", "repository", "check", "change", "judge", "github", "doctor", "authoring", "action", "api", "cli", "__main__",
)  # fmt: skip
ORDER = (*PURE, *EDGES)
OUTSIDE = {"os", "pathlib", "shutil", "socket", "subprocess", "sys", "time", "datetime", "tempfile", "urllib", "random", "argparse"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def place(module: str) -> int:
    """Return the position of a module's room, or of the module itself where the order names it."""
    parts = module.removesuffix(".__init__").split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in ORDER:
            return ORDER.index(".".join(parts[:length]))
    return 0 if parts == ["adr"] else ORDER.index(module)


def imports(path: Path) -> list[tuple[str, bool]]:
    """The modules a file imports, each with whether it is one of ours."""
    package = name(path).split(".")[:-1]
    found: list[tuple[str, bool]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, alias.name.startswith("helix_hooks")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append((node.module or "", (node.module or "").startswith("helix_hooks")))
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1], *filter(None, (node.module or "").split("."))]
            found += [(_module([*base, alias.name]) or _module(base) or "__init__", True) for alias in node.names]
    return found


def _module(parts: list[str]) -> str:
    """Return the name of a module or package of ours; "" if there is none."""
    path = PACKAGE.joinpath(*parts)
    return ".".join(parts) if parts and (path.with_suffix(".py").exists() or (path / "__init__.py").exists()) else ""


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_imports_only_from_those_above_it(path: Path) -> None:
    for target, ours in imports(path):
        if ours and not target.startswith("helix_hooks"):
            assert place(target) <= place(name(path)), f"{name(path)} imports {target}"


@pytest.mark.parametrize("path", [path for path in MODULES if place(name(path)) < len(PURE)], ids=name)
def test_the_pure_part_touches_nothing_outside(path: Path) -> None:
    assert not {target.split(".")[0] for target, ours in imports(path) if not ours} & OUTSIDE


def test_modules_stay_small() -> None:
    lines = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {module: count for module, count in lines.items() if count > 400}
    assert sorted(lines.values())[len(lines) // 2] <= 90
