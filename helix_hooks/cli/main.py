"""Parse, call, print, exit code; and the one place where an error becomes a line for a person."""

import os
import sys
from importlib import import_module

from .. import __version__, extras
from ..console.output import exit_code_of, write
from ..errors import HelixError, UsageError

COMMANDS = {
    "check": "check ADRs: structure, contextual rules, concept",
    "approve": "check, then have an independent judge review it",
    "check-config": "check the settings, rules and approvals files",
    "rules": "list the rules in force",
    "explain": "explain a rule, with an example that fails and one that passes",
    "new": "write a new ADR that passes its own gate",
    "init": "set up a repository: hook, settings, first ADR",
    "doctor": "say whether everything is wired and safe, here and on GitHub",
    "graph": "print how the decisions hang together, as a graph",
    "index": "write a table of all ADRs into a README",
    "github": "the steps of the GitHub Action",
    "audit": "who decided what on a pull request, on which content and under which policy",
    "stats": "what the judges have said, in what time and at what cost",
}

_EXIT_CODES = """exit codes:
  0  clean
  1  findings at or above --fail-on
  2  usage or configuration error; nothing was checked
  3  could not run to the end
  4  pending: a person must decide (approve and github)"""


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code; nothing but a traceback asked for by HELIX_HOOKS_DEBUG escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return exit_code_of(lambda: run(sys.argv[1:] if argv is None else argv))


def console() -> None:
    """The program. A hook runs for a tenth of a second: collecting garbage and tidying up at the end would be a sixth of it."""
    import gc

    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    os._exit(code)


def run(argv: list[str]) -> int:
    if not sys.stdout:
        raise HelixError("standard output is closed, so nobody would see the result")
    name, arguments = _command(argv)
    if name is None:
        return _overview(arguments)
    if name not in COMMANDS:
        raise UsageError(f"there is no command {name!r}; there are {', '.join(COMMANDS)}")
    module = import_module(f"helix_hooks.cli.{name.replace('-', '_')}")
    if name == "check" and (quick := module.from_hook(arguments)):
        return int(module.check(*quick))
    from .parser import Parser

    options = Parser(name, COMMANDS[name], module).options(arguments)
    if options is None:
        return 0
    extras.require(name)
    return int(module.run(options))


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
