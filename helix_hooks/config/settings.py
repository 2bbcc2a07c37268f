"""Read all settings files of a repository into one frozen `Settings`."""

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..adr.model import Vocabulary
from ..adr.names import place
from ..adr.names.heading import Meanings, display_name, meanings, normalise
from ..adr.names.status import Statuses, statuses
from ..adr.rules.contextual import rulebook
from ..adr.rules.registry import CONCEPT_IGNORED, Ruleset, built_in
from ..adr.template import BUILT_IN, MADR_STATUSES, Template, required
from ..errors import ConfigError
from ..globs import matches
from ..paths import (
    ADR_DIR,
    APPROVALS,
    DECLARATIONS,
    LOG4BRAINS,
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
from .settings_file import ALIASES, CONCEPT, SETTINGS_FILE, severities_of, template

_MISSPELT = 0.85
"""Minimum similarity of a misspelt section; names of new sections are allowed."""
ReadFile = Callable[[str], bytes | None]
"""Return the bytes of a file by its path in the repository; None if the file does not exist."""


_NUMBERED = re.compile(r"\d+-")
_MAX_SHOWN = 80
"""Maximum characters of a value in a message."""


class DeclaredFolder(NamedTuple):
    """A folder of ADRs, from the root of the repository, and the file that declares it.

    With `is_numbered`, only files whose names begin with a number are ADRs.
    """

    folder: str
    path: str
    is_numbered: bool

    def holds(self, path: str) -> bool:
        """Return whether a Markdown file is an ADR of this folder."""
        folder, _, name = path.rpartition("/")
        if folder != self.folder:
            return False
        return not self.is_numbered or bool(_NUMBERED.match(name))


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
        if self.paths:
            is_named = matches(path, self.paths)
        else:
            is_named = place.is_adr(path) or any(item.holds(path) for item in self.declared)
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
        # With the line of the key: a list may begin on the line below.
        for key in {"paths", "exclude"} & entries.keys():
            at_key = entries[key]._replace(line=root.data[key].line)
            settings = settings._replace(**{f"{key}_at": at_key})
    if settings.paths:
        return settings
    texts: dict[str, str] = {}
    for path in DECLARATIONS:
        data = read(path)
        if data is not None:
            texts[path] = decode(data, path)
    if not texts:
        return settings
    declared, ignored = _declarations(texts)
    return settings._replace(declared=declared, ignored=ignored)


def _ruleset(entries: dict[str, Value], read: ReadFile, packaged: ReadFile) -> Ruleset:
    """Return the rules of the settings and of the rules file."""
    means, words = meanings(), statuses()
    if "aliases" in entries:
        means, words = _aliases(entries["aliases"])
    own_rules = read(RULES_FILE)
    text = own_rules if own_rules is not None else packaged(RULES_FILE) or b""
    # The ids of built-in rules are only needed to refuse them, so most runs do not load them.
    needs_ids = own_rules is not None or "severities" in entries
    builtin = [rule.id for rule in built_in()] if needs_ids else []
    root = yaml_reader.load(decode(text, RULES_FILE), RULES_FILE)
    book = rulebook.parse(root, means, builtin, trusted=own_rules is None)
    templates = {item.name: item for item in (*BUILT_IN, book.helix)}
    if "templates" in entries:
        templates |= _own_templates(entries["templates"], means, words, templates)
    selected = "auto"
    if "template" in entries:
        selected = entries["template"].choice(("auto", *templates))
    vocabulary = Vocabulary(book.fields, book.values, book.error_fields)
    ignored: tuple[str, ...] = CONCEPT_IGNORED
    concept = CONCEPT.entries(entries["concept"]) if "concept" in entries else {}
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


def _own_templates(
    value: Value, means: Meanings, words: Statuses, others: Collection[str]
) -> dict[str, Template]:
    own: dict[str, Template] = {}
    for name, entry in value.mapping().items():
        if name == "auto" or name in others:
            raise entry.fail(f"{name!r} is the name of a built-in template; choose another name")
        own[name] = template(name, entry, means, words)
    return own


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


def _declarations(
    texts: Mapping[str, str],
) -> tuple[tuple[DeclaredFolder, ...], tuple[str, ...]]:
    """Return the folders that other tools declare, and a line on each ignored declaration.

    `.adr-dir` is of adr-tools, `.log4brains.yml` of log4brains. The definition of an ADR is that of
    the tool: adr-tools numbers all files, log4brains takes all Markdown files of the folder.
    """
    folders: list[DeclaredFolder] = []
    ignored: list[str] = []
    for path, text in texts.items():
        declared = [(1, text.strip())] if path == ADR_DIR else _log4brains(text)
        for line, value in declared:
            folder = posixpath.normpath(value) if value else ""
            reason = _reason(value, folder)
            if reason:
                where = f"{path}:{line}: ignored: {value[:_MAX_SHOWN]!r} {reason}"
                ignored.append(f"{where}; add the folder to `paths` in the settings")
            else:
                folders.append(DeclaredFolder(folder, path, is_numbered=path == ADR_DIR))
    return tuple(dict.fromkeys(folders)), tuple(ignored)


def _log4brains(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the folder of the project and of each of its packages.

    A value that is not a string is yielded as "", so that it is reported.
    """
    project = _entry(yaml_reader.load(text, LOG4BRAINS), "project")
    packages = _entry(project, "packages")
    listed = packages.data if packages and isinstance(packages.data, list) else []
    for item in (project, *listed):
        folder = _entry(item, "adrFolder")
        if folder:
            yield folder.line, folder.data if isinstance(folder.data, str) else ""


def _entry(value: Value | None, key: str) -> Value | None:
    """Return an entry of a mapping; None if it is missing, or the value is not a mapping."""
    if not value or not isinstance(value.data, dict):
        return None
    entry = value.data.get(key)
    return entry.value if entry else None


def _reason(value: str, folder: str) -> str:
    """Return why a value is not a folder of ADRs in the repository; "" if it is one."""
    if not value or not value.isprintable():
        return "is not the name of one folder"
    if value.startswith("/") or "\\" in value or re.match("[A-Za-z]:", value):
        return "is not a path relative to the repository root, with `/`"
    names = value.split("/")
    if ".." in names or ".git" in map(str.casefold, names):
        return "could be outside the repository"
    if folder == ".":
        return "is the whole repository"
    return ""
