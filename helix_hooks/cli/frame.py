"""The parts that all commands share: help, colours, `--quiet`, and types of values."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from .. import extras
from ..console.output import colored, print_result
from ..errors import UsageError
from ..text.sanitize import printable
from . import COMMANDS

WIDTH = 110
"""Columns of help, whatever the terminal, so that it reads the same everywhere."""

_QUIET, _COLOR = "helix_hooks.quiet", "helix_hooks.color"
_COLORS = ("auto", "always", "never")

_MOST_CHARACTERS = 1_000_000
"""Of a text in a file that an option names."""

_LIKE_AN_OPTION = re.compile(r"-(?!\d*\.?\d+$).", re.DOTALL)
"""A hyphen and more, unless it is a negative number."""


class Console(NamedTuple):
    """The options of printing, `--quiet` and `--color`, before or after the command."""

    quiet: bool
    color: str

    @property
    def colored(self) -> bool:
        return colored(self.color)


def console() -> Console:
    """Return how the command that runs prints its results."""
    meta = click.get_current_context().meta
    return Console(bool(meta.get(_QUIET)), str(meta.get(_COLOR, "auto")))


class HelpFormatter(click.HelpFormatter):
    """Help with coloured headings and names."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        usage = click.style("Usage:", bold=True) + " " if prefix is None else prefix
        super().write_usage(prog, args, usage)

    def write_heading(self, heading: str) -> None:
        super().write_heading(click.style(heading, bold=True))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        styled = [(click.style(name, fg="cyan"), text) for name, text in rows]
        super().write_dl(styled, col_max, col_spacing)


class HelpContext(click.Context):
    formatter_class = HelpFormatter


class HelixCommand(click.Command):
    """A command whose help ends with its examples, as they are written."""

    context_class = HelpContext
    arguments: Mapping[str, str] = MappingProxyType({})
    """Descriptions of the arguments, by metavar."""
    needs: str = ""
    """The command whose packages it needs, "" for its own name."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(list(self.arguments.items()))
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse a word that looks like an option as the value of another one.

        `--output -x` is a value that was forgotten; `--output=-x` says that it is meant.
        """
        options = [item for item in self.params if isinstance(item, click.Option)]
        valued = {name for item in options if _needs_value(item) for name in item.opts}
        end = args.index("--") + 1 if "--" in args else len(args)
        for name, value in pairwise(args[:end]):
            if name in valued and _LIKE_AN_OPTION.match(value) and not ctx.resilient_parsing:
                raise click.BadOptionUsage(name, f"Option {name!r} requires an argument.", ctx)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, if the packages that it needs are installed."""
        extras.require(self.needs or str(self.name))
        return int(super().invoke(ctx))


class HelixGroup(click.Group):
    """A command that consists of others, as `flow` does. Its help ends with its examples."""

    context_class = HelpContext

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")

    def invoke(self, ctx: click.Context) -> int:
        return int(super().invoke(ctx))

    def subcommand(
        self,
        name: str,
        summary: str,
        *,
        example: str,
        arguments: Mapping[str, str] = MappingProxyType({}),
    ) -> Callable[[Callable[..., int]], HelixCommand]:
        """Make a function one of the commands of this group."""

        def decorate(function: Callable[..., int]) -> HelixCommand:
            made = _made(function, name, summary, example, arguments)
            made.needs = str(self.name)
            self.add_command(made)
            return made

        return decorate


def group(name: str, *, example: str) -> HelixGroup:
    """Return a command that consists of others, which `subcommand` adds."""
    return HelixGroup(
        name,
        help=_sentence(COMMANDS[name]),
        epilog=example,
        add_help_option=False,
        no_args_is_help=False,
        subcommand_metavar="COMMAND [ARGS]...",
        context_settings={"terminal_width": WIDTH},
        params=shared_options(),
    )


def command(
    name: str, *, example: str, arguments: Mapping[str, str] = MappingProxyType({})
) -> Callable[[Callable[..., int]], HelixCommand]:
    """Make a function a command, with the options that every command has.

    `arguments` are the help texts of its arguments, by metavar.
    """

    def decorate(function: Callable[..., int]) -> HelixCommand:
        return _made(function, name, COMMANDS[name], example, arguments)

    return decorate


def _made(
    function: Callable[..., int],
    name: str,
    summary: str,
    example: str,
    arguments: Mapping[str, str],
) -> HelixCommand:
    made = click.command(
        name,
        cls=HelixCommand,
        help=_sentence(summary),
        epilog=example,
        add_help_option=False,
    )(function)
    made.context_settings = {"terminal_width": WIDTH}
    made.arguments = arguments
    made.params += shared_options()
    return made


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."


def shared_options() -> list[click.Parameter]:
    """Return `--quiet`, `--color` and `--help`, which stand before or after a command."""
    return [
        click.Option(
            ["--quiet", "-q"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_remember_quiet,
            help="print results only, no summary",
        ),
        click.Option(
            ["--color"],
            type=click.Choice(_COLORS),
            is_eager=True,
            expose_value=False,
            callback=_remember_color,
            help="colour the output (default: auto, at a terminal)",
        ),
        click.Option(
            ["--help", "-h"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_help,
            help="show this help",
        ),
    ]


def _remember_quiet(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_QUIET] = True


def _remember_color(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value:
        ctx.meta[_COLOR] = value


def _show_help(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        print_help(ctx)
        ctx.exit()


def print_help(ctx: click.Context) -> None:
    text = f"{ctx.get_help()}\n"
    print_result(text if ctx.color else click.unstyle(text))


def is_colored(args: Sequence[str]) -> bool:
    """Return whether to colour help: `--color` may follow `--help`, when help is printed
    already.
    """
    color = "auto"
    for word, value in zip(args, (*args, "")[1:], strict=True):
        if word == "--color":
            color = value
        elif word.startswith("--color="):
            color = word.partition("=")[2]
    return colored(color)


def complete_file(
    _ctx: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def complete_folder(
    _ctx: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete the name of a folder."""
    return [CompletionItem(incomplete, type="dir")]


def _needs_value(option: click.Option) -> bool:
    """Return whether an option is none of those that may stand alone, as `--repo` of `stats`."""
    return not option.is_flag and not isinstance(option.flag_value, str)


def text_or_file(option: str, text: str) -> str:
    """Return the text of an option, or the content of the file that `@FILE` names.

    Raises UsageError.
    """
    if not text.startswith("@"):
        return text
    if _is_named_pipe(text[1:]):
        raise UsageError(
            f"{option} {printable(text)}: it is a pipe, which may never end; write a file, and "
            "name that"
        )
    try:
        with open(text[1:], encoding="utf-8") as file:
            content = file.read(_MOST_CHARACTERS + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is not UTF-8"
        raise UsageError(f"{option} {printable(text)}: {reason}") from None
    if len(content) > _MOST_CHARACTERS:
        raise UsageError(
            f"{option} {printable(text)}: it has more than {_MOST_CHARACTERS} characters"
        )
    return content


def _is_named_pipe(path: str) -> bool:
    """Return whether a path names a pipe that waits for a writer, unlike those of `<(...)`."""
    if path.startswith(("/dev/", "/proc/")):
        return False
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def filled(text: str) -> str:
    """Return a name that is not empty.

    An empty one is a variable that nobody has set; taken for none, it would turn the gate off.
    """
    if not text.strip():
        raise click.BadParameter("it is empty; is a variable not set?")
    return text
