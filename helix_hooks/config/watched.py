"""The files that a repository's settings watch, and those that only look like ADRs.

Decided by name; no content is read.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ..adr.names import place
from ..errors import ConfigError
from ..globs import matches
from ..paths import PYPROJECT, is_named_instruction
from .approvals import ApprovalType
from .settings import Settings

NO_ADR = "no ADR in this repository"
BY_NAME = "folders such as docs/adr or decisions, and files such as adr-12.md"
"""The places that are searched without `paths` in the settings, for a message."""
_NAMED = 3
_PATTERNS = 4
"""Maximum patterns in a suggested line."""
_EXAMPLE = 'paths: ["docs/adr/**/*.md"]'
_NARROWER = "name only what is no ADR"
_PROBES = ("0001-x.md", "ADR-001.md")
_BEGINNING = re.compile(r"[A-Za-z]+[-_ ]?|.")
_SPECIAL = re.compile(r"[\[\]{}*?,\"\\\x00-\x1f\x7f\ud800-\udfff]")
"""Characters of a folder that have a meaning in patterns; `?` replaces each of them."""


class View(NamedTuple):
    """A revision of a repository as discovery sees it.

    `tracked` are the paths that git tracks; `untracked` those that only the disk has; `submodules`
    the tracked paths that are submodules; `linked` the ADRs that links lead to, or should.
    """

    settings: Settings
    tracked: Collection[str]
    untracked: Collection[str] = ()
    submodules: Collection[str] = ()
    linked: Collection[str] = ()

    @property
    def adrs(self) -> list[str]:
        own = (path for path in self.tracked if self.settings.is_adr(path))
        return list(dict.fromkeys((*own, *self.linked)))


class Watch(NamedTuple):
    """The ADRs that settings watch, and the ADRs of the base where the change left none of them."""

    adrs: tuple[str, ...]
    lost: tuple[str, ...] = ()


def watch(now: View, base: View | None = None) -> Watch:
    """Return what the settings watch. Raises ConfigError where they name files, and none is there.

    `base` is what a change started from. Only the state after the change can be broken settings:
    a base that watched nothing is repaired, or adopted, by the change. A base that watched ADRs
    and a change after which nothing is watched is no error here, but `lost`.
    """
    adrs = now.adrs
    if adrs:
        return Watch(tuple(adrs))
    before = base.adrs if base else []
    if error := _watches_nothing(now, before):
        raise error
    return Watch((), tuple(before))


def no_adr(settings: Settings) -> str:
    """The line about a repository without any ADR."""
    if settings.paths:
        return f"{NO_ADR}; looked for {', '.join(settings.paths)}"
    declared = (f"{item.folder} ({item.path})" for item in settings.declared)
    places = ", ".join((*declared, BY_NAME))
    return f"{NO_ADR}; looked for {places}; if yours lie elsewhere, name them in `paths`"


def looks_like_adr(settings: Settings, path: str) -> bool:
    """Return whether a path is an ADR by its name, but not by the `paths` of the settings.

    What `exclude` leaves out does not look like one.
    """
    return (
        settings.paths_at is not None
        and settings._replace(paths=()).is_adr(path)
        and not settings.is_adr(path)
    )


def collection_around(settings: Settings, path: str) -> str:
    """Return the nearest folder of ADRs around a Markdown file that is no ADR by its name; "" if
    there is none, or if the file is left out, a README, an index, a template or an instruction.
    """
    is_text = path.endswith(".md") and not is_named_instruction(path)
    if not is_text or settings.leaves_out(path) or place.is_template_or_index(path):
        return ""
    folder = path.rpartition("/")[0]
    while folder and not (place.is_collection(folder) or settings.holds_adrs(folder)):
        folder = folder.rpartition("/")[0]
    return folder


def lookalikes(view: View) -> list[str]:
    """Return the tracked files that look like ADRs and that the settings do not watch."""
    if view.settings.paths_at is None:
        return []
    return [path for path in view.tracked if looks_like_adr(view.settings, path)]


def idle(types: Iterable[ApprovalType], tracked: Collection[str]) -> list[str]:
    """The approval types that review no file of a repository, each as a line."""
    return [
        f"the approval type {type.name} reviews nothing: its `paths` match no tracked file"
        for type in types
        if type.paths and not any(matches(path, type.paths) for path in tracked)
    ]


def named(paths: Collection[str]) -> str:
    """Some paths for a line: the first ones, and the number of the others."""
    first = [*paths][:_NAMED]
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"{', '.join(first)}{more}"


def _watches_nothing(view: View, before: list[str]) -> ConfigError | None:
    """The error of settings that watch nothing, None where they ask for nothing."""
    settings = view.settings
    so = (
        f", so no ADR would be checked{f' (before this change: {named(before)})' if before else ''}"
    )
    if settings.paths_at:
        return settings.paths_at.fail(f"{_why(view)}{so}; {_way_out(view)}")
    left_out = _left_out(view)
    if settings.exclude_at and left_out:
        return settings.exclude_at.fail(
            f"every ADR is left out ({named(left_out)}){so}; {_NARROWER}"
        )
    return None


def _left_out(view: View) -> list[str]:
    """The files that are no ADRs only because of the settings' own `exclude`."""
    return View(view.settings._replace(exclude=()), view.tracked).adrs


