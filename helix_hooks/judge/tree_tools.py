"""The three tools of an API judge: list, read and search the files of an exported tree.

They can only read, and only below two folders: the tree, and the judge's folder as `../judge/`.
Each answer has a limit of its size, and says when it was cut. Nothing here needs a model.
"""

import inspect
import os
import time
from collections.abc import Callable, Iterator

from jsonschema_rs import RegexOptions, ValidationError, validator_for

from .model_protocols import Json, Tool

_MOST_PATHS = 500
_MOST_CHARACTERS = 24_000
_MOST_LINE = 1_000
"""Characters of a line that a search shows; `read_file` shows lines in full."""
_MOST_HITS = 100
_MOST_BYTES = 5_000_000
"""Maximum size of a file that is read or searched."""
_MOST_PATTERN = 300
_SECONDS = 5.0
"""Time of one search. The engine is linear, so it can't hang in a line."""
_QUESTION = "../judge"


class _RefusedError(Exception):
    """A call that a tool refuses."""


class TreeTools:
    """The tools over the folders of one attempt. Each returns its answer as text."""

    def __init__(self, repo: str, judge: str) -> None:
        self._repo, self._judge = os.path.realpath(repo), os.path.realpath(judge)

    def call(self, name: str, arguments: Json | None) -> str:
        """Return the answer of a tool; a call that it refuses is answered with the reason."""
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            return f"refused: there is no tool {name[:80]!r}"
        try:
            validator_for(tool.parameters).validate(arguments)
            return str(getattr(self, name)(**(arguments or {})))
        except ValidationError as error:
            return f"refused: {error.message[:300]}"
        except (_RefusedError, OSError, ValueError) as error:
            # A ValueError is a text that no path and no JSON can have.
            return f"refused: {error}"

    def list_files(self, folder: str = "") -> str:
        """List the paths of all files below a folder of the repository ("" for all).

        `../judge` has the question: briefs, findings, skills and the diff.
        """
        paths = sorted(path for path, _ in self._files(folder))
        if not paths:
            return f"refused: there is no file in {folder!r}"
        rest = len(paths) - _MOST_PATHS
        cut = [f"(cut: {rest} more files; name a folder)"] if rest > 0 else []
        return "\n".join([*paths[:_MOST_PATHS], *cut])

    def read_file(self, path: str, first: int = 1, last: int = 0) -> str:
        """Read a file with the numbers of its lines, from the line `first` to `last` (0: its end).

        A long answer is cut, and says how to continue.
        """
        place = self._place(path)
        if not os.path.isfile(place):
            return f"refused: there is no file {path!r}"
        lines = _text(place).removesuffix("\n").split("\n")
        first, end = max(1, int(first)), min(int(last) or len(lines), len(lines))
        if first > end:
            return f"refused: {path} has the lines 1 to {len(lines)}"
        shown: list[str] = []
        size = 0
        for number in range(first, end + 1):
            line = f"{number}\t{lines[number - 1]}"
            size += len(line) + 1
            if size > _MOST_CHARACTERS and shown:
                shown.append(f"(cut: {len(lines)} lines; continue with first={number})")
                break
            if size > _MOST_CHARACTERS:
                shown.append(f"{line[:_MOST_CHARACTERS]}\n(cut: the line {number} is longer)")
                break
            shown.append(line)
        return "\n".join(shown)

    def search(self, text: str, folder: str = "", is_pattern: bool = False) -> str:
        """Search the files below a folder for a fixed text, or for a regular expression.

        A line of the answer is `path:line: text`. The pattern is matched in each line by itself.
        """
        is_hit = _test(text, is_pattern)
        until = time.monotonic() + _SECONDS
        hits: list[str] = []
        size = 0
        for path, place in sorted(self._files(folder)):
            if time.monotonic() > until:
                return "\n".join([*hits, f"(cut: stopped after {_SECONDS:.0f} s; name a folder)"])
            if os.path.getsize(place) > _MOST_BYTES:
                hits.append(f"{path}: not searched, it is too large")
                continue
            content = _text(place)
            if "\0" in content or (not is_pattern and text not in content):
                continue
            for number, line in enumerate(content.replace("\r\n", "\n").split("\n"), 1):
                if not is_hit(line):
                    continue
                hits.append(f"{path}:{number}: {line[:_MOST_LINE]}")
                size += len(hits[-1])
                if len(hits) == _MOST_HITS or size > _MOST_CHARACTERS:
                    return "\n".join([*hits, "(cut: there may be more; search a folder of them)"])
        return "\n".join(hits) or "(nothing)"

    def _files(self, folder: str) -> Iterator[tuple[str, str]]:
        """Yield the files below a folder: the path by which a tool reads it, and its place."""
        top = self._place(folder)
        base, prefix = self._base(folder)
        for place, folders, names in os.walk(top):
            folders[:] = [name for name in folders if not os.path.islink(os.path.join(place, name))]
            for name in names:
                file = os.path.join(place, name)
                if os.path.isfile(file) and not os.path.islink(file):
                    yield prefix + os.path.relpath(file, base).replace(os.sep, "/"), file
        if os.path.isfile(top):
            yield folder, top

    def _base(self, path: str) -> tuple[str, str]:
        """Return the folder that a path is in, and how the paths of its files begin."""
        if path == _QUESTION or path.startswith(f"{_QUESTION}/"):
            return self._judge, f"{_QUESTION}/"
        return self._repo, ""

    def _place(self, path: str) -> str:
        """Return the place of a path. Raises _RefusedError for one that leads out of its folder."""
        base, prefix = self._base(path)
        below = path[len(_QUESTION) :].lstrip("/") if prefix else path
        if ".." in below.replace("\\", "/").split("/") or os.path.isabs(below) or "\0" in below:
            raise _RefusedError(f"{path!r} is not a path in the repository")
        place = os.path.realpath(os.path.join(base, below))
        # A link, a drive letter or anything else that still leads elsewhere.
        if place != base and not place.startswith(base + os.sep):
            raise _RefusedError(f"{path!r} is not a path in the repository")
        return place


