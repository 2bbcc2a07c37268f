"""The settings by which gates decide in a run: those of its start, by their hashes.

Who works in a run can write to these files too. So a change of them makes each gate fail, until
they are as before; a new run begins with the new ones.
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
_PROJECT = "pyproject.toml"
_TABLE = f"{_PROJECT} [tool.helix-hooks]"


def policy_hashes(root: str) -> dict[str, str]:
    """Return the hashes of what decides about gates, by path. Raises OSError."""
    found = contents(root, _PATTERNS)
    decisive = {**found.hashes, **dict.fromkeys(found.refused, "")}
    return {
        **{path: hash for path, hash in decisive.items() if not is_result(path)},
        _TABLE: hashlib.sha256(_table(root)).hexdigest(),
    }


def changed_policy(root: str, before: Mapping[str, str]) -> str:
    """Return a file that has changed, "" if none has. Raises OSError."""
    now = policy_hashes(root)
    paths = sorted({*now, *before})
    return next((path for path in paths if now.get(path) != before.get(path)), "")


def _table(root: str) -> bytes:
    data = plain.data(os.path.realpath(os.path.join(root, _PROJECT)))
    try:
        table = tomllib.loads(data.decode()).get("tool", {})
    except (ValueError, AttributeError, RecursionError):
        return data
    own = table.get("helix-hooks") if isinstance(table, dict) else table
    return json.dumps(own, default=str, sort_keys=True).encode()
