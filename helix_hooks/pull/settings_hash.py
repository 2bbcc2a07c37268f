"""The hash of all settings that apply to a change."""

import hashlib

from ..decision.handover import LINKED
from ..judge.change import Change
from ..paths import READ_FIRST


def settings_hash(change: Change, config: str) -> str:
    """Return a hash of settings, rubrics and briefs at the base.

    `config` is the path of an approvals file, "" for the default. LINKED is appended if one of
    these files is a link.
    """
    tree = change.rules
    own = (*READ_FIRST, config)
    paths = [path for path in tree.folder("") if path in own or path.startswith(change.ours)]
    blobs = sorted((path, tree.blob(path)) for path in paths)
    digest = hashlib.sha256(repr(blobs).encode(errors="surrogateescape")).hexdigest()
    if any(tree.place(path).links for path in paths):
        # The content of a link's target is not in the hash.
        return digest + LINKED
    return digest
