"""The commands by their groups, and the parts that all of them share: help, options, values.

Each module declares the commands of a group, and is imported when one of them is called.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import click

from ..config import seconds
from ..console import colored, exit_code_of, print_result
from ..errors import HelixError, UsageError
from ..finding import FAIL_ON
from ..text import dumped, printable

GROUPS = {
    "Every day": {
        "check": "check ADRs: structure, contextual rules, concept",
        "new": "write a new ADR, numbered and named like its neighbours",
        "explain": "explain a rule, with an example that fails and one that passes",
        "rules": "list the rules in force",
        "index": "write a table of all ADRs into a README",
        "graph": "print the relations of the decisions as a graph",
        "report": "write findings, ADRs and their relations as one HTML page",
        "init": "set up a repository: hook, settings, first ADR",
        "doctor": "check the setup of this clone and of its repository on GitHub",
        "check-config": "check the settings, rules and approvals files",
    },
    "Review and decide": {
        "approve": "check ADRs, then have an independent judge review them",
        "decisions": "show the accepted ADRs that govern some files",
        "enforce": "run the rules of accepted ADRs on the code",
        "contract": "show what an ADR promises, and what it could promise",
        "verify": "check that the work delivers what an approved ADR promises",
        "feedback": "show what is missing in an agent's work, and the questions for a person",
        "queue": "list pending approvals from all sources, and decide on them",
        "audit": "show who decided what on a pull request, on which content, under which policy",
        "stats": "show results, time and cost of the judge's runs",
    },
    "Automation": {
        "gate": "evaluate a gate of the settings or of a flow, and print the result",
        "ask": "request an approval, and wait for the decision",
        "run": "run a flow of gated phases from its file",
        "flow": "show, approve, reject, retry, resume and cancel runs of flows",
        "worker": "execute the runs of flows of a repository",
        "github": "run a step of the GitHub Action",
        "lsp": "serve an editor: diagnostics while typing, fixes, hover",
        "mcp": "serve a coding agent: the accepted ADRs that govern some files",
        "schema": "print the JSON Schemas of the settings files, for editors",
    },
}
"""The commands with their summaries, in the groups and in the order of the help."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}

MODULES = {
    "audit": "stats",
    "check-config": "doctor",
    "explain": "rules",
    "feedback": "verify",
    "graph": "index",
    "lsp": "editors",
    "mcp": "decisions",
    "queue": "queue_upkeep",
    "run": "flow",
    "schema": "editors",
    "worker": "flow",
}
"""The modules of the commands that are not in a module of their own name."""

EXTRAS = {
    "approve": "approve",
    "ask": "queue",
    "audit": "github",
    "doctor": "github",
    "flow": "flow",
    "github": "github",
    "lsp": "lsp",
    "mcp": "mcp",
    "queue": "queue",
    "report": "report",
    "run": "flow",
    "worker": "flow",
}
"""The extra that a command needs. All other commands need none."""

WIDTH = 100
"""Columns of the help texts. It does not depend on the terminal, so that docs can quote it."""

_MOST_CHARACTERS = 1_000_000
"""Maximum length of a text in a file that an option names."""

LOADED: dict[str, click.Command] = {}
"""The commands of the modules that are imported, by their names."""

_Record = TypeVar("_Record")

Function = Callable[..., int | None]
"""A command: it returns the exit code; None is 0."""
Decorator = Callable[[Function], Function]


# Commands.


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
        arguments = [item for item in self.params if isinstance(item, Argument)]
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
        if extra := EXTRAS.get(self.needs):
            from .. import extras

            extras.require(self.needs, extra)
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

    def remember(ctx: click.Context, parameter: click.Parameter, value: bool | str | None) -> None:
        if value:
            ctx.meta[f"helix_hooks.{parameter.name}"] = value

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


