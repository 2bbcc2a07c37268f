"""What people ask of the gate in a comment: a line that begins with `/helix`.

A command is what a reader sees, so nothing in code, in a quote, struck out or in a comment of HTML is one (as Prow and triagebot have it). What
lets a change pass or costs money counts only where the line as it is written and the line as it is shown ask for the same, in plain text.
An objection is heard in any other text that is shown, and a question in a plain line.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..adr.parse.visible import LEFT_OUT
from .comment_lines import NOT_PLAIN, CommentLine, alike, lines

APPROVE, REJECT, OVERRIDE, REVIEW, STATUS, EXPLAIN, HELP = "approve", "reject", "override", "review", "status", "explain", "help"
USAGES = {
    APPROVE: "/helix approve SHA [for TYPE] [REASON]",
    REJECT: "/helix reject [for TYPE] REASON",
    OVERRIDE: "/helix override FINDING SHA REASON",
    REVIEW: "/helix review [TYPE..]",
    STATUS: "/helix status",
    EXPLAIN: "/helix explain RULE",
    HELP: "/helix help",
}
"""Each command as it is written. SHA is the commit that was looked at, FINDING what the gate calls a finding."""

VOTES = (APPROVE, REJECT, OVERRIDE)
_OTHER_NAMES = {"rerun": REVIEW}
_NEEDS_PLAIN = (APPROVE, OVERRIDE, REVIEW)
_WRITTEN = re.compile(r"(?ai) {0,3}\u200b?/helix(?:[ \t\u00a0]+(.*))?")
"""A line of the source. Where our own texts show a command, a space without width stands before it, which a person copies along."""

_SHOWN = re.compile(r"(?i)[^\w/\"'“”„«»‹›‘’‚`]*/helix[:,]?(?:\s+(.*))?", re.DOTALL)
"""A line as it is shown. A sign, a picture or the box of a task may stand before the command; a word or the beginning of a quotation may not."""

_PAUSE = ":,.;!"
_NO_WORDS = f"{LEFT_OUT} \t"
_SHA = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_FINDING = re.compile(r"[0-9a-f]{6,16}", re.IGNORECASE)
_TYPE = re.compile(r"[a-z][a-z0-9-]{0,40}")
_NAME = r"[^\s,`:.;]+"
_FOR = re.compile(rf"for\b *(`?{_NAME}`?(?: ?, ?`?{_NAME}`?)*)?", re.IGNORECASE)


class Command(NamedTuple):
    """A command as somebody wrote it.

    `types` are approval types, () for all; `commit` is the beginning of a commit's name, in small letters; `argument` is the finding or the
    rule that is meant; `words` are a reason. `wrong` says why it can't be carried out, "" where it can.
    """

    name: str
    types: tuple[str, ...] = ()
    commit: str = ""
    argument: str = ""
    words: str = ""
    wrong: str = ""


@lru_cache(maxsize=1024)
def commands(body: str) -> tuple[Command, ...]:
    """The commands of a comment, in their order."""
    found: list[Command] = []
    silent = False
    for line in lines(body) if _may_have_one(body) else ():
        command = _of_line(line)
        if command:
            found.append(command)
        elif silent and line.shown.strip(_NO_WORDS):
            found[-1] = found[-1]._replace(words=_words(line.shown), wrong="")
        silent = bool(found) and found[-1].name == REJECT and not found[-1].words
    return tuple(found)


def _may_have_one(body: str) -> bool:
    """Return whether the letters of a command are there at all, or a reference to some."""
    return "&" in body or set("/helix") <= set(alike(body).casefold())


def _of_line(line: CommentLine) -> Command | None:
    shown = _SHOWN.fullmatch(alike(line.shown))
    if not shown:
        return None
    command = _command(_words(line.shown[shown.start(1) :] if shown[1] else ""))
    if command.name == REJECT:
        return command
    written = None if line.doubt else _WRITTEN.fullmatch(line.written.rstrip())
    if command.name in _NEEDS_PLAIN and not command.wrong:
        same = written is not None and _asks(_command(_words(written[1] or ""))) == _asks(command)
        return command._replace(wrong=line.doubt or ("" if same else NOT_PLAIN))
    return command if written or command.name in _NEEDS_PLAIN else None


def _asks(command: Command) -> tuple[object, ...]:
    """Return what a command asks for, without the reason."""
    return command._replace(words="", wrong="")


def _words(text: str) -> str:
    return " ".join(text.replace(LEFT_OUT, " ").split())


def _command(text: str) -> Command:
    first, _, rest = text.partition(" ")
    name = alike(first).casefold()
    name = REJECT if name.rstrip(_PAUSE) == REJECT else _OTHER_NAMES.get(name, name)
    if name not in USAGES:
        named = f"there is no command {name!r}" if name else "a command is missing"
        return Command(HELP, wrong=f"{named}; there are {', '.join(USAGES)}")
    found = _READERS[name](rest)
    is_placeholder = found.words.strip("<>[]().:;`'\"").casefold() == "reason"
    return found._replace(wrong="REASON stands for your reason; say why in your own words") if is_placeholder and not found.wrong else found


def _approve(text: str) -> Command:
    commit, rest = _sha(text)
    types, words = _for(rest)
    wrong = "" if commit else "it does not say which commit was looked at"
    return Command(APPROVE, types, commit, words=words, wrong=wrong)


def _reject(text: str) -> Command:
    """An objection is never lost to a word that is no type."""
    types, words = _for(text)
    if not all(_TYPE.fullmatch(name) for name in types):
        types, words = (), text
    return Command(REJECT, types, words=words, wrong="" if words else "give a reason, so that the author knows what to change")


def _override(text: str) -> Command:
    subject, _, rest = text.partition(" ")
    commit, words = _sha(rest)
    wrong = ""
    if not _FINDING.fullmatch(subject):
        wrong = "it does not say which finding is meant; the comment of this gate names each"
    elif not commit:
        wrong = "it does not say which commit was looked at"
    elif not words:
        wrong = "give a reason; it is recorded"
    return Command(OVERRIDE, (), commit, subject.casefold(), words, wrong)


def _review(text: str) -> Command:
    names = tuple(name for part in text.casefold().split() for name in part.split(",") if name)
    bad = [name for name in names if not _TYPE.fullmatch(name)]
    return Command(REVIEW, () if bad else names, wrong=f"{bad[0]!r} is no approval type" if bad else "")


def _explain(text: str) -> Command:
    return Command(EXPLAIN, argument=text.casefold(), wrong="" if text else "a rule is missing, as in `/helix explain section-missing`")


def _sha(text: str) -> tuple[str, str]:
    """The commit that a text begins with, "" if it does not, and what comes behind."""
    first, _, rest = text.partition(" ")
    name = first.strip("`")
    return (name.casefold(), rest) if _SHA.fullmatch(name) else ("", text)


def _for(text: str) -> tuple[tuple[str, ...], str]:
    """The types behind `for`, and the words behind these. Whoever writes `for` means less than everything, so what follows is taken for types,
    and one that there is not is refused.
    """
    found = _FOR.match(text)
    if not found:
        return (), text
    names = re.findall(_NAME, found[1] or "")
    return tuple(dict.fromkeys(name.casefold() for name in names)) or ("",), text[found.end() :].lstrip(" :.;-")


def _plain(name: str) -> Callable[[str], Command]:
    return lambda _: Command(name)


_READERS: dict[str, Callable[[str], Command]] = {
    APPROVE: _approve,
    REJECT: _reject,
    OVERRIDE: _override,
    REVIEW: _review,
    STATUS: _plain(STATUS),
    EXPLAIN: _explain,
    HELP: _plain(HELP),
}
