"""The order of the rooms, what pure rooms may touch, and names; and a mutation for each rule that must be reported.

`complaints` is a plain function of the sources. It runs on the package, and on copies of it that break one rule each.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from helix_hooks.text.invisible import CLASS, SELECTORS, WIDE_LINE_ENDS

PACKAGE = (
    next(folder for folder in Path(__file__).resolve().parents if (folder / "helix_hooks").is_dir())
    / "helix_hooks"
)

# The order of the rooms.

PURE = (
    "__init__", "records", "errors", "finding", "paths", "text", "yaml_parser", "yaml_values", "yaml_lookup", "yaml_plain", "yaml_events", "yaml_load", "toml_load", "globs",
    "adr.__init__", "adr.names", "adr.parse", "adr.template", "adr.concept", "adr.suppress", "adr.baseline", "adr.reference", "adr.mention",
    "adr.compare", "adr.model", "adr.tasks", "adr.left_over", "adr.severity", "adr.circles", "adr.corpus",
    "adr.rules.__init__", "adr.rules.structure", "adr.rules.contextual", "adr.rules.corpus", "adr.rules.change", "adr.rules.gate", "adr.rules",
    "adr.check_report", "adr.finish", "adr.examine", "adr.finding_key", "adr.old_findings", "adr.relaxation", "adr.planted",
    "fixes", "config", "verdict", "contract", "verification", "agents", "phases", "decision", "waiting", "safety", "publish", "report", "editor", "pages",
)  # fmt: skip
"""A pure room imports itself and those before it."""

KINDS = ("structure", "contextual", "corpus", "change", "gate")
"""The rooms of rules, none of which imports another."""

TOOLS = ("extras", "parallel", "writing")
EDGES: dict[str, tuple[str, ...]] = {
    "console": (),
    "extras": (),
    "parallel": (),
    "writing": (),
    "repository": (),
    "check": ("repository",),
    "change": ("repository", "check"),
    "judge": ("repository", "check", "change"),
    "verify": ("repository", "check", "change", "judge"),
    "gates": ("repository", "check", "change", "judge", "verify"),
    "flow": ("repository", "check", "change", "judge", "verify", "gates"),
    "github": ("repository",),
    "doctor": ("repository", "github"),
    "authoring": ("repository", "check"),
    "lsp": ("repository", "check", "authoring"),
    "action": (
        "console",
        "repository",
        "check",
        "change",
        "judge",
        "verify",
        "gates",
        "flow",
        "github",
        "doctor",
        "authoring",
    ),
    "queue": ("repository", "change", "verify", "gates", "flow", "github", "action"),
    "dashboard": ("repository", "change", "flow", "github", "action", "queue"),
    "api": (
        "repository",
        "check",
        "change",
        "judge",
        "verify",
        "gates",
        "flow",
        "github",
        "doctor",
        "authoring",
        "action",
        "queue",
    ),
    "cli": (
        "console",
        "repository",
        "check",
        "change",
        "judge",
        "verify",
        "gates",
        "flow",
        "github",
        "doctor",
        "authoring",
        "lsp",
        "action",
        "queue",
        "dashboard",
        "api",
    ),
    "__main__": ("cli",),
}
"""An edge imports itself, the pure rooms, TOOLS, and those named here. Nothing imports `cli` but the program's start.

