"""The paths of a work tree, as git lists them."""

from collections.abc import Iterable
from typing import NamedTuple

from ..paths import is_markdown
from . import names, run

KNOWN = [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
    "-v",
    "-z",
]

_HIDDEN_TAGS = "Sabcdefghijklmnopqrstuvwxyz"


class Known(NamedTuple):
    """Tracked paths, and untracked ones that are not ignored.

    `listing` has `H `, the path and NUL for each of them, as git prints tracked ones. `hidden` are
    paths whose changes on the disk git ignores (assume-unchanged and skip-worktree). `sparse` are
    those that git does not expect on the disk (skip-worktree). `has_warnings`: git may not have
    opened each folder.
    """

    listing: str
    untracked: frozenset[str]
    hidden: frozenset[str]
    sparse: frozenset[str]
    has_warnings: bool = False

    @property
    def paths(self) -> list[str]:
        """Return all paths."""
        if not self.listing:
            return []
        return self.listing[len("H ") : -1].split("\0H ")

    @property
    def markdown(self) -> list[str]:
        """Return the paths of the Markdown files."""
        return [path for path in self.paths if is_markdown(path)]


def known(root: str, *settings: str) -> Known:
    """List the work tree; `settings` are arguments of git before the command."""
    done = run([*settings, *KNOWN], root)
    output, has_warnings = done.stdout, bool(done.stderr)
    # Any tag but H means that the listing has to be read line by line, which is rare.
    if output.count(b"\0") > output.count(b"\0H ") + output.startswith(b"H "):
        return _with_tags(names(output))._replace(has_warnings=has_warnings)
    none: frozenset[str] = frozenset()
    return Known(
        listing=output.decode(errors="surrogateescape"),
        untracked=none,
        hidden=none,
        sparse=none,
        has_warnings=has_warnings,
    )


def _with_tags(records: list[str]) -> Known:
    """Read a listing in which some paths have another tag than H.

    A lowercase tag is assume-unchanged, S is skip-worktree, ? is untracked. A path in conflict is
    listed several times.
    """
    tags = {record[2:]: record[0] for record in records if record[0] != "H"}
    return Known(
        listing=listing(dict.fromkeys([record[2:] for record in records])),
        untracked=_tagged(tags, "?"),
        hidden=_tagged(tags, _HIDDEN_TAGS),
        sparse=_tagged(tags, "sS"),
    )


def _tagged(tags: dict[str, str], letters: str) -> frozenset[str]:
    return frozenset(path for path, tag in tags.items() if tag in letters)


def listing(paths: Iterable[str]) -> str:
    """Return paths as `Known` has them."""
    return "".join([f"H {path}\0" for path in paths])
