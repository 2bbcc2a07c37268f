"""The command line: a module for each group of commands, which is imported when one is called."""

GROUPS = {
    "Every day": {
        "check": "check ADRs: structure, contextual rules, concept",
        "new": "write a new ADR, numbered and named like its neighbours",
        "explain": "explain a rule, with an example that fails and one that passes",
        "rules": "list the rules in force",
        "index": "write a table of all ADRs into a README",
        "graph": "print the relations of the decisions as a graph",
        "report": "write findings, ADRs and their relations as one HTML page",
        "init": "set up a repository: hook, settings, first ADR",
        "doctor": "check the setup of this clone and of its repository on GitHub",
        "check-config": "check the settings, rules and approvals files",
    },
    "Review and decide": {
        "approve": "check ADRs, then have an independent judge review them",
        "contract": "show what an ADR promises, and what it could promise",
        "verify": "check that the work delivers what an approved ADR promises",
        "feedback": "show what is missing in an agent's work, and the questions for a person",
        "queue": "list pending approvals from all sources, and decide on them",
        "audit": "show who decided what on a pull request, on which content, under which policy",
        "stats": "show results, time and cost of the judge's runs",
    },
    "Automation": {
        "gate": "evaluate a gate of the settings or of a flow, and print the result",
        "ask": "request an approval, and wait for the decision",
        "run": "run a flow of gated phases from its file",
        "flow": "show, approve, reject, retry, resume and cancel runs of flows",
        "worker": "execute the runs of flows of a repository",
        "github": "run a step of the GitHub Action",
        "lsp": "serve an editor: diagnostics while typing, fixes, hover",
        "schema": "print the JSON Schemas of the settings files, for editors",
    },
}
"""The commands with their summaries, in the groups and in the order of the help."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}

MODULES = {
    "audit": "stats",
    "check-config": "doctor",
    "explain": "rules",
    "feedback": "verify",
    "graph": "index",
    "lsp": "editors",
    "queue": "queue_upkeep",
    "run": "flow",
    "schema": "editors",
    "worker": "flow",
}
"""The modules of the commands that are not in a module of their own name."""
