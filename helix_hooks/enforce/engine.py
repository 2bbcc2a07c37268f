"""The process in which the engines run: ast-grep, and grimp, on which import-linter is built.

It is started as a file, isolated, and imports nothing of this package. Rules and texts come as JSON
on standard input; the places where a rule matches leave as JSON on standard output. Texts of a
repository are only parsed: there is no settings file of an engine, and no code is imported.
"""

import hashlib
import importlib
import importlib.util
import json
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import grimp
from ast_grep_py import SgRoot

Place = tuple[str, int, int, int, int, str, str]
"""Path, first and last line, column, end column, the matched text or chain of imports, and a hash.

Numbers count from 1. The end column is 0 if the match has several lines. The text is cut, so the
hash of all of it tells two places apart.
"""
Chain = tuple[str, ...]
"""A chain of imports, from the importer on."""

_LONGEST = 200
"""Characters of a matched text."""


class MissingError(Exception):
    """A package or module of a contract does not exist."""


def main() -> None:
    """Answer each job, with its places or the reason why it could not be done."""
    request = json.load(sys.stdin)
    texts: dict[str, str] = request["texts"]
    parsed: dict[tuple[str, str], Any] = {}
    answers = {}
    for key, job in request["jobs"].items():
        places: list[Place] = []
        unread: list[str] = []
        error, is_missing = "", False
        own = job["texts"] if isinstance(job["texts"], dict) else None
        files = own if own is not None else {name: texts[name] for name in job["texts"]}
        try:
            if job["packages"]:
                places = list(_imports(job, files))
            else:
                memory = parsed if own is None else {}
                places = list(_matches(job, files, memory, unread))
        except Exception as problem:  # noqa: BLE001 -- each engine has errors of its own
            error, is_missing = _reason(problem), isinstance(problem, MissingError)
        answers[key] = {
            "places": places,
            "unread": unread,
            "error": error,
            "is_missing": is_missing,
        }
    json.dump(answers, sys.stdout)


def _reason(error: Exception) -> str:
    """Return the innermost causes of an error, without the trace of the engine."""
    text = str(error).partition("Stack backtrace")[0]
    causes = [line.partition(": ")[2] for line in text.splitlines() if re.match(r"\s+\d+: ", line)]
    reason = " ".join((": ".join(causes[-2:]) or text or type(error).__name__).split())
    return re.sub(rf"{re.escape(tempfile.gettempdir())}/[^/\s]+/", "", reason)[:300]


def _matches(
    job: Any, files: dict[str, str], parsed: dict[tuple[str, str], Any], unread: list[str]
) -> Iterator[Place]:
    """Yield the matches of a rule for ast-grep; files with a syntax error are also `unread`."""
    config = job["config"]
    # The engine compiles a rule where it is used, so an invalid one is reported even without files.
    SgRoot("", job["grammar"]).root().find_all(config)
    for path, text in files.items():
        language = job["grammars"].get(path, job["grammar"])
        if (path, language) not in parsed:
            # Python compares names in this form.
            read = unicodedata.normalize("NFKC", text) if language == "python" else text
            root = SgRoot(read, language).root()
            parsed[path, language] = root, root.find(kind="ERROR") is not None
        root, is_broken = parsed[path, language]
        if is_broken:
            unread.append(path)
        for node in root.find_all(config):
            span = node.range()
            shown = " ".join(node.text().split())
            first, last = span.start, span.end
            end_column = last.column + 1 if first.line == last.line else 0
            numbers = first.line + 1, last.line + 1, first.column + 1, end_column
            yield path, *numbers, shown[:_LONGEST], _hash(shown)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _imports(job: Any, files: dict[str, str]) -> Iterator[Place]:
    """Yield the imports that break a contract."""
    packages = {os.path.basename(folder): folder for folder in job["packages"]}
    for name in packages:
        if name in sys.stdlib_module_names or name in sys.modules:
            raise ValueError(f"the package {name} has the name of a module of the engine")
    config = job["config"]
    with tempfile.TemporaryDirectory() as folder:
        for name, path in packages.items():
            _write(folder, name, path, files, config if job["complete"] else None)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            for name, path in packages.items():
                spec = importlib.util.find_spec(name)
                if spec is None or not (spec.origin or "").startswith(folder):
                    raise MissingError(f"there is no package {path}")
            graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
        finally:
            sys.path.remove(folder)
    for chain in _CHAINS[config["type"]](graph, config, frozenset(packages)):
        yield _place(graph, chain, packages)


