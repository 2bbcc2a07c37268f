"""The settings of a repository: `.helix-hooks.yaml` or `[tool.helix-hooks]` of pyproject. Pure.

Beside them it reads the rules file.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..adr import place
from ..adr.model import BUILT_IN, MADR_STATUSES, Vocabulary, required
from ..adr.names import Meanings, Statuses, display_name, meanings, normalise, statuses
from ..adr.reference import id_key
from ..adr.rules.contextual import rulebook
from ..adr.rules.registry import CONCEPT_IGNORED, OFF, Ruleset, built_in
from ..errors import ConfigError
from ..finding import SEVERITIES
from ..globs import exclude_globs, matches, path_globs
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
)
from ..yaml_reader import Value, nearest
from . import values, weaker
from .declaration import Type, key, section
from .templates import TEMPLATES, parse_templates

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


class _Concept:
    errors = key(values.TEXTS, example=["Migration", "Rollback"])
    """Sections whose loss is an error. The loss of another section is a warning."""
    ignore = key(values.TEXTS, example=["Timeline"])
    """Sections of the concept that the ADR need not cover."""


class _Aliases:
    sections = key(
        Type(None, {"type": "object", "additionalProperties": values.TEXTS}),
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
_FILE = values.path("path", ".helix-baseline.json")
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
        weaker=weaker.higher,
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
    baseline = key(_FILE, weaker=weaker.another, example=".helix-baseline.json")
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
        templates |= parse_templates(entries["templates"], means, words, templates)
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
        severities = _severities(entries["severities"], known)
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
    """Return the table of pyproject.toml."""
    if b"helix-hooks" not in data and b"helix_hooks" not in data:
        return None
    from .pyproject import table  # `tomllib` is loaded only if there can be a table

    return table(decode(data, PYPROJECT))


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


def _severities(value: Value, known: list[str]) -> dict[str, str]:
    entries = value.mapping(known)
    return {key: entry.choice(severities_of(key)) for key, entry in entries.items()}


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
