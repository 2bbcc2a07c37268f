"""Record the questions to a tree of files, with their answers."""

import hashlib
from collections.abc import Callable, Collection
from typing import TypeVar

from ..adr.parse.document import AdrDocument, parse
from .links import Place
from .trees import Tree

Question = tuple[str, str]
"""A method of a tree, and the path that is its argument."""

Mark = bool | str
"""An answer: yes or no, or the hash of a longer one."""

Value = TypeVar("Value")

DOCUMENT, PRESENT = "document", "present"


class RecordingTree:
    """A tree that records its questions and answers in `asked`.

    It is incomplete after a question that `answers` can't ask again, or for a file that can't be
    read.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.linked_adrs_cache = tree.linked_adrs_cache
        self.asked: dict[Question, Mark] = {}
        self.is_complete = True

    def answered(self, method: str, path: str, value: Value) -> Value:
        """Record an answer, and return it."""
        self.asked[method, path] = mark(value)
        return value

    def document(self, path: str) -> AdrDocument:
        data = self._tree.raw(path)
        if data is None:
            return self._not_again(self._tree.document(path))
        self.answered(DOCUMENT, path, data)
        return parse(data, path)

    def present(self, paths: Collection[str]) -> set[str]:
        existing = self._tree.present(paths)
        self.asked.update({(PRESENT, path): path in existing for path in paths})
        return existing

    def there(self, path: str) -> bool:
        return self.answered("there", path, self._tree.there(path))

    def tracked(self, path: str) -> bool:
        return self.answered("tracked", path, self._tree.tracked(path))

    def place(self, path: str) -> Place:
        return self.answered("place", path, self._tree.place(path))

    def folder(self, path: str) -> list[str]:
        return self.answered("folder", path, self._tree.folder(path))

    def markdown(self, folder: str) -> list[str]:
        return self.answered("markdown", folder, self._tree.markdown(folder))

    def names(self) -> dict[str, Place]:
        return self.answered("names", "", self._tree.names())

    def _not_again(self, value: Value) -> Value:
        self.is_complete = False
        return value

    def raw(self, path: str) -> bytes | None:
        return self._not_again(self._tree.raw(path))

    def read(self, path: str) -> bytes | None:
        return self._not_again(self._tree.read(path))

    def content(self, path: str) -> bytes:
        return self._not_again(self._tree.content(path))

    def has(self, path: str) -> bool:
        return self._not_again(self._tree.has(path))

    def on_disk(self, path: str) -> bool:
        return self._not_again(self._tree.on_disk(path))

    def closed(self) -> list[str]:
        return self._not_again(self._tree.closed())

    def is_folder(self, path: str) -> bool:
        return self._not_again(self._tree.is_folder(path))

    def submodules(self) -> list[str]:
        return self._not_again(self._tree.submodules())

    def remember(self) -> None:
        self._tree.remember()

    def after_fork(self) -> None:
        self._tree.after_fork()


Ask = Callable[[Tree, str], object]

_ASKED_AGAIN: dict[str, Ask] = {
    DOCUMENT: lambda tree, path: tree.raw(path),
    "there": lambda tree, path: tree.there(path),
    "tracked": lambda tree, path: tree.tracked(path),
    "place": lambda tree, path: tree.place(path),
    "folder": lambda tree, path: tree.folder(path),
    "markdown": lambda tree, path: tree.markdown(path),
    "names": lambda tree, _: tree.names(),
}


def answers(
    tree: Tree, questions: Collection[Question], others: dict[str, Ask]
) -> dict[Question, Mark]:
    """Return the present answers of a tree to some questions.

    `others` are functions for questions that no method of a tree answers. Raises KeyError for an
    unknown question.
    """
    ask = {**_ASKED_AGAIN, **others}
    paths = [path for method, path in questions if method == PRESENT]
    present = tree.present(paths)
    marks: dict[Question, Mark] = {(PRESENT, path): path in present for path in paths}
    for question in questions:
        method, path = question
        if method != PRESENT:
            marks[question] = mark(ask[method](tree, path))
    return marks


def mark(value: object) -> Mark:
    """Return an answer in a form that can be stored: a hash, unless it is a boolean."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, bytes):
        value = f"{type(value).__name__} {value!r}".encode()
    return hashlib.blake2b(value, digest_size=20).hexdigest()
