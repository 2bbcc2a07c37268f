"""The pull request on GitHub: client, event, facts, steps of the Action, and published texts."""
