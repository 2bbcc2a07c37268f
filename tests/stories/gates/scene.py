"""A repository with gates, and calls of `gate` in it."""

from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import Done, program

ADR = "docs/adr/0007-kafka.md"
APPROVALS = "config/approvals.yaml"


class Gates(NamedTuple):
    """A repository, and the environment in which its gates are asked."""

    repository: Repository
    environment: dict[str, str]

    def define(self, *lines: str) -> None:
        """Commit gates to the main branch, and begin the branch of the change anew."""
        text = "".join(f"  {line}\n" for line in lines)
        git = self.repository.git
        git("checkout", "--quiet", "main")
        self.repository.stage(APPROVALS, f"gates:\n{text}")
        self.repository.commit()
        git("checkout", "--quiet", "change")
        git("rebase", "--quiet", "main")

    def ask(self, *arguments: str, cwd: Path | str = ".") -> Done:
        return program("gate", *arguments, env=self.environment, cwd=cwd)


def gates_of(repository: Repository, folder: Path, **case: Any) -> Gates:
    """Lay a change out, with a program for claude that does what a case says."""
    lay_out(repository)
    whole = {"as": "claude", "result": {}, "structured": {}, **case}
    place = judges.programs(folder, whole)
    return Gates(repository, judges.without_claude(judges.environment(None, place)))
