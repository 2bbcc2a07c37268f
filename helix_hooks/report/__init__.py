"""A CheckReport as text, one module a format; every module is `render(report, ...) -> str`."""

FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "markdown")

HOME = "https://github.com/helix-hooks/helix-hooks"
RULES = f"{HOME}/blob/main/docs/rules.md"
"""The page of the rules, with an address for each: `#` and its id."""
