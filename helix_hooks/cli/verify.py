"""`helix-hooks verify`: is what an approved ADR promises there?"""

import click

from ..console.output import print_result
from ..errors import UsageError
from ..repository import git, runner
from ..verify.options import VerifyOptions
from .frame import command, complete_file, console, filled

EXAMPLE = """examples:
  helix-hooks verify                      the ADRs that this branch claims to implement
  helix-hooks verify ADR-014              one ADR, by its id or its file
  helix-hooks verify ADR-014 --base main  the contract and the settings as they are on main
  helix-hooks verify --format json        for programs

exit codes:
  0  nothing is missing, or nothing is claimed
  1  something is missing
  2  usage or configuration error
  3  the verification could not be carried out
  4  a person must decide: the ADR was never approved, so there is no contract"""

_WORST_FIRST = (3, 1, 4)


@command("verify", example=EXAMPLE, arguments={"ADR": "ids or files (default: what is claimed)"})
@click.argument("adrs", metavar="[ADR]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--base",
    metavar="REV",
    type=filled,
    help="where the contract and the settings come from (default: the main branch)",
)
@click.option(
    "--head", metavar="REV", type=filled, help="the commit to verify (default: the work tree)"
)
@click.option(
    "--format",
    type=click.Choice(("text", "json", "sarif", "github")),
    default="text",
    help="how to print the result (default: text)",
)
def run(*, adrs: tuple[str, ...], base: str | None, head: str | None, format: str) -> int:
    from ..report import verification as report
    from ..verification.result import EXIT_CODES
    from ..verify.run import verify

    root = git.repository()
    if not root:
        raise UsageError("verify needs a git repository, and this folder is not in one")
    try:
        found = verify(VerifyOptions(adrs, base or "", head or ""), root)
    finally:
        runner.forget()
    shown = console()
    print_result(report.render(found.results, format, shown.colored, shown.quiet))
    codes = {EXIT_CODES[result.state] for result in found.results}
    return next((code for code in _WORST_FIRST if code in codes), 0)
