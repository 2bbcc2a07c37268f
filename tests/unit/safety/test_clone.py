"""What doctor says of a clone: each line once, whatever is missing."""

from helix_hooks.config.policy import Deciders
from helix_hooks.safety import clone, hosted
from helix_hooks.safety.clone import Clone
from helix_hooks.safety.hosted import Unreached
from helix_hooks.safety.line import MISSING, OK, UNKNOWN, Line

EMPTY = Clone(
    hook_config=None,
    script=None,
    is_executable=False,
    workflow=None,
    other_workflows={},
    codeowners_path=".github/CODEOWNERS",
    codeowners=None,
    paths=(),
)


def test_an_empty_clone_misses_all_but_settings() -> None:
    settings = Line("settings", OK, "well-formed")
    lines = list(clone.lines(EMPTY, iter([settings]), "approvals"))
    assert [(line.check, line.state) for line in lines] == [
        ("hook-listed", MISSING),
        ("hook-installed", MISSING),
        ("settings", OK),
        ("workflow", MISSING),
        ("codeowners", MISSING),
    ]
    assert all(line.help for line in lines if line.state != OK)


def test_a_github_that_was_not_asked_is_one_line() -> None:
    unreached = Unreached("GITHUB_TOKEN is not set", "set it")
    (line,) = hosted.lines(unreached, None, Deciders())
    assert line == Line("repository", UNKNOWN, "not looked at: GITHUB_TOKEN is not set", "set it")
