"""The files, tests and commands in the text of an acceptance criterion."""

import re
from collections.abc import Callable
from typing import NamedTuple

from .removal import FIRST_MARK, GONE, MARKS, OPEN, THERE, claims_in

PATH, TEST, COMMAND = "path", "test", "command"

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\[([^\[\]]*+)\]\(\s*+<?([^()<>\s#?]*+)[^()]*+\)")
_OTHER = "\ufffc"
"""Stands for inline code that names nothing, so that a sentence keeps its subject."""
_PATH = r"(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,10}"
_BARE_PATH = re.compile(rf"(?<![\w/.:@+-])({_PATH})(?![\w/])")
_ANY_PATH = re.compile(rf"{_PATH}|(?:[\w.@+-]+/)+|(?:[\w.@+-]+/)+[\w.@+-]+")
_AFTER_SCHEME = re.compile(r"://\S*")
_TEST_FUNCTION = r"(?:test_\w+|Test[A-Z]\w*(?:(?:\.|::)test_\w+)?|\w+_test)"
_BARE_TEST = re.compile(rf"(?<![\w/.:`-])({_TEST_FUNCTION})(?:\(\))?(?![\w/-]|\.\w)")
_TEST_ID = re.compile(r"(?<![\w./@+-])([\w./@+-]+\.\w{1,10})((?:::[\w\[\]. -]+)+)")
_PROGRAM = re.compile(r"[a-z][\w.+-]*")
_STRENGTH = (THERE, OPEN, GONE)
_MAX_CHARACTERS = 4_000
"""Maximum characters of a criterion that are searched."""


class Named(NamedTuple):
    """A file, test or command in a criterion.

    For a test, `path` is its file ("" if only its name is written) and `text` its name. For a file,
    `path` is the path as written. A command has only its `text`. `claim` is what the criterion says
    about it: that it is `there` or `gone`, or `open` if that is unclear.
    """

    kind: str
    text: str
    path: str = ""
    claim: str = THERE


def names_in(markdown: str) -> tuple[Named, ...]:
    """Return the files, tests and commands in the Markdown of a criterion, each once.

    Paths with a folder count anywhere, tests by the usual spelling of their names, and commands
    only as inline code of several words. The target of a link is a file unless it is a URL.
    """
    marked = _Marked(re.sub(MARKS, " ", markdown[:_MAX_CHARACTERS]))
    marked.replace(_CODE, lambda match: _in_code(match[2].strip()), otherwise=f" {_OTHER} ")
    marked.replace(_LINK, lambda match: _in_link(match[2]), text=1)
    marked.replace(_AFTER_SCHEME, lambda _: [], otherwise=" ")
    # The file of `tests/test_a.py::test_b` is no file to change.
    marked.replace(_TEST_ID, lambda match: [_test(match[1], match[2])])
    marked.replace(_BARE_PATH, lambda match: [Named(PATH, match[1], match[1])])
    marked.replace(_BARE_TEST, lambda match: [_test("", match[1])])
    return marked.names()


class _Marked:
    """A text in which a mark, one private character, takes the place of each name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._named: list[Named] = []

    def replace(
        self,
        pattern: re.Pattern[str],
        read: Callable[[re.Match[str]], list[Named]],
        *,
        otherwise: str | None = None,
        text: int | None = None,
    ) -> None:
        """Put marks for the names that `read` finds in each match.

        `text` is the group that stays before the marks. A match without a name becomes `otherwise`,
        or stays.
        """

        def marks(match: re.Match[str]) -> str:
            names = read(match)
            if not names and text is None:
                return match[0] if otherwise is None else otherwise
            shown = f"{match[text]} " if text is not None else ""
            return shown + "".join(map(self._mark, names))

        self.text = pattern.sub(marks, self.text)

    def _mark(self, name: Named) -> str:
        self._named.append(name)
        return chr(ord(FIRST_MARK) + len(self._named) - 1)

    def names(self) -> tuple[Named, ...]:
        """Return each name once, with the strongest claim: gone, then open."""
        claims = claims_in(self.text)
        names: dict[Named, str] = {}
        for number, name in enumerate(self._named):
            claim = claims.get(chr(ord(FIRST_MARK) + number), THERE)
            names[name] = max(names.get(name, THERE), claim, key=_STRENGTH.index)
        return tuple(name._replace(claim=claim) for name, claim in names.items())


def _in_link(target: str) -> list[Named]:
    if not target or "://" in target or target.startswith(("mailto:", "/")):
        return []
    return [Named(PATH, target, target)]


def _in_code(text: str) -> list[Named]:
    """Return the test, file or command in a span of inline code."""
    if test := _TEST_ID.fullmatch(text):
        return [_test(test[1], test[2])]
    if _ANY_PATH.fullmatch(text):
        return [Named(PATH, text, text)]
    if re.fullmatch(rf"{_TEST_FUNCTION}(?:\(\))?", text):
        return [_test("", text.removesuffix("()"))]
    words = text.split()
    if len(words) > 1 and _PROGRAM.fullmatch(words[0]):
        return [Named(COMMAND, " ".join(words))]
    return []


def _test(path: str, name: str) -> Named:
    """Return a test. The name of `::TestLogin::test_empty[1]` is `TestLogin.test_empty`."""
    parts = [part for part in re.split(r"::|\.", name.partition("[")[0]) if part]
    return Named(TEST, ".".join(parts), path)
