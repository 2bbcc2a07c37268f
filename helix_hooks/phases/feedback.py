"""The feedback of a rejection for the next attempt, and texts with variables in double braces."""

import re
from collections.abc import Collection, Iterable, Mapping

from ..config.approvals import APPROVAL_PHASE
from ..finding import Finding
from ..text import printable, without_tokens
from ..yaml_reader import nearest
from .flow import RETRY_PHASE, Phase
from .gate_result import GateResult
from .run_state import PhaseProgress

VARIABLES = ("blocking_issues", "suggestions", "phase", "attempt", "tries", "max_retries")
"""The variables of a `feedback_template`."""

USUAL = """## Approval not granted

Phase {{phase}}, attempt {{attempt}} of {{tries}}.

### Blocking issues

{{blocking_issues}}

### Please revise

{{suggestions}}
"""

MOST_CHARACTERS = 20_000
"""Maximum characters of a feedback, and of a text that is passed on with it."""
_LAST_OUTPUT = 4_000
"""Characters from the end of a command's output that a feedback quotes."""
_MOST = 50
"""Maximum items of a list."""
_LONGEST = 600
"""Maximum characters of an item."""
_VARIABLE = re.compile(r"\{\{([ \t]*[\w .-]+[ \t]*)\}\}")


def render(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its variables replaced. Braces in the values are not replaced."""
    return _VARIABLE.sub(lambda match: values.get(match[1].strip(), match[0]), template)


def variables(template: str) -> tuple[str, ...]:
    """Return the variables of a template."""
    return tuple(dict.fromkeys(name.strip() for name in _VARIABLE.findall(template)))


def unknown_variable(template: str, allowed: Collection[str]) -> str:
    """Return a message about the first variable that is not allowed, "" if there is none."""
    name = next((name for name in variables(template) if name not in allowed), None)
    if name is None:
        return ""
    similar = nearest(name, allowed)
    hint = f"did you mean '{{{{{similar}}}}}'? " if similar else ""
    listed = ", ".join(f"{{{{{option}}}}}" for option in allowed)
    return f"unknown variable '{{{{{name}}}}}'; {hint}allowed are {listed}"


def _tries(phase: Phase, progress: PhaseProgress) -> tuple[int, int]:
    """Return the attempt of a phase, and the maximum.

    An approval that repeats another phase counts those rounds.
    """
    handler = phase.on_rejection
    if phase.type == APPROVAL_PHASE and handler.action == RETRY_PHASE:
        return progress.used + 1, handler.max_retries + 1
    return progress.attempt, max(progress.attempt, phase.max_retries + 1)


def with_output(earlier: str, output: str) -> str:
    """Return the output of all rejected attempts, each once, the last one at the end."""
    # A person may reject what a gate has rejected before.
    if earlier.endswith(output.strip()):
        return earlier
    return f"{earlier}\n\n{output.strip()}".strip()[-MOST_CHARACTERS:]


def feedback_of(
    phase: Phase, progress: PhaseProgress, result: GateResult, *, with_texts: bool
) -> str:
    """Return the feedback on a rejected attempt; `with_texts`: with those that a judge suggests."""
    blocking = [item for item in result.findings if item.severity == "error"] or result.findings
    issues = _listed(map(_line, blocking)) or f"- {_one_line(result.message)}"
    others = [_line(item) for item in result.findings if item not in blocking]
    suggestions = _listed([*map(_one_line, result.suggestions), *others]) or "- none"
    text = _rendered(phase, progress, issues, suggestions)
    if with_texts:
        text += _suggested_text(result)
    return cut(text)


def _suggested_text(result: GateResult) -> str:
    """Return the section with the texts that the approver suggests; "" if there are none."""
    findings = result.details.get("findings")
    texts = []
    for finding in findings if isinstance(findings, list | tuple) else ():
        lines = finding.get("suggestion")
        if lines:
            place = f"{_one_line(str(finding['path']))}, lines {lines['start']} to {lines['end']}"
            texts.append(f"{place}:\n\n{as_data(str(lines['text']))}")
    if not texts:
        return ""
    return "\n".join(("\n### Suggested text: a hint, not a finished answer\n", *texts))


def feedback_of_crash(phase: Phase, progress: PhaseProgress, result: GateResult) -> str:
    """Return the feedback on an attempt whose command or commit failed, with its output's end."""
    number, most = _tries(phase, progress)
    attempt = f"attempt {number} of {most}"
    title = result.failed_part.capitalize()
    text = f"## {title} failed\n\nPhase {phase.id}, {attempt}: {_one_line(result.message)}\n"
    output = progress.output.strip()
    if output:
        text += f"\nThe end of its output:\n\n{as_data(output[-_LAST_OUTPUT:])}"
    return cut(text)


def feedback_of_person(phase: Phase, progress: PhaseProgress, reason: str) -> str:
    """Return the feedback that a person wrote."""
    return cut(_rendered(phase, progress, without_tokens(reason.strip()), "- none"))


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


def _rendered(phase: Phase, progress: PhaseProgress, issues: str, suggestions: str) -> str:
    number, most = _tries(phase, progress)
    values = {
        "blocking_issues": issues,
        "suggestions": suggestions,
        "phase": phase.id,
        "attempt": str(number),
        "tries": str(most),
        "max_retries": str(most - 1),
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
