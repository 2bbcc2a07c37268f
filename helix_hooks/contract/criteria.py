"""The files, tests and commands that an acceptance criterion names."""

import re

from ..records import NamedTuple

PATH, TEST, COMMAND = "path", "test", "command"

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^)>\s#?]+)")
_PATH = r"(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,10}"
_BARE_PATH = re.compile(rf"(?<![\w/.:@+-])({_PATH})(?![\w/])")
_ANY_PATH = re.compile(rf"{_PATH}|(?:[\w.@+-]+/)+|(?:[\w.@+-]+/)+[\w.@+-]+")
_TEST_FUNCTION = r"(?:test_\w+|Test[A-Z]\w*(?:(?:\.|::)test_\w+)?|\w+_test)"
_BARE_TEST = re.compile(rf"(?<![\w/.:`-])({_TEST_FUNCTION})(?:\(\))?(?![\w/-]|\.\w)")
_TEST_ID = re.compile(r"(?<![\w./@+-])([\w./@+-]+\.\w{1,10})((?:::[\w\[\]. -]+)+)")
_PROGRAM = re.compile(r"[a-z][\w.+-]*")
_MOST = 4_000
"""Characters of a criterion that are searched."""


class Named(NamedTuple):
    """A file, test or command that a criterion names.

    For a test, `path` is its file ("" if only its name is given) and `text` its name. For a file,
    `path` is the path as written. A command has only its `text`.
    """

    kind: str
    text: str
    path: str = ""


def names_in(markdown: str) -> tuple[Named, ...]:
    """Return what the Markdown of a criterion names, each once.

    Paths with a folder count anywhere, tests by the usual spelling of their names, commands only
    as inline code of more than one word. A link's target is a file unless it is an address.
    """
    text = markdown[:_MOST]
    found: dict[Named, None] = {}
    for match in _CODE.finditer(text):
        found.update(dict.fromkeys(_in_code(match[2].strip())))
    rest = _CODE.sub(" ", text)
    for match in _LINK.finditer(rest):
        if "://" not in match[1] and not match[1].startswith(("mailto:", "/")):
            found[Named(PATH, match[1], match[1])] = None
    plain = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", rest)
    for match in _TEST_ID.finditer(plain):
        found[_test(match[1], match[2])] = None
    plain = _TEST_ID.sub(" ", plain)
    for match in _BARE_PATH.finditer(plain):
        if "://" not in plain[max(0, match.start() - 8) : match.start()]:
            found[Named(PATH, match[1], match[1])] = None
    for match in _BARE_TEST.finditer(plain):
        found[_test("", match[1])] = None
    return tuple(found)


def _in_code(text: str) -> list[Named]:
    """Return what a span of inline code names."""
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
    """Return a test; of `::TestLogin::test_empty[1]` the name is `TestLogin.test_empty`."""
    parts = [part for part in re.split(r"::|\.", name.partition("[")[0]) if part]
    return Named(TEST, ".".join(parts), path)
