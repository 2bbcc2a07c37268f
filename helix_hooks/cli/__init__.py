"""The command line: one module a command. A command is imported only when it is called."""

COMMANDS = {
    "check": "check ADRs: structure, contextual rules, concept",
    "approve": "check, then have an independent judge review it",
    "gate": "ask a gate of the settings or of a flow, and print its answer",
    "verify": "check that the work delivers what an approved ADR promises",
    "check-config": "check the settings, rules and approvals files",
    "rules": "list the rules in force",
    "explain": "explain a rule, with an example that fails and one that passes",
    "new": "write a new ADR, numbered and named like its neighbours",
    "init": "set up a repository: hook, settings, first ADR",
    "doctor": "check that everything is wired and safe, here and on GitHub",
    "graph": "print the relations of the decisions as a graph",
    "report": "write a check, the graph and the statuses over time as a page",
    "index": "write a table of all ADRs into a README",
    "schema": "print the JSON Schemas of the settings files, for editors",
    "lsp": "serve an editor: diagnostics while typing, fixes, hover, completion",
    "github": "run a step of the GitHub Action",
    "audit": "show who decided what on a pull request, on which content, under which policy",
    "feedback": "show what an agent's work lacks, and the questions for a person",
    "run": "run a flow of gated phases from its file",
    "flow": "show the runs of flows, decide in them, and go on with them",
    "worker": "execute the runs of flows of a repository",
    "ask": "ask for an approval, and wait for the decision",
    "queue": "list what waits for a person, from all sources, and decide it",
    "stats": "show results, time and cost of the judge's runs",
}
"""The commands, each with the line that the overview shows."""
