"""The state that each promise of an ADR can reach, before the work. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from ..adr.promises import COMMAND, TEST, Named, Promise
from ..config.approvals import VerifySettings
from .result import PRESENT, SHOWN, UNCHECKED, WORDS

_PERSON = "a person or the judge"


class Forecast(NamedTuple):
    """A promise before the work: its kind, and the best state that needs neither judge nor person.

    `kind` is that of the promise; a criterion is a test or a command if it names one. `how` says
    what leads to the state.
    """

    kind: str
    subject: str
    line: int
    state: str
    how: str


def forecasts(promises: tuple[Promise, ...], settings: VerifySettings) -> Iterator[Forecast]:
    """Yield what becomes of each promise, and of each command of the settings."""
    for promise in promises:
        if promise.kind != "criterion":
            yield Forecast(promise.kind, promise.subject, promise.line, SHOWN, "git proves it")
            continue
        names = [_named(name, settings) for name in promise.names]
        kind, state, how = min(
            names or [("criterion", UNCHECKED, _PERSON)], key=lambda item: WORDS.index(item[1])
        )
        yield Forecast(kind, promise.subject, promise.line, state, how)
    for command in settings.commands:
        yield Forecast(COMMAND, command.text, 0, SHOWN, "it runs for every ADR")


def _named(name: Named, settings: VerifySettings) -> tuple[str, str, str]:
    """Return the kind of a criterion that names this, its state and what leads to it."""
    if name.kind == COMMAND:
        if any(command.text == name.text for command in settings.commands):
            return COMMAND, SHOWN, "verify.commands runs it"
        return COMMAND, UNCHECKED, f"verify.commands lacks `{name.text}`; {_PERSON}"
    if name.kind == TEST:
        if name.path and settings.tests:
            return TEST, SHOWN, "verify.tests runs it"
        lacks = "the settings lack verify.tests" if name.path else "the criterion lacks its file"
        return TEST, PRESENT, f"it does not run, {lacks}; {_PERSON}"
    return (
        "criterion",
        PRESENT,
        f"{name.path} is looked for, the sentence is not checked; {_PERSON}",
    )
