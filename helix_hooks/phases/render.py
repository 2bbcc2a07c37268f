"""Texts with variables in double braces. Single braces stay as they are."""

import re
from collections.abc import Collection, Mapping

from ..yaml_reader import nearest

_VARIABLE = r"\{\{([ \t]*[\w .-]+[ \t]*)\}\}"


def render(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its variables replaced. Braces in the values are not replaced."""
    return re.sub(_VARIABLE, lambda match: values.get(match[1].strip(), match[0]), template)


def variables(template: str) -> tuple[str, ...]:
    """Return the variables of a template."""
    return tuple(dict.fromkeys(name.strip() for name in re.findall(_VARIABLE, template)))


def unknown_variable(template: str, allowed: Collection[str]) -> str:
    """Return a message about the first variable that is not allowed, "" if there is none."""
    name = next((name for name in variables(template) if name not in allowed), None)
    if name is None:
        return ""
    similar = nearest(name, allowed)
    hint = f"did you mean '{{{{{similar}}}}}'? " if similar else ""
    listed = ", ".join(f"{{{{{option}}}}}" for option in allowed)
    return f"unknown variable '{{{{{name}}}}}'; {hint}allowed are {listed}"