Only commands and steps import `console`: all other rooms return what is to be printed.
"""

SPEAKING = ("console", "action", "cli", "__main__")
"""The edges that may print. An engine returns its notices, or calls a function with them."""

COMMAND_TOOLS = frozenset(
    (
        "cli.frame", "cli.hook", "cli.counted", "cli.observed", "cli.stdin", "cli.watch", "cli.person", "cli.flow_progress", "cli.flow_runs",
        "cli.queue_lists", "cli.queue_decisions", "cli.queue_sweep", "cli.queue_serve",
        "cli.queue_figures", "cli.queue_notify", "cli.queue_options", "cli.queue_verify", "cli.fixing",
    )
)  # fmt: skip
"""Modules of `cli` that are no command: commands may import these, and no other module of `cli`."""

# What pure rooms may import from outside, and may not name.

LIBRARIES: dict[str, tuple[str, ...]] = {
    "yaml": ("yaml_parser",),
    "pyromark": ("adr.parse",),
    "jsonschema_rs": ("verdict", "github", "cli"),
    "cryptography": ("decision.sealed_answers",),
    "github": ("github", "doctor", "action", "cli"),
    "requests": ("github",),
    "git": ("repository",),
    "click": ("cli",),
    "dbos": ("flow",),
    "pygls": ("lsp",),
    "lsprotocol": ("lsp",),
    "sqlalchemy": ("flow", "queue"),
    "psycopg": ("flow", "queue"),
    "alembic": ("queue",),
    "apprise": ("queue",),
    "cachecontrol": ("github",),
    "htpy": ("pages",),
    "markupsafe": ("pages",),
    "markdown_it": ("pages",),
    "starlette": ("dashboard",),
    "sse_starlette": ("dashboard",),
    "uvicorn": ("dashboard",),
    "authlib": ("dashboard",),
    "httpx2": ("dashboard",),
    "rich": ("cli",),
}
"""Libraries, each with the rooms that may import it."""

HARMLESS = frozenset(
    "__future__ ast base64 binascii bisect collections contextlib difflib email.utils fnmatch functools hashlib hmac html inspect itertools json math "
    "operator posixpath re shlex string textwrap tomllib types typing unicodedata warnings zlib".split()
)
"""Modules of the standard library that compute, and reach nothing outside the program."""

ONLY: dict[str, frozenset[str]] = {
    "posixpath": frozenset(
        "basename commonpath commonprefix dirname isabs join normpath split splitext".split()
    ),
    "inspect": frozenset(("cleandoc",)),
    "email.utils": frozenset(("formatdate",)),
}
"""Of a harmless module that also has others, the names that may be used."""

REACHING = frozenset(
    "open print input breakpoint exec eval compile globals __import__ __builtins__ __loader__ __spec__".split()
)
"""Built-in names that reach outside the program, or by which anything can be reached."""

REACHING_ATTRIBUTES = frozenset(
    "environ getenv __builtins__ __globals__ __loader__ __subclasses__".split()
)
REACHING_METHODS = frozenset(
    "now today utcnow popen urlopen urandom read_text read_bytes write_text write_bytes generate_key".split()
)
"""Attributes that reach outside when they are read, and when they are called."""

DYNAMIC = frozenset(
    (
        "authoring.hook_source",
        "check.cache_key",
        "cli.counted",
        "cli.program",
        "cli.hook",
        "cli.github",
        "extras",
    )
)
"""Modules that import by a name known at run time only, a command, a step or a report, or ask whether or where a package is there."""

PRINTING = frozenset(("console.output", "github.runner"))
"""Modules that call `print`: for the user, and for the runner of GitHub Actions."""

UNSEEN = re.compile(f"(?![\x00-\x7f{SELECTORS}])[{CLASS}{WIDE_LINE_ENDS}]")
"""Characters that `text` alone names; control characters of ASCII have other uses, and emoji have selectors."""

# Exceptions with a reason, which only shrink.

WRITERS = {
    "writing": "writes all files",
    "judge.workspace": "a lock is taken on an open file before it has its name",
}
"""Modules that make files."""

IGNORES = {
    "adr.rules.contextual.pattern": "the parser of `re` has no types",
}
"""Modules that need `type: ignore`, each with the gap that is not ours."""

UNTYPED = frozenset((
    "records", "yaml_values", "yaml_events", "text.masking",
    "adr.parse.document", "adr.parse.html_reader", "adr.parse.outline", "adr.parse.paragraphs", "adr.parse.visible", "adr.rules.contextual.pattern",
    "verdict.parts", "verdict.statistics", "verdict.verdict",
    "decision.chain", "decision.decision_record", "decision.handover_from_json", "decision.handover_to_json",
    "decision.run_record", "decision.sealed_answers",
    "publish.audit", "publish.audit_text", "publish.check_run", "publish.confirmed", "publish.line_comments",
    "report.json", "report.sarif",
    "check.cache_file", "check.cached_report", "judge.store", "judge.claude", "judge.command",
    "github.client", "github.repository", "github.write", "github.send", "github.fetch", "github.reading", "github.comparison", "github.group", "github.branch_files", "github.event", "github.check_runs",
    "github.edits", "action.audit", "action.sweep",
))  # fmt: skip
"""Modules that name `Any`: values of JSON, YAML and of libraries without types."""


class Raw(NamedTuple):
    """An import as it is written; `when` is "load", "call" or "types"."""

    line: int
    level: int
    module: str
    name: str
    when: str


class Imported(NamedTuple):
    """A module of ours by its name in the package, or another by its full name."""

    line: int
    ours: bool
    module: str
    name: str
    when: str


class Call(NamedTuple):
    line: int
    name: str
    positional: bool


class Parsed(NamedTuple):
    """What the rules need to know of a module, whatever the others are; `large` are the classes of more than five fields."""

    nodes: tuple[ast.AST, ...]
    raw: tuple[Raw, ...]
    calls: tuple[Call, ...]
    classes: tuple[tuple[int, str], ...]
    large: tuple[str, ...]


Facts = tuple[Parsed, tuple[Imported, ...]]


def sources_of(package: Path) -> dict[str, str]:
    """Return the text of each module by its name in the package, as in `adr.parse.header` or `adr.__init__`."""
    return {
        ".".join(path.relative_to(package).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted(package.rglob("*.py"))
    }


def complaints(sources: Mapping[str, str]) -> list[str]:
    """Return what is wrong with a package and where: `module:line: what`."""
    modules = {
        name: (parsed(source), resolved(name, parsed(source), sources))
        for name, source in sources.items()
    }
    found = [
        f"{name}:{line}: {what}"
        for name, source in sources.items()
        for line, what in in_module(name, source, modules[name][1])
    ]
    return sorted(
        [
            *found,
            *circles(modules),
            *repeated_classes(modules),
            *repeated_modules(modules),
            *by_position(modules),
        ]
    )


@cache
def in_module(name: str, source: str, imports: tuple[Imported, ...]) -> tuple[tuple[int, str], ...]:
    """Return the complaints that need no other module."""
    if room(name) not in (*PURE, *EDGES):
        return ((1, f"room {room(name)!r} is not in the order"),)
    rules = [
        out_of_order(name, imports),
        foreign_libraries(name, imports),
        hidden_imports(name, parsed(source), imports),
        forged(parsed(source)),
    ]
    rules.append(untyped(name, source, imports))
    if room(name) != "text":
        rules.append(unseen(parsed(source)))
    if name not in WRITERS:
        rules.append(writing_files(parsed(source)))
    if room(name) not in PURE and name not in PRINTING:
        rules.append(printing(parsed(source)))
    if room(name) in PURE:
        rules.append(reaching_outside(parsed(source), imports))
    return tuple(complaint for rule in rules for complaint in rule)


# One module: what is in it, and what it imports.


@cache
def parsed(source: str) -> Parsed:
    tree = ast.parse(source)
    nodes = tuple(ast.walk(tree))
    classes = tuple(
        (node.lineno, node.name) for node in tree.body if isinstance(node, ast.ClassDef)
    )
    large = tuple(
        node.name for node in nodes if isinstance(node, ast.ClassDef) and len(_fields(node)) > 5
    )
    calls = tuple(
        Call(node.lineno, _called(node), bool(node.args))
        for node in nodes
        if isinstance(node, ast.Call)
    )
    return Parsed(nodes, tuple(_raw(tree, "load")), calls, classes, large)


def _raw(node: ast.AST, when: str) -> Iterator[Raw]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Raw(child.lineno, 0, alias.name, "", when) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (
                Raw(child.lineno, child.level, child.module or "", alias.name, when)
                for alias in child.names
            )
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _raw(ast.Module(child.body, []), "types")
            yield from _raw(ast.Module(child.orelse, []), when)
        else:
            called = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _raw(child, "call" if called and when == "load" else when)


def _fields(node: ast.ClassDef) -> list[str]:
    """Return the fields of a NamedTuple, or the parameters of a class's constructor."""
    if any(ast.unparse(base) == "NamedTuple" for base in node.bases):
        return [ast.unparse(part.target) for part in node.body if isinstance(part, ast.AnnAssign)]
    made = [
        part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"
    ]
    return [
        argument.arg
        for part in made
        for argument in (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs)
    ][1:]


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def resolved(name: str, known: Parsed, names: Collection[str]) -> tuple[Imported, ...]:
    """Return the imports of a module, relative ones by the name of the module that they mean."""
    package = name.split(".")[:-1]
    found = []
    for item in known.raw:
        path = item.module.split(".") if item.module else []
        if item.level:
            path = [*package[: len(package) - item.level + 1], *path]
        elif path[0] == "helix_hooks":
            path = path[1:]
        else:
            found.append(Imported(item.line, False, item.module, item.name, item.when))
            continue
        module = _module([*path, item.name], names) or _module(path, names) or "__init__"
        found.append(Imported(item.line, True, module, item.name, item.when))
    return tuple(found)


