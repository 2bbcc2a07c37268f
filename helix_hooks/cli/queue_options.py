"""The options that several subcommands of `helix-hooks queue` share."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ..config.autonomy import CATEGORIES
from ..errors import UsageError
from ..safety.remote import is_name
from ..waiting.entry import FLOW, PULL_REQUEST, REQUEST, VERIFICATION
from ..waiting.selection import seconds_of

if TYPE_CHECKING:
    from ..queue.collect import Wanted

_SOURCES = {
    "pull-request": PULL_REQUEST,
    "flow": FLOW,
    "verification": VERIFICATION,
    "request": REQUEST,
}


def _age(text: str) -> int:
    try:
        return seconds_of(text)
    except UsageError as error:
        raise click.BadParameter(str(error)) from None


def _repository(text: str) -> str:
    if not is_name(text):
        raise click.BadParameter(f"invalid repository {text!r} (expected OWNER/NAME)")
    return text


def with_repositories(function: Callable[..., int]) -> Callable[..., int]:
    function = click.option(
        "--owner",
        metavar="OWNER",
        default=None,
        help="read pull requests of all repositories of a user or an organisation",
    )(function)
    return click.option(
        "--repository",
        "repositories",
        metavar="OWNER/NAME",
        type=_repository,
        multiple=True,
        help="read pull requests of this repository; repeatable (default: the remote `origin`)",
    )(function)


def with_filters(function: Callable[..., int]) -> Callable[..., int]:
    for option in (
        click.option(
            "--older-than",
            metavar="AGE",
            type=_age,
            default="0m",
            help="only entries older than this, e.g. 30m, 24h or 2d",
        ),
        click.option(
            "--source",
            "sources",
            type=click.Choice(tuple(_SOURCES)),
            multiple=True,
            help="only entries of this source; repeatable",
        ),
        click.option(
            "--category",
            "categories",
            type=click.Choice(CATEGORIES),
            multiple=True,
            help="only entries of this category; repeatable",
        ),
        click.option("--mine", is_flag=True, help="only entries that wait for you"),
    ):
        function = option(function)
    return function


def wanted(repositories: tuple[str, ...], owner: str | None, *sources: str) -> "Wanted":
    from ..queue.collect import Wanted

    return Wanted(tuple(_SOURCES[name] for name in sources), repositories, owner or "")
