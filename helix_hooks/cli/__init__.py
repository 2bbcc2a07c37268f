"""The command line: one module a command. A command is imported only when it is called."""