def _write(folder: str, name: str, path: str, files: dict[str, str], config: Any) -> None:
    """Write the modules of a package; with a `config` also those that it names, as empty ones."""
    modules = {
        file[len(path) + 1 :]: text for file, text in files.items() if file.startswith(f"{path}/")
    }
    if config is not None:
        named = [item for value in config.values() if isinstance(value, list) for item in value]
        for module in re.findall(r"[\w.]+", " ".join(named)):
            if module.partition(".")[0] == name and module != name:
                inner = module.partition(".")[2].replace(".", "/")
                if f"{inner}.py" not in modules:
                    modules.setdefault(f"{inner}/__init__.py", "")
        modules.setdefault("__init__.py", "")
    # Python imports a folder without this file too, and grimp does not.
    for file in list(modules):
        parts = file.split("/")[:-1]
        for depth in range(len(parts) + 1):
            modules.setdefault("/".join((*parts[:depth], "__init__.py")), "")
    for file, text in modules.items():
        place = os.path.join(folder, name, *file.split("/"))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(text)


def _forbidden(graph: Any, config: Any, roots: frozenset[str]) -> Iterator[Chain]:
    for source in config["source_modules"]:
        for target in config["forbidden_modules"]:
            _require(graph, source)
            if target.partition(".")[0] in roots:
                _require(graph, target)
            if config["allow_indirect_imports"]:
                yield from _direct(graph, source, target)
            elif target in graph.modules:
                yield from graph.find_shortest_chains(importer=source, imported=target)


def _direct(graph: Any, source: str, target: str) -> Iterator[Chain]:
    for module in (source, *graph.find_descendants(source)):
        for imported in graph.find_modules_directly_imported_by(module):
            if imported == target or imported.startswith(f"{target}."):
                yield module, imported


def _independence(graph: Any, config: Any, _: frozenset[str]) -> Iterator[Chain]:
    for source in config["modules"]:
        _require(graph, source)
        for target in config["modules"]:
            if source != target:
                _require(graph, target)
                yield from graph.find_shortest_chains(importer=source, imported=target)


def _layers(graph: Any, config: Any, _: frozenset[str]) -> Iterator[Chain]:
    layers = []
    for text in config["layers"]:
        modules = re.split(r"\s*\|\s*", text)
        for module in modules:
            _require(graph, module)
        layers.append(grimp.Layer(*modules, independent=len(modules) > 1))
    for dependency in graph.find_illegal_dependencies_for_layers(layers=layers):
        for route in dependency.routes:
            for head in sorted(route.heads):
                yield (head, *route.middle, *sorted(route.tails)[:1])


_CHAINS: dict[str, Callable[[Any, Any, frozenset[str]], Iterator[Chain]]] = {
    "forbidden": _forbidden,
    "independence": _independence,
    "layers": _layers,
}


def _require(graph: Any, module: str) -> None:
    """Raise MissingError for a module that does not exist: a contract about it checks nothing."""
    if module not in graph.modules:
        raise MissingError(f"there is no module {module}")


def _place(graph: Any, chain: Chain, packages: dict[str, str]) -> Place:
    """Return the first import of a chain."""
    importer, imported = chain[:2]
    details = graph.get_import_details(importer=importer, imported=imported)
    line = details[0]["line_number"] if details else 1
    root, _, inner = importer.partition(".")
    path = "/".join((packages[root], *inner.split("."))) if inner else packages[root]
    is_package = bool(graph.find_children(importer)) or not inner
    file = f"{path}/__init__.py" if is_package else f"{path}.py"
    text = " -> ".join(chain)
    return file, line, line, 1, 0, text, _hash(text)


if __name__ == "__main__":
    main()
