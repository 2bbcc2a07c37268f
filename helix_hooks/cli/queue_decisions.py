"""The work of `helix-hooks queue approve` and `reject`: choose entries, confirm, answer each."""

import os
import re
import shlex
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from ..console.output import columns, print_message, print_result
from ..errors import HelixError, PendingError, UsageError
from ..queue.collect import Wanted
from ..queue.deciding import DecidingPlace, EntryAnswered, QueueAnswer, answer_all
from ..queue.deciding_person import deciding_person
from ..queue.place import policy_of
from ..report import queue_table
from ..text.sanitize import printable
from ..waiting.entry import PULL_REQUEST, VERIFICATION, QueueEntry
from ..waiting.right import is_turn, refusal
from ..waiting.selection import ordered, repositories_of, routine, source_of
from ..waiting.stamp import is_as_marked, unmarked
from .frame import console
from .person import confirm, refuse_inside
from .queue_lists import Seen, entry_named, seen

_WORST_FIRST = (HelixError.exit_code, UsageError.exit_code, PendingError.exit_code)
_LONGEST_CHOICE = 1_000
_TITLE = 100
"""Maximum characters of a title in a question."""


class Choice(NamedTuple):
    """The ids of the chosen entries; with `all_routine` all entries of the category routine."""

    ids: tuple[str, ...]
    all_routine: bool = False


def decide_entries(choice: Choice, wanted: Wanted, answer: QueueAnswer) -> int:
    """Answer entries, print a line for each, and return the worst exit code.

    Raises:
        UsageError: The entries can't be chosen, or may not be decided here.
    """
    refuse_inside(os.environ, f"`helix-hooks queue {answer.action}`")
    if choice.all_routine and choice.ids:
        raise UsageError("--all-routine cannot be used with ids")
    if not choice.ids:
        _require_terminal(choice, answer)
    named = wanted._replace(sources=_sources(choice), also=repositories_of(choice.ids))
    view = seen(named)
    for line in view.queue.partial:
        print_message(line)
    if choice.all_routine:
        chosen = _all_routine(view)
    elif choice.ids:
        chosen = _named(choice.ids, view)
    else:
        chosen, answer = _choose(view, answer)
    if not chosen:
        return _nothing_decided()
    is_listed = not choice.ids
    return _answer(view, chosen, answer, asks=choice.all_routine, is_listed=is_listed)


def _sources(choice: Choice) -> tuple[str, ...]:
    """Return the sources to read, () for all.

    Only the sources of the ids are read, if each id shows its source.
    """
    sources = {source_of(id) for id in choice.ids}
    if "" in sources:
        return ()
    return tuple(sources)


def _require_terminal(choice: Choice, answer: QueueAnswer) -> None:
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()
    if is_terminal and not os.environ.get("CI"):
        return
    if choice.all_routine:
        raise UsageError(
            "--all-routine asks for confirmation at a terminal; name the entries instead: "
            "helix-hooks queue approve ID..."
        )
    raise UsageError(
        f"name the entries to {answer.action} (`helix-hooks queue list` shows them), or choose "
        "them at a terminal"
    )


def _named(ids: Sequence[str], view: Seen) -> tuple[QueueEntry, ...]:
    """Return the entries with some ids, each once.

    Raises:
        UsageError: One of them does not wait, or has changed. Then none is decided.
    """
    entries = [_as_shown(view, id) for id in ids]
    return tuple({entry.id: entry for entry in entries}.values())


def _as_shown(view: Seen, id: str) -> QueueEntry:
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


def _all_routine(view: Seen) -> tuple[QueueEntry, ...]:
    entries = routine(view.queue, view.viewer)
    if not entries:
        print_result("no routine entries wait for you\n")
        return ()
    shown = view.queue._replace(entries=entries, partial=())
    print_result(queue_table.numbered(shown, console().colored, columns()))
    return entries


