"""The text of `feedback.md`: what an agent's work lacks, and what to do about it."""

from collections.abc import Iterable, Iterator

from ..text.moment import moment
from ..text.plural import counted
from ..text.sanitize import printable
from .attempts import CAPPED, UNCHANGED, AttemptState
from .naming import long_name
from .result import Expectation, VerificationResult

TITLE = "# Verification feedback"
"""The beginning of each feedback, by which a copy in the work tree is recognised."""

_LONGEST = 300
"""Characters of one text, such as a criterion."""
_MOST = 50
"""Issues that are listed."""


def feedback(result: VerificationResult, state: AttemptState, now: int, command: str) -> str:
    """Return the feedback on one ADR. `command` verifies it again.

    Texts of ADRs and of the change stand on one line each, so none can add a heading.
    """
    name = _words(long_name(result.adr_id, result.title, result.path))
    attempt = f"- Attempt: {state.attempt} of {state.runs}\n"
    about = f"{attempt}- Time: {moment(now)}\n- ADR: {_words(result.path)}\n"
    parts = [f"{TITLE}: {name}\n", about]
    if state.state == CAPPED:
        parts.append(f"{gave_up(state)}\n")
    parts.append(_section("Issues found", _issues(result)))
    if result.unverifiable:
        listed = (_unverifiable(result.path, item) for item in result.unverifiable)
        parts.append(_section("Unverifiable, so neither met nor missing", listed))
    parts.append(_section("Required actions", _actions(result, state)))
    parts.append(f"Verify again:\n\n    {_words(command)}\n")
    return "\n".join(parts)


def gave_up(state: AttemptState) -> str:
    """Return the sentence that says why no further attempt is asked for."""
    why = "the last two left the same files with the same issues"
    reason = f": {why}" if state.reason == UNCHANGED else ""
    return (
        f"Verification gave up after {counted(state.attempt, 'attempt')}{reason}. The contract is "
        "not fulfilled, and a person is asked to decide."
    )


def _section(title: str, lines: Iterable[str]) -> str:
    listed = list(lines)
    shown = [f"{number}. {line}\n" for number, line in enumerate(listed[:_MOST], 1)]
    rest = len(listed) - len(shown)
    more = f"\nand {rest} more\n" if rest > 0 else ""
    return f"## {title}\n\n{''.join(shown)}{more}"


def _issues(result: VerificationResult) -> Iterator[str]:
    if result.reason:
        yield _words(result.reason)
    for item in result.missing:
        yield f"{_place(result.path, item)}: {item.kind} {_words(item.subject)}: " + _words(
            item.reason or "missing"
        )


def _unverifiable(path: str, item: Expectation) -> str:
    reason = f": {_words(item.reason)}" if item.reason else ""
    return f"{_place(path, item)}: {item.kind} {_words(item.subject)}{reason}"


def _actions(result: VerificationResult, state: AttemptState) -> Iterator[str]:
    actions = dict.fromkeys(_words(item.action) for item in result.missing if item.action)
    yield from actions
    if not actions:
        yield "Fix each issue above in the files; do not change the ADR."
    if state.state == CAPPED:
        yield "Tell the person in charge what is missing, and why. Do not call the work done."


def _place(path: str, item: Expectation) -> str:
    return f"{_words(path)}:{item.line}"


def _words(text: str) -> str:
    return printable(text, _LONGEST)
