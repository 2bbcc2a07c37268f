"""The one parser of commands in a comment: lines that begin with `/helix`. Pure.

A command is what a reader sees, so nothing in code, in a quote, struck out or in a comment of HTML
is one (as in Prow and triagebot). What lets a change pass, costs money or is told to a judge counts
only where the line as it is written and the line as it is shown ask for the same, in plain text. An
objection counts in any other text that is shown, and a question in a plain line.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..adr.parse.visible import LEFT_OUT
from ..text.invisible import ZERO_WIDTH_SPACE
from .comment_lines import NOT_PLAIN, PREFIX, CommentLine, alike, lines

APPROVE, REJECT, OVERRIDE, REVIEW = "approve", "reject", "override", "review"
DECLINE, STATUS, EXPLAIN, HELP = "decline", "status", "explain", "help"
USAGES = {
    APPROVE: f"{PREFIX} approve SHA [for TYPE] [REASON]",
    REJECT: f"{PREFIX} reject [for TYPE] REASON",
    OVERRIDE: f"{PREFIX} override FINDING SHA REASON",
    DECLINE: f"{PREFIX} decline FINDING REASON",
    REVIEW: f"{PREFIX} review [TYPE..]",
    STATUS: f"{PREFIX} status",
    EXPLAIN: f"{PREFIX} explain RULE",
    HELP: f"{PREFIX} help",
}
"""Each command as it is written.

SHA is the commit that was looked at, FINDING the fingerprint of a finding.
"""

VOTES = (APPROVE, REJECT, OVERRIDE)
_OTHER_NAMES = {"rerun": REVIEW}
_NEEDS_PLAIN = (APPROVE, OVERRIDE, DECLINE, REVIEW)
_WRITTEN = re.compile(rf"(?ai) {{0,3}}{ZERO_WIDTH_SPACE}?/helix(?:[ \t\u00a0]+(.*))?")
"""A line of the source.

In our own texts a space without width stands before a command, and a person copies it along.
"""

_SHOWN = re.compile(r"(?i)[^\w/\"'“”„«»‹›‘’‚`]*/helix[:,]?(?:\s+(.*))?", re.DOTALL)
"""A line as it is shown.

