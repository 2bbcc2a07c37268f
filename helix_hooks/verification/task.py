"""The text that an agent gets on standard input: its task, and what its last run lacked."""

from collections.abc import Iterator, Sequence

from ..records import NamedTuple
from ..text.sanitize import printable
from .naming import long_name
from .pending import Counted
from .result import VerificationResult

_MOST_OUTPUT = 4_000
"""Characters of the end of a run's output."""
_LONGEST = 300
_MOST_ERRORS = 5
"""Missing things of an earlier run that its line names."""


class Rejected(NamedTuple):
    """A run that was rejected: its states with the feedback, and the end of what it printed."""

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
    parts += [
        f"## The approved text of {_words(result.path)}\n\n{text.rstrip()}\n"
        for result, text in zip(results, texts, strict=True)
    ]
    return "\n".join(parts)


def _name(result: VerificationResult) -> str:
    return _words(long_name(result.adr_id, result.title, result.path))


def _promises(result: VerificationResult) -> str:
    listed = dict.fromkeys(
        f"- {item.kind}: {_words(item.subject)}\n" for item in result.expectations
    )
    return f"## What {_name(result)} promises\n\n{''.join(listed)}"


def _last(rejected: Rejected) -> list[str]:
    texts = [item.feedback.replace("\n## ", "\n### ") for item in rejected.counted if item.feedback]
    feedback = "\n".join(text.replace("# ", "## ", 1) for text in texts)
    output = "".join(f"    {line}\n" for line in ended(rejected.output))
    return [feedback, f"## The end of what the last run printed\n\n{output or '    nothing'}"]


def ended(output: str) -> list[str]:
    """Return the end of what a run printed, as lines for people."""
    lines = output[-_MOST_OUTPUT:].splitlines()
    return [printable(line.rstrip(), _LONGEST) for line in lines if line.strip()]


def _earlier(rejected: Sequence[Rejected]) -> Iterator[str]:
    for number, run in enumerate(rejected[:-1], 1):
        errors = [error for item in run.counted for error in item.result.errors]
        more = f"; and {len(errors) - _MOST_ERRORS} more" if len(errors) > _MOST_ERRORS else ""
        named = "; ".join(map(_words, errors[:_MOST_ERRORS]))
        yield f"{number}. {named}{more}\n"


def _words(text: str) -> str:
    return printable(text, _LONGEST)
