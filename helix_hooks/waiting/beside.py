"""Say what is pending beside the entries of a list, so that a short list looks like one. Pure."""

from collections.abc import Iterator

from ..text import counted
from .entry import NotShown

_MOST_NAMED = 5


def lines(beside: NotShown) -> tuple[str, ...]:
    """Return a line for each kind of entries that a list does not show."""
    return tuple(_lines(beside))


def _lines(beside: NotShown) -> Iterator[str]:
    if beside.filtered:
        yield f"{_entries(beside.filtered)} not match these options"
    if beside.unreadable:
        number = counted(beside.unreadable, "decision")
        yield f"{number} of repositories that you may not read {_are(beside.unreadable)} not shown"
    if beside.sources:
        names = ", ".join(source.replace("_", "-") for source in beside.sources)
        yield f"not read, since --source leaves them out: {names}"
    if beside.other_projects:
        total = sum(number for _, number in beside.other_projects)
        names = ", ".join(
            f"{name} ({number})" for name, number in beside.other_projects[:_MOST_NAMED]
        )
        more = ", ..." if len(beside.other_projects) > _MOST_NAMED else ""
        yield (
            f"{counted(total, 'request')} of other projects in this database {_are(total)} not "
            f"shown: {names}{more}; run `helix-hooks queue list` in a work tree of the project. If "
            "one is an earlier name of this project, set it as `flow.name` in config/approvals.yaml"
        )


def _entries(number: int) -> str:
    return f"{counted(number, 'decision')} {'does' if number == 1 else 'do'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