Before the command may stand a sign, a picture or the box of a task; no word and no quotation mark.
"""

NO_FINDING = "it does not say which finding is meant; the comment of this gate names each"
_PAUSE = ":,.;!"
_NO_WORDS = f"{LEFT_OUT} \t"
_SHA = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_FINDING = re.compile(r"[0-9a-f]{6,16}", re.IGNORECASE)
_TYPE = re.compile(r"[a-z][a-z0-9-]{0,40}")
_NAME = r"[^\s,`:.;]+"
_FOR = re.compile(rf"for\b *(`?{_NAME}`?(?: ?, ?`?{_NAME}`?)*)?", re.IGNORECASE)


class Command(NamedTuple):
    """A command in a comment.

    `types` are approval types, () for all. `commit` is the beginning of a commit's name, in small
    letters. `argument` is the finding of an override or decline, or the rule to explain. `words`
    are a reason. `wrong` says why the command can't be carried out, "" where it can.
    """

    name: str
    types: tuple[str, ...] = ()
    commit: str = ""
    argument: str = ""
    words: str = ""
    wrong: str = ""


def written(name: str, *arguments: str) -> str:
    """Return a command as a person writes it in a line."""
    return " ".join((PREFIX, name, *arguments))


@lru_cache(maxsize=1024)
def commands(body: str) -> tuple[Command, ...]:
    """Return the commands of a comment in their order.

    An objection without a reason on its line takes the next line with words for it.
    """
    parsed: list[Command] = []
    lacks_reason = False
    for line in lines(body) if _may_have_one(body) else ():
        command = _of_line(line)
        if command:
            parsed.append(command)
        elif lacks_reason and line.shown.strip(_NO_WORDS):
            parsed[-1] = parsed[-1]._replace(words=_words(line.shown), wrong="")
        lacks_reason = bool(parsed) and parsed[-1].name == REJECT and not parsed[-1].words
    return tuple(parsed)


def _may_have_one(body: str) -> bool:
    """Return whether the letters of a command are there at all, or a reference to some."""
    return "&" in body or set(PREFIX) <= set(alike(body).casefold())


def _of_line(line: CommentLine) -> Command | None:
    shown = _SHOWN.fullmatch(alike(line.shown))
    if not shown:
        return None
    command = _command(_words(line.shown[shown.start(1) :] if shown[1] else ""))
    if command.name == REJECT:
        return command
    source = None if line.doubt else _WRITTEN.fullmatch(line.written.rstrip())
    if command.name not in _NEEDS_PLAIN:
        return command if source else None
    if command.wrong:
        return command
    is_same = source is not None and _asks(_command(_words(source[1] or ""))) == _asks(command)
    return command._replace(wrong=line.doubt or ("" if is_same else NOT_PLAIN))


def _asks(command: Command) -> tuple[object, ...]:
    """Return what a command asks for, without the reason."""
    return command._replace(words="", wrong="")


def _words(text: str) -> str:
    return " ".join(text.replace(LEFT_OUT, " ").split())


def _command(text: str) -> Command:
    """Return the command in the text behind the prefix."""
    first, _, rest = text.partition(" ")
    name = alike(first).casefold()
    name = REJECT if name.rstrip(_PAUSE) == REJECT else _OTHER_NAMES.get(name, name)
    if name not in USAGES:
        named = f"there is no command {name!r}" if name else "a command is missing"
        return Command(name=HELP, wrong=f"{named}; there are {', '.join(USAGES)}")
    command = _READERS[name](rest)
    is_placeholder = command.words.strip("<>[]().:;`'\"").casefold() == "reason"
    if is_placeholder and not command.wrong:
        return command._replace(wrong="REASON stands for your reason; say why in your own words")
    return command


def _approve(text: str) -> Command:
    commit, rest = _sha(text)
    types, words = _for(rest)
    wrong = "" if commit else "it does not say which commit was looked at"
    return Command(name=APPROVE, types=types, commit=commit, words=words, wrong=wrong)


def _reject(text: str) -> Command:
    """Return an objection; an unknown type in it does not make it void."""
    types, words = _for(text)
    if not all(_TYPE.fullmatch(name) for name in types):
        types, words = (), text
    wrong = "" if words else "give a reason, so that the author knows what to change"
    return Command(name=REJECT, types=types, words=words, wrong=wrong)


def _override(text: str) -> Command:
    finding, _, rest = text.partition(" ")
    commit, words = _sha(rest)
    wrong = ""
    if not _FINDING.fullmatch(finding):
        wrong = NO_FINDING
    elif not commit:
        wrong = "it does not say which commit was looked at"
    elif not words:
        wrong = "give a reason; it is recorded"
    return Command(
        name=OVERRIDE, commit=commit, argument=finding.casefold(), words=words, wrong=wrong
    )


def _decline(text: str) -> Command:
    finding, _, words = text.partition(" ")
    finding = finding.strip("`")
    wrong = ""
    if not _FINDING.fullmatch(finding):
        wrong = NO_FINDING
    elif not words:
        wrong = "give a reason, so that the next judge and those who decide know it"
    return Command(name=DECLINE, argument=finding.casefold(), words=words, wrong=wrong)


def _review(text: str) -> Command:
    names = tuple(name for part in text.casefold().split() for name in part.split(",") if name)
    bad = [name for name in names if not _TYPE.fullmatch(name)]
    if bad:
        return Command(name=REVIEW, wrong=f"{bad[0]!r} is no approval type")
    return Command(name=REVIEW, types=names)


def _explain(text: str) -> Command:
    wrong = "" if text else f"a rule is missing, as in `{written(EXPLAIN, 'section-missing')}`"
    return Command(name=EXPLAIN, argument=text.casefold(), wrong=wrong)


def _sha(text: str) -> tuple[str, str]:
    """Return the commit with which a text begins, "" without one, and the rest."""
    first, _, rest = text.partition(" ")
    name = first.strip("`")
    return (name.casefold(), rest) if _SHA.fullmatch(name) else ("", text)


def _for(text: str) -> tuple[tuple[str, ...], str]:
    """Return the types behind `for`, and the words behind these.

    `for` limits an approval to some types. So the next words are read as types, and an unknown one
    is refused.
    """
    match = _FOR.match(text)
    if not match:
        return (), text
    names = dict.fromkeys(name.casefold() for name in re.findall(_NAME, match[1] or ""))
    return tuple(names) or ("",), text[match.end() :].lstrip(" :.;-")


def _plain(name: str) -> Callable[[str], Command]:
    return lambda _: Command(name=name)


_READERS: dict[str, Callable[[str], Command]] = {
    APPROVE: _approve,
    REJECT: _reject,
    OVERRIDE: _override,
    DECLINE: _decline,
    REVIEW: _review,
    STATUS: _plain(STATUS),
    EXPLAIN: _explain,
    HELP: _plain(HELP),
}
