"""`helix-hooks queue list`, `show`, `approve` and `reject`: what waits, and the answers.

What needs optional packages is imported late: `invoke` of a command asks for them first.
"""

import os
import shlex
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..config.policy import CATEGORIES
from ..console import columns, print_message, print_result
from ..errors import HelixError, PendingError, UsageError
from ..pull.access import is_name
from ..queue.deciding_person import QueueAnswer, deciding_person
from ..queue.place import QueuePlace, Wanted, here, policy_of
from ..queue.pull_detail import detail
from ..queue.viewer import viewer
from ..text import printable
from ..waiting import queue_json, queue_text
from ..waiting.entry import (
    PULL_REQUEST,
    REQUEST,
    SOURCES,
    Queue,
    QueueEntry,
    Viewer,
)
from ..waiting.selection import (
    ONE_BY_ONE,
    Filters,
    is_as_marked,
    named,
    refuse_together,
    repositories_of,
    routine,
    selected,
    source_of,
    unmarked,
    written_id,
)
from ..waiting.trail import REPLIED, WITHDRAWN
from . import shared
from .person import confirm, refuse_inside

if TYPE_CHECKING:
    from ..queue.deciding import DecidingPlace
    from ..queue.deciding_person import DecidingPerson

_EXAMPLE = """examples:
  helix-hooks queue list                           list pending approvals
  helix-hooks queue show ID                        show one entry, and what to do
  helix-hooks queue approve ID ID                  approve entries
  helix-hooks queue reject ID --reason "no owner"  reject an entry

Entries are pull requests, flows, verifications and requests."""

_ID = (
    "id from `queue list`; the beginning of the id of a request or run, or the number of a pull "
    "request of this repository"
)
_TITLE = 100
"""Maximum characters of a title in a question."""
_SOURCES = {source.replace("_", "-"): source for source in SOURCES}


def _repository(text: str) -> str:
    if not is_name(text):
        raise click.BadParameter(f"invalid repository {text!r} (expected OWNER/NAME)")
    return text


def with_repositories(function: shared.Function) -> shared.Function:
    """Add the options with the names of fields of `Wanted`."""
    function = shared.text(
        "--owner", "OWNER", "read pull requests of all repositories of a user or an organisation"
    )(function)
    return shared.text(
        "--repository",
        "OWNER/NAME",
        "read pull requests of this repository (default: the remote `origin`)",
        to="repositories",
        type=_repository,
        multiple=True,
    )(function)


run = shared.group(
    "queue",
    example=_EXAMPLE,
    exits={
        0: "done",
        3: "a source could not be read, or an answer could not be sent",
        4: "an entry was left undecided",
    },
)


class QueueView(NamedTuple):
    """The queue, its viewer, and its place."""

    place: QueuePlace
    queue: Queue
    viewer: Viewer


def read_queue(wanted: Wanted) -> QueueView:
    """Read the queue and its viewer."""
    from ..queue.collect import collect

    place = here(os.environ)
    queue = collect(place, wanted, os.environ, int(time.time()))
    who, unread = viewer(place, queue.entries, os.environ, queue.now)
    return QueueView(place, queue._replace(partial=(*queue.partial, *unread)), who)


@run.subcommand(
    "list",
    "list pending approvals: your entries first, then by deadline and age",
    example="""examples:
  helix-hooks queue list
  helix-hooks queue list --mine --older-than 2d
  helix-hooks queue list --owner acme            read all repositories of an owner""",
    exits={0: "all sources were read", 3: "a source could not be read; the others are shown"},
)
@shared.flag("--mine", "only entries that wait for you")
@shared.choice(
    "--category", CATEGORIES, "only entries of this category", to="categories", multiple=True
)
@shared.choice("--source", _SOURCES, "only entries of this source", to="sources", multiple=True)
@shared.text(
    "--older-than",
    "AGE",
    "only entries older than this, e.g. 30m, 24h or 2d",
    type=shared.duration,
)
@with_repositories
@shared.formats("table", "json")
def list_all(
    *,
    mine: bool,
    categories: tuple[str, ...],
    sources: tuple[str, ...],
    older_than: int | None,
    format: str,
    **read: Any,
) -> int:
    view = read_queue(Wanted(**read, sources=tuple(_SOURCES[name] for name in sources)))
    queue = selected(view.queue, Filters(mine, categories, older_than or 0), view.viewer)
    if format == "json":
        print_result(queue_json.as_json(queue, view.viewer))
    else:
        print_result(queue_text.as_text(queue, view.viewer, shared.console().colored, columns()))
    for line in view.queue.partial:
        print_message(line)
    return HelixError.exit_code if view.queue.partial else 0


