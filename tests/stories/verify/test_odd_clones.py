"""Settings of a clone that start programs or change what git prints, and bases that go on."""

import time
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.stories.verify.work import ADR, PATH, deliver, start

_CLAIM = "Use it\n\nImplements: ADR-014"


@pytest.fixture
def program(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark, and the mark."""
    place, mark = tmp_path / "evil.sh", tmp_path / "ran"
    place.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    place.chmod(0o755)
    return place, mark


@pytest.mark.parametrize(
    "settings",
    [
        ("core.fsmonitor",),
        ("filter.e.clean", "filter.e.smudge"),
        ("filter.e.process",),
        ("diff.e.textconv", "diff.e.command", "diff.external"),
        ("gpg.program",),
        ("core.pager", "pager.log", "pager.diff", "core.editor", "core.sshCommand"),
    ],
)
def test_no_program_of_the_settings_runs(
    settings: tuple[str, ...], program: tuple[Path, Path], repository: Repository, run: Run
) -> None:
    """Attack on a verification: programs in the settings of the clone: fsmonitor, filters, hooks.
    Answer: not started.
    Shown by: `test_no_program_of_the_settings_runs`, `test_no_hook_runs`.
    """
    place, mark = program
    start(repository)
    repository.commit(_CLAIM)
    deliver(repository)
    attributes = repository.root / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* filter=e diff=e\n")
    repository.git("config", "log.showSignature", "true")
    repository.git("config", "filter.e.required", "true")
    for name in settings:
        repository.git("config", name, str(place))
    result = run("verify")
    assert (result.code, mark.exists()) == (0, False)


@pytest.mark.parametrize("folder", [".git/hooks", ".husky"])
def test_no_hook_runs(
    folder: str, program: tuple[Path, Path], repository: Repository, run: Run
) -> None:
    place, mark = program
    start(repository)
    repository.commit(_CLAIM)
    repository.git("config", "core.hooksPath", folder)
    hook = repository.root / folder / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(place.read_text())
    hook.chmod(0o755)
    readme = repository.root / "README.md"
    readme.write_text(readme.read_text())
    assert (run("verify").code, mark.exists()) == (1, False)


def test_messages_in_another_encoding_claim(started: Repository, run: Run) -> None:
    started.commit(_CLAIM)
    started.git("config", "i18n.logOutputEncoding", "UTF-16")
    assert run("verify").code == 1


def test_an_adr_that_was_accepted_after_the_branch_began_is_claimed(
    repository: Repository, run: Run
) -> None:
    start(repository, adr=ADR.replace("Accepted", "Proposed"))
    repository.commit(_CLAIM)
    repository.git("checkout", "--quiet", "main")
    repository.git("mv", PATH, "docs/adr/014-use-apache-kafka.md")
    repository.stage("docs/adr/014-use-apache-kafka.md", ADR)
    repository.commit("Rename and accept")
    repository.git("checkout", "--quiet", "work")
    assert "014-use-apache-kafka.md: not done" in run("verify").out


def test_thousands_of_names_hide_no_claim_and_read_the_adrs_once(
    started: Repository, run: Run
) -> None:
    for number in range(40):
        started.stage(f"docs/adr/{number + 100}-x.md", "# x\n")
    names = "".join(f"Implements: {id}\n" for id in range(2000, 4000))
    started.commit(f"Use it\n\n{names}Implements: ADR-014\n")
    begin = time.process_time()
    assert f"{PATH}: not done" in run("verify").out
    assert time.process_time() - begin < 10


@pytest.mark.parametrize("format", ["text", "json", "sarif", "github"])
def test_no_format_prints_a_control_character(
    format: str, repository: Repository, run: Run
) -> None:
    path = '"a\\e[31m\\x07\\u202e\\n::error::x.py"'
    adr = ADR.replace("    - src/orders.py\n", f"    - {path}\n")
    start(repository, adr=adr.replace("sends orders", "sends \x1b[2J \u202e orders"))
    result = run("verify", "ADR-014", "--format", format)
    assert result.code == 1
    assert not [char for char in result.out if not char.isprintable() and char != "\n"]
    assert "\n::error::x" not in result.out


def test_two_adrs_of_one_number_are_claimed_by_their_paths(
    repository: Repository, run: Run
) -> None:
    other = "services/docs/adr/014-use-kafka.md"
    repository.stage(other, ADR)
    start(repository)
    repository.commit(f"Use it\n\nImplements: {PATH}, {other}")
    result = run("verify")
    assert f"{PATH}: not done" in result.out
    assert f"{other}: not done" in result.out
