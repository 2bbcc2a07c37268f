"""`helix-hooks queue`: list pending approvals from all sources, and decide on them."""

import os
import re
import time

import click

from .. import extras
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..flow import place
from ..queue.place import here
from ..report import queue_figures, trail
from ..text.sanitize import printable
from ..waiting.figures import QueueFigures
from ..waiting.selection import Filters
from ..waiting.trail import TrailTip
from .frame import console, group, text_or_file, with_format
from .person import refuse_inside
from .queue_options import wanted, with_filters, with_repositories

_EXAMPLE = """examples:
  helix-hooks queue list                           list pending approvals
  helix-hooks queue show ID                        show one entry, and what to do
  helix-hooks queue approve ID ID                  approve entries
  helix-hooks queue reject ID --reason "no owner"  reject an entry

Entries are pull requests, flows, verifications and requests.

exit codes:
  0  done
  2  usage or configuration error: no such entry, or you may not decide
  3  a source could not be read, or an answer could not be sent
  4  an entry was left undecided"""

# The subcommands import their work late: it needs optional packages, which `invoke` checks first.
_IDS = {
    "ID": "id from `queue list`; the beginning of the id of a request or run, or the number of a "
    "pull request of this repository"
}

_NOTED = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)

run = group("queue", example=_EXAMPLE)


@run.subcommand(
    "list",
    "list pending approvals: your entries first, then by deadline and age",
    example="""examples:
  helix-hooks queue list
  helix-hooks queue list --mine --older-than 2d
  helix-hooks queue list --owner acme                   read all repositories of an owner
  helix-hooks queue list --source flow --format json    print JSON

exit codes:
  0  all sources were read
  2  usage or configuration error
  3  a source could not be read; the others are shown""",
)
@with_filters
@with_repositories
@click.option(
    "--format",
    type=click.Choice(("table", "json", "html")),
    default="table",
    help="output format (default: table); html is a page in one file",
)
def list_all(
    *,
    mine: bool,
    categories: tuple[str, ...],
    sources: tuple[str, ...],
    older_than: int,
    repositories: tuple[str, ...],
    owner: str | None,
    format: str,
) -> int:
    from .queue_lists import list_entries

    filters = Filters(mine, categories, (), older_than)
    return list_entries(wanted(repositories, owner, *sources), filters, format)


@run.subcommand(
    "show",
    "show an entry: its state, who must act, what to do, and why",
    arguments=_IDS,
    example="""examples:
  helix-hooks queue show 12                  show pull request 12 of this repository
  helix-hooks queue show acme/shop#45
  helix-hooks queue show verify:docs/adr/014-use-kafka.md""",
)
@click.argument("name", metavar="ID")
@with_repositories
@with_format()
def show(*, name: str, repositories: tuple[str, ...], owner: str | None, format: str) -> int:
    from .queue_lists import show_entry

    return show_entry(name, wanted(repositories, owner), format)


@run.subcommand(
    "approve",
    "approve entries, each on its own; without an ID, choose them at a terminal",
    arguments=_IDS,
    example="""examples:
  helix-hooks queue approve                   choose from a list
  helix-hooks queue approve 12 acme/shop#45   approve pull requests, by a comment in your name
  helix-hooks queue approve --all-routine     approve all routine entries that wait for you
  helix-hooks queue approve critical-8f3a/code-approval --override --reason "accepted until June"

The approver is the user of GITHUB_TOKEN, GH_TOKEN or `gh auth login`. The policy must name this
user. Requesters and authors cannot approve.

Without GitHub, a person at a terminal types the id to confirm. This answer is recorded as not
verified.""",
)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--all-routine",
    is_flag=True,
    help="approve all routine entries that wait for you, after a confirmation",
)
@click.option("--reason", metavar="TEXT", default="", help="reason; @FILE to read it from a file")
@click.option("--override", is_flag=True, help="approve a phase that its gate has rejected")
@with_repositories
def approve(
    *,
    ids: tuple[str, ...],
    all_routine: bool,
    reason: str,
    override: bool,
    repositories: tuple[str, ...],
    owner: str | None,
) -> int:
    """Approve entries.

    Raises:
        UsageError: --override has no reason, or an entry can't be approved.
    """
    if override and not reason.strip():
        raise UsageError("--override requires --reason TEXT, which is recorded with your name")
    from ..queue.deciding import QueueAnswer
    from .queue_decisions import Choice, decide_entries

    answer = QueueAnswer(True, text_or_file("--reason", reason), override)
    return decide_entries(Choice(ids, all_routine), wanted(repositories, owner), answer)


@run.subcommand(
    "reject",
    "reject entries, each on its own; without an ID, choose them at a terminal",
    arguments=_IDS,
    example="""examples:
  helix-hooks queue reject acme/shop#45 --reason "name who owns the migration"
  helix-hooks queue reject critical-8f3a/code-approval --reason @review.md

In a flow, the reason is the feedback for the next attempt.""",
)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--reason", metavar="TEXT", default="", help="reason; @FILE to read it from a file")
@with_repositories
def reject(
    *, ids: tuple[str, ...], reason: str, repositories: tuple[str, ...], owner: str | None
) -> int:
    """Reject entries.

    Raises:
        UsageError: There is no reason, or an entry can't be rejected.
    """
    text = text_or_file("--reason", reason)
    if ids and not text.strip():
        raise UsageError("a rejection requires --reason TEXT for the requester")
    from ..queue.deciding import QueueAnswer
    from .queue_decisions import Choice, decide_entries

    return decide_entries(Choice(ids), wanted(repositories, owner), QueueAnswer(False, text))


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
    if not (done.changes or done.failures or console().quiet):
        print_message("nothing has changed")
    return HelixError.exit_code if done.failures else 0