def _tool(method: Callable[..., str], required: tuple[str, ...], **arguments: Json) -> Tool:
    parameters = {
        "type": "object",
        "properties": arguments,
        "required": list(required),
        "additionalProperties": False,
    }
    return Tool(method.__name__, inspect.getdoc(method) or "", parameters)


_STRING: Json = {"type": "string"}
_LINE: Json = {"type": "integer", "minimum": 0}
TOOLS = (
    _tool(TreeTools.list_files, (), folder=_STRING),
    _tool(TreeTools.read_file, ("path",), path=_STRING, first=_LINE, last=_LINE),
    _tool(
        TreeTools.search, ("text",), text=_STRING, folder=_STRING, is_pattern={"type": "boolean"}
    ),
)
"""The tools, as a model gets them."""


def _text(place: str) -> str:
    """Return the text of a file. Raises _RefusedError for a large one."""
    if os.path.getsize(place) > _MOST_BYTES:
        raise _RefusedError(f"the file has more than {_MOST_BYTES // 1_000_000} MB")
    with open(place, "rb") as file:
        return file.read().decode("utf-8-sig", errors="replace")


def _test(text: str, is_pattern: bool) -> Callable[[str], bool]:
    """Return the test of a line. Raises _RefusedError for an empty, long or invalid text."""
    if not text or len(text) > _MOST_PATTERN or "\n" in text:
        raise _RefusedError(f"a search is for 1 to {_MOST_PATTERN} characters of one line")
    if not is_pattern:
        return lambda line: text in line
    try:
        # The engine of Rust's `regex` takes linear time; Python's `re` can take exponential time.
        pattern = validator_for({"pattern": text}, pattern_options=RegexOptions())
    except (ValidationError, ValueError):
        raise _RefusedError(
            f"{text!r} is no regular expression (look-around and backreferences are not known)"
        ) from None
    return pattern.is_valid
