"""Sizes of a code base, beside those of others: `make measure DIRS="../pre-commit ../stamina"`.

Each folder is a repository with one Python package and its tests. Only the standard library is
used, and nothing is imported from what is measured.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

WIDTH = 100
MOST_COMPLEX = 12
SKIPPED = frozenset(
    ("tests", "test", "testing", "docs", "build", "dist", "examples", "node_modules")
)
_BRANCHES = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.IfExp,
    ast.comprehension,
    ast.match_case,
)
_QUESTION = re.compile(r"(?:what|whether|how)\b", re.IGNORECASE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A file, parsed. `code` and `comments` are numbers of lines."""

    name: str
    lines: tuple[str, ...]
    tree: ast.Module
    code: int
    comments: int


class Codebase(NamedTuple):
    """The modules of a package, and the number of code lines of its tests."""

    name: str
    modules: tuple[Module, ...]
    test_code: int


def main(folders: list[str]) -> int:
    codebases = [read(Path(folder).resolve()) for folder in folders or ["."]]
    rows = [("", *(codebase.name for codebase in codebases))]
    rows += [
        (title, *(measure(codebase) for codebase in codebases))
        for title, measure in MEASURES.items()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        print("  ".join(cells).rstrip())
    return 0


# Reading.


def read(root: Path) -> Codebase:
    """Return the package of a repository: the one with most modules, at its root or in `src`."""
    package = max(_packages(root), key=lambda folder: len(list(folder.rglob("*.py"))), default=None)
    if package is None:
        raise SystemExit(f"{root} has no Python package")
    modules = tuple(
        _module(path, package)
        for path in sorted(package.rglob("*.py"))
        if not SKIPPED & {*path.relative_to(package).parts}
    )
    tests = [
        path
        for folder in (root, package)
        for name in ("tests", "test")
        for path in sorted((folder / name).rglob("*.py"))
    ]
    return Codebase(
        root.name,
        modules,
        sum(_counted(path.read_text(encoding="utf-8"))[0] for path in tests if _is_python(path)),
    )


def _packages(root: Path) -> Iterator[Path]:
    for folder in (root, root / "src"):
        for path in sorted(folder.glob("*/__init__.py")):
            if path.parent.name not in SKIPPED:
                yield path.parent


def _is_python(path: Path) -> bool:
    """Return whether a file can be read; test data may be broken on purpose."""
    try:
        ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError):
        return False
    return True


