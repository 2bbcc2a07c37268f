"""Arguments by argparse, with errors of one line. Not imported on the hook's path, where it would cost half a bare start."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from types import ModuleType
from typing import NoReturn

from ..errors import UsageError


class _Formatter(RawDescriptionHelpFormatter):
    """Help at a fixed width, whatever the terminal, so that it reads the same everywhere."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=110)


class Parser(ArgumentParser):
    """The parser of one command, whose module declares its arguments and an example."""

    def __init__(self, name: str, summary: str, module: ModuleType) -> None:
        description = f"{summary[0].upper()}{summary[1:]}."
        super().__init__(f"helix-hooks {name}", description=description, epilog=module.EXAMPLE, formatter_class=_Formatter, allow_abbrev=False)
        self.add_argument("--quiet", "-q", action="store_true", help="print results only, no summary")
        self.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colour the output (default: at a terminal)")
        module.add_arguments(self)

    def options(self, arguments: list[str]) -> Namespace | None:
        """The parsed arguments; None after `--help`, which prints and would exit. Raises UsageError."""
        try:
            return self.parse_args(arguments)
        except SystemExit:
            return None

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")
