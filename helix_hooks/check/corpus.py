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
    """Return the corpus around some ADRs, and what could not be checked about the files they name.

    With `is_whole`, the examined ADRs are all that there are. `taken` are paths of ADRs that
    another branch has added, by id. `fates` say what became of missing files, where that is known.
    """
    entries = [file.entry for file in examined if file.entry]
    is_alone = not (is_whole or target.repository)
    lost = lost_files(entries) if fates is None else []
    skipped: list[Skipped] = []
    if lost:
        fates, skipped = _fates(lost, entries, target, is_staged=is_staged)
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
        folders = dict.fromkeys(collection(item.path) for item in entries)
        corpus.add(path for folder in folders for path in tree.folder(folder))
    if is_alone:
        named = (item for item in entries if item.references)
        skipped += [Skipped("dangling-reference", item.path, _NO_REPOSITORY) for item in named]
    return corpus, skipped


def lost_files(entries: Iterable[Entry]) -> list[str]:
    """Return the missing files that ADRs mention, without those that are yet to be created."""
    mentions = (
        mention
        for item in entries
        for mention in item.lost
        if mention.kind != "create" or item.status == "Implemented"
    )
    return list(dict.fromkeys(mention.path for mention in mentions))


def _fates(
    lost: list[str], entries: list[Entry], target: CheckTarget, *, is_staged: bool
) -> tuple[dict[str, PathHistory], list[Skipped]]:
    from .fates import fates_of

    return fates_of(lost, entries, target.repository, staged=is_staged, commit=target.commit)


def _load_entry(tree: files.Tree, ruleset: Ruleset, path: str) -> Entry | None:
    doc = tree.document(path)
    if doc.defect:
        return None
    adr = read(Source(doc), ruleset)
    return entry(adr, adr_id(adr))
