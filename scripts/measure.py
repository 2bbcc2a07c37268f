"""Sizes by room, beside the aims: `make measure`, or `make measure DIRS="../pre-commit ../httpx"`.

Each folder is a repository with one Python package. Only the standard library is used, and nothing
is imported from what is measured.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

SKIPPED = frozenset(("tests", "test", "testing", "docs", "build", "dist", "examples"))
_NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
Function = ast.FunctionDef | ast.AsyncFunctionDef

AIMS = {
    "small modules": 1_250, "adr": 5_800, "check": 2_300, "change": 1_700, "config": 1_200,
    "decision": 2_300, "judge": 2_400, "pull": 3_900, "verify": 2_600, "flow": 2_500,
    "notify": 700, "queue": 2_900, "authoring": 1_300, "editor": 550, "report": 1_700,
    "doctor": 450, "enforce": 1_500, "cli": 2_300,
}  # fmt: skip
"""Lines with code that each room should need once it is rebuilt."""

BECOMES = {
    "root": "small modules", "text": "small modules", "proc": "small modules",
    "console": "small modules", "git": "small modules", "verdict": "decision",
    "contract": "verify", "verification": "verify", "agents": "verify", "gates": "verify",
    "phases": "flow", "waiting": "queue", "dashboard": "queue", "pages": "queue",
    "api": "cli", "audit": "cli",
}  # fmt: skip
"""The rooms of today that become part of another one."""


class Module(NamedTuple):
    """A file: its room, its lines with code, its tokens without comments, and its functions.

    `once` are the private functions that are called once.
    """

    room: str
    code: int
    tokens: int
    functions: int
    once: int


def main(folders: list[str]) -> int:
    for folder in folders or ["."]:
        root = Path(folder).resolve()
        modules = read(root)
        print(f"{root.name}: {_line(modules)}")
        if not folders:
            _print_rooms(modules)
    return 0


def _print_rooms(modules: list[Module]) -> None:
    rooms: dict[str, list[Module]] = {}
    for module in modules:
        rooms.setdefault(BECOMES.get(module.room, module.room), []).append(module)
    print(f"\n{'room':16}{'lines':>8}{'aim':>8}{'tokens':>10}{'modules':>9}{'called once':>13}")
    for room in (*AIMS, *sorted(rooms.keys() - AIMS.keys())):
        of_room = rooms.get(room, [])
        lines, tokens = sum(item.code for item in of_room), sum(item.tokens for item in of_room)
        once = sum(item.once for item in of_room)
        aim = AIMS.get(room, 0)
        print(f"{room:16}{lines:8,}{aim:8,}{tokens:10,}{len(of_room):9}{once:13}")


def by_room(modules: list[Module]) -> dict[str, int]:
    """Return the lines with code of each room of today."""
    sizes: Counter[str] = Counter()
    for module in modules:
        sizes[module.room] += module.code
    return dict(sorted(sizes.items()))


def _line(modules: list[Module]) -> str:
    code, functions = (sum(item[field] for item in modules) for field in (1, 3))
    once, tokens = sum(item.once for item in modules), sum(item.tokens for item in modules)
    return (
        f"{len(modules)} modules, {code:,} lines with code, {tokens:,} tokens, {functions:,} "
        f"functions, {once:,} of them private and called once"
    )


def read(root: Path) -> list[Module]:
    """Return the modules of a repository's package: the one with most of them."""
    packages = [
        path.parent
        for folder in (root, root / "src")
        for path in folder.glob("*/__init__.py")
        if path.parent.name not in SKIPPED
    ]
    if not packages:
        raise SystemExit(f"{root} has no Python package")
    package = max(packages, key=lambda folder: len(list(folder.rglob("*.py"))))
    paths = [
        path
        for path in sorted(package.rglob("*.py"))
        if not SKIPPED & {*path.relative_to(package).parts}
    ]
    return [_module(path, package) for path in paths]


def _module(path: Path, package: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    first = path.relative_to(package).parts[0]
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    names.update(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    private = [item.name for item in functions if item.name.startswith("_")]
    once = sum(names[name] == 1 for name in private if not name.startswith("__"))
    code, tokens = counted(text, tree)
    room = first.removesuffix(".py") if first.removesuffix(".py") in BECOMES else first
    return Module("root" if room.endswith(".py") else room, code, tokens, len(functions), once)


def counted(text: str, tree: ast.Module) -> tuple[int, int]:
    """Return the lines with code and the tokens; a docstring or a comment is neither."""
    documented: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documented.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code, tokens = set[int](), 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE and token.start[0] not in documented:
            code.update(range(token.start[0], token.end[0] + 1))
            tokens += 1
    return len(code), tokens


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
