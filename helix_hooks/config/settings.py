"""All configuration files of a repository to one frozen Settings; a broken one raises
ConfigError.
"""

import re
from collections.abc import Callable

from .. import yaml_load
from ..adr.model import Rule
from ..adr.names import place
from ..adr.names.heading import Meanings, display_name, meanings, normalise
from ..adr.names.status import Statuses, statuses
from ..adr.reference import id_key
from ..adr.rules.contextual import rulebook
from ..adr.rules.registry import CONCEPT_IGNORED, OFF, STRUCTURE, Ruleset, built_in
from ..adr.rules.structure.concept_section_missing import ConceptSectionMissing
from ..adr.rules.structure.key_misspelt import KeyMisspelt
from ..adr.rules.structure.value_misspelt import ValueMisspelt
from ..adr.template import BUILT_IN, MADR_STATUSES, Template, required
from ..errors import ConfigError
from ..finding import SEVERITIES
from ..paths import (
    APPROVALS,
    DECLARATIONS,
    MAX_BYTES,
    NEARLY_SETTINGS,
    PYPROJECT,
    RULES_FILE,
    SETTINGS,
    beside,
    is_named_instruction,
)
from ..records import TYPE_CHECKING, NamedTuple
from ..yaml_values import Value, nearest

if TYPE_CHECKING:
    from .declared import DeclaredFolder
else:  # most repositories declare none
    DeclaredFolder = object

_GATE = "gate-relaxed"
"""The one rule with a fixed severity: a change could otherwise switch it off for itself."""
_MISSPELT = 0.85
_KEYS = (
    "paths",
    "exclude",
    "template",
    "templates",
    "severities",
    "strict_from",
    "baseline",
    "aliases",
    "concept",
    "approvals",
)

ReadFile = Callable[[str], bytes | None]
"""The bytes of a file by its path in the repository; None where the repository has no such file."""


class Settings(NamedTuple):
    """The settings of a repository.

    `paths` and `exclude` are globs over repository-relative paths; without `paths` ADRs are found
    by name, and in the folders that other tools declare. `ignored` has a line on each declaration
    that is not followed.
    `baseline` is a file's path or ""; `approvals` is the folder of rubrics and briefs.

    `paths_at` and `exclude_at` are where a settings file has the keys, None where it has not.
    """

    paths: tuple[str, ...]
    exclude: tuple[str, ...]
    ruleset: Ruleset
    baseline: str = ""
    paths_at: Value | None = None
    exclude_at: Value | None = None
    approvals: str = APPROVALS
    declared: tuple[DeclaredFolder, ...] = ()
    ignored: tuple[str, ...] = ()

    def is_adr(self, path: str) -> bool:
        """Return whether the settings call a path an ADR.

        Only the path counts, so that no change can make an ADR no ADR by its content. README, index
        and template files are none, see `place.is_aside`. Neither are instructions to agents, such
        as `adr/CLAUDE.md`, unless `paths` names the very file.
        """
        if not path.endswith(".md"):
            return False
        is_named = _matches(path, self.paths) if self.paths else self._is_found(path)
        if not is_named or self.leaves_out(path) or place.is_aside(path):
            return False
        return path in self.paths or not is_named_instruction(path)

    def _is_found(self, path: str) -> bool:
        """Return whether a path is that of an ADR by its name, or by a declaration."""
        return place.is_adr(path) or any(item.holds(path) for item in self.declared)

    def leaves_out(self, path: str) -> bool:
        """Return whether `exclude` or a default leaves a path out: rubrics, concepts, packages."""
        rubrics = (f"{APPROVALS}/", f"{self.approvals}/")
        is_left_out = path.startswith(rubrics) or place.is_no_record(path)
        return is_left_out or _matches(path, self.exclude)

    def is_beside_adrs(self, path: str) -> bool:
        """Return whether a file lies where ADRs lie, whatever it is called."""
        name = "0001-x.md" if self.paths else "001-x.md"
        return self.is_adr(beside(path, name))

    def holds_adrs(self, folder: str) -> bool:
        """Return whether ADRs are looked for directly in a folder."""
        is_numbered = self.paths or folder in (item.folder for item in self.declared)
        return self.is_adr(f"{folder}/0001-x.md" if is_numbered else f"{folder}/x.md")


