"""The other ADRs around those that are checked."""

from collections.abc import Iterable
from functools import partial

from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus, Entry, PathHistory, entry
from ..adr.examine import Source, adr_id, read
from ..adr.reference import collection
from ..adr.rules.registry import Ruleset
from ..config.settings import Settings
from . import files
from .options import CheckTarget
from .trees import Tree

_NO_REPOSITORY = "this is not a git repository, so the other ADRs are unknown"


def corpus_around(
    examined: list[FileReport],
    tree: Tree,
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
    entries: list[Entry] = []
    folders: dict[str, None] = {}
    for file in examined:
        if file.entry:
            entries.append(file.entry)
            folders[collection(file.entry.path)] = None
    skipped: list[Skipped] = []
    lost = lost_files(entries) if fates is None else []
    if lost:
        from .lost import history_of

        repository, commit = target.repository, target.commit
        fates, skipped = history_of(lost, entries, repository, staged=is_staged, commit=commit)
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
        for folder in folders:
            corpus.add(tree.folder(folder))
    if is_alone:
        # Only these ADRs are read, so their references can't be checked.
        referring = [item.path for item in entries if item.references]
        skipped += [Skipped("dangling-reference", path, _NO_REPOSITORY) for path in referring]
    return corpus, skipped


def lost_files(entries: Iterable[Entry]) -> list[str]:
    """Return the missing files that ADRs mention, without those that are yet to be created."""
    paths: dict[str, None] = {}
    for item in entries:
        for mention in item.lost:
            if mention.kind != "create" or item.status == "Implemented":
                paths[mention.path] = None
    return list(paths)


def with_source_lines(file: FileReport, tree: Tree) -> FileReport:
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


def _load_entry(tree: Tree, ruleset: Ruleset, path: str) -> Entry | None:
    doc = tree.document(path)
    if doc.defect:
        return None
    adr = read(Source(doc, is_new=False), ruleset)
    return entry(adr, adr_id(adr))
