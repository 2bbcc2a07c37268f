"""Circles of relations between ADRs."""

from collections.abc import Callable, Iterator


class Circles:
    """Strongly connected ADRs (Tarjan's algorithm). Each ADR is visited once.

    It has no recursion, since a chain may have 10,000 links.
    """

    def __init__(self, targets: Callable[[str, str], Iterator[str]], kind: str) -> None:
        self._targets, self._kind = targets, kind
        self._index: dict[str, int] = {}
        self._low: dict[str, int] = {}
        self._open: list[str] = []
        self._is_open: set[str] = set()
        self._circles: dict[str, frozenset[str]] = {}

    def of(self, path: str) -> frozenset[str]:
        if path not in self._index:
            self._visit(path)
        return self._circles.get(path, frozenset())

    def _visit(self, root: str) -> None:
        stack = [self._enter(root)]
        while stack:
            path, targets = stack[-1]
            for target in targets:
                if target not in self._index:
                    stack.append(self._enter(target))
                    break
                if target in self._is_open:
                    self._low[path] = min(self._low[path], self._index[target])
                    if target == path:
                        self._circles[path] = frozenset((path,))
            else:
                stack.pop()
                self._leave(path)
                if stack:
                    above = stack[-1][0]
                    self._low[above] = min(self._low[above], self._low[path])

    def _enter(self, path: str) -> tuple[str, Iterator[str]]:
        self._index[path] = self._low[path] = len(self._index)
        self._open.append(path)
        self._is_open.add(path)
        return path, self._targets(path, self._kind)

    def _leave(self, path: str) -> None:
        if self._low[path] != self._index[path]:
            return
        members = [self._open.pop()]
        while members[-1] != path:
            members.append(self._open.pop())
        self._is_open.difference_update(members)
        if len(members) > 1:
            self._circles.update(dict.fromkeys(members, frozenset(members)))
