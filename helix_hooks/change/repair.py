"""Tell a repair of broken settings from another change, and find the policy that says who decides about it."""

from collections.abc import Iterable
from typing import NamedTuple

from ..adr.check_report import FileReport, RuleCounts
from ..config.policy import Policy, wanted
from ..config.watched import named
from ..decision.handover import BASE, CHANGE, SETTINGS_BROKEN, Broken, Handover, Repair
from ..errors import ConfigError, PendingError
from ..finding import Finding
from ..paths import APPROVALS_FILE, READ_FIRST
from ..repository import history
from ..repository.files import StagedTree
from ..repository.revisions import Revision
from .approvals import approvals_of
from .change import Change
from .soundness import Sides, sides

_MOST = 50
"""Maximum number of commits that are searched for a policy."""

_HERE = "repair the settings in this change"
_ELSEWHERE = "repair the settings of the base ({}) with a pull request that changes only settings; then comment `/helix review` here"
_LONGEST = 1_000
"""Characters of an error that are told; a key may be as long as the file."""


class LastPolicy(NamedTuple):
    """The newest policy of a branch that can be read, with its commit: "" for the packaged one. `is_whole` says that no commit was left out."""

    policy: Policy
    commit: str
    is_whole: bool = True


def last_policy(root: str, base: str, config: str) -> LastPolicy:
    """Return the policy of a commit, or of its newest ancestor whose policy can be read.

    Only first parents are searched, because settings on a merged branch were never in force.
    """
    path = config or APPROVALS_FILE
    revision = Revision(root, base)
    try:
        now = StagedTree(revision, root)
        try:
            return LastPolicy(approvals_of(now, config).policy, base)
        except ConfigError:
            commits, is_whole = history.on_the_line(root, base, sorted({path, *now.place(path).passed}), _MOST)
        for commit in commits:
            try:
                then = StagedTree(Revision(root, commit, revision), root)
                return LastPolicy(approvals_of(then, config).policy, commit)
            except ConfigError:
                continue
    finally:
        revision.close()
    return LastPolicy(Policy(), "", is_whole)


def settings_report(errors: Iterable[ConfigError], change: Change) -> tuple[FileReport, ...]:
    """Return errors of settings as findings at their lines."""
    return tuple(_settings_report(error, change) for error in errors)


def _settings_report(error: ConfigError, change: Change) -> FileReport:
    text = change.text(error.path) if change.tree.has(error.path) else ""
    row = text.splitlines()[error.line - 1 : error.line]
    finding = Finding(
        severity="error",
        check=SETTINGS_BROKEN,
        layer="config",
        message=error.about[:_LONGEST],
        path=error.path,
        line=error.line,
        end_line=error.line,
        column=1,
        help=_HERE,
    )
    return FileReport(
        path=error.path,
        adr_id="",
        template="",
        status="",
        status_raw="",
        rules=RuleCounts(),
        concept=None,
        findings=(finding,),
        lines={error.line: row[0]} if row else {},
    )


def _told(error: ConfigError) -> str:
    return _utf8(str(error)[:_LONGEST])


def _utf8(text: str) -> str:
    """A text that JSON can hold; git knows names that are none."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def refuse_broken(change: Change, base: str) -> None:
    """Stop a local call where the settings of its base, or of the change, are broken. Raises ConfigError, or PendingError for a repair."""
    found = sides(change, "", ())
    if found.base and found.is_sound and not _hindered(change, found, ""):
        last = last_policy(change.root, change.base, "")
        who = f"who may: {wanted(last.policy.deciders)}; nobody who wrote part of the change"
        raise PendingError(f"this change repairs the settings of {base}: {found.base[0]}; a person decides, on the pull request; {who}")
    for error in found.base[:1]:
        advice = f"this error is at the base {base}; repair it with a pull request that changes only settings"
        raise ConfigError(error.path, error.line, "", f"{error.about}; {advice}")
    for error in found.change[:1]:
        raise ConfigError(error.path, error.line, "", f"{error.about}; {_HERE}")


def of_change(found: Sides) -> tuple[Broken, ...]:
    """Return the errors that a change adds."""
    return tuple(Broken(CHANGE, _told(error), _HERE) for error in found.change)


def on_broken_base(given: Handover, change: Change, found: Sides, config: str) -> Handover:
    """Return the hand-over of a change to a broken base: a repair waits for a person, anything else is broken too."""
    name = given.target.base_ref or change.base[:7]
    hindered = _hindered(change, found, config)
    if found.is_sound and not hindered:
        last = last_policy(change.root, change.base, config)
        errors = tuple(_told(error) for error in found.base)
        repair = Repair(tuple(dict.fromkeys(map(_utf8, change.touched))), errors, _whose(last, change.base, name))
        return given._replace(repair=repair, policy=last.policy)
    advice = f"the base ({name}) is broken; {hindered}" if found.is_sound else _ELSEWHERE.format(name)
    broken = (*(Broken(BASE, _told(error), advice) for error in found.base), *of_change(found))
    return given._replace(broken=broken, failure=(ConfigError.exit_code, broken[0].error))


def _hindered(change: Change, found: Sides, config: str) -> str:
    """Return why a change is no repair although the settings are sound after it, and what to do; "" for a repair."""
    baseline = found.now.settings.baseline if found.now.settings else ""
    others = [path for path in change.touched if not _is_settings(path, change.rules, (*change.ours, config, baseline))]
    if others:
        return f"this change repairs the settings, but it touches more than settings: move {named(others)} to another pull request"
    stale = [path for path in change.touched if change.on_both_sides(path)]
    if not stale:
        return ""
    return f"{named(stale)} was changed there since this branch began: merge the base into this branch"


def _whose(last: LastPolicy, base: str, name: str) -> str:
    if last.commit == base:
        return f"the policy of {name}, which can be read, says who may decide"
    if last.commit:
        return f"the policy of {last.commit[:7]}, the newest of {name} that can be read, says who may decide"
    why = "none in its history can be read" if last.is_whole else "its history could not be read further"
    return f"the packaged policy says who may decide, since that of {name} is broken and {why}"


def _is_settings(path: str, base: StagedTree, own: Iterable[str]) -> bool:
    """Return whether a path is one of the settings, at the base also through a link."""
    for item in (*READ_FIRST, *filter(None, own)):
        name = item.rstrip("/")
        place = base.place(name)
        if path in (name, place.path, *place.links) or path.startswith(f"{name}/"):
            return True
        if item.endswith("/") and place.links and place.path and path.startswith(f"{place.path}/"):
            return True
    return False
