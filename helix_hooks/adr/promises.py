"""The promises of an ADR: each file in its header, and each acceptance criterion. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .model import Adr
from .parse.document import Task, tasks
from .parse.header import Header

KINDS = ("create", "modify", "delete", "docs")
"""The kinds of promises about files: the keys of `files:` in the header."""


PATH, TEST, COMMAND = "path", "test", "command"

_PATH = r"(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,10}"
_ANY_PATH = re.compile(rf"{_PATH}|(?:[\w.@+-]+/)+|(?:[\w.@+-]+/)+[\w.@+-]+")
_TEST_FUNCTION = r"(?:test_\w+|Test[A-Z]\w*(?:(?:\.|::)test_\w+)?|\w+_test)"
_TEST_ID = r"([\w./@+-]+\.\w{1,10})((?:::[\w.-]+(?:\[[^\[\]\n]*\])?)+)"
_PROGRAM = re.compile(r"[a-z][\w.+-]*")
_NAME = re.compile(
    r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\[(?P<label>[^\[\]]*+)\]\(\s*+<?(?P<target>[^()<>\s#?]*+)[^()]*+\)"
    r"|://\S*"
    # The file of `tests/test_a.py::test_b` is no file to change.
    rf"|(?<![\w./@+-])(?P<id>{_TEST_ID})"
    rf"|(?<![\w/.:@+-])(?P<path>{_PATH})(?![\w/])"
    rf"|(?<![\w/.:`-])(?P<function>{_TEST_FUNCTION})(?:\(\))?(?![\w/-]|\.\w)",
    re.DOTALL,
)
_MAX_CHARACTERS = 4_000
"""Maximum characters of a criterion that are searched."""


class Named(NamedTuple):
    """A file, test or command in a criterion.

    For a test, `path` is its file ("" if only its name is written), `text` its name, and
    `parameters` the text in its brackets. For a file, `path` is the path as written. A command has
    only its `text`.
    """

    kind: str
    text: str
    path: str = ""
    parameters: str = ""


class Promise(NamedTuple):
    """A file or a criterion that an ADR promises.

    `kind` is create, modify, delete, docs or criterion. `subject` is a path as written, or the text
    of a criterion, and `line` its line in the ADR. `names` are the files, tests and commands in a
    criterion.
    """

    kind: str
    subject: str
    line: int
    names: tuple[Named, ...] = ()


class Contract(NamedTuple):
    """The promises of the approved version of an ADR. `hash` is the git hash of its content."""

    adr_id: str
    path: str
    title: str
    hash: str
    promises: tuple[Promise, ...]


def promises_of(adr: Adr) -> tuple[Promise, ...]:
    """Return the promises of an ADR, each once, in the order of its text."""
    unique: dict[tuple[str, str], Promise] = {}
    for promise in (*_files(adr.header), *_criteria(adr)):
        unique.setdefault((promise.kind, promise.subject), promise)
    return tuple(unique.values())


def _files(header: Header) -> Iterator[Promise]:
    for kind in KINDS:
        field = header.fields.get(f"files_{kind}")
        for number, text in enumerate(field.texts if field else ()):
            path = text.strip().strip("`").strip()
            if field and path:
                yield Promise(kind, path, field.lines[number] if field.lines else field.line)


def _criteria(adr: Adr) -> list[Promise]:
    doc = adr.doc
    items: list[tuple[Task, int]] = []
    for section in adr.h2.get("acceptance-criteria", []):
        items += [(task, section.stop) for task in tasks(doc, section)]
    promises = []
    for index, (task, section_end) in enumerate(items):
        if not task.text:
            continue
        end = section_end
        if index + 1 < len(items):
            end = min(section_end, items[index + 1][0].offset)
        source = _first_paragraph(doc.data[task.offset : end])
        text = " ".join(task.text.split())
        promises.append(Promise("criterion", text, doc.line_at(task.offset), names_in(source)))
    return promises


def _first_paragraph(data: bytes) -> str:
    """Return the Markdown of a list item up to a blank line, a nested item or a quote."""
    rows = data.decode(errors="replace").lstrip("\n").split("\n")
    paragraph = rows[:1]
    for row in rows[1:]:
        if not row.strip() or row.lstrip().startswith(("- ", "* ", "+ ", ">", "#")):
            break
        paragraph.append(row)
    return "\n".join(paragraph)


# The names in a criterion.


def names_in(markdown: str) -> tuple[Named, ...]:
    """Return the files, tests and commands in the Markdown of a criterion, each once.

    Paths with a folder count anywhere, tests by the usual spelling of their names, and commands
    only as inline code of several words. The target of a link is a file unless it is a URL.
    """
    return tuple(dict.fromkeys(_names(markdown[:_MAX_CHARACTERS])))


def _names(text: str) -> Iterator[Named]:
    for match in _NAME.finditer(text):
        if match["code"]:
            yield from _in_code(match["code"].strip())
        elif match["target"] is not None:
            yield from _names(match["label"])
            target = match["target"]
            if target and "://" not in target and not target.startswith(("mailto:", "/")):
                yield Named(PATH, target, target)
        elif match["id"] or match["function"]:
            yield _test(match["id"] or match["function"])
        elif match["path"]:
            yield Named(PATH, match["path"], match["path"])


def _in_code(text: str) -> list[Named]:
    """Return the test, file or command in a span of inline code."""
    if re.fullmatch(_TEST_ID, text):
        return [_test(text)]
    if _ANY_PATH.fullmatch(text):
        return [Named(PATH, text, text)]
    if re.fullmatch(rf"{_TEST_FUNCTION}(?:\(\))?", text):
        return [_test(text.removesuffix("()"))]
    words = text.split()
    if len(words) > 1 and _PROGRAM.fullmatch(words[0]):
        return [Named(COMMAND, " ".join(words))]
    return []


def _test(text: str) -> Named:
    """Return a test. `a.py::TestLogin::test_empty[1]` is `TestLogin.test_empty` in a.py."""
    match = re.match(_TEST_ID, text)
    path, id = (match[1], match[2]) if match else ("", text)
    name, _, parameters = id.partition("[")
    parts = [part for part in re.split(r"::|\.", name) if part]
    return Named(TEST, ".".join(parts), path, parameters.removesuffix("]"))