def print_as(format: str, value: object, text: str) -> None:
    """Print a value as JSON, or, in another format, a text."""
    print_result(dumped(value) if format == "json" else text)


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
    from .. import writing

    try:
        writing.replace(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        raise HelixError(f"{problem}: {error.strerror}") from None


# Options and arguments: the kinds of them, and those that several commands have. `to` is the
# parameter of the function, if it has another name than the option.


_PATH = click.Path(readable=False)
"""The type of a path, which a shell completes. The commands themselves look whether it exists."""


class Argument(click.Argument):
    """An argument with a description."""

    def __init__(self, names: list[str], notation: str, about: str, **settings: Any) -> None:
        is_list, is_required = notation.endswith("..."), not notation.startswith("[")
        if not (is_list or is_required):
            settings["default"] = ""
        settings["nargs"] = -1 if is_list else 1
        super().__init__(names, metavar=notation, required=is_required, **settings)
        self.word, self.about = notation.strip("[]."), about


def argument(name: str, notation: str, about: str, **settings: Any) -> Decorator:
    """Add an argument. Its notation is e.g. `PATH`, `[FILE]` for "" or a file, or `[ID]...`."""
    return click.argument(name, notation=notation, about=about, cls=Argument, **settings)


def paths(notation: str, about: str, *, to: str = "paths") -> Decorator:
    """Add an argument that names files."""
    return argument(to, notation, about, type=_PATH)


def flag(name: str, about: str, *, to: str = "") -> Decorator:
    """Add an option without a value."""
    return click.option(*filter(None, (name, to)), is_flag=True, help=about)


def text(name: str, metavar: str, about: str, *, to: str = "", **settings: Any) -> Decorator:
    """Add an option with a text, by default "". Other types have the default None."""
    if settings.get("multiple"):
        about = f"{about}; repeatable"
    elif "type" not in settings:
        settings.setdefault("default", "")
    names = filter(None, (name, to))
    return click.option(*names, metavar=metavar or None, help=about, **settings)


def choice(name: str, values: Iterable[str], about: str, **settings: Any) -> Decorator:
    """Add an option with one of some values, by default None."""
    return text(name, "", about, type=click.Choice((*values,)), **settings)


def file(name: str, about: str, *, metavar: str = "FILE", to: str = "") -> Decorator:
    """Add an option that names a file."""
    return text(name, metavar, about, to=to, type=_PATH, default="")


def formats(*names: str) -> Decorator:
    """Add the option `--format`; the first format is the default."""
    names = names or ("text", "json")
    return choice("--format", names, f"output format (default: {names[0]})", default=names[0])


def fail_on(effect: str) -> Decorator:
    """Add the option `--fail-on`, whose effect at findings is described."""
    about = f"{effect} of this severity or worse (default: error)"
    return choice("--fail-on", FAIL_ON, about, default="error")


def _dollars(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1
    # Python reads "inf" and "nan" as numbers.
    if not 0 <= amount < float("inf"):
        raise click.BadParameter(f"invalid amount of US dollars {text!r} (expected e.g. 0.50)")
    return amount


def duration(text: str) -> int:
    """Return the seconds of a time such as 30s, 10m, 24h or 2d.

    Raises:
        click.BadParameter: It is not a time.
    """
    time = seconds(text.strip(), "smhd")
    if not time:
        raise click.BadParameter(f"invalid time {text!r} (expected e.g. 30s, 10m, 24h or 2d)")
    return time


agent = text("--agent", "NAME", "judge: claude, or an agent from the settings")
budget = text(
    "--max-cost-usd", "X", "budget of each approval type, for all attempts", type=_dollars
)
override = flag("--override", "approve a phase that its gate has rejected")
reason = text("--reason", "TEXT", "reason; @FILE to read it from a file")
repo = text(
    "--repo",
    "OWNER/NAME",
    "repository on GitHub (default: GITHUB_REPOSITORY, else the remote `origin`)",
)
types = text(
    "--type",
    "T",
    "review with this approval type (default: the enabled types)",
    to="types",
    multiple=True,
)