def load(read: ReadFile, packaged: ReadFile) -> Settings:
    """The settings of a repository; `packaged` serves the defaults for files that it does not
    have.
    """
    root = _root(read)
    for name, right in NEARLY_SETTINGS.items():
        if read(name) is not None:
            raise ConfigError(name, 1, "", f"this file is not read; rename it to {right}")
    entries = root.mapping(_KEYS) if root else {}
    means, words = _aliases(entries.get("aliases"))
    own = read(RULES_FILE)
    text = own if own is not None else packaged(RULES_FILE) or b""
    builtin = _builtin() if own is not None or "severities" in entries else []
    book = rulebook.parse(
        yaml_load.load(decode(text, RULES_FILE), RULES_FILE), means, builtin, trusted=own is None
    )
    templates = _templates(entries.get("templates"), means, words, book.helix)
    template = entries["template"].choice(("auto", *templates)) if "template" in entries else "auto"
    known = [*builtin, *(rule.id for rule in book.contextual)]
    rules, ignored = _concept(entries.get("concept"), means)
    asking: dict[str, Rule] = {
        ValueMisspelt.id: ValueMisspelt(book.values(), book.error_fields()),
        KeyMisspelt.id: KeyMisspelt(book.fields(), book.error_fields()),
    }
    rules = tuple(asking.get(rule.id, rule) for rule in rules)
    ruleset = Ruleset(
        rules=rules,
        contextual=book.contextual,
        templates=templates,
        template=template,
        meanings=means,
        statuses=words,
        severities=_severities(entries.get("severities"), known),
        concept_ignored=ignored,
        strict_from=_strict_from(entries.get("strict_from")),
    )
    paths_at, exclude_at = (_at_key(root, entries, key) for key in ("paths", "exclude"))
    paths = _globs(entries, "paths")
    declared, ignored = ((), ()) if paths else _declared(read)
    return Settings(
        paths=paths,
        exclude=_globs(entries, "exclude"),
        ruleset=ruleset,
        baseline=_file(entries.get("baseline")),
        paths_at=paths_at,
        exclude_at=exclude_at,
        approvals=_folder(entries.get("approvals")),
        declared=declared,
        ignored=ignored,
    )


def _declared(read: ReadFile) -> tuple[tuple[DeclaredFolder, ...], tuple[str, ...]]:
    """Return what files of other tools declare. The module is loaded only where there is one."""
    files = {path: data for path in DECLARATIONS if (data := read(path)) is not None}
    if not files:
        return (), ()
    from .declared import declarations

    return declarations({path: decode(data, path) for path, data in files.items()})


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Globs are loaded only where a repository has some."""
    if not patterns:
        return False
    from ..globs import matches

    return matches(path, patterns)


def _globs(entries: dict[str, Value], key: str) -> tuple[str, ...]:
    if key not in entries:
        return ()
    from ..globs import exclude_globs, path_globs

    return (path_globs if key == "paths" else exclude_globs)(entries[key])


def _at_key(root: Value | None, entries: dict[str, Value], key: str) -> Value | None:
    """Return a setting with the line of its key, since a list may begin on the line below."""
    return entries[key]._replace(line=root.data[key].line) if root and key in entries else None


def _builtin() -> list[str]:
    """The ids of the rules that are not in a rules file.

    Loaded only where a repository names some.
    """
    return [rule.id for rule in built_in()]


def decode(data: bytes, path: str) -> str:
    """The text of a settings file.

    A longer one was cut behind the limit, and the rest of it must not be lost in silence.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(path, 1, "", "the file is larger than 1 MB and is not read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            path,
            data.count(b"\n", 0, error.start) + 1,
            "",
            "the file is not valid UTF-8; save it as UTF-8",
        ) from None


def _root(read: ReadFile) -> Value | None:
    data = read(SETTINGS)
    pyproject = read(PYPROJECT)
    table = _pyproject(pyproject) if pyproject else None
    if data is None:
        return table
    if table:
        raise ConfigError(
            SETTINGS, 1, "", f"{PYPROJECT} has [tool.helix-hooks] as well; keep one of the two"
        )
    return yaml_load.load(decode(data, SETTINGS), SETTINGS)


