"""The Action on an ADR with old errors: those are information, and the page counts them."""

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.stories.pull_request.scene import Runner, check, main_has, push, texts

OLD = "docs/adr/0002-storage.md"
TEXT = (
    "# 2. Store the ordres\n\n## Status\n\nProposed\n\n## Context\n\nOrders come by telephone, and some are lost.\n\n"
    "## Consequences\n\nSomebody has to keep the store running.\n"
)
LEFT = "(1 was there before)"


def test_a_typo_in_an_old_adr(github: FakeGitHub, repository: Repository, runner: Runner) -> None:
    # Without a template in the settings, what an old ADR lacks is no finding of its own.
    main_has(repository, ".helix-hooks.yaml", "template: nygard\n")
    main_has(repository, OLD, TEXT)
    corrected = TEXT.replace("ordres", "orders")
    push(repository, OLD, corrected)
    done = runner.run(1)
    assert (done.code, check(github).conclusion) == (0, "success"), texts(github)
    assert LEFT in texts(github)
    push(repository, OLD, corrected.replace("## Consequences\n\nSomebody", "Somebody"))
    done = runner.run(1)
    assert (done.code, check(github).conclusion) == (1, "failure"), "the change lost a section"
    assert "1 error" in texts(github) and LEFT in texts(github)
    push(repository, OLD, corrected.replace("Proposed", "Accepted"))
    done = runner.run(1)
    assert (done.code, check(github).conclusion) == (1, "failure"), (
        "an acceptance is checked in full"
    )
