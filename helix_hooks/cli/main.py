"""The program: its streams, its exit code, and all commands as one click program.

A command is imported only when it is called.
"""

import os
import sys
from difflib import get_close_matches
from importlib import import_module

import click
from click.exceptions import Exit
from click.shell_completion import CompletionItem, shell_complete

from .. import __version__
from ..console.output import exit_code_of, print_result
from ..errors import HelixError, UsageError
from ..paths import is_markdown
from . import COMMANDS
from .frame import (
    WIDTH,
    HelixCommand,
    HelixGroup,
    HelpContext,
    is_colored,
    print_help,
    shared_options,
)

_NAME = "helix-hooks"
_COMPLETION = "_HELIX_HOOKS_COMPLETE"
"""The variable with which a shell requests its completion script, or completions."""

_BLOCKS = 2
"""An agent does not end if its hook exits with this code, so a wrong option could block it."""

_EPILOG = """example:
  helix-hooks check docs/adr/0007-use-kafka.md

exit codes:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  usage or configuration error; nothing was checked
  3  the command could not finish
  4  pending: a person must decide

`helix-hooks COMMAND --help` shows the options of a command."""


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code. Only HELIX_HOOKS_DEBUG lets errors through."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # File names may be any bytes, which the encoding of a terminal may lack.
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    code = exit_code_of(run, words)
    is_hook = "verify" in words and any(word.startswith("--hook") for word in words)
    if is_hook and code == _BLOCKS:
        return HelixError.exit_code
    return code


def console() -> None:
    """Run the program and end the process."""
    import gc

    # A hook takes a tenth of a second. Garbage collection and Python's exit are a sixth of that.
    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    os._exit(code)


class Program(click.Group):
    """The group of all commands. It has their names and summaries without importing them."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"helix_hooks.cli.{cmd_name.replace('-', '_')}")
        command: HelixCommand | HelixGroup = module.run
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            names = ", ".join(COMMANDS)
            hint = ""
            for close in get_close_matches(args[0], COMMANDS, 1):
                hint = f"; did you mean {close!r}?"
            ctx.fail(f"unknown command {args[0]!r} (expected one of {names}){hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        fitting = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        commands = [CompletionItem(name, help=summary) for name, summary in fitting]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


def _show_version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        print_result(f"{_NAME} {__version__}\n")
        ctx.exit()


_PROGRAM = Program(
    _NAME,
    help="A merge gate for architecture decision records.",
    epilog=_EPILOG,
    add_help_option=False,  # `shared_options` has one with -h
    no_args_is_help=False,  # that would exit with 0
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"terminal_width": WIDTH},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="show the version",
        ),
        *shared_options(),
    ],
)


def run(argv: list[str]) -> int:
    """Run a command line and return its exit code.

    Raises:
        HelixError: Standard output is closed, or the command fails.
        UsageError: An option or an argument is wrong.
        KeyboardInterrupt: A person has ended a prompt.
    """
    if not sys.stdout:
        raise HelixError("standard output is closed, so the result cannot be printed")
    argv = without_flags_in_names(argv)
    if instruction := os.environ.get(_COMPLETION):
        return shell_complete(_PROGRAM, {}, _NAME, _COMPLETION, instruction)
    try:
        # A copy: click removes the words that it has parsed.
        with _PROGRAM.make_context(_NAME, argv[:], color=is_colored(argv)) as ctx:
            if not argv:
                print_help(ctx)
                return UsageError.exit_code
            return int(_PROGRAM.invoke(ctx))
    except Exit as end:
        return end.exit_code
    except click.Abort:
        # Ctrl-C or the end of the input at a prompt.
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        raise UsageError(_line(error)) from None


def _line(error: click.ClickException) -> str:
    """Return an error in one line, with the command that prints help."""
    message = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.UsageError) and error.ctx:
        return f"{message} (see `{error.ctx.command_path} --help`)"
    return message


def without_flags_in_names(words: list[str]) -> list[str]:
    """Return the arguments of a hook, with `./` before each Markdown file that starts with `-`."""
    # Hooks pass file names without `--`, and a file may be called `--output=x.md`.
    if "check" not in words or "--matching" not in words:
        return words
    safe = list(words)
    for number, word in enumerate(words):
        if word == "--":
            break
        if word.startswith("-") and is_markdown(word):
            safe[number] = f"./{word}"
    return safe
