"""The two parsers of `check`: the hook's own, and click, which parses every call."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.check.options import CheckOptions
from helix_hooks.cli import hook, program
from helix_hooks.cli.hook import CheckOutput
from helix_hooks.errors import UsageError
from tests.conftest import Repository

Parsed = tuple[CheckOptions, CheckOutput]

FLAGS = (
    "--staged",
    "--matching",
    "--all",
    "--quiet",
    "-q",
    "--fail-on",
    "error",
    "warning",
    "never",
    "--fail-on=never",
    "--fail-on=x",
)
OTHERS = (
    "--",
    "-",
    "--output",
    "--output=x.md",
    "--since",
    "--color",
    "always",
    "--nonsense",
    "--fail-on=x.md",
    "-x.md",
    "--staged.md",
    "",
)
TEXTS = st.text("-=a.é \n'/", max_size=8)
WORDS = st.one_of(st.sampled_from(FLAGS), st.sampled_from(OTHERS), TEXTS, TEXTS.map("{}.md".format))


def by_click(words: list[str]) -> Parsed:
    """Return what click makes of a call, which is not carried out."""
    calls: list[Parsed] = []

    def check(options: CheckOptions, output: CheckOutput) -> int:
        calls.append((options, output))
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hook, "check", check)
        assert program.invoke(["check", *words]) == 0
    return calls[0]


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=3))
def test_click_parses_what_the_hook_s_parser_accepts_in_the_same_way(
    words: list[str], more: list[str]
) -> None:
    for arguments in (
        words,
        ["--staged", "--matching", *words, *more],
        [*more, "--staged", *words],
    ):
        plain = hook.plain(arguments)
        quick = hook.parsed(plain)
        if quick:
            assert by_click(plain) == quick


@pytest.mark.parametrize(("words", "options", "output"), [
    (["--staged", "--matching", "a.md"], CheckOptions(("a.md",), staged=True, matching=True), CheckOutput()),
    (["--staged", "--all"], CheckOptions(staged=True, all=True), CheckOutput()),
    (["--staged", "--fail-on", "warning", "--quiet"], CheckOptions(staged=True), CheckOutput(fail_on="warning", quiet=True)),
    (["--fail-on=never", "b", "--staged", "-q"], CheckOptions(("b",), staged=True), CheckOutput(fail_on="never", quiet=True)),
    (["--staged", "--matching", "--output=a.md"], CheckOptions(("./--output=a.md",), staged=True, matching=True), CheckOutput()),
])  # fmt: skip
def test_calls_of_a_hook_need_no_click(
    words: list[str], options: CheckOptions, output: CheckOutput
) -> None:
    assert hook.parsed(hook.plain(words)) == (options, output)
    assert by_click(hook.plain(words)) == (options, output)


@pytest.mark.parametrize("words", [
    ["a.md"], ["--staged", "--since", "main"], ["--staged", "--output=a.md"], ["--staged", "--", "-x.md"], ["--staged", "--fail-on", "info"],
    ["--staged", "--fail-on"], ["--staged", "--fail-on", "x", "--fail-on", "error"], ["--staged", "-x.md"], ["--staged", "--help"],
])  # fmt: skip
def test_all_other_calls_are_parsed_by_click(words: list[str]) -> None:
    assert hook.parsed(hook.plain(words)) is None


def test_paths_that_begin_with_a_hyphen_stand_after_two_hyphens() -> None:
    options, _ = by_click(["--quiet", "--", "-x.md", "--all"])
    assert options == CheckOptions(("-x.md", "--all"))


@pytest.mark.parametrize(
    "words",
    [
        ["--output", "--quiet"],
        ["--concept", "--staged", "a.md"],
        ["--since", "-q"],
        ["--output", "-x"],
        ["--baseline", "--nonsense"],
        ["--since", "--", "a.md"],
        ["--since", "--stagged=x"],
        ["--output"],
    ],
    ids=" ".join,
)
def test_an_option_is_no_value_of_another_one(words: list[str]) -> None:
    with pytest.raises(
        UsageError, match=r"requires an argument \(see `helix-hooks check --help`\)"
    ):
        by_click(words)


@pytest.mark.parametrize("value", ["-", "-5", "a-b"])
def test_a_hyphen_or_a_number_is_the_value_of_an_option(value: str) -> None:
    assert by_click(["--since", value])[0].since == value


def test_a_value_that_begins_with_a_hyphen_stands_behind_an_equals_sign() -> None:
    assert by_click(["--output=-x"])[1].file == "-x"


def test_every_wrong_call_names_the_help_of_its_command() -> None:
    with pytest.raises(UsageError, match=r"take a value \(see `helix-hooks check --help`\)"):
        by_click(["--staged=x"])


@pytest.mark.parametrize(
    "words",
    [
        ["--quiet", "--color", "never", "check"],
        ["check", "--quiet", "--color=never"],
        ["--quiet", "check", "--color", "never"],
    ],
)
def test_shared_options_stand_before_or_after_the_command(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[CheckOutput] = []

    def check(_options: CheckOptions, output: CheckOutput) -> int:
        calls.append(output)
        return 0

    monkeypatch.setattr(hook, "check", check)
    assert program.invoke(words) == 0
    assert calls == [CheckOutput(quiet=True, color="never")]


HEAVY = frozenset(
    (
        *("argparse", "click", "git", "github", "jsonschema_rs", "asyncio", "concurrent.futures"),
        *("dataclasses", "inspect", "logging", "multiprocessing", "tempfile", "tomllib", "rich"),
        *(f"helix_hooks.{name}" for name in ("decision", "judge", "publish", "verdict", "pages")),
    )
)
"""Modules that a hook on a clean ADR does without: together they would exceed its budget."""


@pytest.mark.parametrize(
    "words", [[], ["--fail-on", "warning"], ["--fail-on=never", "--quiet"]], ids=" ".join
)
def test_a_hook_imports_no_parser(words: list[str], repository: Repository) -> None:
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
    assert ours == {f"helix_hooks.cli.{name}" for name in ("main", "program", "frame", "rules")}