def _choose(view: Seen, answer: QueueAnswer) -> tuple[tuple[QueueEntry, ...], QueueAnswer]:
    """Let a person at a terminal choose entries that they may answer, and give a reason."""
    may = tuple(
        entry
        for entry in ordered(view.queue.entries, view.viewer)
        if entry.source != VERIFICATION and _may(view, entry, answer)
    )
    if not may:
        print_result(f"there is no entry that you can {answer.action}\n")
        return (), answer
    shown = view.queue._replace(entries=may, partial=())
    print_result(queue_table.numbered(shown, console().colored, columns()))
    prompt = f"Entries to {answer.action} (e.g. 1 3-5; empty for none)"
    typed = click.prompt(prompt, err=True, default="", show_default=False)
    chosen = tuple(may[number - 1] for number in numbers(typed, len(may)))
    if not chosen or answer.approves or answer.reason.strip():
        return chosen, answer
    reason = click.prompt(
        "Reason (shown to the requester)", err=True, default="", show_default=False
    )
    return chosen, answer._replace(reason=reason)


def _may(view: Seen, entry: QueueEntry, answer: QueueAnswer) -> bool:
    if answer.approves:
        return is_turn(view.viewer, entry)
    return not refusal(view.viewer, entry, approves=False)


def numbers(text: str, most: int) -> tuple[int, ...]:
    """Return the numbers of a choice, e.g. `1 3-5` or `1,3`, each once.

    Raises:
        UsageError: A word is not a number or a range from 1 to `most`.
    """
    chosen = dict[int, None]()
    for word in text[:_LONGEST_CHOICE].replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", word, re.ASCII)
        first, last = 0, 0
        if match:
            first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= most:
            raise UsageError(
                f"invalid choice {word!r} (expected numbers from 1 to {most}, e.g. 1 3-5); nothing "
                "was decided"
            )
        chosen.update(dict.fromkeys(range(first, last + 1)))
    return tuple(chosen)


def _nothing_decided() -> int:
    print_message("nothing was decided")
    return PendingError.exit_code


def _answer(
    view: Seen, chosen: Sequence[QueueEntry], answer: QueueAnswer, *, asks: bool, is_listed: bool
) -> int:
    """Answer each entry, and return the worst exit code.

    With `asks`, a confirmed person must agree too. `is_listed`: the entries were printed already.
    """
    by = policy_of(view.place)
    sources = {entry.source for entry in chosen}
    person = deciding_person(view.place, by, os.environ, sources)
    # GitHub itself confirms who comments on a pull request.
    if sources != {PULL_REQUEST} and not person.identity:
        _confirm(view, chosen, answer, is_listed=is_listed)
    elif asks and not click.confirm(_approval_question(len(chosen)), err=True):
        return _nothing_decided()
    where = DecidingPlace(view.place, by, os.environ)
    ids = [entry.id for entry in view.queue.entries]
    codes = {_print_answer(done, ids) for done in answer_all(where, chosen, answer, person)}
    return next((code for code in _WORST_FIRST if code in codes), 0)


def _print_answer(done: EntryAnswered, ids: list[str]) -> int:
    """Print the outcome of one answer, and return its exit code."""
    line = f"{queue_table.short_id(done.entry, ids)}: {done.line}"
    if done.exit_code:
        print_message(line)
    else:
        print_result(f"{printable(line)}\n")
    return done.exit_code


def _approval_question(number: int) -> str:
    if number == 1:
        return "Approve this one?"
    return f"Approve these {number}?"


def _confirm(
    view: Seen, chosen: Sequence[QueueEntry], answer: QueueAnswer, *, is_listed: bool
) -> None:
    """Let a person whom GitHub has not confirmed type a word, so that no program decides."""
    number, action = len(chosen), answer.action
    ids = [entry.id for entry in view.queue.entries]
    names = [queue_table.short_id(entry, ids) for entry in chosen]
    titles = [printable(entry.title, _TITLE) for entry in chosen]
    if number == 1:
        confirm(os.environ, action, f"{names[0]} ({titles[0]})", names[0].rpartition("/")[2])
        return
    if not is_listed:
        for name, title in zip(names, titles, strict=True):
            print_message(f"{name}: {title}")
    confirm(os.environ, action, f"{number} entries", f"{action} {number}")
