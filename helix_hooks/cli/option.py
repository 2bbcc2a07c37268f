"""Options and arguments: the kinds of them, and those that several commands have.

`to` is the parameter of the function, if it has another name than the option.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..finding import FAIL_ON

Function = Callable[..., int | None]
"""A command: it returns the exit code; None is 0."""
Decorator = Callable[[Function], Function]


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
    return argument(to, notation, about, shell_complete=_complete_file)


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
    return text(name, metavar, about, to=to, shell_complete=_complete_file)


def _complete_file(
    _ctx: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


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
    match = re.fullmatch(r"([1-9]\d{0,4})([smhd])", text.strip(), re.ASCII)
    if not match:
        raise click.BadParameter(f"invalid time {text!r} (expected e.g. 30s, 10m, 24h or 2d)")
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]]


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
