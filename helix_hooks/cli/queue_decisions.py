"""The work of `helix-hooks queue approve` and `reject`: choose entries, confirm, answer each."""

import os
import re
import shlex
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from ..console.output import print_message, print_result
from ..errors import HelixError, PendingError, UsageError
from ..queue.collect import Wanted
from ..queue.deciding import DecidingPlace, QueueAnswer, answer_all
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
from .queue_lists import Seen, columns, entry_named, seen

_WORST_FIRST = (HelixError.exit_code, UsageError.exit_code, PendingError.exit_code)
_LONGEST_CHOICE = 1_000
_TITLE = 100
"""Characters of a title in a question."""


class Choice(NamedTuple):
    """The ids of the chosen entries; with `all_routine` all entries of the category routine."""

    ids: tuple[str, ...]
    all_routine: bool = False


def decide_entries(choice: Choice, wanted: Wanted, answer: QueueAnswer) -> int:
    """Give an answer to entries, a line each, and return the worst exit code."""
    refuse_inside(os.environ, f"`helix-hooks queue {answer.action}`")
    if choice.all_routine and choice.ids:
        raise UsageError("--all-routine chooses the entries; leave the ids out")
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
        chosen, answer = _chosen(view, answer)
    if not chosen:
        return _nothing()
    is_listed = not choice.ids
    return _answer(view, chosen, answer, asks=choice.all_routine, is_listed=is_listed)


def _sources(choice: Choice) -> tuple[str, ...]:
    """Return the sources to read, () for all: pull requests alone where only these are named."""
    told = {source_of(id) for id in choice.ids}
    return tuple(told) if told and "" not in told else ()


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
    """Return the entries of some ids, each once. Raises UsageError before any is decided."""
    entries = [_as_shown(view, id) for id in ids]
    return tuple({entry.id: entry for entry in entries}.values())


def _as_shown(view: Seen, id: str) -> QueueEntry:
    """Return an entry by its id. Raises UsageError where it is not what the mark of the id says."""
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
        print_result("nothing routine waits for you\n")
        return ()
    shown = view.queue._replace(entries=entries, partial=())
    print_result(queue_table.numbered(shown, console().colored, columns()))
    return entries


def _chosen(view: Seen, answer: QueueAnswer) -> tuple[tuple[QueueEntry, ...], QueueAnswer]:
    """Let a person choose at a terminal among what they may answer, and say why."""
    may = tuple(
        entry
        for entry in ordered(view.queue.entries, view.viewer)
        if entry.source != VERIFICATION and _may(view, entry, answer)
    )
    if not may:
        print_result(f"nothing waits that you can {answer.action}\n")
        return (), answer
    shown = view.queue._replace(entries=may, partial=())
    print_result(queue_table.numbered(shown, console().colored, columns()))
    prompt = f"{answer.action.capitalize()} which? Numbers, as in 1 3-5 (nothing: none)"
    typed = click.prompt(prompt, err=True, default="", show_default=False)
    chosen = tuple(may[number - 1] for number in numbers(typed, len(may)))
    if not chosen or answer.approves or answer.reason.strip():
        return chosen, answer
    reason = click.prompt("Why? Whoever asked reads it", err=True, default="", show_default=False)
    return chosen, answer._replace(reason=reason)


def _may(view: Seen, entry: QueueEntry, answer: QueueAnswer) -> bool:
    if answer.approves:
        return is_turn(view.viewer, entry)
    return not refusal(view.viewer, entry, approves=False)


def numbers(text: str, most: int) -> tuple[int, ...]:
    """Return the numbers of a choice as in `1 3-5` or `1,3`, each once. Raises UsageError."""
    chosen = dict[int, None]()
    for word in text[:_LONGEST_CHOICE].replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", word, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= most:
            raise UsageError(
                f"{word!r} is none of the numbers 1 to {most}, so nothing was decided; write as in "
                "1 3-5"
            )
        chosen.update(dict.fromkeys(range(first, last + 1)))
    return tuple(chosen)


def _nothing() -> int:
    print_message("nothing was decided")
    return PendingError.exit_code


def _answer(
    view: Seen, chosen: Sequence[QueueEntry], answer: QueueAnswer, *, asks: bool, is_listed: bool
) -> int:
    """Answer each entry; with `asks` a person whom GitHub confirms is asked before, too.

    `is_listed`: the entries were printed already.
    """
    by = policy_of(view.place)
    sources = {entry.source for entry in chosen}
    person = deciding_person(view.place, by, os.environ, sources)
    if sources != {PULL_REQUEST} and not person.identity:
        _confirm(view, chosen, answer, is_listed=is_listed)
    elif asks and not click.confirm(_all_of(len(chosen)), err=True):
        return _nothing()
    where = DecidingPlace(view.place, by, os.environ)
    codes = set[int]()
    ids = [entry.id for entry in view.queue.entries]
    for done in answer_all(where, chosen, answer, person):
        name = queue_table.short_id(done.entry, ids)
        line = f"{name}: {done.line}"
        if done.exit_code:
            print_message(line)
        else:
            print_result(f"{printable(line)}\n")
        codes.add(done.exit_code)
    return next((code for code in _WORST_FIRST if code in codes), 0)


def _all_of(number: int) -> str:
    return "Approve this one?" if number == 1 else f"Approve these {number}?"


def _confirm(
    view: Seen, chosen: Sequence[QueueEntry], answer: QueueAnswer, *, is_listed: bool
) -> None:
    """Let a person whom GitHub has not confirmed type a word, so that no program decides."""
    number = len(chosen)
    ids = [entry.id for entry in view.queue.entries]
    names = [queue_table.short_id(entry, ids) for entry in chosen]
    titles = [printable(entry.title, _TITLE) for entry in chosen]
    if number > 1:
        lines = [f"{name}: {title}" for name, title in zip(names, titles, strict=True)]
        for line in () if is_listed else lines:
            print_message(line)
        confirm(os.environ, answer.action, f"{number} entries", f"{answer.action} {number}")
        return
    confirm(os.environ, answer.action, f"{names[0]} ({titles[0]})", names[0].rpartition("/")[2])
