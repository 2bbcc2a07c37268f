"""Parse, call, print, exit code; and the one place where an error becomes a line for a person."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from typing import NoReturn

from .. import __version__
from ..errors import HelixError, UsageError

COMMANDS = {
    "check": "check ADRs: structure, contextual rules, concept",
    "check-config": "check the settings, rules and approvals files",
    "rules": "list the rules in force",
    "explain": "explain a rule, with an example that fails and one that passes",
    "new": "write a new ADR that passes its own gate",
    "init": "set up a repository: hook, settings, first ADR",
}

_EXIT_CODES = """exit codes:
  0  clean
  1  findings at or above --fail-on
  2  usage or configuration error; nothing was checked
  3  could not run to the end"""


class _Formatter(RawDescriptionHelpFormatter):
    """Help at a fixed width: asking for the terminal's costs argparse an import of shutil on every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=110)


class Parser(ArgumentParser):
    """An ArgumentParser whose errors are one line and one exception."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code; nothing but a traceback asked for by HELIX_HOOKS_DEBUG escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return run(sys.argv[1:] if argv is None else argv)
    except HelixError as error:
        print(f"helix-hooks: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            raise
        print(f"helix-hooks: internal error: {type(error).__name__}: {error} (HELIX_HOOKS_DEBUG=1 shows where)", file=sys.stderr)
        return 3


def run(argv: list[str]) -> int:
    name, arguments = _command(argv)
    if name is None:
        return _overview(arguments)
    if name not in COMMANDS:
        raise UsageError(f"there is no command {name!r}; there are {', '.join(COMMANDS)}")
    module = import_module(f"helix_hooks.cli.{name.replace('-', '_')}")
    parser = Parser(f"helix-hooks {name}", description=COMMANDS[name][0].upper() + COMMANDS[name][1:] + ".", epilog=module.EXAMPLE,
                    formatter_class=_Formatter, allow_abbrev=False)  # fmt: skip
    parser.add_argument("--quiet", "-q", action="store_true", help="print results only, no summary")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colour the output (default: at a terminal)")
    module.add_arguments(parser)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as exit:  # argparse leaves this way after --help
        return int(exit.code or 0)
    return int(module.run(options))


def colored(options: Namespace) -> bool:
    """Whether to write colours: as asked, else at a terminal where neither NO_COLOR nor TERM=dumb forbids it."""
    if options.color != "auto":
        return bool(options.color == "always")
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write(text: str) -> None:
    """Print a result at once; a reader that has gone away (`| head`) changes no exit code."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(argv: list[str]) -> tuple[str | None, list[str]]:
    """The first word that is no flag, and all others; global flags may stand on either side of it."""
    skip = False
    for number, word in enumerate(argv):
        if skip or word.startswith("-"):
            skip = word == "--color" and not skip
            continue
        return word, argv[:number] + argv[number + 1 :]
    return None, argv


def _overview(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        write(f"helix-hooks {__version__}\n")
        return 0
    if arguments and arguments[0] not in ("--help", "-h"):
        raise UsageError(f"a command is missing; there are {', '.join(COMMANDS)}")
    rows = "\n".join(f"  {name:<13} {text}" for name, text in COMMANDS.items())
    example = "example:\n  helix-hooks check docs/adr/0007-use-kafka.md"
    write(f"usage: helix-hooks COMMAND [options]\n\nA merge gate for architecture decision records.\n\ncommands:\n{rows}\n\n"
          f"{example}\n\n{_EXIT_CODES}\n\n`helix-hooks COMMAND --help` says more.\n")  # fmt: skip
    return 0 if arguments else 2
