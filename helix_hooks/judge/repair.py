"""Invalid settings: at the base or in the change, and who decides about their repair.

All settings are read at the base, and after a merge into it. A change that repairs those of the
base, and nothing else, needs a person. Any other change fails.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

from ..adr.check_report import FileReport
from ..check import files, watched
from ..check.settings import named_baseline
from ..check.trees import GitTree, Revision
from ..config.approvals import Approvals
from ..config.policy import Policy, wanted
from ..config.settings import Settings, load
from ..config.watched import View, watch
from ..decision.authors import apart_from
from ..decision.handover import BASE, CHANGE, SETTINGS_BROKEN, Broken, Failure, Handover, Repair
from ..errors import ConfigError, PendingError
from ..finding import Finding
from ..git import commits
from ..paths import APPROVALS, APPROVALS_FILE, READ_FIRST
from ..text import listed
from .approvals import approvals_of
from .change import Change
from .rubric import rubric

ADVICE = "repair the settings in this change"
_REPAIR_FIRST = "repair it with a pull request that changes only settings"
_MAX_TEXT = 1_000
"""Maximum characters of an error that are shown; a key may be as long as the file."""
_MAX_COMMITS = 50
"""Maximum commits that are searched for a policy."""

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


def settings_report(errors: Iterable[ConfigError], change: Change) -> tuple[FileReport, ...]:
    """Return errors of settings as findings at their lines."""
    return tuple(_file_report(error, change) for error in errors)


def _file_report(error: ConfigError, change: Change) -> FileReport:
    text = change.text(error.path) if change.tree.has(error.path) else ""
    # Not splitlines(), which also splits at form feeds and other characters.
    row = text.split("\n")[error.line - 1 : error.line]
    finding = Finding(
        severity="error",
        check=SETTINGS_BROKEN,
        layer="config",
        message=utf8(error.about[:_MAX_TEXT]),
        path=error.path,
        line=error.line,
        end_line=error.line,
        column=1,
        help=ADVICE,
    )
    return FileReport(
        path=error.path,
        findings=(finding,),
        lines={error.line: row[0].rstrip("\r")} if row else {},
    )


def _broken_before(errors: Iterable[ConfigError], advice: str) -> tuple[Broken, ...]:
    """Return the errors of the base for the hand-over."""
    return tuple(Broken(BASE, error_text(error), advice) for error in errors)


def broken_by(errors: Iterable[ConfigError]) -> tuple[Broken, ...]:
    """Return the errors that a change adds for the hand-over."""
    return tuple(Broken(CHANGE, error_text(error), ADVICE) for error in errors)


def error_text(error: ConfigError) -> str:
    """Return the text of an error, up to the maximum."""
    return utf8(str(error)[:_MAX_TEXT])


def utf8(text: str) -> str:
    """Return the text as valid UTF-8, which JSON requires. Paths in git may have other bytes."""
    # In UTF-16, each lone surrogate is one invalid unit, so it becomes one U+FFFD.
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")


class LastPolicy(NamedTuple):
    """The newest valid policy of a branch, with its commit; "" for the packaged policy.

    `is_whole`: the search reached the first commit. `names_deciders`: the policy sets the deciders,
    or none is valid, so that they are not known.
    """

    policy: Policy
    commit: str
    is_whole: bool = True
    names_deciders: bool = False


def last_policy(root: str, base: str, config: str) -> LastPolicy:
    """Return the policy of a commit, or of its newest ancestor with a valid one.

    Only first parents are searched: settings on a merged branch were never in force.
    """
    path = config or APPROVALS_FILE
    tree = Revision(root, base)
    try:
        try:
            return _at(tree, base, config)
        except ConfigError:
            paths = sorted({path, *tree.place(path).passed})
            line = commits.first_parents(root, base, paths, _MAX_COMMITS)
        for commit in line.commits:
            try:
                return _at(Revision(root, commit, tree), commit, config)
            except ConfigError:
                continue
    finally:
        tree.close()
    return LastPolicy(Policy(), "", line.is_whole, names_deciders=True)


def _at(tree: GitTree, commit: str, config: str) -> LastPolicy:
    approvals = approvals_of(tree, config)
    return LastPolicy(approvals.policy, commit, names_deciders=approvals.names_deciders)


def in_words(last: LastPolicy, base: str, name: str) -> str:
    """Return the policy that applies, as a sentence. `name` is the name of the base branch."""
    if last.commit == base:
        return f"the policy of {name} defines who may decide"
    if last.commit:
        newest = f"the newest of {name} that can be read"
        return f"the policy of {last.commit[:7]}, {newest}, defines who may decide"
    why = "none in its history can be read"
    if not last.is_whole:
        why = "its history could not be read further"
    return f"the packaged policy sets who may decide: the one of {name} is broken and {why}"


def refuse_broken(change: Change, base: str) -> None:
    """Stop a local command if the settings of its base, or of the change, are invalid.

    Raises:
        ConfigError: The settings are invalid.
        PendingError: The change repairs them, and a person must approve it.
    """
    errors = sides(change, "", ())
    if errors.base and errors.is_sound and not _obstacle(change, errors, ""):
        last = last_policy(change.root, change.base, "")
        who = f"who may decide: {wanted(last.policy.deciders)}; {apart_from(change.writers())}"
        repaired = f"this change repairs the settings of {base}: {errors.base[0]}"
        raise PendingError(f"{repaired}; a person decides, on the pull request; {who}")
    for error in errors.base[:1]:
        advice = f"this error is at the base {base}; {_REPAIR_FIRST}"
        raise ConfigError(error.path, error.line, "", f"{error.about}; {advice}")
    for error in errors.change[:1]:
        raise ConfigError(error.path, error.line, "", f"{error.about}; {ADVICE}")


def on_broken_base(handover: Handover, change: Change, errors: Sides, config: str) -> Handover:
    """Return the hand-over of a change to a base with invalid settings.

    A repair waits for a person. Any other change fails, although it did not cause the error.
    """
    name = handover.target.base_ref or change.base[:7]
    obstacle = _obstacle(change, errors, config)
    if errors.is_sound and not obstacle:
        last = last_policy(change.root, change.base, config)
        repair = Repair(
            files=tuple(dict.fromkeys(map(utf8, change.touched))),
            errors=tuple(map(error_text, errors.base)),
            whose=in_words(last, change.base, name),
        )
        return handover._replace(repair=repair, policy=last.policy)
    advice = f"the base ({name}) is broken; {obstacle}" if errors.is_sound else _elsewhere(name)
    broken = (*_broken_before(errors.base, advice), *broken_by(errors.change))
    return handover._replace(broken=broken, failure=Failure(ConfigError.exit_code, broken[0].error))


def _elsewhere(name: str) -> str:
    repair = f"repair the settings of the base ({name}) with a pull request"
    return f"{repair} that changes only settings; then comment `/helix review` here"


def _obstacle(change: Change, errors: Sides, config: str) -> str:
    """Return why a change with valid settings is not a repair; "" if it is one."""
    baseline = errors.now.settings.baseline if errors.now.settings else ""
    settings_paths = (*change.ours, config, baseline)
    others = [
        path for path in change.touched if not _is_settings(path, change.rules, settings_paths)
    ]
    if others:
        way_out = f"move {listed(others)} to another pull request"
        return f"this change repairs the settings, but it also changes other files: {way_out}"
    stale = [path for path in change.touched if change.on_both_sides(path)]
    if stale:
        since = "was changed there since this branch began"
        return f"{listed(stale)} {since}: merge the base into this branch"
    return ""


def _is_settings(path: str, base: GitTree, settings_paths: Iterable[str]) -> bool:
    """Return whether a path is a settings file, or one that the base links to."""
    for item in (*READ_FIRST, *filter(None, settings_paths)):
        name = item.rstrip("/")
        if path == name or path.startswith(f"{name}/"):
            return True
        place = base.place(name)
        if path in (place.path, *place.links):
            return True
        is_linked_folder = item.endswith("/") and place.links and place.path
        if is_linked_folder and path.startswith(f"{place.path}/"):
            return True
    return False