def _module(path: Path, package: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    code, comments = _counted(text)
    name = ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    return Module(
        name=name,
        lines=tuple(text.splitlines()),
        tree=ast.parse(text),
        code=code,
        comments=comments,
    )


def _counted(text: str) -> tuple[int, int]:
    """Return the number of lines with code, and of those with a comment; a docstring is neither."""
    code: set[int] = set()
    comments: set[int] = set()
    no_code = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in no_code:
            code.update(range(token.start[0], token.end[0] + 1))
    texts = (
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    return len(
        code.difference(
            line for node in texts for line in range(node.lineno, (node.end_lineno or 0) + 1)
        )
    ), len(comments)


# Measuring.


def functions(codebase: Codebase) -> list[Function]:
    return [
        node
        for module in codebase.modules
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
    ]


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def complexity(function: Function) -> int:
    """Return the number of ways through a function, as McCabe counts them; a function in it counts
    for itself.
    """
    return 1 + sum(_decisions(node) for node in _own(function))


def _own(function: Function) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Function):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def _decisions(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return _operators(node)
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return int(isinstance(node, _BRANCHES))


def _operators(node: ast.AST) -> int:
    return len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0


def complexity_without_operators(function: Function) -> int:
    """Return the complexity without `and` and `or`, as the mccabe package and ruff count it.

    Conditional expressions and comprehensions count, which those two leave out.
    """
    return complexity(function) - sum(map(_operators, _own(function)))


def crowded(tree: ast.AST) -> list[ast.expr]:
    """Return the comprehensions with two loops, or with two conditions."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        and _is_crowded(node.generators)
    ]


def _is_crowded(clauses: list[ast.comprehension]) -> bool:
    return len(clauses) > 1 or sum(len(clause.ifs) for clause in clauses) > 1


def ternaries(codebase: Codebase, nested: bool = False) -> int:
    """Return the number of conditional expressions, or of those that stand in another one."""
    found = [
        node
        for module in codebase.modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.IfExp)
    ]
    if not nested:
        return len(found)
    return len(
        {
            id(inner)
            for outer in found
            for inner in ast.walk(outer)
            if isinstance(inner, ast.IfExp) and inner is not outer
        }
    )


def docstrings(codebase: Codebase) -> tuple[list[str], int]:
    """Return the docstrings of modules, classes and functions, and how many could have one.

    A class's or a constant's text counts too.
    """
    texts: list[str] = []
    places = 0
    for module in codebase.modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                places += 1
                texts.append(ast.get_docstring(node) or "")
    return [text for text in texts if text], places


def notes(codebase: Codebase) -> list[str]:
    """Return the texts that stand below constants."""
    bodies = [
        node.body
        for module in codebase.modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef)
    ]
    return [
        node.value.value
        for body in bodies
        for node in body[1:]
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def questions(codebase: Codebase) -> int:
    return sum(bool(_QUESTION.match(text)) for text in (*docstrings(codebase)[0], *notes(codebase)))


def repeated_classes(codebase: Codebase) -> list[str]:
    names = Counter(
        node.name
        for module in codebase.modules
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, count in names.items() if count > 1 and not name.startswith("_"))


def repeated_modules(codebase: Codebase) -> list[str]:
    names = Counter(module.name.rpartition(".")[2] for module in codebase.modules)
    return sorted(name for name, count in names.items() if count > 1)


def imports(codebase: Codebase) -> dict[str, set[str]]:
    """Return which modules of the package each module imports, also in functions."""
    known = {module.name for module in codebase.modules}
    packages = {name.rpartition(".")[0] for name in known} | {
        name for name in known if "." not in name
    }
    graph: dict[str, set[str]] = {}
    for module in codebase.modules:
        own = module.name if module.name in packages else module.name.rpartition(".")[0]
        graph[module.name] = {
            target for wanted in _imported(module.tree, own) for target in _first(wanted, known)
        } - {module.name}
    return graph


def _imported(tree: ast.Module, package: str) -> Iterator[list[str]]:
    """Yield the names that each import may mean: a module, or the module that has the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = (
                ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
                if node.level
                else node.module or ""
            )
            yield from ([f"{base}.{alias.name}", base] for alias in node.names)


def _first(wanted: list[str], known: set[str]) -> list[str]:
    return [name for name in wanted if name in known][:1]


def in_circles(codebase: Codebase) -> list[str]:
    """Return the modules that import each other in a circle."""
    graph = imports(codebase)
    return sorted(name for name in graph if name in _reached(name, graph))


def _reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    done: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - done
        done |= new
        waiting.extend(new)
    return done


# The table.


def spread(numbers: Iterable[int]) -> str:
    """Return median, ninth decile and maximum."""
    ordered = sorted(numbers) or [0]
    return f"{ordered[len(ordered) // 2]} / {ordered[len(ordered) * 9 // 10]} / {ordered[-1]}"


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _lines(codebase: Codebase) -> list[str]:
    return [line for module in codebase.modules for line in module.lines]


def _code(codebase: Codebase) -> int:
    return sum(module.code for module in codebase.modules)


def _mean(count: Callable[[Function], int], codebase: Codebase) -> str:
    all_functions = functions(codebase)
    return f"{sum(map(count, all_functions)) / max(1, len(all_functions)):.2f}"


MEASURES: dict[str, Callable[[Codebase], str]] = {
    "modules": lambda base: str(len(base.modules)),
    "lines": lambda base: str(len(_lines(base))),
    "lines with code": lambda base: str(_code(base)),
    "lines of a module (median / p90 / max)": lambda base: spread(
        len(module.lines) for module in base.modules
    ),
    "functions": lambda base: str(len(functions(base))),
    "lines of a function (median / p90 / max)": lambda base: spread(map(length, functions(base))),
    "complexity (median / p90 / max)": lambda base: spread(map(complexity, functions(base))),
    "complexity, mean": lambda base: _mean(complexity, base),
    "... without `and` and `or`": lambda base: _mean(complexity_without_operators, base),
    f"functions over {MOST_COMPLEX}": lambda base: str(
        sum(complexity(function) > MOST_COMPLEX for function in functions(base))
    ),
    "conditional expressions": lambda base: str(ternaries(base)),
    "... per 1000 lines with code": lambda base: (
        f"{1000 * ternaries(base) / max(1, _code(base)):.1f}"
    ),
    "... nested": lambda base: str(ternaries(base, nested=True)),
    "comprehensions with two loops or conditions": lambda base: str(
        sum(len(crowded(module.tree)) for module in base.modules)
    ),
    f"lines over {WIDTH}": lambda base: share(
        sum(len(line) > WIDTH for line in _lines(base)), len(_lines(base))
    ),
    "comments, of lines with code": lambda base: share(
        sum(module.comments for module in base.modules), _code(base)
    ),
    "texts below constants": lambda base: str(len(notes(base))),
    "docstrings, of modules, classes, functions": lambda base: share(
        len(docstrings(base)[0]), docstrings(base)[1]
    ),
    "... that begin with What, Whether, How": lambda base: str(questions(base)),
    "public class names used twice": lambda base: str(len(repeated_classes(base))),
    "module names used twice": lambda base: str(len(repeated_modules(base))),
    "imports between modules": lambda base: str(sum(map(len, imports(base).values()))),
    "modules in a circle of imports": lambda base: str(len(in_circles(base))),
    "test lines per line with code": lambda base: f"{base.test_code / max(1, _code(base)):.2f}",
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
