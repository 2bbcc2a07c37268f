"""The patterns of the packaged rules."""

from helix_hooks.adr.rules.contextual.rule import ContentPattern, RequiredSection
from helix_hooks.check import files
from helix_hooks.config.settings import load

RULESET = load(lambda path: None, files.packaged).ruleset


def patterns() -> list[str]:
    found: list[str] = []
    for rule in RULESET.contextual:
        for requirement in rule.requirements:
            if isinstance(requirement, ContentPattern):
                found.append(requirement.element.pattern)
            elif isinstance(requirement, RequiredSection):
                found += [element.pattern for element in requirement.elements]
    return found
