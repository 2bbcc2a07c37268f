"""The other ADRs around those that are checked."""

from collections.abc import Iterable
from functools import partial

from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus, Entry, PathHistory, entry
from ..adr.examine import Source, adr_id, read
from ..adr.reference import collection
from ..adr.rules.registry import Ruleset
from ..config.settings import Settings
from ..repository import files
from .options import CheckTarget

_NO_REPOSITORY = "this is not a git repository, so the other ADRs are unknown"


def corpus_around(
    examined: list[FileReport],
    tree: files.Tree,
    settings: Settings,
    target: CheckTarget,
    *,
    is_staged: bool,
    is_whole: bool,
    taken: dict[str, list[str]] | None = None,
    fates: dict[str, PathHistory] | None = None,
) -> tuple[Corpus, list[Skipped]]:
    """Return the corpus around some ADRs, and the files for which a rule was skipped.

    With `is_whole`, the examined ADRs are all that there are. `taken` are paths of ADRs that
    another branch has added, by id. `fates` are the histories of missing files, None if unknown.
    """
    entries = [file.entry for file in examined if file.entry]
    skipped: list[Skipped] = []
    if fates is None:
        fates, skipped = _fates(entries, target, is_staged=is_staged)
    is_alone = not (is_whole or target.repository)
    corpus = Corpus(
        read=partial(_load_entry, tree, settings.ruleset),
        exists=lambda path: bool(tree.present([path])),
        belongs=partial(files.is_adr, tree, settings),
        widen=tuple if is_whole else partial(tree.folder, ""),
        fates=fates,
        taken=taken,
        alone=is_alone,
        text=lambda path: tree.content(path).decode(errors="replace"),
    )
    corpus.know(entries)
    if not is_whole:
        for folder in dict.fromkeys(collection(item.path) for item in entries):
            corpus.add(tree.folder(folder))
    if is_alone:
        skipped += _without_others(entries)
    return corpus, skipped


def _fates(
    entries: list[Entry], target: CheckTarget, *, is_staged: bool
) -> tuple[dict[str, PathHistory] | None, list[Skipped]]:
    """Return the histories of the missing files that ADRs mention; None if none is missing."""
    lost = lost_files(entries)
    if not lost:
        return None, []
    from .fates import fates_of

    return fates_of(lost, entries, target.repository, staged=is_staged, commit=target.commit)


def _without_others(entries: Iterable[Entry]) -> list[Skipped]:
    """Return the ADRs whose references can't be checked, because only they are read."""
    referring = [item for item in entries if item.references]
    return [Skipped("dangling-reference", item.path, _NO_REPOSITORY) for item in referring]


def lost_files(entries: Iterable[Entry]) -> list[str]:
    """Return the missing files that ADRs mention, without those that are yet to be created."""
    paths: dict[str, None] = {}
    for item in entries:
        for mention in item.lost:
            if mention.kind != "create" or item.status == "Implemented":
                paths[mention.path] = None
    return list(paths)


def with_source_lines(file: FileReport, tree: files.Tree) -> FileReport:
    """Return a report with the text of each line that a finding points at.

    Findings in one ADR have theirs. Findings of corpus rules may point at other lines.
    """
    missing = {finding.line for finding in file.findings} - file.lines.keys()
    if not missing:
        return file
    text = tree.content(file.path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = {line: rows[line - 1] for line in missing if line <= len(rows)}
    return file._replace(lines={**file.lines, **lines})


def _load_entry(tree: files.Tree, ruleset: Ruleset, path: str) -> Entry | None:
    doc = tree.document(path)
    if doc.defect:
        return None
    adr = read(Source(doc), ruleset)
    return entry(adr, adr_id(adr))
