"""The approved version of an ADR, and the commit from which work on it counts."""

from collections.abc import Iterator
from typing import NamedTuple

from ..adr.corpus import DECIDED
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.parse.document import parse
from ..config.settings import Settings
from ..errors import HelixError
from ..git.history import Blob, FileVersion, blobs, is_shallow, lineage, merge_base
from .base import WorkBase

FETCH = "; fetch the whole history (`git fetch --unshallow`, or fetch-depth: 0)"


class Approved(NamedTuple):
    """The approved version of an ADR: its path, content, and the content's object id (`hash`).

    `since` is the commit of the approval. The work is compared with the files of the commit
    `before` ("" for none). `how` names the kind of approval.
    """

    path: str
    content: bytes
    hash: str
    since: str
    before: str
    how: str


class CutOffError(HelixError):
    """The history of the clone is too short to find the approval. Exit code 3."""


class NotApprovedError(Exception):
    """An ADR has no approved version. The message has the reason."""


def approved(
    root: str, base: WorkBase, path: str, settings: Settings, head: str, counts_records: bool
) -> Approved:
    """Return the approved version of an ADR that is at `path` in the base.

    If the ADR is accepted in the base, that is its version. Otherwise it is the newest version on
    the branch that `helix-hooks approve` approved, if `counts_records`.

    Raises:
        NotApprovedError: No version is approved.
        CutOffError: The history of the clone is too short.
    """
    versions = lineage(root, base.commit, path)
    dated = _dated(root, versions.versions)
    accepted = _accepted(dated, settings)
    if not accepted:
        if counts_records and (recorded := _recorded(root, base, path, head)):
            return recorded
        if dated:
            raise NotApprovedError(f"the ADR is not accepted in {base.name}")
        raise NotApprovedError(f"the ADR is not in {base.name}, and no approval is recorded")
    # The version before the approval must be visible, or an earlier approval may be missing.
    if len(accepted) == len(dated) and not versions.is_whole:
        raise CutOffError(f"the commit at which {path} was approved is not in this clone{FETCH}")
    first, first_blob = accepted[-1]
    # Later versions on the same branch belong to the work, which must not change the contract.
    blob = first_blob if base.is_own else accepted[0][1]
    return Approved(
        path=path,
        content=blob.data,
        hash=blob.object,
        since=first.commit,
        before=_before(root, first, base, head),
        how=f"accepted at {base.name}",
    )


def _accepted(
    dated: list[tuple[FileVersion, Blob | None]], settings: Settings
) -> list[tuple[FileVersion, Blob]]:
    """Return the newest versions up to the first that is not accepted."""
    accepted = []
    for version, blob in dated:
        if not blob or status_of(version.path, blob.data, settings) not in DECIDED:
            break
        accepted.append((version, blob))
    return accepted


def _before(root: str, first: FileVersion, base: WorkBase, head: str) -> str:
    """Return the commit before the approval if the work is built on it; otherwise the merge base.

    Raises:
        CutOffError: The history of the clone is too short.
    """
    if base.fork == base.commit:
        return first.parent  # the work is built on all of the base
    common = merge_base(root, first.commit, head)
    if not common and is_shallow(root):
        raise CutOffError(f"the history of the work is not in this clone{FETCH}")
    if common != first.commit:
        return base.fork
    return first.parent


def _dated(root: str, versions: tuple[FileVersion, ...]) -> list[tuple[FileVersion, Blob | None]]:
    """Return versions of a file, newest first, with their contents (None where it was deleted).

    Raises:
        GitError: git lacks a content, which may be that of an approval.
    """
    names = [f"{version.commit}:{version.path}" for version in versions if version.status != "D"]
    contents = iter(blobs(root, names))
    return [(version, None if version.status == "D" else next(contents)) for version in versions]


def adr_of(path: str, content: bytes, settings: Settings) -> Adr:
    return read(Source(parse(content, path)), settings.ruleset)


def status_of(path: str, content: bytes, settings: Settings) -> str:
    """Return the status of a version of an ADR; "" for an unknown one or none."""
    return adr_of(path, content, settings).status


def _recorded(root: str, base: WorkBase, path: str, head: str) -> Approved | None:
    """Return the newest version of the branch whose content has a recorded approval, or None."""
    hashes = set(_approved_hashes(root, path))
    if not hashes:
        return None
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
    """Yield the object ids of a file's approved contents, from the run records of this clone."""
    from ..judge import store  # needed only if the base has not accepted the ADR

    for entry in store.records(store.folder(root)):
        if not entry or entry.get("decision") != "approved":
            continue
        files = entry.get("files")
        if entry.get("approval_type") != "adr" or not isinstance(files, dict):
            continue
        if isinstance(files.get(path), str):
            yield files[path]