def _module(path: list[str], names: Collection[str]) -> str:
    """Return the name of a module or package of ours; "" if there is none."""
    parts = [part for part in path if part]
    return next(
        (name for name in (".".join(parts), ".".join([*parts, "__init__"])) if name in names), ""
    )


# One module: the rules.


def room(name: str) -> str:
    """Return the longest beginning of a module's name that the order names, else its first part."""
    parts = name.split(".")
    beginnings = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next(
        (beginning for beginning in beginnings if beginning in PURE or beginning in EDGES), parts[0]
    )


def out_of_order(name: str, imports: Iterable[Imported]) -> Iterator[tuple[int, str]]:
    for item in imports:
        if item.ours and not _may_import(name, item.module):
            yield item.line, f"{room(name)} may not import {item.module}"


def _may_import(name: str, target: str) -> bool:
    mine, theirs = room(name), room(target)
    if theirs == mine == "cli":
        return name == "cli.main" or target in COMMAND_TOOLS or target == "cli.__init__"
    if theirs == "console":
        return mine in SPEAKING
    if theirs not in PURE:
        return mine not in PURE and (theirs == mine or theirs in EDGES[mine] or theirs in TOOLS)
    if mine not in PURE:
        return True
    if _kind(name) and _kind(target):
        return _kind(name) == _kind(target)
    return PURE.index(theirs) <= PURE.index(mine)


