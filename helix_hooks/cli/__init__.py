"""The command line: `main` finds the command, `shared` has what all share, the others a group each."""
