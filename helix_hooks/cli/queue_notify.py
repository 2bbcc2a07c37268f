"""The work of `helix-hooks queue notify`: send messages, list the channels, and test them."""

import os
import time
from collections.abc import Mapping

from ..config.notify import NotifySettings
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..queue import notify, outbox, place, telling
from ..queue.notify_file import notify_path, notify_settings, visible_to_others
from ..queue.outbox import ChannelState
from ..report import channels as report
from ..report.channels import ChannelRow
from ..text.plural import counted
from ..text.sanitize import printable
from ..waiting.recipients import Address, OwnedChannel, all_channels
from .frame import console
from .person import refuse_inside


def send_notifications() -> int:
    """Notify people of changes in the queue; return 3 if a message failed."""
    refuse_inside(os.environ, "`helix-hooks queue notify`")
    here = place.here(os.environ)
    _settings(here.root)
    done = telling.tell_all(here, os.environ, int(time.time()))
    if not console().quiet:
        print_message(f"{counted(done.sent, 'message')} sent")
    for line in done.failures:
        print_message(line)
    if done.failures:
        return HelixError.exit_code
    return 0


def try_channels(owner: str) -> int:
    """Send a test message to each channel of an owner; return 3 if one failed.

    Raises:
        UsageError: The owner has no channel.
    """
    refuse_inside(os.environ, "`helix-hooks queue notify`")
    settings = _settings(place.here(os.environ).root)
    results = notify.send_test_messages(settings, owner, os.environ)
    if not results:
        owners = ", ".join(dict.fromkeys(item.owner for item in all_channels(settings)))
        raise UsageError(f"{owner!r} has no channel in {_path()}; it names {owners or 'nobody'}")
    for name, error in results:
        print_result(f"{printable(name)}: {printable(error) or 'sent'}\n")
    if any(error for _, error in results):
        return HelixError.exit_code
    return 0


def show_channels(format: str) -> int:
    """Print the channels, with their states in the outbox."""
    here = place.here(os.environ)
    settings = _settings(here.root)
    with outbox.opened(here.flow) as box:
        states = {state.to: state for state in box.states()}
    rows = [_row(item, states) for item in all_channels(settings)]
    if format == "json":
        print_result(report.as_json(_path(), rows))
    else:
        print_result(report.as_text(_path(), rows))
    return 0


def _row(item: OwnedChannel, states: Mapping[Address, ChannelState]) -> ChannelRow:
    row = ChannelRow(
        owner=item.owner, channel=item.channel.name, kind=item.kind, events=item.events
    )
    state = states.get(Address(item.owner, item.channel.name))
    if not state:
        return row
    return row._replace(
        waiting=state.waiting,
        sent=state.sent,
        failed=state.failed,
        error=state.error,
        next_at=state.next_at,
    )


def _settings(root: str) -> NotifySettings:
    """Return the settings of notifications.

    Raises:
        UsageError: There is no file with them.
    """
    settings = notify_settings(os.environ, root)
    if not settings:
        raise UsageError(
            f"{_path()}: file not found; it defines the channels of notifications "
            "(docs/notifications.md)"
        )
    if visible_to_others(_path()):
        print_message(
            f"{_path()} can be read by other users, and addresses may have secrets: chmod 600"
        )
    return settings


def _path() -> str:
    return printable(notify_path(os.environ))
