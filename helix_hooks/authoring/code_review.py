"""The approvals file that `init --github --code-review` writes: a judge for source code too."""

import os

from ..paths import APPROVALS_FILE

LINES = """approvals:
  adr: {enabled: true}
  code:                     # a judge reads each change to source code
    enabled: true
    timeout: 600
    max_cost_usd: 1.00      # the most for one run
"""
_TEXT = f"""# The judges, written by `helix-hooks init --github --code-review`; yours to edit.
# `helix-hooks check-config` says whether it is well-formed; docs/judges.md has all settings.
{LINES}"""
OFFER = (
    "  helix-hooks init --github --code-review   (a judge for source code too, which costs up to "
    "$1.00 a run; off by default)"
)
EXISTS = f"it exists; to review source code, add `code` to it\n\n{LINES}"


def text(root: str) -> str:
    """Return the file to write; "" if the repository has one."""
    if has_own(root):
        return ""
    return _TEXT


def has_own(root: str) -> bool:
    """Return whether a repository has an approvals file, which is left as it is."""
    return os.path.lexists(os.path.join(root, APPROVALS_FILE))
