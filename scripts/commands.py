"""Write docs/commands.md from the commands of the program: `make docs`."""

import re
import sys
from pathlib import Path
from textwrap import dedent

import click

from helix_hooks.cli.check import FORMATS
from helix_hooks.cli.main import Program
from helix_hooks.cli.shared import GROUPS
from scripts.contents import with_contents

PAGE = Path(__file__).resolve().parent.parent / "docs/commands.md"
GUIDES = {
    "adopt": ["init"],
    "agents": ["decisions", "mcp", "enforce", "contract", "verify", "feedback"],
    "check": ["check", "report", "lsp"],
    "configuration": ["check-config", "schema"],
    "flows": ["gate", "run", "flow", "worker"],
    "github": ["doctor", "github"],
    "judges": ["approve", "stats"],
    "people": ["audit"],
    "queue": ["queue", "ask"],
    "rules": ["explain", "rules"],
    "writing": ["new", "index", "graph"],
}
BEGINNING = """# Commands

The commands of `helix-hooks`, with examples. `helix-hooks COMMAND --help` shows all options.
Results go to standard output, errors and notices to standard error. `NO_COLOR` and `FORCE_COLOR`
choose colours, and `--color` wins."""
END = """## Exit codes

| code | meaning |
|---|---|
| 0 | no findings, or approved |
| 1 | findings at or above `--fail-on` (default: `error`), or rejected |
| 2 | wrong options, broken settings, or settings that match no file; nothing was checked |
| 3 | could not finish, e.g. no merge base for `--since`, or a judge without a verdict |
| 4 | pending: a person must decide; with `contract`, the ADR promises nothing |

Stop hooks of agents (`verify --hook`) follow the protocol of the agent instead."""
_GAP = re.compile(r"^((?:\S.*?)? {2,})(?=\S)", re.MULTILINE)
"""The gap between an example and its explanation, which becomes a comment of the shell."""


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return docs/commands.md: the commands by their groups, the formats, and the exit codes."""
    program = Program(name="helix-hooks")
    parts = [BEGINNING]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        for name in names:
            command = program.get_command(click.Context(program), name)
            assert command is not None
            parts.append(_described(command))
    rows = "\n".join(f"| `{name}` | {readers} |" for name, readers in FORMATS.items())
    table = f"| `--format` | for |\n|---|---|\n{rows}"
    parts += ["## Output formats of `check`", table, f"{END}\n"]
    return with_contents("\n\n".join(parts))


def _described(command: click.Command) -> str:
    (guide,) = (guide for guide, names in GUIDES.items() if command.name in names)
    parts = [f"### {command.name}", f"{command.help} Guide: [{guide}]({guide}.md)."]
    if isinstance(command, click.Group):
        parts.append("\n".join(f"- `{n}`: {part.help}" for n, part in command.commands.items()))
    examples = (command.epilog or "").partition("\n\n")[0].partition("\n")[2]
    lines = _GAP.sub(r"\1# ", dedent(examples))
    return "\n\n".join([*parts, f"```sh\n{lines}\n```"])


if __name__ == "__main__":
    sys.exit(main())