def _kind(name: str) -> str:
    parts = name.split(".")
    return parts[2] if parts[:2] == ["adr", "rules"] and parts[2] in KINDS else ""


def foreign_libraries(name: str, imports: Iterable[Imported]) -> Iterator[tuple[int, str]]:
    for item in imports:
        rooms = None if item.ours else LIBRARIES.get(item.module.split(".")[0])
        if rooms and not any(f"{name}.".startswith(f"{wanted}.") for wanted in rooms):
            yield item.line, f"{item.module} may be imported in {', '.join(rooms)} alone"


def hidden_imports(
    name: str, known: Parsed, imports: Iterable[Imported]
) -> Iterator[tuple[int, str]]:
    """Imports that the order can't see: by name at run time, or of everything."""
    for item in imports:
        if not item.ours and item.module.split(".")[0] == "importlib" and name not in DYNAMIC:
            yield item.line, "importlib is for modules in DYNAMIC"
        if item.name == "*":
            yield item.line, f"everything is imported from {item.module}"
    for node in known.nodes:
        if isinstance(node, ast.Name) and node.id == "__import__":
            yield node.lineno, "__import__ hides what is imported"


def printing(known: Parsed) -> Iterator[tuple[int, str]]:
    yield from (
        (call.line, "print() is for modules in PRINTING")
        for call in known.calls
        if call.name == "print"
    )


