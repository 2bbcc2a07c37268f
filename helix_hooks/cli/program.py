"""All commands as one click program. A command is imported only when it is called."""

import os
from difflib import get_close_matches
from importlib import import_module

import click
from click.exceptions import Exit
from click.shell_completion import CompletionItem, shell_complete

from .. import __version__
from ..console.output import print_result
from ..errors import UsageError
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

_EPILOG = """example:
  helix-hooks check docs/adr/0007-use-kafka.md

exit codes:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  usage or configuration error; nothing was checked
  3  the command could not finish
  4  pending: a person must decide

`helix-hooks COMMAND --help` shows the options of a command."""


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


def invoke(argv: list[str]) -> int:
    """Run a command line and return its exit code.

    Raises:
        UsageError: An option or an argument is wrong.
        KeyboardInterrupt: A person has ended a prompt.
    """
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
