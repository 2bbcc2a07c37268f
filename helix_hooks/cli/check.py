"""`helix-hooks check`: Layers 1 to 3, for every call except the call of a hook."""

import click

from ..check.options import CheckOptions
from ..errors import UsageError
from ..finding import FAIL_ON
from ..report import FORMATS
from . import hook
from .frame import command, complete_file, console
from .observed import ObservedCheck

EXAMPLE = """examples:
  helix-hooks check                                 every ADR of the repository
  helix-hooks check docs/adr/014-docs.md            one ADR
  helix-hooks check --staged                        what the next commit would contain
  helix-hooks check --since origin/main             what this branch changes, compared with its base
  helix-hooks check --fix                           repair what is safe to repair, and report the rest
  helix-hooks check --write-baseline                count the present findings; name the file in the settings to leave them out
  helix-hooks check --format json docs/adr          for programs
  helix-hooks check --select section-missing,corpus a rule, and all rules of a layer
  helix-hooks check --statistics                    how many findings each rule has
  helix-hooks check --watch docs/adr                again at each change, until Ctrl-C"""


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
    help="print the changes of --fix as a patch and write nothing; exit 1 if there are any",
)
@click.option(
    "--no-cache",
    is_flag=True,
    help="check each ADR anew, also where nothing has changed since a former check",
)
@click.option(
    "--select",
    metavar="RULES",
    multiple=True,
    help="report only these rules or layers, e.g. section-missing,corpus (not for the gate)",
)
@click.option(
    "--ignore",
    metavar="RULES",
    multiple=True,
    help="leave these rules or layers out of the report (not for the gate)",
)
@click.option(
    "--statistics",
    is_flag=True,
    help="print the number of findings by rule instead of the findings (json: in addition)",
)
@click.option(
    "--verbose",
    is_flag=True,
    help="also print the settings, templates and cached reports used, and the time of each phase",
)
@click.option("--exit-zero", is_flag=True, help="exit 0 even if there are findings")
@click.option(
    "--stdin",
    is_flag=True,
    help="read one ADR from standard input, and everything else from the work tree",
)
@click.option(
    "--stdin-filename",
    metavar="PATH",
    shell_complete=complete_file,
    help="with --stdin: the path of that ADR, which need not exist",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, 64),
    help="number of processes for many ADRs (default: one for each processor, at most 8)",
)
@click.option(
    "--watch",
    is_flag=True,
    help="check again when an ADR, a concept or a settings file changes, until Ctrl-C",
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
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    statistics: bool,
    verbose: bool,
    exit_zero: bool,
    stdin: bool,
    stdin_filename: str | None,
    jobs: int | None,
    watch: bool,
) -> int:
    """Check ADRs, fix them, or check them at each change.

    Raises:
        UsageError: Two options can't be used together.
    """
    shown = console()
    _refuse_pairs(verbose=verbose, quiet=shown.quiet, stdin=stdin, filename=stdin_filename)
    if watch:
        _refuse_with_watch(stdin=stdin, fixes=fix or diff)
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
        select=_names("--select", select),
        ignore=_names("--ignore", ignore),
        jobs=jobs or 0,
    )
    destination = hook.CheckOutput(
        format=format,
        file=output,
        fail_on=fail_on,
        quiet=shown.quiet,
        color=shown.color,
        statistics=statistics,
        exit_zero=exit_zero,
    )
    _refuse_conflicts(options, destination)
    if watch:
        from .watch import check_at_each_change

        return check_at_each_change(options, destination, verbose=verbose)
    if stdin:
        from .stdin import with_stdin

        options = with_stdin(options, stdin_filename)
    # A hook shows no progress: `git commit` is the program in front of the person.
    destination = _with_observer(destination, verbose=verbose, quiet=shown.quiet or staged)
    if fix or diff:
        from . import fixing

        return fixing.check(options, destination, only_diff=diff)
    return hook.check(options, destination)


def _with_observer(output: hook.CheckOutput, *, verbose: bool, quiet: bool) -> hook.CheckOutput:
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
        raise UsageError(f"{option} has an empty name; write rules or layers, as in a,b")
    return tuple(dict.fromkeys(names))


def _refuse_pairs(*, verbose: bool, quiet: bool, stdin: bool, filename: str | None) -> None:
    if verbose and quiet:
        raise UsageError("--verbose and --quiet contradict each other; leave one out")
    if filename is not None and not stdin:
        raise UsageError("--stdin-filename needs --stdin")


def _refuse_with_watch(*, stdin: bool, fixes: bool) -> None:
    if stdin:
        raise UsageError("--watch checks only the work tree; leave --stdin out")
    if fixes:
        raise UsageError("--watch changes no file; leave --fix and --diff out")


def _refuse_conflicts(options: CheckOptions, output: hook.CheckOutput) -> None:
    """Refuse options of the report that can't be used together.

    Raises:
        UsageError: There are two such options.
    """
    if not options.use_baseline:
        _refuse_with_baseline(options, output)
    # The checks on a pull request show all rules, so a local preview must show them too.
    if output.format == "github" and (options.select or options.ignore):
        message = "--format github shows what the gate finds; leave --select and --ignore out"
        raise UsageError(message)
    if output.statistics and output.format not in ("text", "json"):
        raise UsageError("--statistics needs --format text or json")


def _refuse_with_baseline(options: CheckOptions, output: hook.CheckOutput) -> None:
    flags = {
        "--select": options.select,
        "--ignore": options.ignore,
        "--statistics": output.statistics,
        "--exit-zero": output.exit_zero,
    }
    for flag, is_used in flags.items():
        if is_used:
            raise UsageError(f"--write-baseline counts the findings of all rules; leave {flag} out")