@run.subcommand(
    "show",
    "show an entry: its state, who must act, what to do, and why",
    example="""examples:
  helix-hooks queue show 12                  show pull request 12 of this repository
  helix-hooks queue show acme/shop#45
  helix-hooks queue show verify:docs/adr/014-use-kafka.md""",
)
@shared.argument("name", "ID", _ID)
@with_repositories
@shared.formats()
def show(*, name: str, format: str, **read: Any) -> None:
    sources = tuple(filter(None, (source_of(name),)))
    view = read_queue(Wanted(**read, sources=sources, also=repositories_of([name])))
    entry = entry_named(view, name)
    now, shown = view.queue.now, detail(entry, os.environ)
    if format == "json":
        print_result(queue_json.detail_json(shown, view.viewer, now))
        return
    print_result(queue_text.show(shown.entry, view.viewer, now, shared.console().colored))
    for line in shown.left_out:
        print_message(line)


def entry_named(view: QueueView, name: str) -> QueueEntry:
    """Return an entry by its id. The mark of a content, which an id may have, is ignored.

    Raises:
        UsageError: No such entry waits.
        HelixError: No such entry was read, and not everything could be read.
    """
    from ..queue import requests

    id = unmarked(name)[0]
    try:
        return named(view.queue.entries, id, view.place.project)
    except UsageError as error:
        # A list has a maximum length, so the entry may wait without being listed.
        request = requests.named(view.place, id)
        if request and not request.ending:
            return request.entry
        if request:
            raise UsageError(f"{request.entry.id} {request.ending}") from None
        if not view.queue.partial:
            beside = "; ".join(queue_text.not_shown(view.queue.not_shown._replace(sources=())))
            raise UsageError(f"{error}; {beside}" if beside else str(error)) from None
        problem = f"{error}, and not everything could be read: {view.queue.partial[0]}"
        raise HelixError(problem) from None


@run.subcommand(
    "approve",
    "approve entries, each on its own",
    example="""examples:
  helix-hooks queue approve 12 acme/shop#45   approve pull requests, by a comment in your name
  helix-hooks queue approve --all-routine     approve all routine entries that wait for you
  helix-hooks queue approve 20261129-041843-cache-e72f/code-approval --override --reason "accepted until June"

The approver is the user of GITHUB_TOKEN, GH_TOKEN or `gh auth login`. The policy must name this
user. Requesters and authors cannot approve.

Without GitHub, a person at a terminal types the id to confirm. This answer is recorded as not
verified.""",
)
@shared.argument("ids", "[ID]...", _ID)
@shared.flag("--all-routine", "approve all routine entries that wait for you, after a confirmation")
@shared.reason
@shared.override
@with_repositories
def approve(
    *, ids: tuple[str, ...], all_routine: bool, reason: str, override: bool, **read: Any
) -> int:
    """Approve entries.

    Raises:
        UsageError: --override has no reason, or an entry can't be approved.
    """
    if override and not reason.strip():
        raise UsageError("--override requires --reason TEXT, which is recorded with your name")
    answer = QueueAnswer(True, shared.text_or_file("--reason", reason), override)
    return _decide(ids, answer, read, all_routine=all_routine)


@run.subcommand(
    "reject",
    "reject entries, each on its own",
    example="""examples:
  helix-hooks queue reject acme/shop#45 --reason "name who owns the migration"
  helix-hooks queue reject 20261129-041843-cache-e72f/code-approval --reason @review.md

In a flow, the reason is the feedback for the next attempt.""",
)
@shared.argument("ids", "[ID]...", _ID)
@shared.reason
@with_repositories
def reject(*, ids: tuple[str, ...], reason: str, **read: Any) -> int:
    """Reject entries.

    Raises:
        UsageError: There is no reason, or an entry can't be rejected.
    """
    text = shared.text_or_file("--reason", reason)
    if ids and not text.strip():
        raise UsageError("a rejection requires --reason TEXT for the requester")
    return _decide(ids, QueueAnswer(False, text), read)


