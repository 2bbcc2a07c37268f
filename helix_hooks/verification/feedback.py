"""The text of `feedback.md`: what the work of an agent lacks, and what to do."""

from collections.abc import Iterable, Iterator

from ..text import counted, moment, printable
from .attempts import CAPPED, UNCHANGED, AttemptState
from .naming import long_name
from .result import Expectation, VerificationResult

TITLE = "# Verification feedback"
"""The beginning of each feedback. A copy in the working tree is recognised by it."""

_MAX_CHARACTERS = 300
"""Maximum characters of one text, such as a criterion."""
_MAX_ITEMS = 50
"""Maximum items of a section."""


def feedback(result: VerificationResult, state: AttemptState, now: int, command: str) -> str:
    """Return the feedback on one ADR. `command` verifies it again.

    Each text of an ADR or a change is put on one line, so that it cannot add a heading.
    """
    name = _printed(long_name(result.adr_id, result.title, result.path))
    facts = (
        f"- Attempt: {state.attempt} of {state.runs}\n"
        f"- Time: {moment(now)}\n"
        f"- ADR: {_printed(result.path)}\n"
    )
    parts = [f"{TITLE}: {name}\n", facts]
    if state.state == CAPPED:
        parts.append(f"{gave_up(state)}\n")
    parts.append(_section("Issues found", _issues(result)))
    if result.open:
        listed = (_open(result.path, item) for item in result.open)
        parts.append(_section("Neither shown nor missing: a person must look", listed))
    parts.append(_section("Required actions", _actions(result, state)))
    parts.append(f"Verify again:\n\n    {_printed(command)}\n")
    return "\n".join(parts)


def feedback_of_program(message: str, attempt: int, runs: int, now: int) -> str:
    """Return the feedback that a program writes, without an ADR."""
    issues = "\n".join(_printed(line) for line in message.splitlines())
    return (
        f"{TITLE}\n\n- Attempt: {attempt} of {runs}\n- Time: {moment(now)}\n\n## Issues found\n\n"
        f"{issues}\n\n## Required actions\n\nFix the issues above. The work is verified again.\n"
    )


def gave_up(state: AttemptState) -> str:
    """Return the sentence on why no further attempt is made."""
    reason = ""
    if state.reason == UNCHANGED:
        reason = ": the last two left the same files with the same issues"
    return (
        f"The agent gave up after {counted(state.attempt, 'attempt')}{reason}. The contract is "
        "not fulfilled, and a person is asked to decide."
    )


def _section(title: str, lines: Iterable[str]) -> str:
    """Return a numbered list below a heading."""
    listed = list(lines)
    shown = [f"{number}. {line}\n" for number, line in enumerate(listed[:_MAX_ITEMS], 1)]
    rest = len(listed) - len(shown)
    if rest > 0:
        shown.append(f"\nand {rest} more\n")
    return f"## {title}\n\n{''.join(shown)}"


def _issues(result: VerificationResult) -> Iterator[str]:
    if result.reason:
        yield _printed(result.reason)
    for item in result.missing:
        subject = f"{item.kind} {_printed(item.subject)}"
        yield f"{_place(result.path, item)}: {subject}: {_printed(item.reason or 'missing')}"


def _open(path: str, item: Expectation) -> str:
    reason = f": {_printed(item.reason)}" if item.reason else ""
    return f"{_place(path, item)}: {item.state}: {item.kind} {_printed(item.subject)}{reason}"


def _actions(result: VerificationResult, state: AttemptState) -> Iterator[str]:
    actions = dict.fromkeys(_printed(item.action) for item in result.missing if item.action)
    yield from actions
    if not actions:
        yield "Fix each issue above in the files; do not change the ADR."
    if state.state == CAPPED:
        yield "Tell the person in charge what is missing, and why. Do not call the work done."


def _place(path: str, item: Expectation) -> str:
    return f"{_printed(path)}:{item.line}"


def _printed(text: str) -> str:
    return printable(text, _MAX_CHARACTERS)
