"""The feedback that a rejection gives to the next try."""

from collections.abc import Iterable, Mapping

from ..finding import Finding
from ..text.sanitize import printable, without_tokens
from .flow import Phase
from .gate_result import GateResult
from .render import render

VARIABLES = ("blocking_issues", "suggestions", "phase", "attempt", "max_retries")
"""The variables of a `feedback_template`."""

USUAL = """## Approval not granted

Phase {{phase}}, attempt {{attempt}}.

### Blocking issues

{{blocking_issues}}

### Please revise

{{suggestions}}
"""

SUGGESTED = "suggested_content"
"""The field of a gate's details that has the text which its approver suggests."""

MOST_CHARACTERS = 20_000
"""Maximum characters of a feedback, and of a text that is handed on with it."""
_MOST = 50
_LONGEST = 600


def feedback_of(phase: Phase, result: GateResult, attempt: int) -> str:
    """Return the feedback on a rejected try."""
    blocking = [item for item in result.findings if item.severity == "error"] or result.findings
    issues = _listed(map(_line, blocking)) or f"- {_words(result.message)}"
    others = [_line(item) for item in result.findings if item not in blocking]
    suggestions = _listed([*map(_words, result.suggestions), *others]) or "- none"
    text = _rendered(phase, attempt, issues, suggestions)
    suggested = result.details.get(SUGGESTED) if phase.allow_rewrite else None
    if isinstance(suggested, str) and suggested.strip():
        text += f"\n### Suggested text: a hint, not a finished answer\n\n{as_data(suggested)}"
    return cut(text)


def feedback_of_person(phase: Phase, reason: str, attempt: int) -> str:
    """Return the feedback that a person wrote."""
    return cut(_rendered(phase, attempt, without_tokens(reason.strip()), "- none"))


def joined(feedback: Mapping[str, str]) -> str:
    """Return the feedback of several phases, which is by their ids, as one text."""
    if len(feedback) == 1:
        return next(iter(feedback.values()))
    return cut("\n".join(f"# Phase {id}\n\n{text}" for id, text in feedback.items()))


def as_data(text: str) -> str:
    """Return a text of others as a block of code that nothing in it can close."""
    shown = without_tokens(cut(text)).rstrip()
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}text\n{shown}\n{fence}\n"


def cut(text: str) -> str:
    """Return the beginning of a text that is too long, with a note."""
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}\n(cut after {MOST_CHARACTERS} characters)\n"


def _rendered(phase: Phase, attempt: int, issues: str, suggestions: str) -> str:
    values = {
        "blocking_issues": issues,
        "suggestions": suggestions,
        "phase": phase.id,
        "attempt": str(attempt),
        "max_retries": str(phase.max_retries),
    }
    return render(phase.on_rejection.template or USUAL, values)


def _listed(lines: Iterable[str]) -> str:
    every = list(lines)
    rest = len(every) - _MOST
    more = [f"and {rest} more"] if rest > 0 else []
    return "\n".join(f"- {line}" for line in [*every[:_MOST], *more])


def _line(finding: Finding) -> str:
    place = f"{_words(finding.path)}:{finding.line}: " if finding.path else ""
    help = f"; {_words(finding.help)}" if finding.help else ""
    return f"{place}{_words(finding.message)}{help}"


def _words(text: str) -> str:
    """Return a text on one line, so that it adds no heading and no item."""
    return printable(text.strip(), _LONGEST)