@run.subcommand(
    "ask-back",
    "ask the requester of a request something; its deadline stands still until the reply",
    example="""examples:
  helix-hooks queue ask-back 6ab7827c --question "who is on call?"

Only those who may decide can ask back. `ask --wait` then ends with 4 and shows the question.""",
    exits={0: "the question is recorded", 2: "it is no request, or you may not decide about it"},
)
@shared.argument("name", "ID", _ID)
@shared.text("--question", "TEXT", "question to the requester; @FILE to read it from a file")
def ask_back(*, name: str, question: str) -> None:
    from ..queue import deciding

    refuse_inside(os.environ, "`helix-hooks queue ask-back`")
    text = shared.text_or_file("--question", question)
    where, entry, person = _as_decider(name, "ask back about")
    print_result(f"{written_id(entry)}: {deciding.ask_back(where, entry, text, person)}\n")
    _notify(where.place)


@run.subcommand(
    "hand-over",
    "hand a request over to another person who may decide it",
    example="""examples:
  helix-hooks queue hand-over 6ab7827c --to ann --text "she knows the broker"

It is that person's turn then, and they are notified. Others may still decide. The deadline stays.""",
    exits={0: "the hand-over is recorded", 2: "one of the two may not decide about it"},
)
@shared.argument("name", "ID", _ID)
@shared.text("--to", "LOGIN", "person whose turn it is from now on")
@shared.text("--text", "TEXT", "message to that person; @FILE to read it from a file")
def hand_over(*, name: str, to: str, text: str) -> None:
    """Hand a request over.

    Raises:
        UsageError: --to is missing.
    """
    from ..queue import deciding

    refuse_inside(os.environ, "`helix-hooks queue hand-over`")
    login = to.strip().removeprefix("@")
    if not login:
        raise UsageError("name the person: --to LOGIN")
    words = shared.text_or_file("--text", text)
    where, entry, person = _as_decider(name, "hand over")
    line = deciding.hand_over(where, entry, login, words, person)
    print_result(f"{written_id(entry)}: {line}\n")
    _notify(where.place)


def _notify(place: QueuePlace) -> None:
    """Have people notified of what was recorded, if a file says how."""
    from ..queue.telling import send_in_background

    if failure := send_in_background(place, os.environ):
        print_message(failure)


def _as_decider(name: str, action: str) -> tuple["DecidingPlace", QueueEntry, "DecidingPerson"]:
    """Return a request with the place and the person who wants to do something about it."""
    from ..queue.deciding import DecidingPlace

    view = read_queue(Wanted(sources=(REQUEST,)))
    entry, by = entry_named(view, name), policy_of(view.place)
    person = deciding_person(view.place, by, os.environ, {REQUEST})
    if not person.identity:
        short = written_id(entry)
        confirm(action, f"{short} ({printable(entry.title, _TITLE)})", short)
    return DecidingPlace(view.place, by, os.environ), entry, person


@run.subcommand(
    "reply",
    "reply to a question about your request; its deadline runs again",
    example="""examples:
  helix-hooks queue reply 6ab7827c --text "ann is on call until 18:00"

The request of a user of a token is replied to with that user's token.""",
    exits={0: "the reply is recorded", 2: "nobody has asked, or it is not your request"},
)
@shared.argument("name", "ID", _ID)
@shared.text("--text", "TEXT", "reply to the decider; @FILE to read it from a file")
def reply(*, name: str, text: str) -> None:
    _speak(name, REPLIED, shared.text_or_file("--text", text))


@run.subcommand(
    "withdraw",
    "withdraw your request",
    example="""examples:
  helix-hooks queue withdraw 6ab7827c --reason "the release moves to Monday\"""",
    exits={0: "the request is withdrawn", 2: "it was decided, or it is not your request"},
)
@shared.argument("name", "ID", _ID)
@shared.reason
def withdraw(*, name: str, reason: str) -> None:
    _speak(name, WITHDRAWN, shared.text_or_file("--reason", reason))


def _speak(name: str, kind: str, text: str) -> None:
    from ..queue.requesting import spoken

    place = here(os.environ)
    request = spoken(place, os.environ, unmarked(name)[0], kind, text)
    print_result(f"{request.id}: {kind} by {request.notes[-1].by.in_words}\n")
    _notify(place)


