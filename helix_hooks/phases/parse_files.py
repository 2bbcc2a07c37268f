"""The files that a phase reads and writes."""

import re

from ..config import check_glob, check_globs
from ..yaml_reader import Value

_OURS = {".git", ".helix"}


def files_of(value: Value | None) -> tuple[str, ...]:
    """Return globs from a string, a list, or a mapping with the key `files`. Raises ConfigError."""
    if value is None:
        return ()
    if isinstance(value.data, dict):
        value = value.mapping(("files",), ("files",))["files"]
    items = value.one_or_more()
    if not items:
        raise value.fail("empty list; add a file, or remove the key")
    for item in items:
        if item.text().startswith("!"):
            raise item.fail(f"{item.data!r}: cannot exclude files; list those to include")
        check_glob(item, item.text())
    globs: dict[str, None] = {}
    for item in items:
        if item.text() in globs:
            raise item.fail(f"{item.data!r} is named twice")
        globs[item.text()] = None
    check_globs(value, tuple(globs))
    return tuple(globs)


def outputs_of(value: Value | None) -> tuple[str, ...]:
    """Return the globs of files that a phase may write. Raises ConfigError."""
    globs = files_of(value)
    for pattern in globs:
        # Also in a group such as {docs,.git}/x; some systems ignore case.
        ours = sorted(_OURS & {*re.split("[/{},]", pattern.casefold())})
        if value and ours:
            raise value.fail(f"{pattern!r} is inside {ours[0]}, which phases cannot write")
    return globs
