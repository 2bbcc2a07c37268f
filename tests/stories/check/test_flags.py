"""The flags of `check` for daily work: a part of the rules, numbers, standard input, processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helix_hooks.paths import MAX_BYTES
from tests.conftest import Repository, Run
from tests.stories.check.samples import GOOD

FOLDER = "docs/adr"
ADR = "# {number}. Use queue {number}\n\n## Status\n\nAccepted\n\n## Context\n\nWe grow.\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"
WITHOUT_DECISION = ADR.replace("## Decision\n\nKafka.\n\n", "")
MANY = 60


def path_of(number: int) -> str:
    return f"{FOLDER}/{number:04}-queue.md"


@pytest.fixture
def wrong(repository: Repository) -> Repository:
    """A repository with an ADR without its decision, and one that names an ADR that is not there."""
    repository.stage(".helix-hooks.yaml", "template: nygard\n")
    repository.stage(path_of(1), WITHOUT_DECISION.format(number=1))
    repository.stage(path_of(2), ADR.format(number=2) + "\n[gone](0099-gone.md)\n")
    repository.commit()
    return repository


@pytest.fixture
def many(repository: Repository) -> Repository:
    """A repository with so many ADRs that several processes check them; two of three have an error."""
    repository.write(".helix-hooks.yaml", "template: nygard\n")
    for number in range(1, MANY + 1):
        text = ADR if number % 3 == 1 else WITHOUT_DECISION
        repository.write(path_of(number), text.format(number=number))
    repository.git("add", "--all")
    repository.commit()
    return repository


def fed(text: bytes, *arguments: str, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run the program with a text on standard input."""
    command = [sys.executable, "-I", "-m", "helix_hooks", "check", *arguments]
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "section-mising"], "--select: unknown rule or layer 'section-mising'; did you mean section-missing?"),
        (["--ignore", "structur"], "--ignore: unknown rule or layer 'structur'; did you mean structure?"),
        (["--ignore", "?!"], "unknown rule or layer '?!'; `helix-hooks rules` lists"),
        (["--ignore", "a\x1b[31mb"], "unknown rule or layer 'a"),
        (["--select", ""], "the value is empty"),
        (["--ignore", "corpus,"], "--ignore has an empty name"),
        (["--select", "corpus", "--ignore", "corpus"], "--select and --ignore leave no rule to report"),
        (["--select", "corpus", "--write-baseline"], "--write-baseline cannot be used with --select"),
        (["--ignore", "corpus", "--write-baseline"], "--write-baseline cannot be used with --ignore"),
        (["--ignore", "corpus", "--format", "github"], "--format github cannot be used with --select or --ignore"),
        (["--jobs", "0"], "0 is not in the range 1<=x<=64"),
        (["--jobs", "-1"], "-1 is not in the range 1<=x<=64"),
        (["--jobs", "many"], "'many' is not a valid integer"),
        (["--stdin"], "--stdin requires --stdin-filename PATH"),
        (["--stdin", "--stdin-filename", ""], "the value is empty"),
        (["--stdin-filename", "docs/adr/1.md"], "--stdin-filename requires --stdin"),
        (["--stdin", "--stdin-filename", "docs"], "--stdin-filename docs: it is a folder"),
        (["--stdin", "--stdin-filename", "docs/new/"], "--stdin-filename docs/new/: it is a folder"),
        (["--stdin", "--stdin-filename", "a.md", "a.md"], "--stdin cannot be used with PATHs, --staged"),
        (["--stdin", "--stdin-filename", "a.md", "--staged"], "--stdin cannot be used with PATHs, --staged"),
        (["--stdin", "--stdin-filename", "a.md", "--since", "HEAD"], "--stdin cannot be used with PATHs, --staged"),
        (["--stdin", "--stdin-filename", "a.md", "--write-baseline"], "--stdin cannot be used with PATHs, --staged"),
        (["--fix", "--staged"], "--fix cannot be used with --staged"),
        (["--diff", "--staged"], "--diff cannot be used with --staged"),
        (["--fix", "--write-baseline"], "--fix cannot be used with --write-baseline"),
        (["--diff", "--output", "x.patch"], "--diff cannot be used with --output"),
        (["--diff", "--format", "json"], "--diff cannot be used with --format"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_line_and_neither_checks_nor_writes(
    arguments: list[str], message: str, wrong: Repository, run: Run
) -> None:
    result = run("check", *arguments)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert message in result.err and "\x1b" not in result.err
    assert result.out == wrong.git("status", "--porcelain").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "rules", "code"),
    [
        ([], {"section-missing", "referenced-file-missing"}, 1),
        (["--select", "section-missing"], {"section-missing"}, 1),
        (["--select", "corpus"], {"referenced-file-missing"}, 0),
        (["--select", "major-needs-migration"], set(), 0),
        (["--select", "structure,corpus"], {"section-missing", "referenced-file-missing"}, 1),
        (["--select", "structure", "--select", "corpus"], {"section-missing", "referenced-file-missing"}, 1),
        (["--select", "structure", "--ignore", "section-missing"], set(), 0),
        (["--ignore", "section-missing"], {"referenced-file-missing"}, 0),
        (["--ignore", "section-missing, corpus"], set(), 0),
        (["--ignore", "gate-relaxed"], {"section-missing", "referenced-file-missing"}, 1),
    ],
)  # fmt: skip
def test_a_part_of_the_rules(
    arguments: list[str], rules: set[str], code: int, wrong: Repository, run: Run
) -> None:
    result = run("check", *arguments, "--format", "json")
    report = json.loads(result.out)
    shown = {item["check"] for file in report["files"] for item in file["findings"]}
    assert (shown, result.code) == (rules, code)
    assert ("left_out" in report) is bool(arguments)
    assert len(report["files"]) == 2