def forged(known: Parsed) -> Iterator[tuple[int, str]]:
    for call in known.calls:
        if call.name in ("SimpleNamespace", "Namespace"):
            yield call.line, f"{call.name}() forges options; build a typed value"


def writing_files(known: Parsed) -> Iterator[tuple[int, str]]:
    for node in known.nodes:
        if isinstance(node, ast.Attribute) and node.attr in (
            "O_CREAT",
            "write_text",
            "write_bytes",
            "mkstemp",
            "NamedTemporaryFile",
        ):
            yield node.lineno, f".{node.attr} makes a file; use writing"
        elif isinstance(node, ast.Call) and _called(node) == "open" and _opens_to_write(node):
            yield node.lineno, "open() writes a file; use writing"


def _opens_to_write(node: ast.Call) -> bool:
    modes = [
        *node.args[1:2],
        *(keyword.value for keyword in node.keywords if keyword.arg == "mode"),
    ]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and re.search("[wax+]", mode.value)
        for mode in modes
    )


def unseen(known: Parsed) -> Iterator[tuple[int, str]]:
    for node in known.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and UNSEEN.search(re.sub(r"\\u([0-9a-f]{4})", _character, node.value))
        ):
            yield node.lineno, "an invisible character is named; text.invisible has the table"


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def untyped(name: str, source: str, imports: Iterable[Imported]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        if re.search(r"#\s*type:\s*ignore", line) and name not in IGNORES:
            yield number, "type: ignore outside of IGNORES"
    for item in imports:
        if item.module in ("typing", "typing_extensions") and item.name == "cast":
            yield item.line, "cast hides a missing type"
        if (
            item.module in ("typing", "typing_extensions", "records")
            and item.name == "Any"
            and name not in UNTYPED
        ):
            yield item.line, "Any outside of UNTYPED"
        if item.module == "typing" and not item.name:
            yield item.line, "import names from typing, so that Any and cast are seen"


def reaching_outside(known: Parsed, imports: Sequence[Imported]) -> Iterator[tuple[int, str]]:
    """Files, processes, network, environment, clock and chance in a pure room."""
    named = {item.module for item in imports if not item.ours and not item.name}
    for item in imports:
        if not item.ours:
            yield from _not_harmless(item)
    for node in known.nodes:
        if isinstance(node, ast.Name) and node.id in REACHING:
            yield node.lineno, f"pure rooms have no {node.id}"
        elif isinstance(node, ast.Attribute):
            if node.attr in REACHING_ATTRIBUTES:
                yield node.lineno, f"pure rooms have no .{node.attr}"
            owner = _dotted(node.value)
            if owner in named and node.attr not in ONLY.get(owner, (node.attr,)):
                yield node.lineno, f"pure rooms have no {owner}.{node.attr}"
        elif isinstance(node, ast.Constant) and node.value in REACHING - {
            "open",
            "input",
            "compile",
            "print",
        }:
            yield node.lineno, f"pure rooms do not look up {node.value!r}"
    for call in known.calls:
        if call.name in REACHING_METHODS:
            yield call.line, f"pure rooms have no {call.name}()"
        if call.name == "formatdate" and not call.positional:
            yield call.line, "formatdate without a time reads the clock"


def _dotted(node: ast.AST) -> str:
    """Return a name with its dots; "" of what is no name."""
    if isinstance(node, ast.Name):
        return node.id
    owner = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{owner}.{node.attr}" if isinstance(node, ast.Attribute) and owner else ""


def _not_harmless(item: Imported) -> Iterator[tuple[int, str]]:
    library = item.module.split(".")[0]
    if library in LIBRARIES:
        return
    if item.module not in HARMLESS and library not in HARMLESS:
        yield item.line, f"pure rooms may not import {item.module}"
    elif item.name and item.name not in ONLY.get(item.module, (item.name,)):
        yield item.line, f"pure rooms have no {item.module}.{item.name}"


# All modules.


def circles(modules: Mapping[str, Facts]) -> Iterator[str]:
    """Circles of imports, also of those in functions; then those that only types close."""
    seen: set[frozenset[str]] = set()
    for also, kinds in (("", ("load", "call")), (" by types", ("load", "call", "types"))):
        graph = {
            name: {item.module for item in imports if item.ours and item.when in kinds} - {name}
            for name, (_, imports) in modules.items()
        }
        for circle in _circles(graph):
            if not any(circle >= smaller for smaller in seen):
                seen.add(circle)
                yield f"{min(circle)}:1: circle of imports{also}: {', '.join(sorted(circle))}"


def _circles(graph: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Return the sets of modules that reach each other: who is left when modules without a way in or out are taken away, by who reaches whom."""
    left = {name: set(targets) for name, targets in graph.items()}
    while ends := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ends:
            del left[name]
    reached = {name: _reached(name, left) for name in left}
    mutual = {
        frozenset(other for other in reached[name] if name in reached[other]) for name in left
    }
    return [circle for circle in mutual if len(circle) > 1]


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    done: set[str] = set()
    waiting = [start]
    while waiting:
        for target in graph[waiting.pop()] & graph.keys():
            if target not in done:
                done.add(target)
                waiting.append(target)
    return done


def repeated_classes(modules: Mapping[str, Facts]) -> Iterator[str]:
    places = defaultdict(list)
    for name, (known, _) in modules.items():
        for line, title in known.classes:
            if not title.startswith("_"):
                places[title].append((name, line))
    for title, where in places.items():
        if len(where) > 1:
            yield f"{where[0][0]}:{where[0][1]}: class {title} exists in {', '.join(name for name, _ in where)}"


def repeated_modules(names: Iterable[str]) -> Iterator[str]:
    places = defaultdict(list)
    for name in names:
        parts = name.split(".")
        if parts[-1] != "__init__":
            places[parts[0], parts[-1]].append(name)
    for where in places.values():
        if len(where) > 1:
            yield f"{min(where)}:1: module name repeated in one room: {', '.join(sorted(where))}"


def by_position(modules: Mapping[str, Facts]) -> Iterator[str]:
    """Calls by position of a constructor with more than five fields."""
    public = {
        title for known, _ in modules.values() for title in known.large if not title.startswith("_")
    }
    for name, (known, _) in modules.items():
        for call in known.calls:
            if call.positional and (call.name in public or call.name in known.large):
                yield f"{name}:{call.line}: {call.name} has more than five fields; name each argument"


# The tests.

SOURCES = sources_of(PACKAGE)


@cache
def found_now() -> tuple[str, ...]:
    """Return the complaints about the package; not at import, since every worker imports this module."""
    return tuple(complaints(SOURCES))


def test_the_package_is_built_as_the_house_says() -> None:
    assert found_now() == ()


class Mutation(NamedTuple):
    """Code added to modules, new ones too, and words of the complaint that must follow."""

    rule: str
    added: dict[str, str]
    words: str


MUTATIONS = (
    Mutation("a file in the pure core", {"adr.parse.header": "def f(p):\n    return open(p).read()"}, "no open"),
    Mutation("a file by another name", {"adr.parse.header": "from io import open as read"}, "may not import io"),
    Mutation("a file by a path", {"adr.concept": "def f(p):\n    return p.read_text()"}, "no read_text()"),
    Mutation("the file system in a function", {"adr.concept": "def f():\n    import pathlib"}, "may not import pathlib"),
    Mutation("the file system by posixpath", {"adr.reference": "import posixpath\nX = posixpath.exists('x')"}, "no posixpath.exists"),
    Mutation("the file system from posixpath", {"adr.reference": "from posixpath import realpath"}, "no posixpath.realpath"),
    Mutation("print in the decision", {"decision.decide": "print('decided')"}, "no print"),
    Mutation("a question in the decision", {"decision.decide": "X = input()"}, "no input"),
    Mutation("the environment in the settings", {"config.settings": "import os\nX = os.environ['X']"}, "may not import os"),
    Mutation("the environment handed in", {"config.settings": "def f(system):\n    return system.environ"}, "no .environ"),
    Mutation("the clock in the decision", {"decision.decide": "import time\nX = time.time()"}, "may not import time"),
    Mutation("the date in the decision", {"decision.decide": "from datetime import datetime\nX = datetime.now()"}, "may not import datetime"),
    Mutation("the date of a value", {"decision.decide": "def f(clock):\n    return clock.now()"}, "no now()"),
    Mutation("the date of a mail", {"publish.page": "from email.utils import formatdate\nX = formatdate()"}, "reads the clock"),
    Mutation("chance in the page", {"publish.page": "import random"}, "may not import random"),
    Mutation("a process in text", {"text.masking": "import subprocess"}, "may not import subprocess"),
    Mutation("the network in a verdict", {"verdict.prompt": "from urllib.request import urlopen"}, "may not import urllib"),
    Mutation("importlib in a pure room", {"safety.hook": "from importlib import import_module"}, "importlib"),
    Mutation("importlib in an edge", {"repository.git": "import importlib"}, "importlib"),
    Mutation("__import__ in a pure room", {"report.text": "X = __import__('os')"}, "no __import__"),
    Mutation("__import__ in an edge", {"check.since": "X = __import__('helix_hooks.cli')"}, "__import__ hides"),
    Mutation("builtins in a pure room", {"report.text": "import builtins\nX = builtins.open"}, "may not import builtins"),
    Mutation("built-ins by a look-up", {"report.text": "X = getattr(str, '__builtins__')"}, "'__builtins__'"),
    Mutation("eval in a pure room", {"report.text": "X = eval('1')"}, "no eval"),
    Mutation("a pure room imports an edge", {"adr.corpus": "from ..repository import git"}, "may not import repository.git"),
    Mutation("a pure room imports an edge by name", {"adr.corpus": "import helix_hooks.repository.git"}, "may not import repository.git"),
    Mutation("a pure room imports an edge in a function", {"config.policy": "def f():\n    from ..check import run"}, "may not import check.run"),
    Mutation("a pure room imports an edge for a type", {
        "config.policy": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..check.run import Commit",
    }, "may not import check.run"),
    Mutation("a pure room imports a later one", {"decision.decide": "from ..publish import page"}, "may not import publish.page"),
    Mutation("a part of adr imports a later one", {"adr.parse.header": "from .. import corpus"}, "may not import adr.corpus"),
    Mutation("a kind of rule imports another", {
        "adr.rules.corpus.mine": "from ..structure import other", "adr.rules.structure.other": "",
    }, "may not import adr.rules.structure"),
    Mutation("repository imports check", {"repository.git": "from ..check import run"}, "may not import check.run"),
    Mutation("check imports change", {"check.since": "from ..change import change"}, "may not import change.change"),
    Mutation("change imports judge", {"change.plan": "from ..judge import review"}, "may not import judge.review"),
    Mutation("github imports judge", {"github.fetch": "from ..judge import review"}, "may not import judge.review"),
    Mutation("doctor imports judge", {"doctor.github": "from ..judge import review"}, "may not import judge.review"),
    Mutation("authoring imports github", {"authoring.workflow": "from ..github import fetch"}, "may not import github.fetch"),
    Mutation("authoring prints a result", {"authoring.new": "from ..console.output import print_result"}, "may not import console.output"),
    Mutation("a judge prints", {"judge.store": "print(1)"}, "print() is for modules in PRINTING"),
    Mutation("a step imports the command line", {"action.sweep": "from ..cli import main"}, "may not import cli.main"),
    Mutation("a step imports a command", {"action.sweep": "def f():\n    from ..cli import audit"}, "may not import cli.audit"),
    Mutation("a command imports another", {"cli.rules": "from . import explain"}, "may not import cli.explain"),
    Mutation("a room that nobody knows", {"helpers.files": "X = 1"}, "'helpers' is not in the order"),
    Mutation("a circle inside cli", {"cli.rules": "from . import explain", "cli.explain": "from . import rules"}, "circle of imports: cli.explain"),
    Mutation("a circle inside adr", {
        "adr.parse.one": "from . import two", "adr.parse.two": "def f():\n    from . import one",
    }, "circle of imports: adr.parse.one, adr.parse.two"),
    Mutation("a circle by types", {
        "judge.one": "from . import two", "judge.two": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import one",
    }, "circle of imports by types: judge.one, judge.two"),
    Mutation("a class name twice", {"github.one": "class AdrDocument:\n    pass"}, "class AdrDocument exists in"),
    Mutation("a module name twice in a room", {"adr.parse.corpus": ""}, "module name repeated in one room: adr.corpus, adr.parse.corpus"),
    Mutation("a constructor by position", {
        "judge.one": "from ..finding import Finding\nX = Finding('error', 'a', 'rules', 'text', path='a.md')",
    }, "Finding has more than five fields"),
    Mutation("a constructor by position from its module", {"judge.one": "from .. import finding\nX = finding.Finding(*X)"}, "Finding has more"),
    Mutation("a constructor of a private class", {
        "judge.one": "class _Six:\n    def __init__(self, a, b, c, d, e, f):\n        pass\nX = _Six(1, 2, 3, d=4, e=5, f=6)",
    }, "_Six has more"),
    Mutation("an engine that prints", {"judge.approve": "from ..console.output import complain"}, "may not import console.output"),
    Mutation("a forged namespace", {"action.sweep": "from argparse import Namespace\nX = Namespace(all=True)"}, "Namespace() forges"),
    Mutation("a forged simple namespace", {"action.sweep": "import types\nX = types.SimpleNamespace(all=True)"}, "SimpleNamespace() forges"),
    Mutation("an ignored type", {"check.since": "X: int = ''  # type: ignore[assignment]"}, "type: ignore"),
    Mutation("a new Any", {"check.since": "from typing import Any"}, "Any outside"),
    Mutation("a new Any from records", {"check.since": "from ..records import Any"}, "Any outside"),
    Mutation("a cast", {"check.since": "from typing import cast"}, "cast hides"),
    Mutation("typing as a whole", {"check.since": "import typing as t"}, "import names from typing"),
    Mutation("all names of a module", {"check.since": "from .run import *"}, "everything is imported"),
    Mutation("a file written by a command", {"cli.rules": "def f(p):\n    with open(p, 'w') as file:\n        file.write('x')"}, "use writing"),
    Mutation("a file made by its flags", {"check.run": "import os\ndef f(p):\n    return os.open(p, os.O_WRONLY | os.O_CREAT)"}, "use writing"),
    Mutation("an invisible character", {"decision.commands": "X = '\\u200b/helix'"}, "invisible character"),
    Mutation("an invisible character in a pattern", {"decision.commands": "X = r'[\\u202a-\\u202e]'"}, "invisible character"),
    Mutation("PyGithub in the core", {"check.since": "from github import Github"}, "may be imported in"),
    Mutation("GitPython outside of repository", {"check.since": "def f():\n    import git.repo"}, "may be imported in"),
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_a_broken_rule_is_reported(mutation: Mutation) -> None:
    changed = SOURCES | {
        name: f"{SOURCES.get(name, '')}\n{code}\n" for name, code in mutation.added.items()
    }
    new = set(complaints(changed)) - set(found_now())
    assert [line for line in new if mutation.words in line], new
