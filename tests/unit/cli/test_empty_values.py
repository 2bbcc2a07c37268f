"""No option and no argument takes an empty text: `--since "$BASE"` with an unset variable must not mean the whole tree."""

from collections.abc import Iterator

import click
import pytest

from helix_hooks.cli.main import Program
from helix_hooks.cli.shared import COMMANDS
from tests.conftest import Repository, Run

PROGRAM = Program(name="helix-hooks")
EMPTY = ("", " ")


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name in COMMANDS:
        command = PROGRAM.get_command(click.Context(PROGRAM), name)
        assert command
        yield from below((name,), command)


def below(
    words: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        for name, item in command.commands.items():
            yield from below((*words, name), item)


def calls() -> Iterator[list[str]]:
    """Yield one call for each option and argument with a text, which is empty."""
    for words, command in commands():
        for item in command.params:
            if isinstance(item, click.Option):
                if not (item.is_flag or item.count):
                    yield from ([*words, f"{item.opts[0]}={text}"] for text in EMPTY)
            else:
                yield from ([*words, "--", text] for text in EMPTY)


@pytest.mark.parametrize("call", list(calls()), ids=" ".join)
def test_an_empty_value_is_refused(call: list[str], repository: Repository, run: Run) -> None:
    repository.commit()
    result = run(*call)
    # An agent takes exit code 2 of its hook as the order to go on.
    assert result.code == (3 if call[1].startswith("--hook") else 2) and result.out == ""
    assert "Traceback" not in result.err and result.err.startswith("helix-hooks: ")


@pytest.mark.parametrize("path", EMPTY)
@pytest.mark.parametrize("flags", [["--staged"], ["--staged", "--matching"]])
def test_a_hook_refuses_an_empty_path(
    path: str, flags: list[str], repository: Repository, run: Run
) -> None:
    repository.commit()
    assert run("check", *flags, path).code == 2
