"""The files, tests and commands in the text of an acceptance criterion."""

import re
from collections.abc import Iterator

from ..records import NamedTuple

PATH, TEST, COMMAND = "path", "test", "command"

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^)>\s#?]+)")
_PATH = r"(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,10}"
_BARE_PATH = re.compile(rf"(?<![\w/.:@+-])({_PATH})(?![\w/])")
_ANY_PATH = re.compile(rf"{_PATH}|(?:[\w.@+-]+/)+|(?:[\w.@+-]+/)+[\w.@+-]+")
_AFTER_SCHEME = re.compile(r"://\S*")
_TEST_FUNCTION = r"(?:test_\w+|Test[A-Z]\w*(?:(?:\.|::)test_\w+)?|\w+_test)"
_BARE_TEST = re.compile(rf"(?<![\w/.:`-])({_TEST_FUNCTION})(?:\(\))?(?![\w/-]|\.\w)")
_TEST_ID = re.compile(r"(?<![\w./@+-])([\w./@+-]+\.\w{1,10})((?:::[\w\[\]. -]+)+)")
_PROGRAM = re.compile(r"[a-z][\w.+-]*")
_MAX_CHARACTERS = 4_000
"""Maximum characters of a criterion that are searched."""


class Named(NamedTuple):
    """A file, test or command in a criterion.

    For a test, `path` is its file ("" if only its name is written) and `text` its name. For a file,
    `path` is the path as written. A command has only its `text`.
    """

    kind: str
    text: str
    path: str = ""


def names_in(markdown: str) -> tuple[Named, ...]:
    """Return the files, tests and commands in the Markdown of a criterion, each once.

    Paths with a folder count anywhere, tests by the usual spelling of their names, and commands
    only as inline code of several words. The target of a link is a file unless it is a URL.
    """
    text = markdown[:_MAX_CHARACTERS]
    names: dict[Named, None] = {}
    for match in _CODE.finditer(text):
        names.update(dict.fromkeys(_in_code(match[2].strip())))
    rest = _CODE.sub(" ", text)
    for match in _LINK.finditer(rest):
        if "://" not in match[1] and not match[1].startswith(("mailto:", "/")):
            names[Named(PATH, match[1], match[1])] = None
    names.update(dict.fromkeys(_in_prose(re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", rest))))
    return tuple(names)


def _in_prose(text: str) -> Iterator[Named]:
    """Yield the tests and files in a text without links and code. A URL has none."""
    text = _AFTER_SCHEME.sub(" ", text)
    for match in _TEST_ID.finditer(text):
        yield _test(match[1], match[2])
    # The file of `tests/test_a.py::test_b` is no file to change.
    text = _TEST_ID.sub(" ", text)
    for match in _BARE_PATH.finditer(text):
        yield Named(PATH, match[1], match[1])
    for match in _BARE_TEST.finditer(text):
        yield _test("", match[1])


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
