"""The settings of a repository: `.helix-hooks.yaml` or `[tool.helix-hooks]` of pyproject. Pure.

Beside them it reads the rules file.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..adr import place
from ..adr.model import BUILT_IN, MADR_STATUSES, Required, Template, Vocabulary, required
from ..adr.names import Meanings, Statuses, display_name, field_name, meanings, normalise, statuses
from ..adr.reference import id_key
from ..adr.rules.contextual import rulebook
from ..adr.rules.registry import CONCEPT_IGNORED, OFF, Ruleset, built_in
from ..errors import ConfigError
from ..finding import SEVERITIES
from ..paths import (
    APPROVALS,
    MAX_BYTES,
    NEARLY_SETTINGS,
    PYPROJECT,
    RULES_FILE,
    SETTINGS,
    beside,
    is_markdown,
    is_named_instruction,
    matches,
)
from ..yaml_reader import MappingEntry, Value, nearest
from . import (
    TEXT,
    TEXTS,
    Type,
    another,
    exclude_globs,
    higher,
    integer,
    key,
    path_globs,
    repository_path,
    section,
)

_MISSPELT = 0.85
"""Minimum similarity of a misspelt section; names of new sections are allowed."""
ReadFile = Callable[[str], bytes | None]
"""Return the bytes of a file by its path in the repository; None if the file does not exist."""

Prune = Callable[[Value], Value]
"""Return the value of a settings file without some of its entries."""


# The declaration.


def _strict_from(value: Value) -> int:
    """Return the number of the first ADR that all rules apply to: `ADR-042`, `042` or 42."""
    key = id_key(value.text())
    if not key.isdigit():
        raise value.fail(f"invalid ADR number {value.data!r} (expected e.g. ADR-042)")
    return int(key)


def _folder(value: Value) -> str:
    path = value.text().rstrip("/")
    is_outside = not {".", "..", ".git"}.isdisjoint(path.split("/"))
    # Only characters that mean the same in patterns and in CODEOWNERS.
    if is_outside or not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*", path):
        raise value.fail(
            f"invalid folder {value.data!r} (expected relative to the repository root, e.g. "
            "governance/approvals)"
        )
    return path


def _ignores_more(old: Ruleset, new: Ruleset) -> str:
    """Return whether the loss of more concept sections is ignored, or is not an error."""
    is_as_strict = set(new.concept_ignored) <= set(old.concept_ignored)
    if is_as_strict and set(old.vocabulary.critical) <= set(new.vocabulary.critical):
        return ""
    return "ignores more sections"


def _other_words(old: Ruleset, new: Ruleset) -> str:
    is_same = (old.meanings.names, old.statuses.names) == (new.meanings.names, new.statuses.names)
    return "" if is_same else "changed"


def severities_of(rule: str) -> tuple[str, ...]:
    """Return the severities that a rule may have.

    That of gate-relaxed is fixed: otherwise a change could switch it off for itself.
    """
    return ("error",) if rule == "gate-relaxed" else (*SEVERITIES, OFF)


_BUILT_IN_NAMES = ("auto", "helix", "madr", "nygard")


class _Section:
    name = key(TEXT, example="Risks", required=True)
    """The name of the section."""
    aliases = key(TEXTS, example=["Wagnisse"])
    """Other headings with the same meaning, in this template."""
    severity = key(Type(None, {"enum": SEVERITIES, "default": "error"}))
    """The severity of the finding if the section is missing."""


_SECTION = section(_Section, also="text")
_SECTIONS = Type(None, {"type": "array", "items": _SECTION})
_FIELDS = Type(lambda value: tuple(map(field_name, value.texts())), TEXTS.schema)
_STATUSES = Type(None, {"type": "array", "items": TEXT})


class _Template:
    sections = key(_SECTIONS, example=["Context", "Decision"], required=True)
    """Required sections, in any order. They are found by meaning: case, numbering, language and the
    usual variants do not matter.
    """
    optional = key(_SECTIONS)
    """Sections that may be missing, but not empty."""
    header = key(_FIELDS, field="fields", example=["status"])
    """Required header fields."""
    statuses = key(_STATUSES, example=["Proposed", "Accepted", "Superseded"])
    """The statuses that an ADR may have. A status of your own needs a meaning in
    `aliases.statuses`.
    """
    min_section_length = key(integer(0))
    """Characters of prose that each required section must have."""
    min_acceptance_criteria = key(integer(0))
    """Acceptance criteria that an ADR must have, if Acceptance Criteria is among the sections."""


TEMPLATE = section(_Template)._replace(default=Template("", ()))
TEMPLATES = Type(
    None,
    {
        "type": "object",
        "propertyNames": {"not": {"enum": _BUILT_IN_NAMES}},
        "additionalProperties": TEMPLATE,
    },
)


class _Concept:
    errors = key(TEXTS, example=["Migration", "Rollback"])
    """Sections whose loss is an error. The loss of another section is a warning."""
    ignore = key(TEXTS, example=["Timeline"])
    """Sections of the concept that the ADR need not cover."""


class _Aliases:
    sections = key(
        Type(None, {"type": "object", "additionalProperties": TEXTS}),
        example={"Context": ["Vorgeschichte"]},
    )
    """More headings, by the known section with the same meaning."""
    statuses = key(
        Type(None, {"type": "object", "additionalProperties": False}),
        example={"Accepted": ["Abgenickt"]},
    )
    """More status words, by the known status with the same meaning."""


_CONCEPT, _ALIASES = section(_Concept), section(_Aliases)
_PATHS = Type(path_globs, {"one or more": "path of ADRs", "minItems": 1})
_FILE = repository_path("path", ".helix-baseline.json")
_EXCLUDE = Type(exclude_globs, {"one or more": "excluded path"})


class _Settings:
    paths = key(_PATHS, (), None, example=["docs/adr/**/*.md"])
    """Which files are ADRs: patterns from the root of the repository. Without it, ADRs are found by
    name.
    """
    exclude = key(_EXCLUDE, (), None, example=["docs/adr/drafts/**"])
    """Files that are not ADRs, added to the default: READMEs, indexes, templates, concepts and
    packages.
    """
    template = key(Type(None, "template"), field="ruleset.template", example="madr")
    """The template of the ADRs: auto (recognised for each ADR), helix, madr, nygard, or the name of
    one in `templates`.
    """
    templates = key(TEMPLATES, weaker=None)
    """Templates of your own, by name. `template` selects one."""
    severities = key(Type(None, "severities"), weaker=None, example={"section-too-short": "off"})
    """The severity of a rule: error, warning, info or off."""
    approvals = key(Type(_folder, "folder"), example="governance/approvals")
    """The folder of rubrics and briefs. It needs an owner in CODEOWNERS."""
    strict_from = key(
        Type(_strict_from, "ADR"),
        weaker=higher,
        field="ruleset.strict_from",
        example="ADR-042",
    )
    """The number of the first ADR to which all rules apply. In older ADRs, findings about
    completeness are only informative.
    """
    concept = key(Type(None, _CONCEPT), weaker=_ignores_more, field="ruleset")
    """The comparison of an ADR with its concept."""
    aliases = key(Type(None, _ALIASES), weaker=_other_words, field="ruleset")
    """More words for known sections and statuses."""
    baseline = key(_FILE, weaker=another, example=".helix-baseline.json")
    """A file with the number of old findings to ignore. `helix-hooks check --write-baseline` writes
    it.
    """


SETTINGS_FILE = section(_Settings, conditions="own templates")


# The settings.


class Settings(NamedTuple):
    """The settings of a repository.

    `paths` and `exclude` are globs over repository-relative paths. Without `paths`, ADRs are found
    by name. `baseline` is the path of a file, or ""; `approvals` is the folder of
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

    def is_adr(self, path: str) -> bool:
        """Return whether a path is an ADR according to the settings.

        Only the path counts: a change must not be able to exclude an ADR by its content. README,
        index and template files are not ADRs, see `place.is_aside`. Neither are instructions to
        agents, such as `adr/CLAUDE.md`, unless `paths` has exactly this file.
        """
        if not is_markdown(path):
            return False
        is_named = matches(path, self.paths) if self.paths else place.is_adr(path)
        if not is_named or self.leaves_out(path) or place.is_aside(path):
            return False
        return path in self.paths or not is_named_instruction(path)

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
        name = "0001-x.md" if self.paths else "x.md"
        return self.is_adr(f"{folder}/{name}")


