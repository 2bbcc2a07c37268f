"""The only parser of commands in a comment: lines that begin with `/helix`. Pure.

A command is visible text: nothing in code, a quote, strikethrough or an HTML comment is one (as in
Prow and triagebot). A command that lets a change pass, costs money or reaches a judge must be plain
text: source line and rendered line request the same. An objection counts in any visible text, and a
question in a plain line.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..adr.parse.visible import LEFT_OUT
from ..text import ZERO_WIDTH_SPACE
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
"""The syntax of each command.

SHA is the reviewed commit, FINDING the fingerprint of a finding.
"""

VOTES = (APPROVE, REJECT, OVERRIDE)
_OTHER_NAMES = {"rerun": REVIEW}
_NEEDS_PLAIN = (APPROVE, OVERRIDE, DECLINE, REVIEW)
_WRITTEN = re.compile(rf"(?ai) {{0,3}}{ZERO_WIDTH_SPACE}?/helix(?:[ \t\u00a0]+(.*))?")
"""A line of the source.

In our own texts a zero-width space precedes a command, and people copy it with the command.
"""

_SHOWN = re.compile(r"(?i)[^\w/\"'“”„«»‹›‘’‚`]*/helix[:,]?(?:\s+(.*))?", re.DOTALL)
"""A line as rendered.

