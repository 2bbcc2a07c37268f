"""Judge the notification file of this machine: whether deciders get a message."""

from collections.abc import Mapping

from ..config.notify import TURN
from ..config.policy import Deciders
from ..errors import HelixError
from ..notify.notices import Notice
from ..notify.notify_file import notify_path, notify_settings, visible_to_others
from ..notify.recipients import unreached
from ..text import printable
from . import OFF, OK, UNKNOWN, UNSAFE, Line

_CHECK = "notifications"


def line(root: str, project: str, deciders: Deciders, environment: Mapping[str, str]) -> Line:
    """Return the line on notifications; `project` is the name of the work tree's project."""
    path = printable(notify_path(environment))
    try:
        settings = notify_settings(environment, root)
    except HelixError as error:
        return Line(_CHECK, UNSAFE, str(error), "until then nobody gets a message")
    if not settings:
        nobody = "there is no notification file, so nobody gets a message from this machine"
        return Line(_CHECK, OFF, nobody, "docs/notifications.md")
    if visible_to_others(path):
        return Line(_CHECK, UNSAFE, f"{path} can be read by other users", f"chmod 600 {path}")
    turn = Notice(
        key="",
        entry="",
        event=TURN,
        source="",
        id="",
        title="",
        category="",
        turn="",
        project=project,
        asked_by="",
        asked_at=0,
        since=0,
        people=tuple(name.casefold() for name in deciders.users),
        teams=tuple(name.casefold() for name in deciders.teams),
        by_role=bool(deciders.roles),
        sole=deciders.sole.casefold(),
    )
    missing = ", ".join(unreached(turn, settings))
    if missing:
        return Line(
            _CHECK,
            UNKNOWN,
            f"no channel for {missing}",
            f"add one to {path}; docs/notifications.md",
        )
    return Line(_CHECK, OK, f"{path} has a channel for all deciders")
