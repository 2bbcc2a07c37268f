"""The work of `helix-hooks queue notify`: send what is due, show the channels, and test them."""

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
    """Tell people what has changed in the queue, and return the exit code."""
    refuse_inside(os.environ, "`helix-hooks queue notify`")
    here = place.here(os.environ)
    _settings(here.root)
    done = telling.tell_all(here, os.environ, int(time.time()))
    if not console().quiet:
        print_message(f"{counted(done.sent, 'message')} sent")
    for line in done.failures:
        print_message(line)
    return HelixError.exit_code if done.failures else 0


def try_channels(owner: str) -> int:
    """Send a test message to each channel of an owner, and print how each went.

    Returns 0 where all channels have taken it.
    """
    refuse_inside(os.environ, "`helix-hooks queue notify`")
    settings = _settings(place.here(os.environ).root)
    ends = notify.send_test_messages(settings, owner, os.environ)
    if not ends:
        known = ", ".join(dict.fromkeys(item.owner for item in all_channels(settings))) or "nobody"
        raise UsageError(f"{owner!r} has no channel in {_path()}; it names {known}")
    for name, error in ends:
        print_result(f"{printable(name)}: {printable(error) or 'sent'}\n")
    return HelixError.exit_code if any(error for _, error in ends) else 0


def show_channels(format: str) -> int:
    """Print the channels and what the outbox knows of them."""
    here = place.here(os.environ)
    settings = _settings(here.root)
    with outbox.opened(here.flow) as box:
        known = {state.to: state for state in box.states()}
    rows = [_row(item, known) for item in all_channels(settings)]
    text = report.as_json if format == "json" else report.as_text
    print_result(text(_path(), rows))
    return 0


def _row(item: OwnedChannel, known: Mapping[Address, ChannelState]) -> ChannelRow:
    row = ChannelRow(
        owner=item.owner, channel=item.channel.name, kind=item.kind, events=item.events
    )
    state = known.get(Address(item.owner, item.channel.name))
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
    """Return the settings of notifications. Raises UsageError without a file of them."""
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