def load(read: ReadFile, packaged: ReadFile, prune: Prune = lambda root: root) -> Settings:
    """Return the settings of a repository.

    `packaged` reads the defaults for files that the repository does not have. `prune` is applied
    to the value of each file.

    Raises:
        ConfigError: A file is invalid, or has a misspelt name.
    """
    root = _root(read)
    if root:
        root = prune(root)
    for name, right in NEARLY_SETTINGS.items():
        if read(name) is not None:
            raise ConfigError(name, 1, "", f"a file of this name is ignored; rename it to {right}")
    entries = SETTINGS_FILE.entries(root) if root else {}
    settings = Settings((), (), _ruleset(entries, read, packaged, prune))
    if root:
        settings = SETTINGS_FILE.read(root, settings)
        # With the line of the key: a list may begin on the line below.
        for key in {"paths", "exclude"} & entries.keys():
            at_key = entries[key]._replace(line=root.data[key].line)
            settings = settings._replace(**{f"{key}_at": at_key})
    return settings


def _ruleset(
    entries: dict[str, Value], read: ReadFile, packaged: ReadFile, prune: Prune
) -> Ruleset:
    """Return the rules of the settings and of the rules file."""
    means, words = meanings(), statuses()
    if "aliases" in entries:
        means, words = _aliases(entries["aliases"])
    own_rules = read(RULES_FILE)
    text = own_rules if own_rules is not None else packaged(RULES_FILE) or b""
    # The ids of built-in rules are only needed to refuse them, so most runs do not load them.
    needs_ids = own_rules is not None or "severities" in entries
    builtin = [rule.id for rule in built_in()] if needs_ids else []
    root = prune(yaml_reader.load(decode(text, RULES_FILE), RULES_FILE))
    book = rulebook.parse(root, means, builtin, trusted=own_rules is None)
    templates = {item.name: item for item in (*BUILT_IN, book.helix)}
    if "templates" in entries:
        templates |= _templates(entries["templates"], means, words, templates)
    selected = "auto"
    if "template" in entries:
        selected = entries["template"].choice(("auto", *templates))
    vocabulary = Vocabulary(book.fields, book.values, book.error_fields)
    ignored: tuple[str, ...] = CONCEPT_IGNORED
    concept = _CONCEPT.entries(entries["concept"]) if "concept" in entries else {}
    if "errors" in concept:
        vocabulary = vocabulary._replace(critical=_critical(concept["errors"], means))
    if "ignore" in concept:
        ignored += _names(concept["ignore"], means)
    severities: dict[str, str] = {}
    if "severities" in entries:
        known = [*builtin, *(rule.id for rule in book.contextual)]
        rules = entries["severities"].mapping(known)
        severities = {id: entry.choice(severities_of(id)) for id, entry in rules.items()}
    return Ruleset(
        contextual=book.contextual,
        templates=templates,
        template=selected,
        meanings=means,
        statuses=words,
        severities=severities,
        vocabulary=vocabulary,
        concept_ignored=ignored,
    )


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
    """Return the table `tool.helix-hooks` of pyproject.toml; None if there is none.

    Raises:
        ConfigError: The text is not TOML, or the table has a misspelt name.
    """
    if b"helix-hooks" not in data and b"helix_hooks" not in data:
        return None
    text = decode(data, PYPROJECT)
    tools = _tools(text)
    lines = text.splitlines()
    if "helix_hooks" in tools:
        line = next((number for number, row in enumerate(lines, 1) if "helix_hooks" in row), 1)
        raise ConfigError(
            PYPROJECT,
            line,
            "tool.helix_hooks",
            "unknown table; rename it to [tool.helix-hooks]",
        )
    if "helix-hooks" not in tools:
        return None
    value = _from_toml(tools["helix-hooks"], lines, 0)
    return value._replace(path=PYPROJECT, trail="tool.helix-hooks")


