"""The `enforcement:` of an ADR: how its decision is checked in the code. Pure.

It is a list in the YAML header. Each entry is a rule for an engine, with a snippet that fails and
one that passes; or the name of a check that exists elsewhere; or the reason why there is none:

    enforcement:
      - id: no-requests
        language: python
        rule: {pattern: requests.$METHOD($$$)}
        fails: requests.get(url)
        passes: httpx.get(url)
      - id: domain-is-pure
        packages: [src/shop]
        rule: {type: forbidden, source_modules: [shop.domain], forbidden_modules: [shop.db]}
        fails: {shop/domain/order.py: import shop.db}
        passes: {shop/domain/order.py: import shop.money}
      - by: tests/test_orders.py::test_orders_are_numbered
      - none: nothing in the code shows who was asked
"""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any, NamedTuple

from ..errors import ConfigError
from ..paths import glob_problem, is_inside, matches
from ..yaml_reader import Defect, Value
from ..yaml_reader import parse as parse_yaml
from .blank import is_blank_value
from .corpus import DECIDED
from .model import Adr
from .names import field_name
from .parse.document import AdrDocument

FIELD = "enforcement"

SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "bash": (".sh", ".bash", ".zsh"),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
    "csharp": (".cs",),
    "css": (".css",),
    "elixir": (".ex", ".exs"),
    "go": (".go",),
    "haskell": (".hs",),
    "html": (".html", ".htm"),
    "java": (".java",),
    "javascript": (".js", ".cjs", ".mjs", ".jsx"),
    "json": (".json",),
    "kotlin": (".kt", ".kts"),
    "lua": (".lua",),
    "php": (".php",),
    "python": (".py", ".pyi"),
    "ruby": (".rb", ".gemspec"),
    "rust": (".rs",),
    "scala": (".scala", ".sc", ".sbt"),
    "swift": (".swift",),
    "tsx": (".tsx",),
    "typescript": (".ts", ".cts", ".mts", ".tsx"),
    "yaml": (".yml", ".yaml"),
}
"""The languages of rules for ast-grep, and the suffixes of their files."""
_GRAMMARS = {".tsx": "tsx"}
"""Suffixes with a grammar of their own, whatever the language of the rule."""

CONTRACTS: Mapping[str, tuple[str, ...]] = {
    "forbidden": ("source_modules", "forbidden_modules"),
    "independence": ("modules",),
    "layers": ("layers",),
}
"""The types of contracts on imports, which are those of import-linter, and their lists."""

_CODE_KEYS = ("id", "language", "rule", "constraints", "utils", "files", "ignores")
_CONTRACT_KEYS = ("id", "packages", "rule")
_PROOF_KEYS = ("fails", "passes")
_COMMON_KEYS = (*_PROOF_KEYS, "message", "exceptions")
_EXCEPTION_KEYS = ("files", "owner", "reason", "until")
_INTEGERS = frozenset(("nthChild", "position", "line", "column"))
"""Keys of ast-grep whose value may be a number."""
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")

Snippet = tuple[tuple[str, str], ...]
"""The files of a snippet: path and text. Those of a rule for ast-grep have numbers as paths."""


class Exemption(NamedTuple):
    """Files that may break a rule until the end of a day, who answers for that, and why."""

    files: tuple[str, ...]
    owner: str
    reason: str
    until: date
    line: int

    def covers(self, path: str) -> bool:
        return matches(path, self.files)


class CodeRule(NamedTuple):
    """A rule on code: one for ast-grep in some `languages`, or a contract on imports of `packages`.

    `config` is the rule as data for its engine. `files` and `ignores` are globs; without `files`
    all files of the languages are read. `packages` are the folders of the packages.
    """

    id: str
    line: int
    config: Mapping[str, Any]
    fails: Snippet
    passes: Snippet
    languages: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    message: str = ""
    exceptions: tuple[Exemption, ...] = ()

    @property
    def check(self) -> tuple[object, ...]:
        """Return the rule without its files, snippets and exceptions, for comparison."""
        # The first language parses the snippets, and files without a suffix of any.
        return self.languages, sorted(self.packages), self.config

    @property
    def exact(self) -> tuple[str, ...]:
        """Return the globs that end with a name or a suffix, and so read files of any language."""
        return tuple(glob for glob in self.files if glob.rpartition("/")[2].strip("*"))

    def is_excepted(self, path: str, today: date) -> bool:
        """Return whether a file may break the rule on a day."""
        return any(one.covers(path) and today <= one.until for one in self.exceptions)

    def reads(self, path: str) -> bool:
        """Return whether the rule is about a file.

        A glob that ends with a name or a suffix, as `Gemfile` or `*.vue`, names files whatever
        their language is; one that ends with a star means the files of the languages.
        """
        if self.packages:
            below = any(path.startswith(f"{folder}/") for folder in self.packages)
            return below and path.endswith(".py")
        if matches(path, self.ignores):
            return False
        if matches(path, self.exact):
            return True
        is_of_language = any(path.endswith(SUFFIXES[name]) for name in self.languages)
        return is_of_language and (not self.files or matches(path, self.files))

    def grammar(self, path: str) -> str:
        """Return the language in which the engine parses a file."""
        for suffix, name in _GRAMMARS.items():
            if path.endswith(suffix) and "typescript" in self.languages:
                return name
        own = (name for name in self.languages if path.endswith(SUFFIXES[name]))
        return next(own, self.languages[0])