def test_a_green_part_says_that_it_is_not_the_gate(wrong: Repository, run: Run) -> None:
    arguments = ("check", "--ignore", "section-missing,corpus")
    line = "with 2 findings: a partial result, not the result of the gate"
    shown = run(*arguments)
    assert shown.out.startswith("2 ADRs checked: no findings\n") and line in shown.out
    quiet = run(*arguments, "--quiet")
    assert (quiet.code, quiet.out) == (0, "") and line in quiet.err
    for format in ("sarif", "junit", "markdown"):
        assert line in run(*arguments, "--format", format).err
    assert json.loads(run(*arguments, "--format", "json").out)["left_out"]["findings"] == 2
    assert run("check", "--select", "structure,rules,concept,corpus,config").out == run("check").out


def test_what_was_not_read_is_left_out_by_name_only(repository: Repository, run: Run) -> None:
    repository.stage(path_of(1), b"\xff\xfe\x00broken")
    for arguments in (["--select", "corpus"], ["--ignore", "structure"]):
        assert "[file-unreadable]" in run("check", *arguments).out
    assert run("check", "--ignore", "file-unreadable").code == 0


def test_a_rule_that_is_left_out_makes_no_comment_and_no_count_useless(
    repository: Repository, run: Run
) -> None:
    comment = "<!-- helix-disable section-missing - decided in the meeting of May -->\n"
    repository.stage(path_of(1), WITHOUT_DECISION.format(number=1) + comment)
    repository.stage(path_of(2), WITHOUT_DECISION.format(number=2))
    repository.stage(".helix-hooks.yaml", "baseline: .helix-baseline.json\n")
    repository.stage(".helix-baseline.json", '{"version": 1, "findings": {}}')
    assert run("check", "--write-baseline").code == 0
    assert run("check").code == 0
    result = run("check", "--ignore", "section-missing")
    assert (result.code, result.out.partition("\n")[0]) == (0, "2 ADRs checked: no findings")


def test_a_finding_of_a_change_can_be_left_out_here(repository: Repository, run: Run) -> None:
    repository.stage(path_of(1), ADR.format(number=1))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    comment = "<!-- helix-disable section-missing - decided in the meeting of May -->\n"
    repository.stage(path_of(2), WITHOUT_DECISION.format(number=2) + comment)
    repository.commit()
    assert "[gate-relaxed]" in run("check", "--since", "main").out
    result = run("check", "--since", "main", "--ignore", "gate-relaxed")
    assert "gate-relaxed]" not in result.out and "(gate-relaxed)" in result.out


def test_the_staged_content_by_a_part_of_the_rules(wrong: Repository, run: Run) -> None:
    wrong.stage(path_of(3), WITHOUT_DECISION.format(number=3))
    assert run("check", "--staged").code == 1
    result = run("check", "--staged", "--ignore", "section-missing")
    assert result.code == 0 and "not the result of the gate" in result.out
    blocked = run("check", "--staged", "--ignore", "corpus")
    assert "To suppress a false positive" in blocked.out


