"""The command line's contract: help, versions, exit codes, where things are printed."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from helix_hooks import __version__
from helix_hooks.cli import main as cli
from helix_hooks.cli.shared import COMMANDS
from tests.conftest import ROOT, Repository, Run

GOOD = "# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"
WARNED = "# Use Kafka\n\n## Context and Problem Statement\n\nx\n\n## Considered Options\n\nLater.\n\n## Decision Outcome\n\nKafka.\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, run: Run) -> None:
    result = run(command, "--help")
    assert result.code == 0 and "example" in result.out and f"helix-hooks {command}" in result.out


def test_overview_and_version(run: Run) -> None:
    assert run("--version").out == f"helix-hooks {__version__}\n"
    overview = run("--help")
    assert overview.code == 0 and all(command in overview.out for command in COMMANDS)
    assert run().code == 2


WRONG_CALLS = {
    "chek": "unknown command 'chek' (expected one of check, new, explain, rules, index, graph, report, init, doctor",
    "--nonsense": "No such option '--nonsense' (see `helix-hooks --help`)",
    "--quiet": "Missing command (see `helix-hooks --help`)",
    "check --nonsense": "No such option '--nonsense'",
    "check --stagged": "No such option '--stagged'. (Did you mean one of: '--staged', '--stdin'?) (see `helix-hooks check --help`)",
    "check --format xml": "Invalid value for '--format': 'xml' is not one of 'text', 'json'",
    "check --template mader a.md": "there is no template 'mader'; there are auto, helix, madr, nygard",
    "check --concept c.md a.md b.md": "--concept requires exactly one ADR, got 2",
    "check --concept nowhere.md a.md": "nowhere.md: there is no such file to compare with",
    "check nowhere": "nowhere: there is no such file",
    "check --staged": "--staged needs a git repository",
    "check-config --staged": "--staged needs a git repository",
    "check": "this folder is not in a git repository; name files or folders, or run `git init` here",
    "check --write-baseline": "this folder is not in a git repository",
    "check-config": "this folder is not in a git repository",
    "flow list": "a flow needs a git repository, and this folder is not in one",
    "flow statsu": "No such command 'statsu'",
    "flow approve --override": "--override requires --reason TEXT",
    "flow reject": "a rejection requires --feedback TEXT",
    "ask": "Missing argument 'TITLE'",
    "ask x": "Missing option '--action'",
    "ask x --action deploy": "'deploy' is not one of 'requirements_approval'",
    "ask x --action pr_merge": "needs a git repository, and this folder is not in",
    "queue list": "the queue needs a git repository, and this folder is not in one",
    "queue list --source x": "'x' is not one of 'pull-request', 'flow'",
    "queue list --older-than 2w": "invalid time '2w' (expected e.g. 30s, 10m, 24h or 2d)",
    "queue approve": "name the entries to approve (`helix-hooks queue list` shows them)",
    "queue approve --all-routine x": "--all-routine cannot be used with ids",
    "queue approve x --override": "--override requires --reason TEXT",
    "queue reject x": "a rejection requires --reason TEXT for the requester",
    "queue show": "Missing argument 'ID'",
    "stats --since 2026-01-01": "--since requires --repo",
    "stats --repo --since yesterday": "'yesterday' does not match the format",
    "graph": "this folder is not in a git repository",
    "doctor": "doctor needs a git repository",
    "gate": "gate needs a git repository",
    "feedback": "feedback needs a git repository",
    "index --check": "this folder is not in a git repository",
    "init": "this folder is not in a git repository",
    "explain": "Missing argument 'RULE'",
    "new '?!'": "a title needs a letter or digit",
    "new 'a\x1bb'": "characters that can't be printed",
    "new x --dir ../outside": "../outside is outside of the repository",
    "check --matching": "--matching requires --staged",
}


@pytest.mark.parametrize(("call", "message"), WRONG_CALLS.items(), ids=WRONG_CALLS)
def test_a_wrong_call_is_one_line_on_stderr_and_exit_2(
    call: str, message: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.md", "b.md"):
        Path(name).write_text(GOOD)
    result = run(*shlex.split(call))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("helix-hooks: ") and message in result.err


def test_fail_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("warned.md").write_text(WARNED)
    Path("wrong.md").write_text(WARNED.replace("## Decision Outcome", "## Open points"))
    assert [
        run("check", "warned.md", *extra).code
        for extra in ([], ["--fail-on", "warning"], ["--fail-on", "never"])
    ] == [0, 1, 0]
    assert [
        run("check", "wrong.md", *extra).code
        for extra in ([], ["--fail-on", "warning"], ["--fail-on", "never"])
    ] == [1, 1, 0]


def test_json_has_what_a_concept_has_and_the_adr_has_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("014-x.md").write_text(WARNED)
    Path("014-x.concept.md").write_text("## Migration\n\nx\n")
    (file,) = json.loads(run("check", "014-x.md", "--format", "json").out)["files"]
    assert file["concept"]["coverage_percent"] == 0.0
    assert file["concept"]["missing_in_adr"] == ["Migration"]


def test_output_goes_to_a_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(GOOD)
    assert run("check", "a.md", "--output", "report.txt").out == ""
    assert Path("report.txt").read_text() == "1 ADR checked: no findings\n"
    result = run("check", "a.md", "--output", "nowhere/report.txt")
    assert result.code == 3 and result.err.startswith(
        "helix-hooks: the report could not be written to nowhere/report.txt"
    )


def test_colour_only_where_it_is_wanted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(WARNED)
    assert "\x1b[" not in run("check", "a.md").out
    assert "\x1b[1;33mwarning:\x1b[0m" in run("check", "a.md", "--color", "always").out
    assert run("check", "a.md", "--quiet").out.endswith("colleague must know\n")


def test_nothing_to_check_is_said_and_green(repository: Repository, run: Run) -> None:
    result = run("check")
    assert (result.code, result.out) == (0, "")
    assert (
        result.err
        == "helix-hooks: no ADR in this repository; looked for folders such as docs/adr or decisions, and files such as adr-12.md; if your ADRs are elsewhere, add their folder to `paths`\n"
    )


def test_without_a_repository_a_named_folder_is_searched(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (
        "docs/adr/0007-x.md",
        "docs/adr/README.md",
        "node_modules/a/adr/0001-x.md",
        "docs/guide.md",
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(GOOD)
    assert run("check", "docs").out == "1 ADR checked: no findings\n"


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_folder_that_git_does_not_list_is_searched(run: Run, repository: Repository) -> None:
    repository.stage(".gitignore", "ignored/\n")
    repository.write("ignored/adr/0001-x.md", GOOD.replace("Accepted", "Acepted"))
    repository.write("shared/0001-x.md", GOOD.replace("Accepted", "Acepted"))
    (repository.root / "docs").mkdir()
    (repository.root / "docs" / "adr").symlink_to("../shared")
    repository.git("add", "--all")
    for folder in ("ignored", "docs/adr", "docs/adr/"):
        assert run("check", folder).code == 1, folder


def test_an_internal_error_is_one_line_and_exit_3(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(argv: list[str]) -> int:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(cli, "run", broken)
    result = run("check")
    assert (result.code, result.err) == (
        3,
        "helix-hooks: internal error: ZeroDivisionError: division by zero (HELIX_HOOKS_DEBUG=1 shows where)\n",
    )


def test_git_is_missing(repository: Repository, tmp_path: Path) -> None:
    done = _program(["check"], repository.root, {"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr == "helix-hooks: git is not installed, or not on the PATH\n"


def test_a_reader_that_goes_away_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WARNED)
    command = '"$0" -I -m helix_hooks check a.md --fail-on warning | true; exit ${PIPESTATUS[0]}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")


def test_a_closed_output_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    done = subprocess.run(
        ["bash", "-c", '"$0" -I -m helix_hooks check a.md >&-', sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        3,
        "helix-hooks: standard output is closed, so the result cannot be printed\n",
    )


def test_a_path_can_be_no_command_of_the_runner(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("::warning::x").mkdir()
    Path("::warning::x/a.md").write_text(WARNED)
    assert run("check", "::warning::x/a.md").out.startswith("./::warning::x/a.md:7:4: ")
    assert (
        run("check", "\n::stop-commands::x").err
        == "helix-hooks: \\n::stop-commands::x: there is no such file\n"
    )


def test_settings_of_more_than_a_megabyte_are_not_read_in_part(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".helix-hooks.yaml").write_text(
        "template: nygard\n" + "# x\n" * 300_000 + "severities: {section-missing: off}\n"
    )
    assert run("check").code == 2 and run("check-config").code == 2


def test_an_output_that_is_ascii_only(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        WARNED.replace("# Use Kafka\n", "# Use Kafka\n\nStatus: Größtenteils\n"), encoding="utf-8"
    )
    done = _program(
        ["check", "--fail-on", "warning", "a.md"], tmp_path, {"PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_the_readme_names_the_hooks_and_how_to_skip_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for word in ("id: helix-adr", "id: helix-config", "SKIP=helix-adr"):
        assert word in readme, word


def _program(
    arguments: list[str], folder: Path, environment: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "helix_hooks", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
