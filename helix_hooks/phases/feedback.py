"""The feedback of a rejection for the next attempt."""

from collections.abc import Iterable, Mapping

from ..finding import Finding
from ..text import printable, without_tokens
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
"""The field of a gate's details with the text that its approver suggests."""

MOST_CHARACTERS = 20_000
"""Maximum characters of a feedback, and of a text that is passed on with it."""
_MOST = 50
"""Maximum items of a list."""
_LONGEST = 600
"""Maximum characters of an item."""


def feedback_of(phase: Phase, result: GateResult, attempt: int) -> str:
    """Return the feedback on a rejected attempt."""
    blocking = [item for item in result.findings if item.severity == "error"] or result.findings
    issues = _listed(map(_line, blocking)) or f"- {_one_line(result.message)}"
    others = [_line(item) for item in result.findings if item not in blocking]
    suggestions = _listed([*map(_one_line, result.suggestions), *others]) or "- none"
    text = _rendered(phase, attempt, issues, suggestions)
    if phase.allow_rewrite:
        text += _suggested_text(result)
    return cut(text)


def _suggested_text(result: GateResult) -> str:
    """Return the section with the text that the approver suggests; "" if there is none."""
    suggested = result.details.get(SUGGESTED)
    if not isinstance(suggested, str) or not suggested.strip():
        return ""
    return f"\n### Suggested text: a hint, not a finished answer\n\n{as_data(suggested)}"


def feedback_of_person(phase: Phase, reason: str, attempt: int) -> str:
    """Return the feedback that a person wrote."""
    return cut(_rendered(phase, attempt, without_tokens(reason.strip()), "- none"))


def joined(feedback: Mapping[str, str]) -> str:
    """Return the feedback of several phases, by phase id, as one text."""
    if len(feedback) == 1:
        return next(iter(feedback.values()))
    return cut("\n".join(f"# Phase {id}\n\n{text}" for id, text in feedback.items()))


def as_data(text: str) -> str:
    """Return an untrusted text as a code block that the text can't close."""
    shown = without_tokens(cut(text)).rstrip()
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}text\n{shown}\n{fence}\n"


def cut(text: str) -> str:
    """Return a text, cut with a note if it is too long."""
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
    items = list(lines)
    if len(items) > _MOST:
        items[_MOST:] = [f"and {len(items) - _MOST} more"]
    return "\n".join(f"- {item}" for item in items)


def _line(finding: Finding) -> str:
    line = _one_line(finding.message)
    if finding.path:
        line = f"{_one_line(finding.path)}:{finding.line}: {line}"
    if finding.help:
        line += f"; {_one_line(finding.help)}"
    return line


def _one_line(text: str) -> str:
    """Return a text on one line, so that it can't add a heading or an item."""
    return printable(text.strip(), _LONGEST)
