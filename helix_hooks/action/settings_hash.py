"""The hash of all settings that count for a change."""

import hashlib

from ..change.change import Change
from ..decision.handover import LINKED
from ..paths import READ_FIRST


def settings_hash(change: Change, config: str) -> str:
    """Return a hash of settings, rubrics and briefs at the base.

    `config` is an approvals file at another place, "" for none. LINKED stands behind the hash if
    links lead to one of these files.
    """
    tree = change.rules
    own = (*READ_FIRST, config)
    paths = [path for path in tree.folder("") if path in own or path.startswith(change.ours)]
    blobs = sorted((path, tree.blob(path)) for path in paths)
    linked = LINKED if any(tree.place(path).links for path in paths) else ""
    return hashlib.sha256(repr(blobs).encode(errors="surrogateescape")).hexdigest() + linked
