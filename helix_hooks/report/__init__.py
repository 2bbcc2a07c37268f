"""The results of commands as texts: a check in several formats, and a module for each other one."""

FORMATS = {
    "text": "people (default)",
    "json": "programs: [fields](json.md)",
    "github": "annotations in a GitHub workflow",
    "sarif": "code scanning and most dashboards",
    "junit": "Jenkins, Azure DevOps, Bitbucket, CircleCI, GitLab",
    "gitlab": "[GitLab Code Quality](gitlab.md)",
    "markdown": "a job summary",
}
"""The formats of `check`, and their readers as docs/commands.md lists them.

Each is a module of this room with `render(report) -> str`.
"""

HOME = "https://github.com/helix-hooks/helix-hooks"
RULES = f"{HOME}/blob/main/docs/rules.md"
"""The page of the rules. `#` and a rule's id is the address of the rule."""
