"""`helix-hooks check`: Layers 1 to 3, for every call except the call of a checking."""

import click

from ..check.options import CheckOptions
from ..errors import UsageError
from ..finding import FAIL_ON
from ..report import FORMATS
from . import checking
from .frame import command, complete_file, console, with_format
from .observed import ObservedCheck
from .stdin import with_stdin

EXAMPLE = """examples:
  helix-hooks check                           check every ADR of the repository
  helix-hooks check docs/adr/014-docs.md      check one ADR
  helix-hooks check --staged                  check the content of the next commit
  helix-hooks check --since origin/main       check what this branch changes
  helix-hooks check --fix                     apply safe fixes, and report the rest
  helix-hooks check --write-baseline          write a baseline of the current findings
  helix-hooks check --format json docs/adr    print JSON
  helix-hooks check --select section-missing  report the findings of one rule
  helix-hooks check --statistics              count the findings of each rule"""


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
        "check staged content (default: all staged ADRs); findings that HEAD has too are "
        "reported as info"
    ),
)
@click.option(
    "--matching",
    is_flag=True,
    help="with --staged: ignore PATHs that are not ADRs (for hooks)",
)
@click.option(
    "--all",
    is_flag=True,
    help="with --staged: check every ADR of the index, not only the changed ones",
)
@click.option(
    "--since",
    metavar="REV",
    help=(
        "check what changed (staged or committed) since the merge base with REV; older "
        "findings are reported as info"
    ),
)
@click.option(
    "--baseline",
    metavar="FILE",
    shell_complete=complete_file,
    help="ignore the findings in the baseline FILE; entries without a finding are errors",
)
@click.option(
    "--write-baseline",
    is_flag=True,
    help=(
        "write the current findings to the baseline (default: `baseline` of the settings, or "
        ".helix-baseline.json)"
    ),
)
@with_format(*FORMATS)
@click.option(
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="write the report to FILE instead of standard output",
)
@click.option(
    "--template",
    metavar="NAME",
    help="template: auto, helix, madr, nygard or one from the settings (default: auto)",
)
@click.option(
    "--concept",
    metavar="FILE",
    shell_complete=complete_file,
    help="compare the ADR with this concept (only with one ADR)",
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
    help="apply safe fixes in the work tree, then report the remaining findings",
)
@click.option(
    "--diff",
    is_flag=True,
    help="print the changes of --fix as a patch and write nothing; exit 1 if there are any",
)
@click.option(
    "--select",
    metavar="RULES",
    multiple=True,
    help="report only these rules or layers, e.g. section-missing,corpus (local checks only)",
)
@click.option(
    "--ignore",
    metavar="RULES",
    multiple=True,
    help="do not report these rules or layers (local checks only)",
)
@click.option(
    "--statistics",
    is_flag=True,
    help="print the number of findings by rule instead of the findings (json: in addition)",
)
@click.option(
    "--verbose",
    is_flag=True,
    help="also print settings files, templates and times",
)
@click.option("--exit-zero", is_flag=True, help="exit 0 even if there are findings")
@click.option(
    "--stdin",
    is_flag=True,
    help="read one ADR from standard input",
)
@click.option(
    "--stdin-filename",
    metavar="PATH",
    shell_complete=complete_file,
    help="with --stdin: path of the ADR; the file need not exist",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, 64),
    help="processes for many ADRs (default: one for each processor, at most 8)",
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
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    statistics: bool,
    verbose: bool,
    exit_zero: bool,
    stdin: bool,
    stdin_filename: str | None,
    jobs: int | None,
) -> int:
    """Check ADRs, or fix them.

    Raises:
        UsageError: Two options can't be used together.
    """
    shown = console()
    _refuse_pairs(verbose=verbose, quiet=shown.quiet, stdin=stdin, filename=stdin_filename)
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
        select=_names("--select", select),
        ignore=_names("--ignore", ignore),
        jobs=jobs or 0,
    )
    destination = checking.CheckOutput(
        format=format,
        file=output,
        fail_on=fail_on,
        quiet=shown.quiet,
        color=shown.color,
        statistics=statistics,
        exit_zero=exit_zero,
    )
    _refuse_conflicts(options, destination)
    if stdin:
        options = with_stdin(options, stdin_filename)
    # A hook shows no progress: `git commit` is the program in front of the person.
    destination = _with_observer(destination, verbose=verbose, quiet=shown.quiet or staged)
    if fix or diff:
        from . import fixing

        return fixing.check(options, destination, only_diff=diff)
    return checking.check(options, destination)


def _with_observer(
    output: checking.CheckOutput, *, verbose: bool, quiet: bool
) -> checking.CheckOutput:
    observed = ObservedCheck(verbose=verbose, quiet=quiet)
    if not verbose and not observed.is_at_terminal:
        return output
    return output._replace(observed=observed)


def _names(option: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in comma-separated lists, each once.

    Raises:
        UsageError: A name is empty.
    """
    names: list[str] = []
    for value in values:
        names += [name.strip() for name in value.split(",")]
    if "" in names:
        raise UsageError(f"{option} has an empty name (expected e.g. section-missing,corpus)")
    return tuple(dict.fromkeys(names))


def _refuse_pairs(*, verbose: bool, quiet: bool, stdin: bool, filename: str | None) -> None:
    if verbose and quiet:
        raise UsageError("--verbose cannot be used with --quiet")
    if filename is not None and not stdin:
        raise UsageError("--stdin-filename requires --stdin")


def _refuse_conflicts(options: CheckOptions, output: checking.CheckOutput) -> None:
    """Refuse options of the report that can't be used together.

    Raises:
        UsageError: There are two such options.
    """
    if not options.use_baseline:
        _refuse_with_baseline(options, output)
    # The checks on a pull request show all rules, so a local preview must show them too.
    if output.format == "github" and (options.select or options.ignore):
        message = "--format github cannot be used with --select or --ignore"
        raise UsageError(message)
    if output.statistics and output.format not in ("text", "json"):
        raise UsageError("--statistics requires --format text or json")


def _refuse_with_baseline(options: CheckOptions, output: checking.CheckOutput) -> None:
    flags = {
        "--select": options.select,
        "--ignore": options.ignore,
        "--statistics": output.statistics,
        "--exit-zero": output.exit_zero,
    }
    for flag, is_used in flags.items():
        if is_used:
            raise UsageError(f"--write-baseline cannot be used with {flag}: it has all rules")
