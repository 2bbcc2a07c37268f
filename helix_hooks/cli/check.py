"""`helix-hooks check`: Layers 1 to 3."""

import os
import sys

import click

from ..check.options import CheckOptions
from ..console.output import is_screen
from ..errors import HelixError, UsageError
from ..finding import FAIL_ON
from ..paths import MAX_BYTES
from ..report import FORMATS
from ..text.sanitize import printable
from . import checking
from .frame import command, complete_file, console, with_format

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
    if verbose and shown.quiet:
        raise UsageError("--verbose cannot be used with --quiet")
    if stdin_filename is not None and not stdin:
        raise UsageError("--stdin-filename requires --stdin")
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
        options = _with_stdin(options, stdin_filename)
    # A hook shows no progress: `git commit` is the program in front of the person.
    is_silent = shown.quiet or staged
    if verbose or (not is_silent and is_screen(sys.stderr)):
        from .observed import ObservedCheck

        observed = ObservedCheck(verbose=verbose, quiet=is_silent)
        destination = destination._replace(observed=observed)
    if fix or diff:
        from . import fixing

        return fixing.check(options, destination, only_diff=diff)
    return checking.check(options, destination)


def _names(option: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in comma-separated lists, each once.

    Raises:
        UsageError: A name is empty.
    """
    names: dict[str, None] = {}
    for value in values:
        names.update(dict.fromkeys(map(str.strip, value.split(","))))
    if "" in names:
        raise UsageError(f"{option} has an empty name (expected e.g. section-missing,corpus)")
    return tuple(names)


def _refuse_conflicts(options: CheckOptions, output: checking.CheckOutput) -> None:
    """Refuse options of the report that can't be used together.

    Raises:
        UsageError: There are two such options.
    """
    flags = {
        "--select": options.select,
        "--ignore": options.ignore,
        "--statistics": output.statistics,
        "--exit-zero": output.exit_zero,
    }
    for flag, is_used in flags.items():
        if is_used and not options.use_baseline:
            raise UsageError(f"--write-baseline cannot be used with {flag}: it has all rules")
    # The checks on a pull request show all rules, so a local preview must show them too.
    if output.format == "github" and (options.select or options.ignore):
        raise UsageError("--format github cannot be used with --select or --ignore")
    if output.statistics and output.format not in ("text", "json"):
        raise UsageError("--statistics requires --format text or json")


def _with_stdin(options: CheckOptions, path: str | None) -> CheckOptions:
    """Return the options with the content of standard input.

    Raises:
        UsageError: The path is missing or a folder, or options can't be used with --stdin.
        HelixError: Standard input can't be read.
    """
    if not path:
        raise UsageError("--stdin requires --stdin-filename PATH, the path of the ADR")
    if options.paths or options.staged or options.since or not options.use_baseline:
        others = "PATHs, --staged, --since or --write-baseline"
        raise UsageError(f"--stdin cannot be used with {others}")
    if path.endswith("/") or os.path.isdir(path):
        raise UsageError(f"--stdin-filename {printable(path)}: it is a folder; name a file")
    if "\0" in path:
        raise UsageError("--stdin-filename: a path cannot contain a NUL character")
    if not sys.stdin:
        raise HelixError("standard input is closed; pass the text of the ADR, e.g. with `< FILE`")
    try:
        # One byte above the limit, so that the check reports it.
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise HelixError(f"standard input can't be read: {error.strerror}") from None
    return options._replace(paths=(path,), buffer=content)
