"""The one place where a result is printed, and where an error becomes a line and a code."""

import os
import subprocess
import sys

import pytest

from helix_hooks.console import colored, exit_code_of, print_message
from helix_hooks.errors import ConfigError, HelixError, PendingError, UsageError

INTERNAL = "helix-hooks: internal error: "
PRINTING = """
from helix_hooks.console import *
def work():
    print_message('hello')
    print_line_of_program('hello')
    print_result('x')
    return 0
raise SystemExit(exit_code_of(work))
"""


def fails(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (HelixError("down"), 3, "helix-hooks: down\n"),
        (UsageError("no such flag"), 2, "helix-hooks: no such flag\n"),
        (ConfigError("a.yaml", 3, "x", "wrong"), 2, "helix-hooks: a.yaml:3: x: wrong\n"),
        (PendingError("wait"), 4, "helix-hooks: wait\n"),
        (KeyboardInterrupt(), 130, ""),
        (ValueError("odd"), 3, f"{INTERNAL}ValueError: odd (HELIX_HOOKS_DEBUG=1 shows where)\n"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_a_line_and_a_code(
    error: BaseException,
    code: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HELIX_HOOKS_DEBUG", raising=False)
    assert exit_code_of(lambda: fails(error)) == code
    assert capsys.readouterr() == ("", line)


def test_debug_shows_where_the_program_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELIX_HOOKS_DEBUG", "1")
    with pytest.raises(ValueError, match="odd"):
        exit_code_of(lambda: fails(ValueError("odd")))


def test_a_message_commands_neither_terminal_nor_runner(capsys: pytest.CaptureFixture[str]) -> None:
    print_message("a\x1b[31mb\n##[error]c\u202ed")
    assert capsys.readouterr().err == "helix-hooks: a\\x1b[31mb\\n## [error]c\\u202ed\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        (">/dev/full", 3, "helix-hooks: the result cannot be printed: No space left on device\n"),
        ("2>/dev/full", 0, ""),
        ("2>&-", 0, ""),
    ],
)
def test_a_full_disk_is_told_and_changes_no_other_code(streams: str, code: int, said: str) -> None:
    command = ["sh", "-c", f'"$0" -c "$1" {streams}', sys.executable, PRINTING]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, "" if code else "x")
    assert done.stderr.endswith(said)


@pytest.mark.parametrize(
    ("variables", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colours_by_the_environment(
    variables: dict[str, str], is_terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert colored("auto") is expected
    assert colored("always") and not colored("never")
