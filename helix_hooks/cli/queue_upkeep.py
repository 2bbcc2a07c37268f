"""`helix-hooks queue sweep`, `verify`, `serve`, `figures` and `notify`.

What needs optional packages is imported late: `invoke` of a command asks for them first.
"""

import os
import re
import time
from typing import Any

import click

from .. import extras
from ..config.notify import NotifySettings
from ..console import print_message, print_result
from ..errors import HelixError, UsageError
from ..flow import place
from ..notify.notify_file import notify_path, notify_settings, visible_to_others
from ..notify.recipients import Address, all_channels
from ..queue.place import Wanted, here
from ..text import at_line_start, counted, moment, printable
from ..text.table import table
from ..waiting import figures as queue_figures
from ..waiting import stored
from ..waiting.figures import QueueFigures
from ..waiting.trail import TrailTip
from . import shared
from .person import refuse_inside
from .queue import run, with_repositories

_NOTED = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)


@run.subcommand(
    "sweep",
    "record passed deadlines, import decisions from GitHub, and notify people",
    example="""example:
  helix-hooks queue sweep

Run it with a timer such as cron; `queue serve` does it automatically. Every read of an entry
computes its deadline again, so the interval does not matter. The Action sweeps pull requests.""",
)
def sweep() -> int:
    from ..queue.sweep import sweep_all

    refuse_inside(os.environ, "`helix-hooks queue sweep`")
    done = sweep_all(here(os.environ), os.environ, int(time.time()))
    print_result("".join(f"{printable(line)}\n" for line in done.changes))
    for line in done.failures:
        print_message(line)
    if not (done.changes or done.failures or shared.console().quiet):
        print_message("nothing has changed")
    return HelixError.exit_code if done.failures else 0


@run.subcommand(
    "verify",
    "check that nobody has modified the audit trail or the requests",
    example="""examples:
  helix-hooks queue verify
  helix-hooks queue verify --noted 12:3f2a...   check also that no later event was removed

Set HELIX_RECORD_KEY to the key of the events to check their signatures.""",
    exits={0: "nothing is wrong", 1: "an event or a request was modified, removed or added"},
)
@shared.text("--noted", "NUMBER:HASH", "end of the trail that an earlier verification printed")
@shared.formats()
def verify(*, noted: str, format: str) -> int:
    """Verify the store; return 1 if something is wrong.

    Raises:
        UsageError: The noted end of the trail is malformed.
    """
    from ..queue import verifying

    tip = None
    if noted:
        match = _NOTED.fullmatch(noted.strip())
        if not match:
            raise UsageError(
                f"{noted!r} is not NUMBER:HASH, as `helix-hooks queue verify` prints it"
            )
        tip = TrailTip(int(match[1]), match[2])
    report = verifying.verify(place.here(os.environ), tip)
    print_result(stored.as_json(report) if format == "json" else stored.as_text(report))
    return int(bool(report.faults))


@run.subcommand(
    "serve",
    "serve the queue as web pages, to decide in a browser or on a phone",
    example="""examples:
  helix-hooks queue serve    serve read-only pages at http://127.0.0.1:8480
  helix-hooks queue serve --user-header X-User --proxy 10.0.0.2
                             let a proxy sign people in, who may then decide

To let people sign in with GitHub, set HELIX_DASHBOARD_URL to the public address of the pages, and
HELIX_OAUTH_CLIENT_ID and HELIX_OAUTH_CLIENT_SECRET to the values of your GitHub App.
docs/dashboard.md has the settings of the App and the proxy.""",
)
@shared.text(
    "--host", "ADDRESS", "listen at this address (default: 127.0.0.1)", default="127.0.0.1"
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8480,
    help="listen at this port (default: 8480)",
)
@shared.text("--path", "PATH", "URL prefix of all pages behind a proxy, e.g. /helix")
@shared.text("--user-header", "NAME", "header in which the proxy names the user who has signed in")
@shared.text("--proxy", "ADDRESS", "address or network of the proxy", to="proxies", multiple=True)
@click.option(
    "--undo",
    type=click.IntRange(0, 60),
    default=10,
    help="seconds in which a decision can be undone (default: 10)",
)
@with_repositories
def serve(*, repositories: tuple[str, ...], owner: str, **how: Any) -> None:
    extras.require("queue serve", "dashboard")
    from ..dashboard import app, sources
    from ..dashboard.options import options_of

    # A program inside of a run could decide on the pages that it serves.
    refuse_inside(os.environ, "`helix-hooks queue serve`")
    options = options_of(os.environ, **how)
    served = here(os.environ)
    wanted = Wanted(repositories=repositories, owner=owner)
    with app.listener(options) as listener, sources.opened(served, wanted, os.environ) as opened:
        print_message(f"the queue of {served.project} is at {options.address.url}/")
        app.serve(options, opened, listener)


