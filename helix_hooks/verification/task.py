"""The text that an agent gets on standard input: its task, and the result of its last run."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text import printable
from .naming import long_name
from .pending import Counted
from .result import VerificationResult

_MAX_OUTPUT = 4_000
"""Maximum characters of the end of a run's output."""
_MAX_CHARACTERS = 300
"""Maximum characters of one text, such as a criterion."""
_MAX_ERRORS = 5
"""Maximum errors in the line of an earlier run."""


class Rejected(NamedTuple):
    """A rejected run: its states with the feedback, and the end of its output."""

    counted: tuple[Counted, ...]
    output: str


def task(
    results: Sequence[VerificationResult],
    texts: Sequence[str],
    rejected: Sequence[Rejected],
    runs: int,
) -> str:
    """Return the text for the next run. `texts` are the approved ADRs of the results."""
    names = " and ".join(_name(result) for result in results)
    number = len(rejected) + 1
    order = (
        "Implement what the approved decision below promises. Do not change the decision. After "
        f"this run, which is run {number} of {runs}, `helix-hooks verify` compares the files with "
        "it."
    )
    parts = [f"# Task: implement {names}\n\n{order}\n", "\n".join(map(_promises, results))]
    if rejected:
        parts += _last(rejected[-1])
    if len(rejected) > 1:
        parts.append(f"## Earlier runs\n\n{''.join(_earlier(rejected))}")
    for result, text in zip(results, texts, strict=True):
        title = f"## The approved text of {_printed(result.path)}"
        parts.append(f"{title}\n\n{text.rstrip()}\n")
    return "\n".join(parts)


def _name(result: VerificationResult) -> str:
    return _printed(long_name(result.adr_id, result.title, result.path))


def _promises(result: VerificationResult) -> str:
    listed = dict.fromkeys(
        f"- {item.kind}: {_printed(item.subject)}\n" for item in result.expectations
    )
    return f"## What {_name(result)} promises\n\n{''.join(listed)}"


def _last(rejected: Rejected) -> list[str]:
    """Return the feedback of the last run and the end of its output, as sections."""
    texts = [item.feedback for item in rejected.counted if item.feedback]
    feedback = "\n".join(map(_one_level_down, texts))
    output = "".join(f"    {line}\n" for line in ended(rejected.output))
    return [feedback, f"## The end of what the last run printed\n\n{output or '    nothing'}"]


def _one_level_down(feedback: str) -> str:
    """Return feedback with its headings below the title of the task."""
    return feedback.replace("\n## ", "\n### ").replace("# ", "## ", 1)


def ended(output: str) -> list[str]:
    """Return the last lines of a run's output."""
    lines = output[-_MAX_OUTPUT:].splitlines()
    return [printable(line.rstrip(), _MAX_CHARACTERS) for line in lines if line.strip()]


def _earlier(rejected: Sequence[Rejected]) -> Iterator[str]:
    """Yield a line with the first errors of each run before the last one."""
    for number, run in enumerate(rejected[:-1], 1):
        errors = [error for item in run.counted for error in item.result.errors]
        line = "; ".join(map(_printed, errors[:_MAX_ERRORS]))
        if len(errors) > _MAX_ERRORS:
            line += f"; and {len(errors) - _MAX_ERRORS} more"
        yield f"{number}. {line}\n"


def _printed(text: str) -> str:
    return printable(text, _MAX_CHARACTERS)
