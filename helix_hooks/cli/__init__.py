"""The command line: one module a command. A command is imported only when it is called."""

COMMANDS = {
    "check": "check ADRs: structure, contextual rules, concept",
    "approve": "check, then have an independent judge review it",
    "check-config": "check the settings, rules and approvals files",
    "rules": "list the rules in force",
    "explain": "explain a rule, with an example that fails and one that passes",
    "new": "write a new ADR that passes its own gate",
    "init": "set up a repository: hook, settings, first ADR",
    "doctor": "say whether everything is wired and safe, here and on GitHub",
    "graph": "print how the decisions hang together, as a graph",
    "index": "write a table of all ADRs into a README",
    "github": "the steps of the GitHub Action",
    "audit": "who decided what on a pull request, on which content and under which policy",
    "stats": "what the judges have said, in what time and at what cost",
}
"""The commands, each with the line that the overview shows."""
