"""The rules of a branch, of which some cannot be seen."""

from helix_hooks.safety import branch
from helix_hooks.safety.line import Unseen


def test_an_unseen_ruleset_beside_one_that_is_seen() -> None:
    seen = branch.Guard(
        (("helix", branch.ACTIONS_APP),), pull_request=True, code_owners=True, dismisses=False
    )
    found = {
        line.check: line.state
        for line in branch.lines("main", (Unseen("no"), seen), (branch.ACTIONS_APP,))
    }
    assert found == {
        "required-check": "ok",
        "pull-request": "ok",
        "code-owner-review": "ok",
        "stale-reviews": "unsafe",
    }
