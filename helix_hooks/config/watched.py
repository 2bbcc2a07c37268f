"""The files that settings watch, and the files that only look like ADRs.

Only paths count; no content is read.
"""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ..adr import place
from ..adr.reference import key_in_path
from ..errors import ConfigError
from ..paths import (
    OTHER_TEXTS,
    PYPROJECT,
    is_markdown,
    is_named_instruction,
    matches,
    without_suffix,
)
from ..text import listed
from .approvals import ApprovalType
from .settings import Settings

NO_ADR = "no ADR in this repository"
BY_NAME = "folders such as docs/adr or decisions, and files such as adr-12.md"
"""The paths of ADRs without `paths` in the settings, for a message."""
_MAX_PATTERNS = 4
"""Maximum patterns in a suggested line."""
_NARROWER = "list only files that are not ADRs"
_BEGINNING = re.compile(r"[A-Za-z]+[-_ ]?|.")
_SPECIAL = re.compile(r"[\[\]{}*?,\"\\\x00-\x1f\x7f\ud800-\udfff]")
"""Characters of a folder that are special in patterns; `?` replaces each of them."""


class View(NamedTuple):
    """A revision of a repository.

    `tracked` are the paths that git tracks, `untracked` those that are only on disk. `linked` are
    the ADRs that symbolic links lead to.
    """

    settings: Settings
    tracked: Collection[str]
    untracked: Collection[str] = ()
    linked: Collection[str] = ()

    @property
    def adrs(self) -> list[str]:
        """The paths of all ADRs."""
        by_settings = [path for path in self.tracked if self.settings.is_adr(path)]
        return list(dict.fromkeys((*by_settings, *self.linked)))


class Watch(NamedTuple):
    """The watched ADRs. `lost` are the ADRs of the base, if the change leaves none."""

    adrs: tuple[str, ...]
    lost: tuple[str, ...] = ()


def watch(now: View, base: View | None = None) -> Watch:
    """Return the ADRs that the settings watch.

    `base` is the revision that a change started from. If it watched ADRs and none is left after
    the change, that is not an error: they are `lost`.

    Raises:
        ConfigError: The settings have `paths` or `exclude`, and no ADR is watched.
    """
    adrs = now.adrs
    if adrs:
        return Watch(tuple(adrs))
    lost = base.adrs if base else []
    error = _watches_nothing(now, lost)
    if error:
        raise error
    return Watch((), tuple(lost))


def no_adr(settings: Settings) -> str:
    """Return the line on a repository without any ADR."""
    if settings.paths:
        return f"{NO_ADR}; looked for {', '.join(settings.paths)}"
    way_out = "if your ADRs are elsewhere, add their folder to `paths`"
    return f"{NO_ADR}; looked for {BY_NAME}; {way_out}"


def looks_like_adr(settings: Settings, path: str) -> bool:
    """Return whether a path is an ADR by its name, but not by `paths`.

    A path that `exclude` leaves out is not.
    """
    if settings.paths_at is None:
        return False
    return settings._replace(paths=()).is_adr(path) and not settings.is_adr(path)


def collection_around(settings: Settings, path: str) -> str:
    """Return the nearest folder of ADRs around a Markdown file that is not an ADR by its name.

    It is "" if there is none, or if the file is excluded, a README, an index, a template or an
    instruction.
    """
    if not is_markdown(path) or is_named_instruction(path):
        return ""
    if settings.leaves_out(path) or place.is_template_or_index(path):
        return ""
    return folder_of_adrs(settings, path)


def folder_of_adrs(settings: Settings, path: str) -> str:
    """Return the nearest folder of ADRs around a file; "" if there is none."""
    if settings.is_rubric(path):
        return ""
    folder = path.rpartition("/")[0]
    while folder and not (place.is_collection(folder) or settings.holds_adrs(folder)):
        folder = folder.rpartition("/")[0]
    return folder


def exemption(settings: Settings, path: str) -> str:
    """Return why a Markdown file beside ADRs is not checked; "" if it is, or is somewhere else."""
    if not is_markdown(path) or settings.is_adr(path):
        return ""
    if place.is_adr(place.without_packages(path)) and not place.is_adr(path):
        return "it is in a folder of packages"
    if not folder_of_adrs(settings, path):
        return ""
    if settings.leaves_out(path):
        return "it is excluded"
    if is_named_instruction(path):
        return "its name is that of instructions to agents"
    return "its name is not that of an ADR"


