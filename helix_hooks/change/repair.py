"""Tell a repair of invalid settings, which needs a person, from any other change."""

from collections.abc import Iterable

from ..check.trees import GitTree
from ..config.policy import wanted
from ..config.watched import named
from ..decision.authors import apart_from
from ..decision.handover import Failure, Handover, Repair
from ..errors import ConfigError, PendingError
from ..paths import READ_FIRST
from .broken_settings import ADVICE, of_base, of_change, text, utf8
from .change import Change
from .last_policy import in_words, last_policy
from .soundness import Sides, sides

_REPAIR_FIRST = "repair it with a pull request that changes only settings"


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
            errors=tuple(map(text, errors.base)),
            whose=in_words(last, change.base, name),
        )
        return handover._replace(repair=repair, policy=last.policy)
    advice = f"the base ({name}) is broken; {obstacle}" if errors.is_sound else _elsewhere(name)
    broken = (*of_base(errors.base, advice), *of_change(errors.change))
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
        way_out = f"move {named(others)} to another pull request"
        return f"this change repairs the settings, but it also changes other files: {way_out}"
    stale = [path for path in change.touched if change.on_both_sides(path)]
    if stale:
        since = "was changed there since this branch began"
        return f"{named(stale)} {since}: merge the base into this branch"
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
