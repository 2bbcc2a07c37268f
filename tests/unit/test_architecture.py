"""The order of the rooms, what pure rooms may touch, and no circles of imports."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"
PURE = (
    "__init__ errors codec paths finding text yaml_reader adr config change verdict "
    "contract verification agents phases decision waiting report pages"
).split()
EDGES = (
    "extras writing proc console git check judge verify enforce gates flow notify pull audit "
    "doctor authoring editor queue dashboard api cli __main__"
).split()
ORDER = (*PURE, *EDGES)
"""A room imports itself and those before it; a pure one neither edges nor what reaches outside.

In other rooms, the same is true of each module that says "Pure." in the first lines of its docstring.
"""

HARMLESS = frozenset(
    "__future__ ast base64 binascii bisect collections contextlib datetime difflib email fnmatch functools graphlib "
    "hashlib hmac html inspect itertools json math operator pkgutil posixpath re shlex string textwrap "
    "tomllib types typing unicodedata warnings xml zlib "
    "yaml pyromark msgspec jsonschema_rs cryptography htpy markupsafe markdown_it lsprotocol".split()
)
"""Modules that compute, and reach nothing outside the program; `pkgutil` reads its own data."""

REACHING = frozenset("open print input exec eval compile globals __import__ environ".split())
METHODS = frozenset("now today utcnow read_text read_bytes write_text write_bytes".split())
"""Names, and methods that are called, by which code reaches a file, the clock or anything else."""

Sources = Mapping[str, str]


def complaints(sources: Sources) -> Iterator[str]:
    """Yield what is wrong with the modules of the package, by their names in it."""
    graph: dict[str, set[str]] = {}
    pure = {name for name, source in sources.items() if is_pure(name, source)}
    for name, source in sources.items():
        tree = parsed(source)
        ours, others = imports(name, tree, sources)
        graph[name] = ours - {name}
        room = name.partition(".")[0]
        if room not in ORDER:
            yield f"{name}: room {room!r} is not in the order"
            continue
        for module in ours:
            other = module.partition(".")[0]
            if other in ORDER and ORDER.index(other) > ORDER.index(room):
                yield f"{name}: may not import {module}"
        if name in pure:
            yield from (f"{name}: may not import {module}" for module in others - HARMLESS)
            yield from (
                f"{name}: may not import {module}, which is not pure" for module in ours - pure
            )
            yield from (f"{name}: uses {used}" for used in reaching(tree))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        yield f"circle of imports: {' '.join(error.args[1])}"


def is_pure(name: str, source: str) -> bool:
    """Return whether a module is in a pure room, or says that it is pure."""
    if name.partition(".")[0] in PURE:
        return True
    paragraph = (ast.get_docstring(parsed(source)) or "").partition("\n\n")[0]
    return bool(re.search(r"\bPure\.", paragraph))


@cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


def imports(name: str, tree: ast.Module, sources: Sources) -> tuple[set[str], set[str]]:
    """Return the modules of ours and the top modules of others that a module imports anywhere."""
    ours, others = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            others.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = name.split(".")[: -node.level] if node.level else []
            path = [*package, *(node.module or "").split(".")]
            if not node.level and path[0] != "helix_hooks":
                others.add(path[0])
                continue
            base = ".".join(part for part in path if part != "helix_hooks" and part)
            for alias in node.names:
                full = f"{base}.{alias.name}".strip(".")
                known = [full, f"{full}.__init__", base, f"{base}.__init__".strip(".")]
                ours.add(next(item for item in known if item in sources))
    return ours, others


def reaching(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in REACHING:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr == "environ":
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in METHODS:
            yield ast.unparse(node.func)


SOURCES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}


def test_the_package_is_built_as_the_house_says() -> None:
    assert [*complaints(SOURCES)] == []


BROKEN = {
    "a file in a pure room": ("adr.one", "def f(p):\n    return open(p)", "uses open"),
    "a file by its path": ("adr.one", "def f(p):\n    return p.read_text()", "uses p.read_text"),
    "the clock": ("decision.one", "def f(clock):\n    return clock.now()", "uses clock.now"),
    "the environment": ("config.one", "import os\nX = os.environ", "may not import os"),
    "a process": ("text.one", "def f():\n    import subprocess", "may not import subprocess"),
    "a module that says so": (
        "check.one",
        '"""Do. Pure."""\nfrom .. import git',
        "which is not pure",
    ),
    "an edge": ("adr.one", "from .. import git", "may not import git.__init__"),
    "a later room": ("check.one", "from ..cli import main", "may not import cli.main"),
    "a new room": ("helpers.one", "X = 1", "'helpers' is not in the order"),
    "a circle": ("adr.parse.one", "def f():\n    from . import one2", "circle of imports"),
}


@pytest.mark.parametrize(("name", "source", "words"), BROKEN.values(), ids=BROKEN)
def test_a_broken_rule_is_reported(name: str, source: str, words: str) -> None:
    sources = {**SOURCES, name: source, "adr.parse.one2": "from . import one", "adr.parse.one": ""}
    sources[name] = source
    assert any(words in complaint for complaint in complaints(sources))