def _tools(text: str) -> dict[str, object]:
    import tomllib  # loaded only if there can be a table

    try:
        tools = tomllib.loads(text).get("tool", {})
    except RecursionError:
        raise ConfigError(PYPROJECT, 1, "", "this is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        # Before Python 3.14, the error has its line only in the message.
        match = re.search(r"line (\d+)", str(error))
        line = int(match[1]) if match else 1
        raise ConfigError(PYPROJECT, line, "", f"invalid TOML: {error}") from None
    return tools if isinstance(tools, dict) else {}


def _from_toml(data: object, lines: list[str], above: int) -> Value:
    """Return a TOML value as a YAML one. `above` is the index of the line of its key.

    `tomllib` returns no lines: a key gets the first line after `above` that begins with it.
    """
    line = above + 1
    if isinstance(data, dict):
        entries = {}
        for key, item in data.items():
            index = _index_of(key, lines, above)
            entries[key] = MappingEntry(index + 1, 1, _from_toml(item, lines, index))
        return Value(entries, line, 1)
    if isinstance(data, list):
        return Value([_from_toml(item, lines, above) for item in data], line, 1)
    if isinstance(data, bool):
        return Value(str(data).lower(), line, 1)
    return Value(str(data), line, 1)


def _index_of(key: str, lines: list[str], start: int) -> int:
    pattern = re.compile(rf'^\s*(?:\[.*)?"?{re.escape(key)}"?\s*(?:[=\].])')
    for index in range(start, len(lines)):
        if pattern.match(lines[index]):
            return index
    return start


def _aliases(value: Value) -> tuple[Meanings, Statuses]:
    entries = _ALIASES.entries(value)
    sections = entries["sections"].mapping() if "sections" in entries else {}
    status_names: dict[str, tuple[str, ...]] = {}
    if "statuses" in entries:
        for key, item in entries["statuses"].mapping(MADR_STATUSES).items():
            status_names[key] = item.texts()
    return meanings(_section_aliases(sections)), statuses(status_names)


def _section_aliases(sections: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
    packaged = meanings().names
    extra = {}
    for name, entry in sections.items():
        if normalise(name) not in packaged:
            known = dict.fromkeys(packaged.values())
            # `choice` raises the error, with the most similar name.
            entry._replace(data=name).choice([display_name(section) for section in known])
        extra[packaged[normalise(name)]] = entry.texts()
    return extra


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


# Templates of a repository's own.


def _templates(
    value: Value, means: Meanings, words: Statuses, others: Collection[str]
) -> dict[str, Template]:
    """Return the templates of a section. `others` are the names of those that exist.

    Raises:
        ConfigError: A template is invalid, or has the name of another one.
    """
    own: dict[str, Template] = {}
    for name, item in value.mapping().items():
        if name == "auto" or name in others:
            raise item.fail(f"{name!r} is the name of a built-in template; choose another name")
        entries = TEMPLATE.entries(item)
        sections = _sections(entries["sections"], means, ())
        template: Template = TEMPLATE.read(item, Template(name=name, sections=sections))
        if "optional" in entries:
            template = template._replace(optional=_sections(entries["optional"], means, sections))
        if "statuses" in entries:
            statuses = [_status(status, words) for status in entries["statuses"].sequence()]
            template = template._replace(statuses=tuple(statuses))
        own[name] = template
    return own


def _sections(value: Value, means: Meanings, above: tuple[Required, ...]) -> tuple[Required, ...]:
    """Return a list of sections. Raise ConfigError for one that occurs twice, or is in `above`."""
    sections: list[Required] = []
    for item in value.sequence():
        section = _section(item, means)
        meanings = set(section.meanings)
        if not all(meanings.isdisjoint(other.meanings) for other in (*above, *sections)):
            raise item.fail(
                f"{section.name!r} has the same meaning as a section above; remove one of the two"
            )
        sections.append(section)
    return tuple(sections)


def _section(value: Value, means: Meanings) -> Required:
    if isinstance(value.data, str):
        return required(value.text(), means)
    entries = _SECTION.entries(value)
    section = required(entries["name"].text(), means)
    aliases = entries["aliases"].texts() if "aliases" in entries else ()
    if "severity" in entries:
        section = section._replace(severity=entries["severity"].choice(SEVERITIES))
    meanings = dict.fromkeys((*section.meanings, *map(normalise, aliases)))
    return section._replace(meanings=tuple(meanings))


def _status(value: Value, words: Statuses) -> str:
    status = words.read(value.text())
    if status is None:
        raise value.fail(
            f"unknown status {value.data!r}; map it in aliases.statuses to one of "
            f"{', '.join(MADR_STATUSES)}"
        )
    return status
