"""Read all settings files of a repository into one frozen `Settings`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..adr.model import Rule
from ..adr.names import place
from ..adr.names.heading import Meanings, display_name, meanings, normalise
from ..adr.names.status import Statuses, statuses
from ..adr.rules.contextual import rulebook
from ..adr.rules.registry import CONCEPT_IGNORED, STRUCTURE, Ruleset, built_in
from ..adr.rules.structure.concept_section_missing import ConceptSectionMissing
from ..adr.rules.structure.key_misspelt import KeyMisspelt
from ..adr.rules.structure.value_misspelt import ValueMisspelt
from ..adr.template import BUILT_IN, MADR_STATUSES, Template, required
from ..errors import ConfigError
from ..globs import matches
from ..paths import (
    APPROVALS,
    DECLARATIONS,
    MAX_BYTES,
    NEARLY_SETTINGS,
    PYPROJECT,
    RULES_FILE,
    SETTINGS,
    beside,
    is_markdown,
    is_named_instruction,
)
from ..yaml_reader import Value, nearest
from .declared import DeclaredFolder, declarations
from .settings_file import ALIASES, CONCEPT, SETTINGS_FILE, severities_of
from .templates import template as own_template

_MISSPELT = 0.85
"""Minimum similarity of a misspelt section; names of new sections are allowed."""
ReadFile = Callable[[str], bytes | None]
"""Return the bytes of a file by its path in the repository; None if the file does not exist."""


class Settings(NamedTuple):
    """The settings of a repository.

    `paths` and `exclude` are globs over repository-relative paths. Without `paths`, ADRs are found
    by name, and in the folders that other tools declare. `ignored` has a line on each declaration
    that is not followed. `baseline` is the path of a file, or ""; `approvals` is the folder of
    rubrics and briefs.

    `paths_at` and `exclude_at` are the values in a settings file, None without the key.
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
        """Return whether a path is an ADR according to the settings.

        Only the path counts: a change must not be able to exclude an ADR by its content. README,
        index and template files are not ADRs, see `place.is_aside`. Neither are instructions to
        agents, such as `adr/CLAUDE.md`, unless `paths` has exactly this file.
        """
        if not is_markdown(path):
            return False
        is_named = matches(path, self.paths) if self.paths else self._is_found(path)
        if not is_named or self.leaves_out(path) or place.is_aside(path):
            return False
        return path in self.paths or not is_named_instruction(path)

    def _is_found(self, path: str) -> bool:
        """Return whether a path is an ADR by its name, or by a declaration of another tool."""
        return place.is_adr(path) or any(item.holds(path) for item in self.declared)

    def leaves_out(self, path: str) -> bool:
        """Return whether a path is excluded, by `exclude` or by default.

        Rubrics, concepts and packages are excluded by default.
        """
        if self.is_rubric(path) or place.is_no_record(path):
            return True
        return matches(path, self.exclude)

    def is_rubric(self, path: str) -> bool:
        """Return whether a file is in the folder of rubrics, which is not a folder of ADRs."""
        return path.startswith((f"{APPROVALS}/", f"{self.approvals}/"))

    def is_beside_adrs(self, path: str) -> bool:
        """Return whether a file is in a folder of ADRs, whatever its name."""
        name = "0001-x.md" if self.paths else "001-x.md"
        return self.is_adr(beside(path, name))

    def holds_adrs(self, folder: str) -> bool:
        """Return whether ADRs are searched directly in a folder."""
        is_numbered = self.paths or folder in (item.folder for item in self.declared)
        name = "0001-x.md" if is_numbered else "x.md"
        return self.is_adr(f"{folder}/{name}")


def load(read: ReadFile, packaged: ReadFile) -> Settings:
    """Return the settings of a repository.

    `packaged` reads the defaults for files that the repository does not have.

    Raises:
        ConfigError: A file is invalid, or has a misspelt name.
    """
    root = _root(read)
    for name, right in NEARLY_SETTINGS.items():
        if read(name) is not None:
            raise ConfigError(name, 1, "", f"a file of this name is ignored; rename it to {right}")
    entries = SETTINGS_FILE.entries(root) if root else {}
    settings = Settings((), (), _ruleset(entries, read, packaged))
    if root:
        settings = SETTINGS_FILE.read(root, settings)
    declared, ignored = ((), ()) if settings.paths else _declared(read)
    return settings._replace(
        paths_at=_at_key(root, entries, "paths"),
        exclude_at=_at_key(root, entries, "exclude"),
        declared=declared,
        ignored=ignored,
    )


def _ruleset(entries: dict[str, Value], read: ReadFile, packaged: ReadFile) -> Ruleset:
    """Return the rules of the settings and of the rules file."""
    means, statuses = _aliases(entries.get("aliases"))
    own_rules = read(RULES_FILE)
    text = own_rules if own_rules is not None else packaged(RULES_FILE) or b""
    # The ids of built-in rules are only needed to refuse them, so most runs do not load them.
    needs_ids = own_rules is not None or "severities" in entries
    builtin = [rule.id for rule in built_in()] if needs_ids else []
    root = yaml_reader.load(decode(text, RULES_FILE), RULES_FILE)
    book = rulebook.parse(root, means, builtin, trusted=own_rules is None)
    templates = _templates(entries.get("templates"), means, statuses, book.helix)
    template = "auto"
    if "template" in entries:
        template = entries["template"].choice(("auto", *templates))
    known = [*builtin, *(rule.id for rule in book.contextual)]
    rules, ignored = _concept(entries.get("concept"), means)
    # These two rules check the names and values that the rules file has.
    by_id: dict[str, Rule] = {
        ValueMisspelt.id: ValueMisspelt(book.values, book.error_fields),
        KeyMisspelt.id: KeyMisspelt(book.fields, book.error_fields),
    }
    return Ruleset(
        rules=tuple(by_id.get(rule.id, rule) for rule in rules),
        contextual=book.contextual,
        templates=templates,
        template=template,
        meanings=means,
        statuses=statuses,
        severities=_severities(entries.get("severities"), known),
        concept_ignored=ignored,
    )