class NamedCheck(NamedTuple):
    """A check that exists elsewhere: the `path` of its file and its `name` there."""

    path: str
    name: str
    line: int

    @property
    def text(self) -> str:
        return f"{self.path}::{self.name}"


class Enforcement(NamedTuple):
    """The entries of an ADR: its rules, the checks that it names, and the reasons for none.

    `line` is that of its key. `defects` are the entries that can't be read.
    """

    line: int
    rules: tuple[CodeRule, ...] = ()
    named: tuple[NamedCheck, ...] = ()
    reasons: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


def enforcement_of(doc: AdrDocument) -> Enforcement | None:
    """Return the `enforcement:` of an ADR; None without one. Entries with an error are defects."""
    if not doc.front or FIELD not in doc.front.casefold() or not doc.front_closed:
        return None
    root, _ = parse_yaml(doc.front, doc.front_line)
    fields = root.data if isinstance(root.data, dict) else {}
    entry = next((item for key, item in fields.items() if field_name(key) == FIELD), None)
    if entry is None:
        return None
    rules: list[CodeRule] = []
    named: list[NamedCheck] = []
    reasons: list[str] = []
    defects: list[Defect] = []
    value = entry.value._replace(path=doc.path, trail=FIELD)
    try:
        items = _entries(value)
    except ConfigError as error:
        return Enforcement(entry.line, defects=(Defect(error.line, error.about),))
    ids: set[str] = set()
    for item in items:
        try:
            match _entry(item, ids):
                case CodeRule() as rule:
                    ids.add(rule.id)
                    rules.append(rule)
                case NamedCheck() as check:
                    named.append(check)
                case reason:
                    reasons.append(reason)
        except ConfigError as error:
            defects.append(Defect(error.line, error.about))
    return Enforcement(
        line=entry.line,
        rules=tuple(rules),
        named=tuple(named),
        reasons=tuple(reasons),
        defects=tuple(defects),
    )


def in_force(adr: Adr) -> Enforcement | None:
    """Return the `enforcement:` of an accepted ADR; None for others."""
    return enforcement_of(adr.doc) if adr.status in DECIDED else None


def _entries(value: Value) -> list[Value]:
    """Return the entries. Raises ConfigError if there are none."""
    entries = value.sequence()
    if not entries:
        raise value.fail("the list is empty; write a rule, or `none: REASON`")
    return entries


def _entry(item: Value, ids: Collection[str]) -> CodeRule | NamedCheck | str:
    """Read one entry; `ids` are those of the rules before it. Raises ConfigError."""
    keys = item.mapping()
    if "by" in keys:
        text = item.mapping(("by",))["by"].text()
        path, _, name = text.partition("::")
        if not path or not name.partition("[")[0] or not is_inside(path):
            raise keys["by"].fail(
                f"expected FILE::NAME, as in tests/test_orders.py::test_numbers, got {text!r}"
            )
        return NamedCheck(path, name, item.line)
    if "none" in keys:
        reason = item.mapping(("none",))["none"].text()
        if is_blank_value(reason):
            raise keys["none"].fail(f"expected the reason, got {reason!r}")
        return reason
    if "rule" not in keys:
        raise item.fail("expected a `rule`, a check that exists (`by`), or `none` with the reason")
    rule = _rule(item, keys)
    if rule.id in ids:
        raise item.fail(f"the id {rule.id!r} is used twice")
    return rule


