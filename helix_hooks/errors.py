"""Errors that stop a run, with their exit codes."""


class HelixError(Exception):
    """A message for a person, shown as one line without a traceback.

    The default exit code 3 means the program could not run to the end.
    """

    exit_code = 3


class UsageError(HelixError):
    """The command line is wrong: a bad flag, a PATH that does not exist. Exit 2."""

    exit_code = 2


class ConfigError(HelixError):
    """A settings or rules file is wrong, so nothing was checked. Exit 2.

    `path` is relative to the repository, `line` counts from 1, `trail` are the keys that lead to
    the place, as in `contextual_rules[2].when`. `about` is the message with them, without the
    place.
    """

    exit_code = 2

    def __init__(self, path: str, line: int, trail: str, message: str) -> None:
        place = f"{trail}: " if trail else ""
        self.path, self.line, self.about = path, line, f"{place}{message}"
        super().__init__(f"{path}:{line}: {place}{message}")


class MissingExtraError(HelixError):
    """A command lacks packages that an extra installs. Exit 2."""

    exit_code = 2

    def __init__(self, command: str, extra: str) -> None:
        install = f"pip install 'helix-hooks[{extra}]'"
        super().__init__(
            f"{command} needs the packages of the extra '{extra}'; install them: {install}"
        )


class PendingError(HelixError):
    """Nothing more can be done without a person. Exit 4."""

    exit_code = 4


class GitError(HelixError):
    """Git could not be asked, or did not answer. Exit 3."""