def _pyproject(data: bytes) -> Value | None:
    """Return the table of pyproject.toml. The module is loaded only where there can be one."""
    if b"helix-hooks" not in data and b"helix_hooks" not in data:
        return None
    from .pyproject import table

    return table(decode(data, PYPROJECT))


def _aliases(value: Value | None) -> tuple[Meanings, Statuses]:
    if value is None:
        return meanings(), statuses()
    entries = value.mapping(("sections", "statuses"))
    sections = (
        {key: words.texts() for key, words in entries["sections"].mapping().items()}
        if "sections" in entries
        else {}
    )
    words = (
        {key: item.texts() for key, item in entries["statuses"].mapping(MADR_STATUSES).items()}
        if "statuses" in entries
        else {}
    )
    packaged = meanings()
    for key, entry in (entries["sections"].mapping() if "sections" in entries else {}).items():
        if normalise(key) not in packaged.names:
            entry._replace(data=key).choice(
                [display_name(section) for section in dict.fromkeys(packaged.names.values())]
            )
    extra = {packaged.names[normalise(key)]: names for key, names in sections.items()}
    return meanings(extra), statuses(words)


def _templates(
    value: Value | None, means: Meanings, words: Statuses, helix: Template
) -> dict[str, Template]:
    found = {template.name: template for template in BUILT_IN} | {helix.name: helix}
    if value is None:
        return found
    from .templates import template  # most repositories have none of their own

    for name, entry in value.mapping().items():
        if name == "auto" or name in found:
            raise entry.fail(f"{name!r} is the name of a built-in template; choose another")
        found[name] = template(name, entry, means, words)
    return found


def _severities(value: Value | None, known: list[str]) -> dict[str, str]:
    entries = value.mapping(known) if value else {}
    return {
        key: entry.choice(("error",) if key == _GATE else (*SEVERITIES, OFF))
        for key, entry in entries.items()
    }


def _strict_from(value: Value | None) -> int:
    """Return the number of the first ADR that all rules apply to: `ADR-042`, `042` and 42 are
    equal.
    """
    if value is None:
        return 0
    key = id_key(value.text())
    if not key.isdigit():
        raise value.fail(f"{value.data!r} is not an ADR number; write it as in ADR-042")
    return int(key)


def _file(value: Value | None) -> str:
    if value is None:
        return ""
    path = value.text()
    if "\0" in path or path.startswith(("/", "../", "./")) or "\\" in path or "/../" in path:
        raise value.fail(
            f"{path!r} is not a path from the repository's root, as in .helix-baseline.json"
        )
    return path


def _folder(value: Value | None) -> str:
    """Return the folder of rubrics and briefs.

    Its characters mean the same in patterns and CODEOWNERS.
    """
    if value is None:
        return APPROVALS
    path = value.text().rstrip("/")
    if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*", path) or not {".", "..", ".git"}.isdisjoint(
        path.split("/")
    ):
        raise value.fail(
            f"invalid folder {value.data!r} (expected a path from the repository's root, e.g. "
            "governance/approvals)"
        )
    return path


def _concept(value: Value | None, means: Meanings) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
    if value is None:
        return STRUCTURE, CONCEPT_IGNORED
    entries = value.mapping(("errors", "ignore"))
    rules: tuple[Rule, ...] = STRUCTURE
    if "errors" in entries:
        rule = ConceptSectionMissing(errors=_critical(entries["errors"], means))
        rules = tuple(rule if item.id == ConceptSectionMissing.id else item for item in STRUCTURE)
    return rules, (
        *CONCEPT_IGNORED,
        *(_names(entries["ignore"], means) if "ignore" in entries else ()),
    )


def _critical(value: Value, means: Meanings) -> tuple[str, ...]:
    """Return the critical sections.

    Raises ConfigError for a misspelt name; other names are free.
    """
    for item in value.one_or_more():
        name = normalise(item.text())
        near = "" if means.of(item.text()) else nearest(name, means.names, _MISSPELT)
        if near:
            raise item.fail(f"unknown section {item.text()!r}; did you mean {near!r}?")
    return _names(value, means)


def _names(value: Value, means: Meanings) -> tuple[str, ...]:
    return tuple(name for text in value.texts() for name in required(text, means).meanings)
