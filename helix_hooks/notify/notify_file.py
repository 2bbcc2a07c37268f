"""The file of notifications on this machine, and the addresses of channels with their secrets."""

import os
import sys
from collections.abc import Mapping
from urllib.parse import quote

from ..config.notify import Channel, NotifySettings, parse_notify, variables_of, with_variables
from ..errors import HelixError, UsageError
from ..text import printable

VARIABLE = "HELIX_NOTIFY"
"""The variable with the path of the file."""

NO_FILE = "nobody gets a message: there is no notification file (docs/notifications.md)"
"""The line for people without such a file."""

_MOST = 1_000_000
"""Characters of the file that are read."""


class AddressError(HelixError):
    """The address of a channel can't be completed."""


def notify_path(environment: Mapping[str, str]) -> str:
    """Return the path of the file of notifications, which may be missing."""
    named = environment.get(VARIABLE, "")
    if named:
        return os.path.expanduser(named)
    return os.path.join(_settings_folder(environment), "helix-hooks", "notify.yaml")


def _settings_folder(environment: Mapping[str, str]) -> str:
    if sys.platform == "win32":
        return environment.get("APPDATA", "") or os.path.expanduser("~")
    folder = environment.get("XDG_CONFIG_HOME", "")
    return folder if os.path.isabs(folder) else os.path.expanduser("~/.config")


def notify_settings(environment: Mapping[str, str], root: str) -> NotifySettings | None:
    """Return the settings of notifications, None without a file. Raises HelixError.

    A file in the repository `root` is refused: an author of a change could have messages sent to
    any address, with the secrets of this machine in it.
    """
    path = notify_path(environment)
    if root and _is_below(path, root):
        raise UsageError(
            f"{printable(path)}: the notification file is in the repository, where a change "
            f"could send messages anywhere; move it out, and set {VARIABLE} to its new path"
        )
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MOST + 1)
    except FileNotFoundError:
        if environment.get(VARIABLE):
            raise UsageError(
                f"{printable(path)}: there is no such file; write it, or unset {VARIABLE}"
            ) from None
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is not UTF-8"
        raise UsageError(f"{printable(path)}: {reason}") from None
    if len(text) > _MOST:
        raise UsageError(f"{printable(path)}: too long (maximum {_MOST} characters)")
    return parse_notify(text, printable(path))


def lock_file(folder: str) -> str:
    """Return the path of the lock of the sender of a database in a folder.

    It exists as soon as there was one.
    """
    return os.path.join(folder, "notices.lock")


def visible_to_others(path: str) -> bool:
    """Return whether other users of the machine may read a file."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return sys.platform != "win32" and bool(mode & 0o077)


def completed(channel: Channel, environment: Mapping[str, str]) -> str:
    """Return the address of a channel with the values of its variables. Raises AddressError.

    The value of a variable that is a part of an address is encoded for it; a whole address is not.
    """
    missing = [name for name in variables_of(channel.address) if not environment.get(name)]
    if missing:
        raise AddressError(f"the variable {missing[0]} is not set")
    if channel.address.startswith("${") and channel.address.endswith("}"):
        return with_variables(channel.address, lambda name: environment[name])
    return with_variables(channel.address, lambda name: quote(environment[name], safe=""))


def _is_below(path: str, root: str) -> bool:
    real, folder = os.path.realpath(path), os.path.realpath(root)
    return real == folder or real.startswith(os.path.join(folder, ""))
