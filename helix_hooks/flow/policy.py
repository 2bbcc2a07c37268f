"""The hashes of the settings for gates at the start of a run.

An agent of the run can also write to these files. So after a change every gate fails until the
change is reverted. A new run uses the new settings.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping

from ..paths import is_result
from . import plain
from .contents import contents

_PATTERNS = ("approvals/**", "config/**", ".helix-hooks.yaml")
PROJECT = "pyproject.toml"
_TABLE = f"{PROJECT} [tool.helix-hooks]"


def policy_hashes(root: str) -> dict[str, str]:
    """Return the hashes of the settings for gates, by path. Raises OSError."""
    settings = contents(root, _PATTERNS)
    hashes = {**settings.hashes, **dict.fromkeys(settings.refused, "")}
    # Gates write their results below approvals/.
    hashes = {path: hash for path, hash in hashes.items() if not is_result(path)}
    hashes[_TABLE] = hashlib.sha256(_table(root)).hexdigest()
    return hashes


def changed_policy(root: str, before: Mapping[str, str]) -> str:
    """Return a changed file, "" if there is none. Raises OSError."""
    now = policy_hashes(root)
    paths = sorted({*now, *before})
    return next((path for path in paths if now.get(path) != before.get(path)), "")


def _table(root: str) -> bytes:
    data = plain.data(os.path.realpath(os.path.join(root, PROJECT)))
    try:
        table = tomllib.loads(data.decode()).get("tool", {})
    except (ValueError, RecursionError):
        return data
    own = table.get("helix-hooks") if isinstance(table, dict) else table
    return json.dumps(own, default=str, sort_keys=True).encode()
