"""The command line: one module a command. A command is imported only when it is called."""

COMMANDS = {
    "check": "check ADRs: structure, contextual rules, concept",
    "approve": "check ADRs, then have an independent judge review them",
    "gate": "evaluate a gate of the settings or of a flow, and print the result",
    "verify": "check that the work delivers what an approved ADR promises",
    "check-config": "check the settings, rules and approvals files",
    "rules": "list the rules in force",
    "explain": "explain a rule, with an example that fails and one that passes",
    "new": "write a new ADR, numbered and named like its neighbours",
    "init": "set up a repository: hook, settings, first ADR",
    "doctor": "check the setup of this clone and of its repository on GitHub",
    "graph": "print the relations of the decisions as a graph",
    "report": "write findings, ADRs and their relations as one HTML page",
    "index": "write a table of all ADRs into a README",
    "schema": "print the JSON Schemas of the settings files, for editors",
    "lsp": "serve an editor: diagnostics while typing, fixes, hover",
    "github": "run a step of the GitHub Action",
    "audit": "show who decided what on a pull request, on which content, under which policy",
    "feedback": "show what is missing in an agent's work, and the questions for a person",
    "run": "run a flow of gated phases from its file",
    "flow": "show, approve, reject, retry, resume and cancel runs of flows",
    "worker": "execute the runs of flows of a repository",
    "ask": "request an approval, and wait for the decision",
    "queue": "list pending approvals from all sources, and decide on them",
    "stats": "show results, time and cost of the judge's runs",
}
"""The commands, each with its summary in the help of the program."""