def _decide(
    ids: tuple[str, ...],
    answer: QueueAnswer,
    read: dict[str, Any],
    *,
    all_routine: bool = False,
) -> int:
    """Answer entries, print a line for each, and return the worst exit code.

    Raises:
        UsageError: The entries are not named, or may not be decided here.
    """
    refuse_inside(os.environ, f"`helix-hooks queue {answer.action}`")
    if all_routine and ids:
        raise UsageError("--all-routine cannot be used with ids")
    if all_routine and not shared.can_ask():
        raise UsageError(
            "--all-routine asks for confirmation at a terminal; name the entries instead: "
            "helix-hooks queue approve ID..."
        )
    if not (ids or all_routine):
        shows = "`helix-hooks queue list` shows them"
        raise UsageError(f"name the entries to {answer.action} ({shows})")
    # Only the sources of the ids are read, if each id shows its source.
    sources = {source_of(id) for id in ids}
    known = () if "" in sources else tuple(sources)
    view = read_queue(Wanted(**read, sources=known, also=repositories_of(ids)))
    for line in view.queue.partial:
        print_message(line)
    # Each once; if one does not wait, or has changed, none is decided.
    chosen = routine(view.queue, view.viewer)
    if ids:
        chosen = tuple({entry.id: entry for entry in [_as_shown(view, id) for id in ids]}.values())
        refuse_together(chosen)
    if not chosen:
        print_result("no routine entries wait for you\n")
        return _nothing_decided()
    asks = all_routine
    is_shown = all(unmarked(id)[1] for id in ids)
    if ids and not is_shown and chosen[0].category in ONE_BY_ONE:  # then it is the only one
        _open(view, chosen[0])
        asks = True
    return _answer(view, chosen, answer, asks=asks)


def _open(view: QueueView, entry: QueueEntry) -> None:
    """Show an entry to the person who is about to decide about it.

    Raises:
        UsageError: This is not a terminal.
    """
    if not shared.can_ask():
        raise UsageError(
            f"{entry.id} is {entry.category}, so open it first: helix-hooks queue show "
            f"{shlex.quote(entry.id)} prints the commands that decide about what it shows"
        )
    color = shared.console().colored
    click.echo(queue_text.show(entry, view.viewer, view.queue.now, color), err=True)


def _as_shown(view: QueueView, id: str) -> QueueEntry:
    """Return an entry by its id.

    Raises:
        UsageError: The id has a mark of the content that was shown, and the content has changed.
    """
    entry, mark = entry_named(view, id), unmarked(id)[1]
    if mark and not is_as_marked(entry, mark):
        raise UsageError(
            f"{entry.id} has changed since {mark} was shown, so nothing was decided; look at it "
            f"again: helix-hooks queue show {shlex.quote(entry.id)}"
        )
    return entry


def _nothing_decided() -> int:
    print_message("nothing was decided")
    return PendingError.exit_code


def _answer(
    view: QueueView, chosen: Sequence[QueueEntry], answer: QueueAnswer, *, asks: bool
) -> int:
    """Answer each entry, and return the worst exit code.

    With `asks`, a confirmed person must agree too.
    """
    from ..queue.deciding import DecidingPlace, answer_all

    by = policy_of(view.place)
    sources = {entry.source for entry in chosen}
    person = deciding_person(view.place, by, os.environ, sources)
    # GitHub itself confirms who comments on a pull request.
    is_confirmed = sources == {PULL_REQUEST} or bool(person.identity)
    ids = [entry.id for entry in view.queue.entries]
    number, action = len(chosen), answer.action
    names = [queue_text.short_id(entry, ids) for entry in chosen]
    titles = [printable(entry.title, _TITLE) for entry in chosen]
    if asks or (number > 1 and not is_confirmed):
        for name, title in zip(names, titles, strict=True):
            print_message(f"{name}: {title}")
    if not is_confirmed and number == 1:
        confirm(action, f"{names[0]} ({titles[0]})", names[0].rpartition("/")[2])
    elif not is_confirmed:
        confirm(action, f"{number} entries", f"{action} {number}")
    elif asks:
        question = f"{action.capitalize()} {'this one' if number == 1 else f'these {number}'}?"
        if not click.confirm(question, err=True):
            return _nothing_decided()
    codes = set()
    for done in answer_all(DecidingPlace(view.place, by, os.environ), chosen, answer, person):
        line = f"{queue_text.short_id(done.entry, ids)}: {done.line}"
        if done.exit_code:
            print_message(line)
        else:
            print_result(f"{printable(line)}\n")
        codes.add(done.exit_code)
    if REQUEST in sources:
        _notify(view.place)
    return shared.worst(codes)
