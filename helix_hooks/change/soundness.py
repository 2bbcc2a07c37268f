"""Read all settings at the base and after a merge, and collect their errors."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

from ..check import files, watched
from ..check.settings import named_baseline
from ..check.trees import GitTree
from ..config.approvals import Approvals
from ..config.settings import Settings, load
from ..config.watched import View, watch
from ..errors import ConfigError
from ..paths import APPROVALS, APPROVALS_FILE
from .approvals import approvals_of
from .change import Change
from .rubric import rubric

Read = TypeVar("Read")


class Soundness(NamedTuple):
    """The errors in the settings of one tree.

    `idle` is the error that no file is watched. `settings` and `approvals` are None if invalid.
    """

    errors: tuple[ConfigError, ...]
    idle: ConfigError | None = None
    settings: Settings | None = None
    approvals: Approvals | None = None


class Sides(NamedTuple):
    """The errors of the base, and those that the change adds.

    `is_sound`: there are none after a merge. `now` is the base.
    """

    base: tuple[ConfigError, ...]
    change: tuple[ConfigError, ...]
    is_sound: bool
    now: Soundness


def sides(change: Change, config: str, types: Collection[str]) -> Sides:
    """Read the settings at the base, and after a merge into it.

    Settings that watch no file are an error only after the merge: the change may add the first
    ADR.
    """
    base = soundness(change.rules, config, types)
    before = base.settings and watched.of_commit(base.settings, change.rules)
    merged = soundness(change.merged(), config, types, before)
    old = {str(error) for error in base.errors}
    new = tuple(error for error in merged.errors if str(error) not in old)
    idle = (merged.idle,) if merged.idle else ()
    is_sound = not merged.errors and not idle
    if base.idle:
        return Sides((*base.errors, *idle), new, is_sound, base)
    return Sides(base.errors, (*new, *idle), is_sound, base)


def soundness(
    tree: GitTree,
    config: str,
    types: Collection[str],
    before: View | None = None,
) -> Soundness:
    """Read all settings of a tree.

    `types` are approval types to read in addition to the enabled ones. `before` is the view before
    a change.
    """
    errors: list[ConfigError] = []

    def attempt(read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except ConfigError as error:
            errors.append(error)
            return None

    settings = attempt(lambda: load(tree.read, files.packaged))
    approvals = attempt(lambda: approvals_of(tree, config))
    if settings and settings.baseline:
        attempt(partial(named_baseline, tree, settings.baseline))
    if approvals:
        errors += _wrong_types(approvals, types, config or APPROVALS_FILE)
        folder = settings.approvals if settings else APPROVALS
        for type in approvals.types.values():
            if type.enabled or type.name in types:
                attempt(partial(rubric, tree, type, [], folder))
    # Two types may report the same brief.
    distinct = {str(error): error for error in errors}
    idle = _idle(settings, tree, before)
    return Soundness(tuple(distinct.values()), idle, settings, approvals)


def _wrong_types(approvals: Approvals, names: Collection[str], path: str) -> Iterator[ConfigError]:
    """Yield an error for the first type that is unknown, and that never reviews a change."""
    unknown = [name for name in names if name not in approvals.types]
    if unknown:
        there = ", ".join(approvals.types)
        message = f"the input approval-types names {unknown[0]!r}; there are {there}"
        yield ConfigError(path, 1, "approvals", message)
    known = [name for name in names if name in approvals.types]
    named_only = [name for name in known if approvals.types[name].named_only]
    if named_only:
        wrong = "which reviews only named files, never a pull request"
        message = f"the input approval-types names {named_only[0]!r}, {wrong}"
        yield ConfigError(path, 1, "approvals", message)


def _idle(
    settings: Settings | None,
    tree: GitTree,
    before: View | None,
) -> ConfigError | None:
    if not settings:
        return None
    try:
        watch(watched.of_commit(settings, tree), before)
    except ConfigError as error:
        return error
    return None