@pytest.mark.parametrize("jobs", ["1", "2", "3", "64"])
def test_any_number_of_processes_finds_the_same(jobs: str, many: Repository, run: Run) -> None:
    for arguments in ((), ("--staged", "--all")):
        plain = run("check", *arguments, "--jobs", jobs)
        assert plain.code == 1 and plain.out == run("check", *arguments).out


def test_one_process_starts_no_other(
    many: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> int:
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "fork", fails, raising=False)
    assert run("check", "--jobs", "1").code == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (path_of(1), ADR.format(number=1)),
        (path_of(1), WITHOUT_DECISION.format(number=1)),
        (path_of(2), ADR.format(number=2).replace("Kafka", "RabbitMQ, and never again Kafka")),
        (path_of(2), ADR.format(number=2).replace("Accepted", "Proposed")),
        (path_of(2), ADR.format(number=2).replace("\n", "\r\n")),
        (path_of(3), ADR.format(number=2)),
        (path_of(3), ADR.format(number=3) + "\n[first](0001-queue.md) [no](0098-no.md)\n"),
        ("notes/idea.md", ADR.format(number=1)),
        ("new/folder/idea.md", "text\n"),
        (path_of(1), ""),
        (path_of(1), "\udcff\udcfe"),
        (path_of(1), "# 1. X\n" + "x" * MAX_BYTES),
    ],
    ids=range(12),
)
def test_standard_input_is_checked_as_the_saved_file(
    path: str, text: str, wrong: Repository, run: Run
) -> None:
    data = text.encode(errors="surrogateescape")
    before = wrong.git("status", "--porcelain", "--untracked-files=all").stdout
    done = fed(data, "--stdin", "--stdin-filename", path, folder=wrong.root)
    assert wrong.git("status", "--porcelain", "--untracked-files=all").stdout == before
    wrong.write(path, data)
    saved = run("check", path)
    assert (done.stdout.decode(), done.stderr.decode()) == (saved.out, saved.err)
    assert done.returncode == saved.code


def test_standard_input_from_a_folder_below(wrong: Repository) -> None:
    folder = wrong.root / FOLDER
    text = WITHOUT_DECISION.format(number=5).encode()
    done = fed(text, "--stdin", "--stdin-filename", "0005-x.md", folder=folder)
    assert done.stdout.startswith(f"{FOLDER}/0005-x.md:1:1: error:".encode())


@pytest.mark.parametrize("has_repository", [True, False])
def test_standard_input_for_a_path_outside(
    has_repository: bool, wrong: Repository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = wrong.root if has_repository else outside
    path = str(outside / "0007-x.md")
    done = fed(GOOD.encode(), "--stdin", "--stdin-filename", path, folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1 ADR checked: no findings\n", b"")
    assert not list(outside.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_standard_input_for_a_link_to_an_adr(wrong: Repository) -> None:
    (wrong.root / "latest.md").symlink_to(path_of(1))
    text = ADR.format(number=1).encode()
    done = fed(text, "--stdin", "--stdin-filename", "latest.md", folder=wrong.root)
    assert b"duplicate-id" not in done.stdout and b"section-missing" not in done.stdout


def test_standard_input_that_is_closed_is_no_empty_adr(wrong: Repository) -> None:
    command = f'"$0" -I -m helix_hooks check --stdin --stdin-filename {path_of(1)} <&-'
    bash = ["bash", "-c", command, sys.executable]
    done = subprocess.run(bash, cwd=wrong.root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert "standard input is closed" in done.stderr


def test_a_ci_log_names_the_pages_of_the_rules(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stage(path_of(1), "# 1. X\n\n## Status\n\nAcepted\n\n## Context\n\nText.\n")
    page = "https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#section-missing"
    assert page not in run("check").out
    assert page not in run("check", "--quiet").out
    monkeypatch.setenv("CI", "true")
    report = run("check")
    assert report.code == 1
    header = page.replace("section-missing", "header-invalid")
    lines = f"\nSee also:\n  section-missing  {page}\n  header-invalid   {header}\n"
    hint = "\nSome findings may be fixed automatically: `helix-hooks check --diff` shows the changes.\n"
    assert report.out.endswith(hint + lines)
    assert page not in run("check", "--quiet").out
