"""The command line: `main` finds the command, `declare` has what all share, the others a group each."""