def _why(view: View) -> str:
    """The reason why `paths` match no ADR."""
    matched = [
        path for path in view.tracked if path.endswith(".md") and matches(path, view.settings.paths)
    ]
    excluded = [path for path in matched if view.settings.leaves_out(path)]
    if excluded:
        return f"they match only what `exclude` or the defaults leave out ({named(excluded)})"
    if matched:
        return f"they match only READMEs, indexes or templates ({named(matched)})"
    waiting = _waiting(view)
    return (
        f"they match no tracked file, only {named(waiting)}"
        if waiting
        else "they match no tracked file"
    )


def _way_out(view: View) -> str:
    alike = lookalikes(view)
    if alike:
        verb = "looks like an ADR" if len(alike) == 1 else "look like ADRs"
        return f"{named(alike)} {verb}: {_line(view.settings, alike)}"
    if waiting := _waiting(view):
        return f"`git add` {'it' if len(waiting) == 1 else 'them'}"
    if other_case := _in_other_case(view):
        return (
            f"{named(other_case)} differ{'s' if len(other_case) == 1 else ''} in case only: "
            f"{_line(view.settings, other_case)}"
        )
    if inside := [path for path in view.submodules if any(_covers(view.settings, path))]:
        return (
            f"{named(inside)} is a submodule, whose ADRs are checked in its own repository; "
            "delete `paths` here"
        )
    if _left_out(view):
        return f"in `exclude`, {_NARROWER}"
    example = _EXAMPLE.replace(": ", " = ", 1) if _is_toml(view.settings) else _EXAMPLE
    return (
        f"no file here looks like an ADR; name the folder of your ADRs, as in {example}, or "
        "delete `paths`"
    )


def _waiting(view: View) -> list[str]:
    """The untracked files that would be ADRs."""
    return [path for path in view.untracked if view.settings.is_adr(path)]


def _in_other_case(view: View) -> list[str]:
    lower = view.settings._replace(paths=tuple(pattern.lower() for pattern in view.settings.paths))
    return [path for path in view.tracked if lower.is_adr(path.lower())]


def _covers(settings: Settings, folder: str) -> Iterator[bool]:
    return (settings.is_adr(f"{folder}/{name}") for name in _PROBES)


def _line(settings: Settings, paths: list[str]) -> str:
    """The line of the settings under which some files are ADRs."""
    patterns = list(dict.fromkeys(map(_pattern, paths)))
    if len(patterns) > _PATTERNS:
        return "delete `paths`, so that ADRs are found by name"
    listed = ", ".join(f'"{pattern}"' for pattern in patterns)
    return f"write paths{' =' if _is_toml(settings) else ':'} [{listed}]"


def _pattern(path: str) -> str:
    """A pattern that a path matches: all of a folder of ADRs, else the files that begin alike, else
    all of its folder.
    """
    *folders, name = path.split("/")
    for depth in range(1, len(folders) + 1):
        folder = "/".join(folders[:depth])
        if place.is_collection(folder):
            return f"{escaped(folder)}/**/*.md"
    start = "".join(f"{escaped(folder)}/" for folder in folders)
    is_alone = place.is_adr(path) and not place.has_own_folder(path)
    return f"{start}{escaped(_BEGINNING.findall(name)[0]) if is_alone else ''}*.md"


def escaped(folder: str) -> str:
    """Return a folder as part of a pattern, in which none of its characters has a meaning."""
    return _SPECIAL.sub("?", folder)


def _is_toml(settings: Settings) -> bool:
    return settings.paths_at is not None and settings.paths_at.path == PYPROJECT