A sign, a picture or the box of a task may precede the command, but no word or quotation mark.
"""

NO_REASON = "give a reason, so that the author knows what to change"
NO_FINDING = "the finding ID is missing; the IDs are in the helix comment"
_PAUSE = ":,.;!"
_NO_WORDS = f"{LEFT_OUT} \t"
_SHA = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_FINDING = re.compile(r"[0-9a-f]{6,16}", re.IGNORECASE)
_TYPE = re.compile(r"[a-z][a-z0-9-]{0,40}")
_NAME = r"[^\s,`:.;]+"
_FOR = re.compile(rf"for\b *(`?{_NAME}`?(?: ?, ?`?{_NAME}`?)*)?", re.IGNORECASE)


class Command(NamedTuple):
    """A command in a comment.

    `types` are approval types, () for all. `commit` is the beginning of a commit's name, in
    lowercase. `argument` is the finding of an override or decline, or the rule to explain. `words`
    are a reason. `wrong` is the reason why the command can't run, "" if it can.
    """

    name: str
    types: tuple[str, ...] = ()
    commit: str = ""
    argument: str = ""
    words: str = ""
    wrong: str = ""


def written(name: str, *arguments: str) -> str:
    """Return the text of a command in a comment."""
    return " ".join((PREFIX, name, *arguments))


@lru_cache(maxsize=1024)
def commands(body: str) -> tuple[Command, ...]:
    """Return the commands of a comment in their order.

    An objection without a reason on its line gets the next line with words as its reason.
    """
    if not _may_have_one(body):
        return ()
    parsed: list[Command] = []
    lacks_reason = False
    for line in lines(body):
        command = _of_line(line)
        if command:
            parsed.append(command)
        elif lacks_reason and line.shown.strip(_NO_WORDS):
            parsed[-1] = parsed[-1]._replace(words=_words(line.shown), wrong="")
        lacks_reason = bool(parsed) and parsed[-1].name == REJECT and not parsed[-1].words
    return tuple(parsed)


def _may_have_one(body: str) -> bool:
    """Return whether a comment has all letters of a command, or a reference such as `&#47;`.

    Most comments have no command, and parsing Markdown is slow.
    """
    return "&" in body or set(PREFIX) <= set(alike(body).casefold())


def _of_line(line: CommentLine) -> Command | None:
    match = _SHOWN.fullmatch(alike(line.shown))
    if not match:
        return None
    command = _command(_words(line.shown[match.start(1) :] if match[1] else ""))
    if command.name == REJECT:
        return command
    source = _in_source(line)
    if command.name not in _NEEDS_PLAIN:
        return command if source else None
    return _compared(command, source, line)


def _compared(command: Command, source: Command | None, line: CommentLine) -> Command:
    """Return a command, marked as wrong if the source of the line has another one."""
    if command.wrong:
        return command
    if source is None or _request(source) != _request(command):
        return command._replace(wrong=line.doubt or NOT_PLAIN)
    return command


def _in_source(line: CommentLine) -> Command | None:
    """Return the command in the source of a line; None without one, or in a doubtful line."""
    match = None if line.doubt else _WRITTEN.fullmatch(line.written.rstrip())
    if match is None:
        return None
    return _command(_words(match[1] or ""))


def _request(command: Command) -> Command:
    """Return a command without its reason, which formatting may change."""
    return command._replace(words="", wrong="")


def _words(text: str) -> str:
    return " ".join(text.replace(LEFT_OUT, " ").split())


def _command(text: str) -> Command:
    """Return the command in the text after the prefix."""
    first, _, arguments = text.partition(" ")
    name = _command_name(first)
    if name not in USAGES:
        named = f"unknown command {name!r}" if name else "a command is missing"
        return Command(name=HELP, wrong=f"{named} (available: {', '.join(USAGES)})")
    command = _READERS[name](arguments)
    is_placeholder = command.words.strip("<>[]().:;`'\"").casefold() == "reason"
    if is_placeholder and not command.wrong:
        return command._replace(wrong="replace REASON with your own reason")
    return command


def _command_name(word: str) -> str:
    """Return the name of a command in lowercase. `reject:` with punctuation is an objection too."""
    name = alike(word).casefold()
    if name.rstrip(_PAUSE) == REJECT:
        return REJECT
    return _OTHER_NAMES.get(name, name)


def _approve(text: str) -> Command:
    commit, text = _sha(text)
    types, words = _for(text)
    wrong = "" if commit else "the commit SHA is missing (expected the reviewed commit)"
    return Command(name=APPROVE, types=types, commit=commit, words=words, wrong=wrong)


def _reject(text: str) -> Command:
    """Return an objection; an unknown type in it does not make it invalid."""
    types, words = _for(text)
    if not all(_TYPE.fullmatch(name) for name in types):
        types, words = (), text
    wrong = "" if words else NO_REASON
    return Command(name=REJECT, types=types, words=words, wrong=wrong)


def _override(text: str) -> Command:
    finding, _, text = text.partition(" ")
    commit, words = _sha(text)
    wrong = ""
    if not _FINDING.fullmatch(finding):
        wrong = NO_FINDING
    elif not commit:
        wrong = "the commit SHA is missing (expected the reviewed commit)"
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
        wrong = "give a reason, so that the next judge and the approvers know it"
    return Command(name=DECLINE, argument=finding.casefold(), words=words, wrong=wrong)


def _review(text: str) -> Command:
    names = tuple(text.casefold().replace(",", " ").split())
    for name in names:
        if not _TYPE.fullmatch(name):
            return Command(name=REVIEW, wrong=f"invalid approval type {name!r}")
    return Command(name=REVIEW, types=names)


def _explain(text: str) -> Command:
    wrong = "" if text else f"a rule is missing, as in `{written(EXPLAIN, 'section-missing')}`"
    return Command(name=EXPLAIN, argument=text.casefold(), wrong=wrong)


def _sha(text: str) -> tuple[str, str]:
    """Return the commit at the start of a text, "" without one, and the remaining text."""
    first, _, remainder = text.partition(" ")
    name = first.strip("`")
    if not _SHA.fullmatch(name):
        return "", text
    return name.casefold(), remainder


def _for(text: str) -> tuple[tuple[str, ...], str]:
    """Return the types after `for`, and the text after these.

    `for` limits an approval to some types. So the next words are read as types, and an unknown one
    is refused.
    """
    match = _FOR.match(text)
    if not match:
        return (), text
    names = dict.fromkeys(name.casefold() for name in re.findall(_NAME, match[1] or ""))
    # `for` without a name is a type without a name: refused, and no approval of everything.
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
