"""The command line at a terminal and in a shell: completion, colours, prompts, Ctrl-C."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helix_hooks.cli.shared import COMMANDS
from helix_hooks.paths import WORKFLOW
from tests.conftest import Repository, Run
from tests.fakes.terminal import at_a_terminal

COMPLETION = "_HELIX_HOOKS_COMPLETE"
REVISION = ("--rev", "0" * 40)
PROMPT = f"Write {WORKFLOW} too, the gate on pull requests? [y/N]: "
needs_a_terminal = pytest.mark.skipif(
    sys.platform == "win32", reason="there are no pseudo-terminals on Windows"
)


def completed(words: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the words that complete the last one of a command line."""
    monkeypatch.setenv(COMPLETION, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"helix-hooks {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" "))))
    result = run()
    assert (result.code, result.err) == (0, "")
    return [line.partition(",")[2] for line in result.out.splitlines()]


@pytest.mark.parametrize(("words", "expected"), [
    ("che", ["check", "check-config"]),
    ("check --fo", ["--format"]),
    ("check --format s", ["sarif"]),
    ("--quiet check --fail-on w", ["warning"]),
    ("approve --max", ["--max-cost-usd"]),
    ("github --mode s", ["snapshot", "sweep"]),
    ("check docs/a", ["docs/a"]),
])  # fmt: skip
def test_the_shell_completes(
    words: str, expected: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(words, run, monkeypatch) == expected


def test_the_shell_completes_all_commands_without_importing_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "helix_hooks.cli.stats", raising=False)
    assert completed("", run, monkeypatch) == list(COMMANDS)
    assert "helix_hooks.cli.stats" not in sys.modules


@pytest.mark.skipif(
    not shutil.which("bash") or sys.platform == "win32", reason="bash is not installed"
)
def test_bash_takes_the_completion_of_the_readme(tmp_path: Path) -> None:
    program = tmp_path / "helix-hooks"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -m helix_hooks "$@"\n')
    program.chmod(0o755)
    script = 'eval "$(_HELIX_HOOKS_COMPLETE=bash_source helix-hooks)"; COMP_WORDS=(helix-hooks ind); COMP_CWORD=1; '
    script += '_helix_hooks_completion helix-hooks; echo "${COMPREPLY[@]}"'
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("index\n", "")


@needs_a_terminal
@pytest.mark.parametrize(("answer", "exists"), [("y\n", True), ("\n", False)])
def test_init_asks_at_a_terminal(answer: str, exists: bool, repository: Repository) -> None:
    code, shown = at_a_terminal(["init", *REVISION], repository.root, typed=answer)
    assert code == 0 and PROMPT in shown
    assert (repository.root / WORKFLOW).exists() is exists


@needs_a_terminal
@pytest.mark.parametrize(("answer", "exists"), [("y\n", True), ("\n", False)])
def test_init_asks_before_it_writes_into_the_settings_of_an_agent(
    answer: str, exists: bool, repository: Repository
) -> None:
    code, shown = at_a_terminal(["init", "--agent", "claude"], repository.root, typed=answer)
    assert code == 0 and "Write this?" in shown and "helix-hooks verify --hook claude" in shown
    assert (repository.root / ".claude/settings.json").exists() is exists


@needs_a_terminal
@pytest.mark.parametrize(("flag", "exists"), [("--github", True), ("--no-github", False)])
def test_a_flag_answers_what_init_asks(flag: str, exists: bool, repository: Repository) -> None:
    code, shown = at_a_terminal(["init", flag, *REVISION], repository.root)
    assert code == 0 and PROMPT not in shown
    assert (repository.root / WORKFLOW).exists() is exists


@needs_a_terminal
def test_ctrl_c_at_a_prompt_is_130_and_writes_nothing(repository: Repository) -> None:
    code, shown = at_a_terminal(["init"], repository.root, typed="\x03")
    assert code == 128 + signal.SIGINT and "Traceback" not in shown
    assert not (repository.root / ".pre-commit-config.yaml").exists()


def test_init_asks_nobody_where_standard_input_is_no_terminal(
    repository: Repository, run: Run
) -> None:
    result = run("init")
    assert (result.code, result.err) == (0, "")
    assert not (repository.root / WORKFLOW).exists()
