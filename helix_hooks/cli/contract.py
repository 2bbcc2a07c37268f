"""`helix-hooks contract`: what an ADR promises, before the work, and what it could promise."""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from .. import git
from ..adr.examine import Source, adr_id, read
from ..adr.model import Adr
from ..adr.parse.document import parse
from ..adr.promises import promises_of
from ..authoring.difference import ChangedFile, patch
from ..check import files
from ..check.trees import Index
from ..check.work_tree import WorkTree
from ..config.settings import Settings, load
from ..console import print_message, print_patch, print_result
from ..contract.suggested import Suggestion, suggestions, with_suggestions
from ..errors import UsageError
from ..judge.approvals import approvals_of
from ..paths import is_markdown
from ..text import at_line_start, counted, dumped, painted, printable
from ..text.table import table
from ..verification.forecast import Forecast, forecasts
from ..verification.result import PROMISES_NOTHING, in_words
from ..verify.claims import paths_named
from ..verify.result_text import SIGNS
from . import shared

_WIDTH = 200
"""Maximum characters of a criterion in a line."""
_NOTHING = 4


@shared.command(
    "contract",
    example="""examples:
  helix-hooks contract ADR-014                         show what the ADR promises
  helix-hooks contract docs/adr/014-use-kafka.md --suggest
                                                       offer promises in the words of its text
  helix-hooks contract ADR-014 --suggest | git apply   add them""",
    exits={
        0: "the promises or a patch are printed, or --suggest has nothing to add",
        4: "the ADR promises nothing (with --suggest: and its text offers nothing)",
    },
)
@shared.paths("ADR", "id or file, as it is in the work tree", to="name")
@shared.flag("--suggest", "print a patch with promises in the words of the ADR; change nothing")
@shared.formats()
def run(*, name: str, suggest: bool, format: str) -> int:
    """Print the promises of an ADR, or a patch that adds some.

    Raises:
        UsageError: There is no such ADR, several have this id, or it can't be read.
    """
    root = git.root_for("contract")
    with closing(Index(root)) as index:
        tree = WorkTree(root, index)
        settings = load(tree.read, files.packaged)
        path = git.paths_in(root, [name])[0] if is_markdown(name) or os.sep in name else name
        paths = paths_named(path, tree, settings)
        if len(paths) > 1:
            raise UsageError(f"{name} is ambiguous: {' or '.join(paths[:3])}; give the path")
        if not paths:
            raise UsageError(f"{name}: there is no such ADR in the work tree")
        doc = tree.document(paths[0])
        if doc.defect:
            raise UsageError(f"{doc.path}: {doc.defect.message}")
        adr = read(Source(doc), settings.ruleset)
        promises = promises_of(adr)
        rows = [*forecasts(promises, approvals_of(tree).verify)]
        offered = suggestions(adr, tree.has) if suggest else ()
        change = _change(adr, tree.content(doc.path), settings, offered)
    if format == "json":
        value = {
            "version": 1,
            "adr_id": adr_id(adr),
            "path": doc.path,
            "title": doc.title_text,
            "promises": [row._asdict() for row in rows],
        }
        if suggest:
            value["suggestions"] = [
                {"kind": item.kind, "subject": item.subject, "line": item.line} for item in offered
            ]
            value["patch"] = change.decode(errors="backslashreplace")
        print_result(dumped(value))
    elif suggest:
        _print_offer(doc.path, offered, change)
    else:
        print_result(_text(adr, rows, is_empty=not promises))
    return 0 if promises or offered else _NOTHING


def _text(adr: Adr, rows: Sequence[Forecast], is_empty: bool) -> str:
    place, color = at_line_start(adr.doc.path), shared.console().colored
    head = painted(PROMISES_NOTHING, "warning", color)
    if not is_empty:
        counts = in_words(Counter(row.state for row in rows))
        head = f"{counted(len(rows), 'promise')}, at best {counts}"
    cells = []
    for row in rows:
        where = f" (line {row.line})" if row.line else ""
        text = f"{printable(row.subject, _WIDTH)}{where}: {row.how}"
        cells.append(((row.state, SIGNS[row.state]), row.kind, text))
    title = printable(adr.doc.title_text, _WIDTH)
    lines = [
        f"{place}: {head}{f' ({title})' if title else ''}",
        *table(cells, indent=2, color=color),
    ]
    if is_empty:
        lines.append(
            "  = list its files in the header, or what must be true as `- [ ] ...` below "
            "`## Acceptance Criteria`; "
            f"`helix-hooks contract {place} --suggest` offers what the text says"
        )
    return "".join(f"{line}\n" for line in lines)


def _change(adr: Adr, before: bytes, settings: Settings, offered: Sequence[Suggestion]) -> bytes:
    """Return a patch that adds suggestions to an ADR; empty if it can't add all of them."""
    # A YAML header above one in TOML would hide it.
    if not offered or before.startswith(b"+++"):
        return b""
    path = adr.doc.path
    text = with_suggestions(adr, before.decode(errors="surrogateescape"), offered)
    after = text.encode(errors="surrogateescape")
    changed = read(Source(parse(after, path)), settings.ruleset)
    is_whole = len(promises_of(changed)) == len(promises_of(adr)) + len(offered)
    return patch(ChangedFile(path, path, before, after)) if is_whole else b""


def _print_offer(path: str, offered: Sequence[Suggestion], change: bytes) -> None:
    """Print a patch, and on standard error what it adds; without a patch, the lines to add."""
    message = "its text offers no promise that it lacks"
    if change:
        print_patch(change)
        message = f"nothing is changed; the patch adds {counted(len(offered), 'promise')}"
    elif offered:
        for item in offered:
            print_result(f"{item.kind} {printable(item.subject)} (line {item.line})\n")
        message = "the lines could not be placed; add them by hand"
    if not shared.console().quiet:
        print_message(f"{at_line_start(path)}: {message}")
