"""What the hook measures against: HEAD, both sides of a merge, pre-commit's from-ref; with the real git."""

import json
import os
import sys

import pytest

from tests.conftest import Repository, Run
from tests.fakes.program import program
from tests.stories.check.samples import GOOD

PATH = "docs/adr/0007-kafka.md"
CONTEXT = (
    "Orders are lost when the queue is restarted, and nobody notices it before the next morning."
)
OPEN = GOOD.replace("Accepted", "Proposed").replace("## Context\n\nx", f"## Context\n\n{CONTEXT}")
OLD = OPEN.replace("## Decision\n\nKafka.\n\n", "")
TYPO = OLD.replace("notices", "notcies")
WORSE = OLD.replace("## Consequences\n\nx\n", "")
DECISION = "the section 'Decision' is missing"
CONSEQUENCES = "the section 'Consequences' is missing"


@pytest.fixture(autouse=True)
def strict(repository: Repository) -> None:
    """Require all sections of each ADR; without settings, what an old ADR lacks is information."""
    repository.stage(".helix-hooks.yaml", "template: nygard\n")


@pytest.fixture
def misspelt(repository: Repository) -> Repository:
    """An ADR with a typo lacks its decision in the last commit."""
    repository.stage(PATH, TYPO)
    repository.commit()
    return repository


def severities(run: Run, *arguments: str) -> dict[str, str]:
    """Return the severity of each finding by its message, of a check of what is staged."""
    report = json.loads(run("check", "--staged", "--format", "json", *arguments).out)
    found = [finding for file in report["files"] for finding in file["findings"]]
    return {
        finding["message"].removesuffix(" (pre-existing)"): finding["severity"] for finding in found
    }


def test_the_first_commit_has_nothing_old(repository: Repository, run: Run) -> None:
    repository.stage(PATH, OLD)
    assert severities(run) == {DECISION: "error"}


def test_an_amended_commit_is_measured_against_the_one_that_it_replaces(
    misspelt: Repository, run: Run
) -> None:
    hook = misspelt.write(
        ".git/hooks/pre-commit",
        f"#!/bin/sh\nexec '{sys.executable}' -I -m helix_hooks check --staged\n",
    )
    hook.chmod(0o755)
    misspelt.stage(PATH, WORSE)
    assert misspelt.git("commit", "--amend", "--no-edit", check=False).returncode == 1
    misspelt.stage(PATH, OLD)
    assert misspelt.git("commit", "--amend", "--no-edit", check=False).returncode == 0


@pytest.fixture
def merge(repository: Repository) -> Repository:
    """A merge going on: the ADR has lost its decision on main, and its consequences on the side."""
    repository.stage(PATH, OPEN)
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.stage(PATH, OPEN.replace("## Consequences\n\nx\n", ""))
    repository.stage("docs/adr/0008-side.md", OLD.replace("# 7.", "# 8."))
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    repository.stage(PATH, OLD)
    repository.commit()
    repository.git("merge", "--no-commit", "--no-ff", "side", check=False)
    return repository


def test_in_a_merge_an_old_finding_of_either_side_is_old(merge: Repository, run: Run) -> None:
    merge.stage(PATH, WORSE)
    assert severities(run, PATH) == {DECISION: "info", CONSEQUENCES: "info"}
    merge.stage(PATH, WORSE.replace("## Context", "## Weather"))
    context = "the section 'Context' is missing"
    assert severities(run, PATH) == {DECISION: "info", CONSEQUENCES: "info", context: "error"}


def test_a_merge_brings_the_other_side_s_adrs_as_they_are(merge: Repository, run: Run) -> None:
    assert severities(run, "docs/adr/0008-side.md") == {DECISION: "info"}


def test_a_merge_in_which_both_took_one_number_is_stopped(repository: Repository, run: Run) -> None:
    repository.stage("README.md", "x\n")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.stage("docs/adr/0007-side.md", OPEN)
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    repository.stage(PATH, OPEN)
    repository.commit()
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "side")
    assert severities(run) == {f"the id 007 is also used by {PATH}": "error"}


def test_a_status_that_one_side_has_is_not_changed_by_the_merge(
    misspelt: Repository, run: Run
) -> None:
    misspelt.git("checkout", "--quiet", "-b", "side")
    misspelt.stage(PATH, TYPO.replace("Proposed", "Accepted"))
    misspelt.commit()
    misspelt.git("checkout", "--quiet", "main")
    misspelt.stage(PATH, WORSE)
    misspelt.commit()
    misspelt.git("merge", "--no-commit", "--no-ff", "side", check=False)
    misspelt.stage(PATH, WORSE.replace("Proposed", "Accepted"))
    found = severities(run, PATH)
    assert (found[DECISION], found[CONSEQUENCES]) == ("info", "error")


def test_a_cherry_pick_is_measured_against_head(misspelt: Repository, run: Run) -> None:
    misspelt.git("checkout", "--quiet", "-b", "side")
    misspelt.stage(PATH, WORSE)
    misspelt.commit()
    misspelt.git("checkout", "--quiet", "main")
    misspelt.git("cherry-pick", "--no-commit", "side")
    assert severities(run) == {DECISION: "info", CONSEQUENCES: "error"}


