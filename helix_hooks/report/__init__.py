"""The results of commands as texts: a check in several formats, and a module for each other one."""

HOME = "https://github.com/helix-hooks/helix-hooks"
RULES = f"{HOME}/blob/main/docs/rules.md"
"""The page of the rules. `#` and a rule's id is the address of the rule."""
