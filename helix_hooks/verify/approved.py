"""The approved version of an ADR, and the commit since which work on it counts."""

from collections.abc import Iterator
from typing import NamedTuple

from ..adr.corpus import DECIDED
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.parse.document import parse
from ..config.settings import Settings
from ..errors import HelixError
from ..repository import history
from ..repository.lineage import Blob, FileVersion, blobs, lineage
from .base import WorkBase

FETCH = "; fetch the whole history (`git fetch --unshallow`, or fetch-depth: 0)"


class Approved(NamedTuple):
    """The approved version of an ADR: its path, content, and git's name for the content (`hash`).

    `since` is the commit of the approval, and `before` the one whose files the work is compared
    with ("" for none). `how` says by what it is approved.
    """

    path: str
    content: bytes
    hash: str
    since: str
    before: str
    how: str


class CutOffError(HelixError):
    """The history of the clone is too short to tell what was approved, and when. Exit 3."""


class NotApprovedError(Exception):
    """An ADR has no approved version; the message says why."""


def approved(
    root: str, base: WorkBase, path: str, settings: Settings, head: str, counts_records: bool
) -> Approved:
    """Return the approved version of an ADR that is at `path` at the base.

    That is the version of the base, if it is accepted there; else the newest version on the branch
    that `helix-hooks approve` has approved, if its records count. Raises NotApprovedError, and
    CutOffError where the history is cut off.
    """
    versions = lineage(root, base.commit, path)
    dated = _dated(root, versions.versions)
    accepted = []
    for version, blob in dated:
        if not blob or status_of(version.path, blob.data, settings) not in DECIDED:
            break
        accepted.append((version, blob))
    if not accepted:
        recorded = _recorded(root, base, path, head) if counts_records else None
        if recorded:
            return recorded
        if dated:
            raise NotApprovedError(f"the ADR is not accepted at {base.name}")
        raise NotApprovedError(f"the ADR is not at {base.name}, and no approval is recorded")
    if len(accepted) == len(dated) and not versions.is_whole:
        raise CutOffError(f"the commit at which {path} was approved is not in this clone{FETCH}")
    first, first_blob = accepted[-1]
    blob = first_blob if base.is_own else accepted[0][1]
    return Approved(
        path=path,
        content=blob.data,
        hash=blob.object,
        since=first.commit,
        before=_before(root, first, base, head),
        how=f"accepted at {base.name}",
    )


def _before(root: str, first: FileVersion, base: WorkBase, head: str) -> str:
    """Return the commit before the approval, if the work is built on it; else the merge base."""
    if base.fork == base.commit:
        return first.parent  # the work is built on all of the base
    common = history.merge_base(root, first.commit, head)
    if not common and history.is_shallow(root):
        raise CutOffError(f"the history of the work is not in this clone{FETCH}")
    return first.parent if common == first.commit else base.fork


def _dated(root: str, versions: tuple[FileVersion, ...]) -> list[tuple[FileVersion, Blob | None]]:
    found = blobs(root, [f"{version.commit}:{version.path}" for version in versions])
    return list(zip(versions, found, strict=True))


def adr_of(path: str, content: bytes, settings: Settings) -> Adr:
    return read(Source(parse(content, path)), settings.ruleset)


def status_of(path: str, content: bytes, settings: Settings) -> str:
    """Return the status that a version of an ADR states; "" for none that is known."""
    adr = adr_of(path, content, settings)
    return adr.statuses.read(adr.header.text("status")) or ""


def _recorded(root: str, base: WorkBase, path: str, head: str) -> Approved | None:
    """Return the newest version of the branch whose content a recorded approval names."""
    hashes = set(_approved_hashes(root, path))
    if hashes:
        for version, blob in _dated(root, lineage(root, head, path).versions):
            if blob and blob.object in hashes:
                return Approved(
                    path=version.path,
                    content=blob.data,
                    hash=blob.object,
                    since=version.commit,
                    before=base.fork,
                    how="approved by `helix-hooks approve`",
                )
    return None


def _approved_hashes(root: str, path: str) -> Iterator[str]:
    """Yield the hashes of a file's content in the recorded approvals of this clone."""
    from ..judge import store  # needed only where the base has not accepted the ADR

    for entry in store.records(store.folder(root)):
        files = entry.get("files") if entry else None
        if not entry or not isinstance(files, dict) or entry.get("decision") != "approved":
            continue
        if entry.get("approval_type") == "adr" and isinstance(files.get(path), str):
            yield files[path]