@run.subcommand(
    "verify",
    "check that nobody has modified the audit trail or the requests",
    example="""examples:
  helix-hooks queue verify
  helix-hooks queue verify --noted 12:3f2a...   check also that no later event was removed

exit codes:
  0  nothing is wrong
  1  an event or a request was modified, removed or added
  2  usage or configuration error
  3  the store could not be read

Set HELIX_RECORD_KEY to the key of the events to check their signatures.""",
)
@click.option(
    "--noted",
    metavar="NUMBER:HASH",
    default="",
    help="end of the trail that an earlier verification printed",
)
@with_format()
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
    print_result(trail.render(report, format))
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
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    help="listen at this address (default: 127.0.0.1)",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8480,
    help="listen at this port (default: 8480)",
)
@click.option(
    "--path", metavar="PATH", default="", help="URL prefix of all pages behind a proxy, e.g. /helix"
)
@click.option(
    "--user-header",
    metavar="NAME",
    default=None,
    help="header in which the proxy names the user who has signed in",
)
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="address or network of the proxy; repeatable",
)
@with_repositories
def serve(
    *,
    host: str,
    port: int,
    path: str,
    user_header: str | None,
    proxies: tuple[str, ...],
    repositories: tuple[str, ...],
    owner: str | None,
) -> int:
    extras.require_packages("queue serve", "dashboard")
    from ..dashboard import queue_sources, serve
    from ..dashboard.options import Flags, options_of

    # A program inside of a run could decide on the pages that it serves.
    refuse_inside(os.environ, "`helix-hooks queue serve`")
    flags = Flags(host=host, port=port, path=path, user_header=user_header or "", proxies=proxies)
    options = options_of(flags, os.environ)
    served, read = here(os.environ), wanted(repositories, owner)
    with (
        serve.listener(options) as listener,
        queue_sources.opened(served, read, os.environ) as sources,
    ):
        print_message(f"the queue of {served.project} is at {options.address.url}/")
        serve.serve(options, sources, listener)
    return 0


@run.subcommand(
    "figures",
    "show how long decisions took, what expired, and who decided",
    example="""examples:
  helix-hooks queue figures                           show figures by month, project and type
  helix-hooks queue figures --since 2026-10 --format json

The figures include requests, and pull requests whose decisions `queue sweep` has imported. Times
are the times until a person decided.""",
)
@click.option("--since", metavar="MONTH", default="", help="start at this month, e.g. 2026-10")
@click.option("--project", metavar="NAME", default="", help="only this project")
@with_format("table", "json")
def figures(*, since: str, project: str, format: str) -> int:
    """Print the figures of a project since a month, "" for all.

    Raises:
        UsageError: `since` is not a month, as in 2026-11.
    """
    from ..flow.client import exists
    from ..queue import store
    from ..queue.queue_figures import stored_figures

    if since and not _MONTH.fullmatch(since):
        raise UsageError(f"invalid month {since!r} (expected e.g. 2026-11)")
    flow = here(os.environ).flow
    if exists(flow):
        with store.opened(flow) as db:
            shown = stored_figures(db, (project,) if project else None, since)
    else:
        print_message("there is no database yet; `helix-hooks ask` or a flow creates it")
        shown = QueueFigures(since, 0, (), ())
    print_result(queue_figures.render(shown, format))
    return 0


@run.subcommand(
    "notify",
    "notify people of changes by mail or chat, according to their preferences",
    example="""examples:
  helix-hooks queue notify                send due messages, as `queue sweep` and `queue serve` do
  helix-hooks queue notify --test alice   send a test message to each channel of alice
  helix-hooks queue notify --list         list the channels with their messages

HELIX_NOTIFY names the file with people and channels (default:
~/.config/helix-hooks/notify.yaml); see docs/notifications.md.

exit codes:
  0  all due messages were sent
  2  usage or configuration error
  3  a message could not be sent; the next call tries again""",
)
@click.option(
    "--test",
    "owner",
    metavar="LOGIN",
    default="",
    help="send a test message to each channel of a person",
)
@click.option("--list", "is_list", is_flag=True, help="list the channels, and send nothing")
@click.option(
    "--format",
    type=click.Choice(("table", "json")),
    default=None,
    help="with --list: output format (default: table)",
)
def notify(*, owner: str, is_list: bool, format: str | None) -> int:
    """Send due messages, test channels, or list them.

    Raises:
        UsageError: Two options can't be used together.
    """
    if owner and is_list:
        raise UsageError("--test cannot be used with --list")
    if format and not is_list:
        raise UsageError("--format requires --list")
    from . import queue_notify

    if is_list:
        return queue_notify.show_channels(format or "table")
    if owner:
        return queue_notify.try_channels(owner)
    return queue_notify.send_notifications()