@run.subcommand(
    "figures",
    "show how long decisions took, what expired, and who decided",
    example="""example:
  helix-hooks queue figures --since 2026-10

The figures include requests, and pull requests whose decisions `queue sweep` has imported. Times
are the times until a person decided.""",
)
@shared.text("--since", "MONTH", "start at this month, e.g. 2026-10")
@shared.text("--project", "NAME", "only this project")
@shared.formats("table", "json")
def figures(*, since: str, project: str, format: str) -> None:
    """Print the figures of a project since a month, "" for all.

    Raises:
        UsageError: `since` is not a month, as in 2026-11.
    """
    from ..flow.client import exists
    from ..queue import store
    from ..queue.decided import stored_figures

    if since and not _MONTH.fullmatch(since):
        raise UsageError(f"invalid month {since!r} (expected e.g. 2026-11)")
    flow = here(os.environ).flow
    if exists(flow):
        with store.opened(flow) as db:
            shown = stored_figures(db, (project,) if project else None, since)
    else:
        print_message("there is no database yet; `helix-hooks ask` or a flow creates it")
        shown = QueueFigures(since, 0, (), ())
    render = queue_figures.as_json if format == "json" else queue_figures.as_text
    print_result(render(shown))


@run.subcommand(
    "notify",
    "notify people of changes by mail or chat, according to their preferences",
    example="""examples:
  helix-hooks queue notify                send due messages, as `queue sweep` and `queue serve` do
  helix-hooks queue notify --test alice   send a test message to each channel of alice
  helix-hooks queue notify --list         list the channels with their messages

HELIX_NOTIFY names the file with people and channels (default:
~/.config/helix-hooks/notify.yaml); see docs/notifications.md.""",
    exits={
        0: "all due messages were sent",
        3: "a message could not be sent; the next call tries again",
    },
)
@shared.text("--test", "LOGIN", "send a test message to each channel of a person", to="owner")
@shared.flag("--list", "list the channels, and send nothing", to="is_list")
@shared.choice("--format", ("table", "json"), "with --list: output format (default: table)")
def notify(*, owner: str, is_list: bool, format: str | None) -> int:
    """Send due messages, test channels, or list them.

    Raises:
        UsageError: Two options can't be used together.
    """
    if owner and is_list:
        raise UsageError("--test cannot be used with --list")
    if format and not is_list:
        raise UsageError("--format requires --list")
    if is_list:
        return _show_channels(format or "table")
    if owner:
        return _try_channels(owner)
    from ..queue import telling

    refuse_inside(os.environ, "`helix-hooks queue notify`")
    queue = here(os.environ)
    _notify_settings(queue.root)
    done = telling.tell_all(queue, os.environ, int(time.time()))
    if not shared.console().quiet:
        later = f", {done.later} later (see --list)" if done.later else ""
        print_message(f"{counted(done.sent, 'message')} sent{later}")
    for line in done.failures:
        print_message(line)
    return HelixError.exit_code if done.failures else 0


def _try_channels(owner: str) -> int:
    """Send a test message to each channel of an owner; return 3 if one failed.

    Raises:
        UsageError: The owner has no channel.
    """
    from ..queue.telling import send_test_messages

    refuse_inside(os.environ, "`helix-hooks queue notify`")
    settings = _notify_settings(here(os.environ).root)
    results = send_test_messages(settings, owner, os.environ)
    if not results:
        owners = ", ".join(dict.fromkeys(item.owner for item in all_channels(settings)))
        path = printable(notify_path(os.environ))
        raise UsageError(f"{owner!r} has no channel in {path}; it names {owners or 'nobody'}")
    for name, error in results:
        print_result(f"{printable(name)}: {printable(error) or 'sent'}\n")
    return HelixError.exit_code if any(error for _, error in results) else 0


def _show_channels(format: str) -> int:
    """Print the channels, with their states in the outbox.

    Their addresses are not printed, since they may have a secret.
    """
    from ..notify.sender import ChannelState
    from ..queue import telling

    queue = here(os.environ)
    path = printable(notify_path(os.environ))
    channels = all_channels(_notify_settings(queue.root))
    states = telling.states(queue)
    values: list[dict[str, object]] = []
    lines: list[tuple[str, ...]] = []
    for item in channels:
        to = Address(item.owner, item.channel.name)
        state = states.get(to, ChannelState(to))
        value = {**to._asdict(), "kind": item.kind, "events": item.events, **state._asdict()}
        del value["to"]
        values.append(value)
        counts = f"{state.sent} sent, {state.waiting} waiting, {state.failed} failed"
        name, events = f"{item.owner}/{item.channel.name}", ", ".join(item.events)
        lines.append((name, item.kind, f"{counts}  ({events})"))
        if state.error:
            again = f"; next attempt {moment(state.next_at)}" if state.next_at else ""
            lines.append(("", f"{state.error}{again}"))
    text = "".join(f"{line}\n" for line in table(lines))
    value = {"version": 1, "file": path, "channels": values}
    shared.print_as(format, value, text or f"{at_line_start(path)} defines no channels\n")
    return 0


def _notify_settings(root: str) -> NotifySettings:
    """Return the settings of notifications.

    Raises:
        UsageError: There is no file with them.
    """
    settings, path = notify_settings(os.environ, root), printable(notify_path(os.environ))
    if not settings:
        raise UsageError(
            f"{path}: file not found; it defines the channels of notifications "
            "(docs/notifications.md)"
        )
    if visible_to_others(path):
        print_message(
            f"{path} can be read by other users, and addresses may have secrets: chmod 600"
        )
    return settings
