"""Errors that stop a run, with their exit codes."""


class HelixError(Exception):
    """An error that is shown to the user as one line, without a traceback.

    The default exit code 3 means that the program could not finish.
    """

    exit_code = 3


class UsageError(HelixError):
    """An invalid command line: a bad flag, or a PATH that does not exist. Exit 2."""

    exit_code = 2


class ConfigError(HelixError):
    """An invalid settings or rules file: nothing was checked. Exit 2.

    `path` is relative to the repository, and `line` counts from 1. `trail` are the keys that lead
    to the value, as in `contextual_rules[2].when`. `about` is `trail` and message, without path
    and line.
    """

    exit_code = 2

    def __init__(self, path: str, line: int, trail: str, message: str) -> None:
        self.path, self.line, self.trail, self.about = path, line, trail, message
        if trail:
            self.about = f"{trail}: {message}"
        super().__init__(f"{path}:{line}: {self.about}")


class MissingExtraError(HelixError):
    """A command lacks packages that only some commands need. Exit 2."""

    exit_code = 2

    def __init__(self, command: str) -> None:
        install = "pip install 'helix-hooks[all]'"
        super().__init__(f"{command} needs packages that are not installed: {install}")


class PendingError(HelixError):
    """The command needs a person to continue. Exit 4."""

    exit_code = 4


class GitError(HelixError):
    """Git could not be run, or failed. Exit 3."""