def may_be_adr_in_another_format(settings: Settings, path: str) -> str:
    """Return the path that a text would have as a Markdown file, if that is the path of an ADR.

    It is "" for Markdown, for excluded files, and for a name that only `paths` match, without a
    number.
    """
    suffix = next((suffix for suffix in OTHER_TEXTS if path.lower().endswith(suffix)), "")
    if not suffix or settings.leaves_out(path):
        return ""
    adr = f"{path[: -len(suffix)]}.md"
    if not settings.is_adr(adr) or not (place.is_adr(adr) or key_in_path(adr)):
        return ""
    return adr


def lookalikes(view: View) -> list[str]:
    """Return the tracked files that look like ADRs and are not watched."""
    if view.settings.paths_at is None:
        return []
    return [path for path in view.tracked if looks_like_adr(view.settings, path)]


def idle(types: Iterable[ApprovalType], tracked: Collection[str]) -> list[str]:
    """Return a line for each approval type that reviews no tracked file."""
    return [
        f"the approval type {type.name} reviews nothing: its `paths` match no tracked file"
        for type in types
        if type.paths and not any(matches(path, type.paths) for path in tracked)
    ]


# Settings that match no ADR.


def _watches_nothing(view: View, before: list[str]) -> ConfigError | None:
    """Return the error of settings that watch nothing; None without `paths` and `exclude`."""
    settings = view.settings
    consequence = ", so no ADR would be checked"
    if before:
        consequence += f" (before this change: {listed(before)})"
    left_out = View(settings._replace(exclude=()), view.tracked).adrs
    if settings.paths_at:
        why, way_out = _why(view), _way_out(view, left_out)
        return settings.paths_at.fail(f"{why}{consequence}; {way_out}")
    if settings.exclude_at and left_out:
        names = listed(left_out)
        return settings.exclude_at.fail(
            f"every ADR is left out ({names}){consequence}; {_NARROWER}"
        )
    return None


def _why(view: View) -> str:
    """Return why `paths` match no ADR."""
    settings = view.settings
    matched = [path for path in view.tracked if is_markdown(path) and matches(path, settings.paths)]
    excluded = [path for path in matched if settings.leaves_out(path)]
    if excluded:
        names = listed(excluded)
        return f"they match only files excluded by `exclude` or the defaults ({names})"
    if matched:
        names = listed(matched)
        return f"they match only READMEs, indexes or templates ({names})"
    untracked = listed(_untracked_adrs(view))
    return f"they match no tracked file{f', only {untracked}' if untracked else ''}"


def _way_out(view: View, left_out: list[str]) -> str:
    """Return how to fix `paths` that match no ADR. `exclude` leaves out the ADRs `left_out`."""
    alike = lookalikes(view)
    if alike:
        verb = "looks like an ADR" if len(alike) == 1 else "look like ADRs"
        return f"{listed(alike)} {verb}: {_line(view.settings, alike)}"
    untracked = _untracked_adrs(view)
    if untracked:
        return f"`git add` {'it' if len(untracked) == 1 else 'them'}"
    if left_out:
        return f"in `exclude`, {_NARROWER}"
    return (
        "no file here looks like an ADR; name the folder of your ADRs, as in "
        f'paths{_sign(view.settings)} ["docs/adr/**/*.md"], or delete `paths`'
    )


def _untracked_adrs(view: View) -> list[str]:
    return [path for path in view.untracked if view.settings.is_adr(path)]


def _line(settings: Settings, paths: list[str]) -> str:
    """Return how to write `paths` so that some files are ADRs."""
    patterns = list(dict.fromkeys(map(_pattern, paths)))
    if len(patterns) > _MAX_PATTERNS:
        return "delete `paths`, so that ADRs are found by name"
    text = ", ".join(f'"{pattern}"' for pattern in patterns)
    return f"write paths{_sign(settings)} [{text}]"


def _sign(settings: Settings) -> str:
    """Return the sign between a key and its value in the file of the settings."""
    is_toml = settings.paths_at is not None and settings.paths_at.path == PYPROJECT
    return " =" if is_toml else ":"


def _pattern(path: str) -> str:
    """Return a pattern that matches a path.

    It matches all files of a folder of ADRs; otherwise the files with the same prefix as an ADR
    in a folder of other files; otherwise all files of the folder.
    """
    *folders, name = path.split("/")
    suffix = path[len(without_suffix(path)) :]
    for depth in range(1, len(folders) + 1):
        folder = "/".join(folders[:depth])
        if place.is_collection(folder):
            return f"{escaped(folder)}/**/*{suffix}"
    start = "".join(f"{escaped(folder)}/" for folder in folders)
    if place.is_adr(path) and not place.has_own_folder(path):
        return f"{start}{escaped(_BEGINNING.findall(name)[0])}*{suffix}"
    return f"{start}*{suffix}"


def escaped(folder: str) -> str:
    """Return a folder as part of a pattern, without special characters."""
    return _SPECIAL.sub("?", folder)