def _declared(read: ReadFile) -> tuple[tuple[DeclaredFolder, ...], tuple[str, ...]]:
    """Return the folders that files of other tools declare, and the ignored declarations."""
    files = {path: data for path in DECLARATIONS if (data := read(path)) is not None}
    if not files:
        return (), ()
    return declarations({path: decode(data, path) for path, data in files.items()})


def _at_key(root: Value | None, entries: dict[str, Value], key: str) -> Value | None:
    """Return a setting with the line of its key: a list may begin on the line below."""
    if not root or key not in entries:
        return None
    return entries[key]._replace(line=root.data[key].line)


def decode(data: bytes, path: str) -> str:
    """Return the text of a settings file.

    Raises:
        ConfigError: The file is too large, or is not UTF-8.
    """
    # A larger file was cut by the reader, so its end would be missing.
    if len(data) > MAX_BYTES:
        raise ConfigError(path, 1, "", "the file is too large (maximum 1 MB)")
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
    """Return the settings of .helix-hooks.yaml or pyproject.toml; None if there are none."""
    data = read(SETTINGS)
    pyproject = read(PYPROJECT)
    table = _pyproject(pyproject) if pyproject else None
    if data is None:
        return table
    if table:
        raise ConfigError(
            SETTINGS,
            1,
            "",
            f"{PYPROJECT} also has settings, in [tool.helix-hooks]; remove one of the two",
        )
    return yaml_reader.load(decode(data, SETTINGS), SETTINGS)


def _pyproject(data: bytes) -> Value | None:
    """Return the table of pyproject.toml."""
    if b"helix-hooks" not in data and b"helix_hooks" not in data:
        return None
    from .pyproject import table  # `tomllib` is loaded only if there can be a table

    return table(decode(data, PYPROJECT))


def _aliases(value: Value | None) -> tuple[Meanings, Statuses]:
    if value is None:
        return meanings(), statuses()
    entries = ALIASES.entries(value)
    sections = entries["sections"].mapping() if "sections" in entries else {}
    status_names: dict[str, tuple[str, ...]] = {}
    if "statuses" in entries:
        for key, item in entries["statuses"].mapping(MADR_STATUSES).items():
            status_names[key] = item.texts()
    return meanings(_section_aliases(sections)), statuses(status_names)


def _section_aliases(sections: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
    packaged = meanings().names
    extra = {}
    for key, entry in sections.items():
        if normalise(key) not in packaged:
            names = dict.fromkeys(packaged.values())
            # `choice` raises the error, with the most similar name.
            entry._replace(data=key).choice([display_name(section) for section in names])
        extra[packaged[normalise(key)]] = entry.texts()
    return extra


def _templates(
    value: Value | None, means: Meanings, words: Statuses, helix: Template
) -> dict[str, Template]:
    templates = {template.name: template for template in BUILT_IN}
    templates[helix.name] = helix
    if value is None:
        return templates
    for name, entry in value.mapping().items():
        if name == "auto" or name in templates:
            raise entry.fail(f"{name!r} is the name of a built-in template; choose another name")
        templates[name] = own_template(name, entry, means, words)
    return templates


def _severities(value: Value | None, known: list[str]) -> dict[str, str]:
    severities = {}
    if value:
        for key, entry in value.mapping(known).items():
            severities[key] = entry.choice(severities_of(key))
    return severities


def _concept(value: Value | None, means: Meanings) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
    """Return the structure rules, and the concept sections that are ignored."""
    if value is None:
        return STRUCTURE, CONCEPT_IGNORED
    entries = CONCEPT.entries(value)
    rules: tuple[Rule, ...] = STRUCTURE
    if "errors" in entries:
        rule = ConceptSectionMissing(errors=_critical(entries["errors"], means))
        rules = tuple(rule if item.id == ConceptSectionMissing.id else item for item in STRUCTURE)
    if "ignore" not in entries:
        return rules, CONCEPT_IGNORED
    return rules, (*CONCEPT_IGNORED, *_names(entries["ignore"], means))


def _critical(value: Value, means: Meanings) -> tuple[str, ...]:
    """Return the critical sections.

    Raises:
        ConfigError: A name is similar to that of a known section. Any other name is allowed.
    """
    for item in value.one_or_more():
        if means.of(item.text()):
            continue
        similar = nearest(normalise(item.text()), means.names, _MISSPELT)
        if similar:
            raise item.fail(f"unknown section {item.text()!r}; did you mean {similar!r}?")
    return _names(value, means)


def _names(value: Value, means: Meanings) -> tuple[str, ...]:
    names: list[str] = []
    for text in value.texts():
        names += required(text, means).meanings
    return tuple(names)