def _rule(item: Value, keys: Mapping[str, Value]) -> CodeRule:
    """Read a rule for ast-grep, or a contract. Raises ConfigError."""
    is_contract = "type" in keys["rule"].mapping()
    if "packages" in keys and not is_contract:
        raise keys["rule"].fail(f"missing key 'type'; allowed: {', '.join(CONTRACTS)}")
    allowed = _CONTRACT_KEYS if is_contract else _CODE_KEYS
    item.mapping((*allowed, *_COMMON_KEYS), required=("id", *_PROOF_KEYS, allowed[1]))
    id = keys["id"].text()
    if not _ID.fullmatch(id):
        raise keys["id"].fail(f"expected small letters, digits and hyphens, got {id!r}")
    fails, passes = (_snippet(keys[key], has_files=is_contract) for key in _PROOF_KEYS)
    rule = CodeRule(
        id=id,
        line=item.line,
        config={},
        fails=fails,
        passes=passes,
        message=keys["message"].text() if "message" in keys else "",
        exceptions=tuple(map(_exemption, _items(keys, "exceptions"))),
    )
    if is_contract:
        packages = _packages(keys["packages"])
        return rule._replace(config=_contract(keys["rule"], packages), packages=packages)
    return rule._replace(
        languages=tuple(item.choice(tuple(SUFFIXES)) for item in keys["language"].one_or_more()),
        config={
            str(key): _plain(keys[key], key)
            for key in ("rule", "constraints", "utils")
            if key in keys
        },
        files=_globs(keys["files"]) if "files" in keys else (),
        ignores=_globs(keys["ignores"]) if "ignores" in keys else (),
    )


def _globs(value: Value) -> tuple[str, ...]:
    """Read globs. Raises ConfigError."""
    globs = value.texts()
    for glob in globs:
        if problem := glob_problem(glob):
            raise value.fail(problem)
    return globs


def _packages(value: Value) -> tuple[str, ...]:
    """Read the folders of packages. Raises ConfigError."""
    packages = tuple(folder.strip("/") for folder in value.texts())
    for folder in packages:
        if not is_inside(folder) or not folder.rpartition("/")[2].isidentifier():
            raise value.fail(f"expected the folder of a package, got {folder!r}")
    names = [folder.rpartition("/")[2] for folder in packages]
    if len(set(names)) < len(names):
        raise value.fail("two packages have one name; write a rule for each")
    return packages


def _items(keys: Mapping[str, Value], key: str) -> list[Value]:
    return keys[key].sequence() if key in keys else []


def _snippet(value: Value, *, has_files: bool) -> Snippet:
    """Read a snippet: one text or more, or for a contract a text for each path of a module."""
    if not has_files:
        texts = [item.data for item in value.one_or_more()]
        if not texts or not all(isinstance(text, str) for text in texts):
            raise value.fail(f"expected code as a string, got {value.kind}")
        return tuple((str(number), text) for number, text in enumerate(texts, 1))
    files = {path: text.data or "" for path, text in value.mapping().items()}
    for path in files:
        if not is_inside(path) or not path.endswith(".py"):
            raise value.fail(f"expected the path of a module, as in shop/order.py, got {path!r}")
    return tuple((path, str(text)) for path, text in files.items())


def _contract(value: Value, packages: tuple[str, ...]) -> dict[str, Any]:
    """Read a contract on imports; its names are modules, so no code of a repository is named."""
    kind = value.mapping()["type"].choice(tuple(CONTRACTS))
    lists = CONTRACTS[kind]
    optional = ("allow_indirect_imports",) if kind == "forbidden" else ()
    keys = value.mapping(("type", *lists, *optional), required=lists)
    config: dict[str, Any] = {"type": kind}
    for name in lists:
        config[name] = list(keys[name].texts())
        for text in config[name]:
            parts = re.split(r"\s*\|\s*", text) if kind == "layers" else [text]
            if not all(map(_MODULE.fullmatch, parts)):
                raise keys[name].fail(f"expected the name of a module, got {text!r}")
    own = {folder.rpartition("/")[2] for folder in packages}
    for name in config.get("forbidden_modules", ()):
        library = name.partition(".")[0]
        if library != name and library not in own:
            reason = "is in another library, of which only the name is known"
            raise value.fail(f"{name} {reason}; write {library}")
    for name in optional:
        config[name] = name in keys and keys[name].boolean()
    return config


def _plain(value: Value, key: str) -> Any:
    """Return a part of a rule for ast-grep as JSON has it; the reader gives each scalar as text."""
    data = value.data
    if isinstance(data, dict):
        return {name: _plain(entry.value, name) for name, entry in data.items()}
    if isinstance(data, list):
        return [_plain(item, key) for item in data]
    if key in _INTEGERS and isinstance(data, str) and re.fullmatch(r"[0-9]{1,9}", data):
        return int(data)
    return value.boolean() if key == "reverse" else data


def _exemption(value: Value) -> Exemption:
    """Read an exception. Raises ConfigError; without an owner, a reason or an end there is none."""
    keys = value.mapping(_EXCEPTION_KEYS, required=_EXCEPTION_KEYS)
    text = keys["until"].text()
    try:
        until = date.fromisoformat(text)
    except ValueError:
        raise keys["until"].fail(f"expected a day, YYYY-MM-DD, got {text!r}") from None
    return Exemption(
        files=_globs(keys["files"]),
        owner=keys["owner"].text(),
        reason=keys["reason"].text(),
        until=until,
        line=value.line,
    )
