"""The parts that all commands share: help, `--quiet`, `--color`, common options, values."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import click

from .. import extras, writing
from ..console import colored, exit_code_of, print_result
from ..errors import HelixError, UsageError
from ..text import dumped, printable
from . import COMMANDS, option
from .option import Decorator, Function

WIDTH = 100
"""Columns of the help texts. It does not depend on the terminal, so that docs can quote it."""

_MOST_CHARACTERS = 1_000_000
"""Maximum length of a text in a file that an option names."""

LOADED: dict[str, click.Command] = {}
"""The commands of the modules that are imported, by their names."""

_Record = TypeVar("_Record")


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
    return Console(meta.get("helix_hooks.quiet", False), meta.get("helix_hooks.color", "auto"))


_WORST_FIRST = (3, 2, 1, 4, 0)
_EXITS = {2: "usage or configuration error", 3: "the command could not finish"}
"""The exit codes of every command; it may have other words for them."""


class HelixCommand(click.Command):
    """A command with described arguments, whose help ends with its examples."""

    needs: str = ""
    """The command whose optional packages it needs."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        arguments = [item for item in self.params if isinstance(item, option.Argument)]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl([(item.word, item.about) for item in arguments])
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")  # click would join the lines

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, and refuse empty values.

        `--base "$BASE"` with an unset variable must not mean "no base".

        Raises:
            click.BadParameter: A value is empty.
        """
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out of some errors
            raise
        for item in self.params:
            if ctx.get_parameter_source(str(item.name)) is click.core.ParameterSource.DEFAULT:
                continue
            value = ctx.params.get(str(item.name))
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not text.strip():
                    message = "the value is empty (is an environment variable unset?)"
                    raise click.BadParameter(message, ctx, item)
        return rest

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, if its optional packages are installed."""
        extras.require(self.needs)
        return super().invoke(ctx) or 0


class HelixGroup(click.Group):
    """A command with subcommands, such as `flow`. Its help ends with its examples."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n")

    def subcommand(self, name: str, summary: str, **described: Any) -> Decorator:
        """Make a function a subcommand of this group."""

        def decorate(function: Function) -> Function:
            self.add_command(_command(function, name, summary, str(self.name), **described))
            return function

        return decorate


def group(
    name: str, *, example: str, exits: Mapping[int, str] = MappingProxyType({})
) -> HelixGroup:
    """Return a command without subcommands; `subcommand` adds them."""
    made = HelixGroup(name, **_common(COMMANDS[name], example, exits), no_args_is_help=False)
    made.params += shared_options()
    LOADED[name] = made
    return made


def command(name: str, **described: Any) -> Decorator:
    """Make a function a command, with the options that every command has.

    `example` is the end of the help, and `exits` are its exit codes, if they need an explanation.
    """

    def decorate(function: Function) -> Function:
        LOADED[name] = _command(function, name, COMMANDS[name], name, **described)
        return function

    return decorate


def _command(
    function: Function,
    name: str,
    summary: str,
    needs: str,
    *,
    example: str,
    exits: Mapping[int, str] = MappingProxyType({}),
) -> HelixCommand:
    made = click.command(name, cls=HelixCommand, **_common(summary, example, exits))(function)
    made.needs = needs
    made.params += shared_options()
    return made


def _common(summary: str, example: str, exits: Mapping[int, str]) -> dict[str, Any]:
    codes = sorted({**_EXITS, **exits}.items()) if exits else ()
    table = "".join(f"\n  {code}  {meaning}" for code, meaning in codes)
    return {
        "help": f"{summary[:1].upper()}{summary[1:]}.",
        "epilog": f"{example}\n\nexit codes:{table}" if exits else example,
        "add_help_option": False,  # `shared_options` has one
        "context_settings": {"terminal_width": WIDTH},
    }


def shared_options() -> list[click.Parameter]:
    """Return the options `--quiet`, `--color` and `--help`, for the program and each command."""

    def remember(ctx: click.Context, option: click.Parameter, value: bool | str | None) -> None:
        if value:
            ctx.meta[f"helix_hooks.{option.name}"] = value

    def show_help(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            print_result(f"{ctx.get_help()}\n")
            ctx.exit()

    flag: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}
    quiet = "print results only, no summary"
    color = "colour the output (default: auto, at a terminal)"
    return [
        click.Option(["--quiet", "-q"], **flag, callback=remember, help=quiet),
        click.Option(
            ["--color"],
            type=click.Choice(("auto", "always", "never")),
            is_eager=True,
            expose_value=False,
            callback=remember,
            help=color,
        ),
        click.Option(["--help", "-h"], **flag, callback=show_help, help="show this help"),
    ]


# Work and results.


def guarded(work: Callable[..., int], *values: object) -> int:
    """Do some work in a child process, so that its judges end if this process is killed."""
    from ..proc.guard import run_guarded

    return run_guarded(partial(exit_code_of, work, *values))


def print_as(format: str, value: object, text: str, entries: int = 0) -> None:
    """Print a value with some entries as JSON, or, in another format, a text."""
    print_result(dumped(value, entries) if format == "json" else text)


def can_ask() -> bool:
    """Return whether a person at a terminal can answer a question."""
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()
    return bool(is_terminal) and not os.environ.get("CI")


def worst(codes: Iterable[int]) -> int:
    """Return the worst of some exit codes. A failure comes first, since it may hide others."""
    return min(codes, key=_WORST_FIRST.index, default=0)


# Values.


def of_fields(kind: type[_Record], values: Mapping[str, Any]) -> _Record:
    """Return a named tuple whose fields have the values of the options of the same names.

    A field without an option, or without a value, has its default.
    """
    names: tuple[str, ...] = getattr(kind, "_fields")  # noqa: B009 -- the type has no such bound
    return kind(**{name: values[name] for name in names if values.get(name) not in (None, "")})


def text_or_file(option: str, text: str) -> str:
    """Return the text of an option, or the content of FILE if the text is `@FILE`.

    Raises:
        UsageError: The file can't be read, is a pipe, or is too long.
    """
    if not text.startswith("@"):
        return text
    path, problem = text[1:], ""
    try:
        # A shell has started the writer of `<(...)`; the reader of another pipe would wait.
        if not path.startswith(("/dev/", "/proc/")) and stat.S_ISFIFO(os.stat(path).st_mode):
            problem = "it is a pipe; write the content to a file, and name that file"
        else:
            with open(path, encoding="utf-8") as file:
                content = file.read(_MOST_CHARACTERS + 1)
            if len(content) <= _MOST_CHARACTERS:
                return content
            problem = f"it has more than {_MOST_CHARACTERS} characters"
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", "") or "it is not UTF-8"
    raise UsageError(f"{option} {printable(text)}: {problem}")


def save(path: str, text: str, problem: str) -> None:
    """Write a file.

    Raises:
        HelixError: The file can't be written; the message starts with `problem`.
    """
    try:
        writing.replace(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        raise HelixError(f"{problem}: {error.strerror}") from None