def test_from_ref_is_the_revision_that_is_measured_against(
    misspelt: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    misspelt.git("checkout", "--quiet", "-b", "side")
    for text in (WORSE, WORSE.replace("before the next", "until the next")):
        misspelt.stage(PATH, text)
        misspelt.commit()
    both = {DECISION: "error", CONSEQUENCES: "error"}
    assert severities(run, PATH) == both, "a file equal to HEAD is checked in full"
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
    measured = {DECISION: "info", CONSEQUENCES: "error"}
    assert severities(run, PATH) == measured
    misspelt.git("checkout", "--quiet", "main")
    misspelt.stage(PATH, OPEN)
    misspelt.commit("what the other branch has done since")
    misspelt.git("checkout", "--quiet", "side")
    assert severities(run, PATH) == measured, "it counts where the change parted from it"
    for name in ("nowhere", "-x", "main\nHEAD", "side"):
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", name)
        assert severities(run, PATH) == both, name


def test_an_accepted_adr_is_measured_against_from_ref_too(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stage(PATH, OPEN.replace("Proposed", "Accepted"))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "side")
    repository.stage(PATH, OPEN.replace("Proposed", "Accepted").replace("nobody", "everybody"))
    repository.commit()
    assert run("check", "--staged", PATH).code == 0
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
    assert "[accepted-changed]" in run("check", "--staged", PATH).out


def test_a_file_that_could_not_be_read_before_is_checked_in_full(
    repository: Repository, run: Run
) -> None:
    repository.stage(PATH, OLD.encode() + b"\xff\n")
    repository.commit()
    repository.stage(PATH, OLD)
    unread = "the file before could not be read (byte 0xff is not valid UTF-8)"
    question = f"this ADR may have been decided, since its status can't be read: {unread}"
    assert severities(run) == {DECISION: "error", question: "warning"}


def test_a_change_that_is_split_in_two_commits_is_stopped_at_the_first(
    repository: Repository, run: Run
) -> None:
    repository.stage(PATH, OPEN)
    repository.commit()
    hidden = f"{OLD}\n<!-- helix-disable section-missing - it was said in May -->\n"
    repository.stage(PATH, OLD)
    assert run("check", "--staged").code == 1
    repository.stage(PATH, hidden)
    assert run("check", "--staged").code == 0, "a comment with a reason holds"
    repository.commit()
    repository.stage(PATH, OLD)
    assert severities(run) == {DECISION: "error"}, "HEAD did not report it"


def test_in_full_outside_of_a_commit(misspelt: Repository, run: Run) -> None:
    misspelt.stage(PATH, OLD)
    assert run("check").code == 1 == run("check", PATH).code
    assert run("check", "--staged", "--fail-on", "warning").code == 0


def test_a_blocked_commit_says_once_how_to_go_on(repository: Repository, run: Run) -> None:
    repository.stage(PATH, OLD)
    repository.stage("docs/adr/0008-other.md", OLD.replace("# 7.", "# 8."))
    result = run("check", "--staged")
    way_out = result.out.partition("no warnings\n\n")[2].splitlines()
    assert len(way_out) == 2
    assert "docs/rules.md#section-missing" in way_out[0]
    assert "`helix-hooks explain section-missing`" in way_out[0]
    assert "<!-- helix-disable-next-line section-missing - REASON -->" in way_out[1]
    for arguments in (["--quiet"], ["--fail-on", "never"], ["--format", "github"]):
        assert "explain" not in run("check", "--staged", *arguments).out
    assert "explain" not in run("check").out


def calls_of_git(repository: Repository, *arguments: str) -> list[str]:
    """Return the commands of git that a hook calls."""
    log = repository.root.parent / "calls"
    env = {**os.environ, "GIT_TRACE2_EVENT": str(log)}
    done = program("check", "--staged", "--matching", *arguments, env=env)
    assert done.returncode in (0, 1), done.stderr
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    log.unlink()
    return sorted(event["name"] for event in events if event["event"] == "cmd_name")


def test_calls_of_git(misspelt: Repository) -> None:
    misspelt.stage(PATH, OPEN)
    assert calls_of_git(misspelt, PATH) == ["cat-file", "ls-files", "ls-tree"], "a clean ADR"
    misspelt.stage(PATH, OLD)
    assert calls_of_git(misspelt, PATH) == ["cat-file", "ls-files", "ls-tree"], "an old finding"
    misspelt.stage("docs/adr/0008-other.md", OLD.replace("# 7.", "# 8."))
    new = calls_of_git(misspelt, "docs/adr/0008-other.md")
    calls = ["cat-file", "diff", "ls-files", "ls-tree"]
    assert new == calls, "a new ADR has siblings, and with an error it may be a renamed one"
    (misspelt.root / "latest.md").symlink_to(PATH)
    misspelt.git("add", "--all")
    assert calls_of_git(misspelt, PATH) == calls[:1] + calls[2:], "a link elsewhere"
