"""Count the functions of the program that the check of one clean staged ADR calls, each once.

Also counted are all code objects, as an import or a call runs them: functions, classes, modules and
comprehensions. Python 3.11 has a code object for each comprehension; newer versions have fewer.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

PACKAGE = Path(__file__).parent.parent / "helix_hooks"
RULES = tuple(PACKAGE / "adr" / "rules" / kind for kind in ("structure", "corpus", "gate"))
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c")
ADR = """# {number}. Topic {number}

Date: 2026-01-0{number}

## Status

{status}

## Context

We need a store for events of kind {number}, which are read often and written rarely.

## Decision

We use PostgreSQL for events of kind {number}, because the team knows it and it is already run.

## Consequences

Backups grow by the size of these events. A later change of the store needs a migration.
"""


def main() -> None:
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(f"{PACKAGE}{os.sep}"):
            called.add(frame.f_code)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "docs" / "adr"
        folder.mkdir(parents=True)
        for number in (1, 2, 3):
            text = ADR.format(number=number, status="Accepted")
            (folder / f"000{number}-topic-{number}.md").write_text(text)
        for command in (["init"], ["add", "."], [*IDENTITY, "commit", "--message", "ADRs"]):
            subprocess.run(["git", *command], cwd=name, check=True, capture_output=True)
        (folder / "0004-topic-4.md").write_text(ADR.format(number=4, status="Proposed"))
        subprocess.run(["git", "add", "."], cwd=name, check=True)
        os.chdir(name)
        sys.setprofile(note)
        from helix_hooks.cli.main import main as program

        code = program(["check", "--staged", "--matching", "docs/adr/0004-topic-4.md"])
        sys.setprofile(None)
        os.chdir("/")
    by_module: dict[str, list[str]] = defaultdict(list)
    for item in called:
        by_module[str(Path(item.co_filename).relative_to(PACKAGE))].append(item.co_name)
    for module, names in sorted(by_module.items()):
        print(f"{len(names):>4}  {module}: {' '.join(sorted(names))}")
    functions = {item for item in called if is_function(item)}
    files = {item.co_filename for item in functions}
    others = [file for file in files if Path(file).parent not in RULES]
    print(
        f"{len(functions)} functions in {len(others)} modules besides one for each rule; "
        f"{len(called)} code objects in {len(by_module)} modules; exit code {code}"
    )


def is_function(item: CodeType) -> bool:
    """Return whether a code object is a function with a name: no module, class or comprehension."""
    return bool(item.co_flags & CO_NEWLOCALS) and not item.co_name.startswith("<")


if __name__ == "__main__":
    main()
