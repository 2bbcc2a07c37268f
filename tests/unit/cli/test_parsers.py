"""How click parses the calls of `check`, and what a hook imports."""

import subprocess
import sys

import pytest

from helix_hooks.check.options import CheckOptions
from helix_hooks.cli import check as checking
from helix_hooks.cli import main
from helix_hooks.cli.check import CheckOutput
from helix_hooks.errors import UsageError
from tests.conftest import Repository

Parsed = tuple[CheckOptions, CheckOutput]


def by_click(words: list[str]) -> Parsed:
    """Return what click makes of a call of `check`, which is not carried out."""
    calls: list[Parsed] = []

    def check(options: CheckOptions, output: CheckOutput) -> int:
        calls.append((options, output))
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "check", check)
        assert main.run(words) == 0
    return calls[0]


@pytest.mark.parametrize(("words", "options", "output"), [
    (["--staged", "--matching", "a.md"], CheckOptions(("a.md",), staged=True, matching=True), CheckOutput()),
    (["--staged", "--all"], CheckOptions(staged=True, all=True), CheckOutput()),
    (["--staged", "--fail-on", "warning", "--quiet"], CheckOptions(staged=True), CheckOutput(fail_on="warning", quiet=True)),
    (["--fail-on=never", "b", "--staged", "-q"], CheckOptions(("b",), staged=True), CheckOutput(fail_on="never", quiet=True)),
    (["--staged", "--matching", "--output=a.md"], CheckOptions(("./--output=a.md",), staged=True, matching=True), CheckOutput()),
])  # fmt: skip
def test_calls_of_a_hook(words: list[str], options: CheckOptions, output: CheckOutput) -> None:
    assert by_click(main.without_flags_in_names(["check", *words])) == (options, output)


def test_paths_that_begin_with_a_hyphen_stand_after_two_hyphens() -> None:
    options, _ = by_click(["check", "--quiet", "--", "-x.md", "--all"])
    assert options == CheckOptions(("-x.md", "--all"))


def test_every_wrong_call_names_the_help_of_its_command() -> None:
    with pytest.raises(UsageError, match=r"take a value \(see `helix-hooks check --help`\)"):
        by_click(["check", "--staged=x"])


@pytest.mark.parametrize(
    "words",
    [
        ["--quiet", "--color", "never", "check"],
        ["check", "--quiet", "--color=never"],
        ["--quiet", "check", "--color", "never"],
    ],
)
def test_shared_options_stand_before_or_after_the_command(words: list[str]) -> None:
    assert by_click(words)[1] == CheckOutput(quiet=True, color="never")


HEAVY = frozenset(
    (
        *("argparse", "git", "github", "jsonschema_rs", "asyncio", "concurrent.futures"),
        *("logging", "multiprocessing", "tomllib", "rich"),
        *(f"helix_hooks.{name}" for name in ("decision", "judge", "publish", "verdict", "pages")),
    )
)
"""Modules that a hook on a clean ADR does without: together they would exceed its budget."""


@pytest.mark.parametrize(
    "words", [[], ["--fail-on", "warning"], ["--fail-on=never", "--quiet"]], ids=" ".join
)
def test_a_hook_imports_nothing_heavy(words: list[str], repository: Repository) -> None:
    repository.stage("docs/adr/0001-x.md", "# 1. X\n\n## Status\n\nAccepted\n")
    code = (
        "import sys; from helix_hooks.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    )
    command = ["check", "--staged", "--matching", *words, "docs/adr/0001-x.md"]
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=repository.root,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(done.stdout.split())
    assert "helix_hooks.check.run" in modules
    assert not modules & HEAVY


def test_each_command_is_imported_when_it_is_called() -> None:
    code = (
        "import sys; from helix_hooks.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "rules", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    ours = {name for name in done.stdout.split() if name.startswith("helix_hooks.cli.")}
    assert ours == {f"helix_hooks.cli.{name}" for name in ("main", "rules", "shared")}
