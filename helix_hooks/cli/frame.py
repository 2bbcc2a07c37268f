"""The parts that all commands share: help, colours, `--quiet`, values of options."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from .. import extras, git
from ..console.output import colored, print_result
from ..errors import UsageError
from ..text.sanitize import printable
from . import COMMANDS

WIDTH = 100
"""Columns of the help texts. It does not depend on the terminal, so that docs can quote it."""

_OURS = "helix_hooks"
"""The beginning of our keys in the data that click passes on."""

_COLORS = ("auto", "always", "never")

_MOST_CHARACTERS = 1_000_000
"""Maximum length of a text in a file that an option names."""

_LIKE_AN_OPTION = re.compile(r"-(?!\d*\.?\d+$).", re.DOTALL)
"""A hyphen with more characters, but not a negative number."""


class Console(NamedTuple):
    """The options `--quiet` and `--color`, given before or after the command."""

    quiet: bool
    color: str

    @property
    def colored(self) -> bool:
        return colored(self.color)


def console() -> Console:
    """Return the printing options of the current command."""
    meta = click.get_current_context().meta
    return Console(bool(meta.get(f"{_OURS}.quiet")), str(meta.get(f"{_OURS}.color", "auto")))


def git_root(command: str) -> str:
    """Return the root of the git repository that has the current folder.

    Raises:
        UsageError: The folder is not in a git repository, and the command needs one.
    """
    root = git.repository()
    if not root:
        raise UsageError(f"{command} needs a git repository, and this folder is not in one")
    return root


class HelpFormatter(click.HelpFormatter):
    """Help with coloured headings and names."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if prefix is None:
            prefix = click.style("Usage:", bold=True) + " "
        super().write_usage(prog, args, prefix)

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
    """A command whose help ends with its examples; click would join their lines."""

    context_class = HelpContext
    arguments: Mapping[str, str] = MappingProxyType({})
    """Descriptions of the arguments, by metavar."""
    needs: str = ""
    """The command whose optional packages it needs, "" for the name of this command."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(list(self.arguments.items()))
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, and refuse an option name as the value of another option.

        In `--output -x` a value is missing; `--output=-x` has the value `-x`.

        Raises:
            click.BadOptionUsage: An option has no value.
            click.BadParameter: A value is empty.
        """
        if not ctx.resilient_parsing:
            name = self._option_without_value(args)
            if name:
                raise click.BadOptionUsage(name, f"Option {name!r} requires an argument.", ctx)
        try:
            rest = super().parse_args(ctx, args)
            self._require_texts(ctx)
        except click.UsageError as error:
            # click leaves it out of some errors, and `program` prints the command from it.
            error.ctx = error.ctx or ctx
            raise
        return rest

    def _require_texts(self, ctx: click.Context) -> None:
        """Refuse empty values: `--base "$BASE"` with an unset variable must not mean "no base"."""
        for item in self.params:
            source = ctx.get_parameter_source(str(item.name))
            if source is click.core.ParameterSource.DEFAULT:
                continue
            value = ctx.params.get(str(item.name))
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not text.strip():
                    message = "the value is empty (is an environment variable unset?)"
                    raise click.BadParameter(message, ctx, item)

    def _option_without_value(self, args: list[str]) -> str:
        """Return the first option before `--` that is followed by another option, else ""."""
        valued: set[str] = set()
        for item in self.params:
            # Neither flags nor options with an optional value, such as `--repo` of `stats`.
            if isinstance(item, click.Option) and not (
                item.is_flag or isinstance(item.flag_value, str)
            ):
                valued.update(item.opts)
        end = (*args, "--").index("--") + 1
        for name, value in pairwise(args[:end]):
            if name in valued and _LIKE_AN_OPTION.match(value):
                return name
        return ""

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, if its optional packages are installed."""
        extras.require(self.needs or str(self.name))
        return int(super().invoke(ctx))


class HelixGroup(click.Group):
    """A command with subcommands, such as `flow`. Its help ends with its examples."""

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
        """Make a function a subcommand of this group."""

        def decorate(function: Callable[..., int]) -> HelixCommand:
            command = _command(function, name, summary, example, arguments)
            command.needs = str(self.name)
            self.add_command(command)
            return command

        return decorate


def group(name: str, *, example: str) -> HelixGroup:
    """Return a command without subcommands; `subcommand` adds them."""
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

    `arguments` has the help texts of its arguments, by metavar.
    """
    summary = COMMANDS[name]
    return partial(_command, name=name, summary=summary, example=example, arguments=arguments)


def _command(
    function: Callable[..., int],
    name: str,
    summary: str,
    example: str,
    arguments: Mapping[str, str],
) -> HelixCommand:
    command = click.command(
        name,
        cls=HelixCommand,
        help=_sentence(summary),
        epilog=example,
        add_help_option=False,
    )(function)
    command.context_settings = {"terminal_width": WIDTH}
    command.arguments = arguments
    command.params += shared_options()
    return command


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."


def shared_options() -> list[click.Parameter]:
    """Return the options `--quiet`, `--color` and `--help`, for the program and each command."""
    return [
        click.Option(
            ["--quiet", "-q"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_remember,
            help="print results only, no summary",
        ),
        click.Option(
            ["--color"],
            type=click.Choice(_COLORS),
            is_eager=True,
            expose_value=False,
            callback=_remember,
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


def _remember(ctx: click.Context, option: click.Parameter, value: bool | str | None) -> None:
    if value:
        ctx.meta[f"{_OURS}.{option.name}"] = value


def _show_help(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        print_help(ctx)
        ctx.exit()


def print_help(ctx: click.Context) -> None:
    text = f"{ctx.get_help()}\n"
    if not ctx.color:
        text = click.unstyle(text)
    print_result(text)


def is_colored(args: Sequence[str]) -> bool:
    """Return whether to colour help texts.

    click prints help as soon as it reads `--help`, so this function looks for a later `--color`.
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


def with_format(*formats: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the option `--format`; the first format is the default, and without any it is text."""
    names = formats or ("text", "json")
    return click.option(
        "--format",
        type=click.Choice(names),
        default=names[0],
        help=f"output format (default: {names[0]})",
    )


def text_or_file(option: str, text: str) -> str:
    """Return the text of an option, or the content of FILE if the text is `@FILE`.

    Raises:
        UsageError: The file can't be read, is a pipe, or is too long.
    """
    if not text.startswith("@"):
        return text
    if _is_named_pipe(text[1:]):
        raise UsageError(
            f"{option} {printable(text)}: it is a pipe; write the content to a file, and name "
            "that file"
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
    """Return whether a path names a pipe, whose reader would wait for a writer."""
    # A shell has started the writer of `<(...)`.
    if path.startswith(("/dev/", "/proc/")):
        return False
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
