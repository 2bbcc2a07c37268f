"""The rules of a branch, of which some cannot be seen."""

from helix_hooks.doctor.hosted import Guard, Unseen, branch_lines
from helix_hooks.pull.access import ACTIONS_APP


def test_an_unseen_ruleset_beside_one_that_is_seen() -> None:
    seen = Guard((("helix", ACTIONS_APP),), pull_request=True, code_owners=True, dismisses=False)
    lines = branch_lines("main", [Unseen("no"), seen], [ACTIONS_APP])
    assert {line.check: line.state for line in lines} == {
        "required-check": "ok",
        "pull-request": "ok",
        "code-owner-review": "ok",
        "stale-reviews": "unsafe",
    }
