"""A CheckReport in different formats, one module each with `render(report, ...) -> str`."""

FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "markdown")

HOME = "https://github.com/helix-hooks/helix-hooks"
RULES = f"{HOME}/blob/main/docs/rules.md"
"""The page of the rules. `#` and a rule's id is the address of the rule."""
