"""The program: its streams, its exit code, and all commands as one click program."""

import os
import sys
from difflib import get_close_matches
from importlib import import_module

import click
from click.shell_completion import CompletionItem, shell_complete

from .. import __version__
from ..console import exit_code_of
from ..errors import HelixError, UsageError
from ..paths import is_markdown
from .shared import COMMANDS, GROUPS, LOADED, MODULES, WIDTH, HelixGroup, shared_options

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
    is_hook = not {"verify", "decisions"}.isdisjoint(words) and any(
        word.startswith("--hook") for word in words
    )
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


class Program(HelixGroup):
    """The group of all commands. It has their names and summaries without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        import_module(f"helix_hooks.cli.{MODULES.get(cmd_name, cmd_name)}")
        return LOADED[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            close = "".join(
                f"; did you mean {name!r}?" for name in get_close_matches(args[0], COMMANDS, 1)
            )
            ctx.fail(f"unknown command {args[0]!r} (expected one of {', '.join(COMMANDS)}){close}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        fitting = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        commands = [CompletionItem(name, help=summary) for name, summary in fitting]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


_PROGRAM = Program(
    _NAME,
    help="A merge gate for architecture decision records.",
    epilog=_EPILOG,
    add_help_option=False,
    no_args_is_help=False,  # that would print the help as an error
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"terminal_width": WIDTH},
)
click.version_option(__version__, message="%(prog)s %(version)s", help="show the version")(_PROGRAM)
_PROGRAM.params += shared_options()


def run(argv: list[str]) -> int:
    """Run a command line and return its exit code.

    Raises:
        HelixError: Standard output is closed, or the command fails.
        UsageError: An option or an argument is wrong.
        KeyboardInterrupt: A person has ended a prompt.
    """
    if not sys.stdout:
        raise HelixError("standard output is closed, so the result cannot be printed")
    words = without_flags_in_names(argv)
    if instruction := os.environ.get(_COMPLETION):
        return shell_complete(_PROGRAM, {}, _NAME, _COMPLETION, instruction)
    if not words:
        run(["--help"])
        return UsageError.exit_code
    try:
        return int(_PROGRAM.main(words, _NAME, standalone_mode=False) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        message = " ".join(error.format_message().split()).rstrip(".")
        if isinstance(error, click.UsageError) and error.ctx:
            message = f"{message} (see `{error.ctx.command_path} --help`)"
        raise UsageError(message) from None


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
