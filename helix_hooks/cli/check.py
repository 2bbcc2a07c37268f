"""`helix-hooks check`: Layers 1 to 3, in all calls that are not those of a hook."""

import click

from ..check.options import CheckOptions
from ..finding import FAIL_ON
from ..report import FORMATS
from . import hook
from .frame import command, complete_file, console

EXAMPLE = """examples:
  helix-hooks check                                 every ADR of the repository
  helix-hooks check docs/adr/014-docs.md            one ADR
  helix-hooks check --staged                        what the next commit would contain
  helix-hooks check --since origin/main             what this branch changes, compared with its base
  helix-hooks check --fix                           repair what is safe to repair, and report the rest
  helix-hooks check --write-baseline                count the present findings; name the file in the settings to leave them out
  helix-hooks check --format json docs/adr          for programs"""


@command(
    "check",
    example=EXAMPLE,
    arguments={"PATH": "ADRs or folders (default: every ADR of the repository)"},
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--staged",
    is_flag=True,
    help=(
        "check the staged content; without PATHs, of all staged ADRs; in a changed ADR, what HEAD "
        "has already becomes info"
    ),
)
@click.option(
    "--matching",
    is_flag=True,
    help="with --staged: of the PATHs, only those the settings call ADRs (for hooks)",
)
@click.option(
    "--all",
    is_flag=True,
    help="with --staged: every ADR of the index, not only those that differ from HEAD",
)
@click.option(
    "--since",
    metavar="REV",
    help=(
        "check what changed (staged or committed) since the merge base with REV; old "
        "findings become info"
    ),
)
@click.option(
    "--baseline",
    metavar="FILE",
    shell_complete=complete_file,
    help="leave out the findings that FILE counts; a count that is too high is an error",
)
@click.option(
    "--write-baseline",
    is_flag=True,
    help=(
        "write the present findings as the baseline (default FILE: the settings', else "
        ".helix-baseline.json)"
    ),
)
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default="text",
    help="how to print the findings (default: text)",
)
@click.option(
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="write the report to FILE instead of standard output",
)
@click.option(
    "--template",
    metavar="NAME",
    help="auto, helix, madr, nygard or one of the settings (default: the settings', else auto)",
)
@click.option(
    "--concept",
    metavar="FILE",
    shell_complete=complete_file,
    help="compare the ADR with this concept (exactly one ADR)",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    help="exit 1 at findings of this severity or worse (default: error)",
)
@click.option(
    "--fix",
    is_flag=True,
    help="repair in the work tree what is safe to repair, then report what is left",
)
@click.option(
    "--diff",
    is_flag=True,
    help="print what --fix would change as a patch, and write nothing; exit 1 if there is any",
)
@click.option(
    "--no-cache",
    is_flag=True,
    help="check each ADR anew, also where nothing has changed since a former check",
)
def run(
    *,
    paths: tuple[str, ...],
    staged: bool,
    matching: bool,
    all: bool,
    since: str | None,
    baseline: str | None,
    write_baseline: bool,
    format: str,
    output: str | None,
    template: str | None,
    concept: str | None,
    fail_on: str,
    fix: bool,
    diff: bool,
    no_cache: bool,
) -> int:
    options = CheckOptions(
        paths=paths,
        staged=staged,
        matching=matching,
        all=all,
        since=since,
        baseline=baseline,
        use_baseline=not write_baseline,
        template=template,
        concept=concept,
        uses_cache=not no_cache,
    )
    shown = console()
    result = hook.CheckOutput(
        format=format, file=output, fail_on=fail_on, quiet=shown.quiet, color=shown.color
    )
    if fix or diff:
        from . import fixing

        return fixing.check(options, result, only_diff=diff)
    return hook.check(options, result)
