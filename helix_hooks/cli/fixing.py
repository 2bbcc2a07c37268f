"""`check --fix` and `check --diff`: fix findings in the work tree, or print a patch."""

import sys
from collections.abc import Iterable, Sequence

from ..authoring import fix, fix_files
from ..check import run
from ..check.options import CheckOptions, opened
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..fixes.edit import Fix
from ..fixes.patch import FixedFile, patch
from ..text.sanitize import at_line_start, printable
from . import checking

_STAGED = "it does not change the index; run `check --fix` without --staged, then stage the changes"


def check(options: CheckOptions, output: checking.CheckOutput, *, only_diff: bool) -> int:
    """Fix the work tree, print the fixes and the report on the rest; return its exit code.

    With `only_diff`, write nothing, print a patch, and return 1 if there is one.

    Raises:
        UsageError: The options can't be used together, or there is no git repository.
        HelixError: Not all fixes could be written.
    """
    flag = "--diff" if only_diff else "--fix"
    _refuse(options, flag)
    if only_diff:
        _refuse_report(output)
    with opened(options) as target:
        if not target.repository:
            raise UsageError(f"{flag} needs a git repository, and this folder is not in one")
        context = run.prepare(options, target)
        outcome = fix.fixed(context, run.check(context).report)
        for notice in outcome.notices:
            print_message(notice)
        if only_diff:
            return _print_patch(outcome.changes, quiet=output.quiet)
        groups = fix_files.connected(outcome.fixes, outcome.origins)
        written = fix_files.write(target.root, groups, outcome.changes)
    _print_fixes(written.fixes, output.format)
    for problem in written.problems:
        print_message(problem)
    if options.since and written.fixes:
        print_message("--since reads staged content: `git add` the fixed files, and check again")
    code = checking.check(options, output)
    if written.problems:
        raise HelixError("not all fixes could be written")
    return code


def _print_patch(changes: Sequence[FixedFile], *, quiet: bool) -> int:
    """Print changes of files as a patch; return 1 if there are any."""
    if not changes and not quiet:
        print_message("nothing to fix automatically")
    _show(b"".join(map(patch, changes)))
    return int(bool(changes))


def _print_fixes(fixes: Iterable[Fix], format: str) -> None:
    """Print a line for each fix; on standard error if a program reads the report."""
    lines = [_line(done) for done in fixes]
    if format == "text":
        print_result("".join(f"{line}\n" for line in lines))
        return
    for line in lines:
        print_message(line)


def _refuse(options: CheckOptions, flag: str) -> None:
    if options.staged:
        raise UsageError(f"{flag} cannot be used with --staged: {_STAGED}")
    if not options.use_baseline:
        raise UsageError(f"{flag} cannot be used with --write-baseline; fix first")
    if options.buffer is not None:
        raise UsageError(f"{flag} cannot be used with --stdin: it changes files of the work tree")


def _refuse_report(output: checking.CheckOutput) -> None:
    """Refuse options of the report, which --diff does not print.

    Raises:
        UsageError: There is such an option.
    """
    flags = {
        "--output": output.file is not None,
        "--format": output.format != "text",
        "--statistics": output.statistics,
        "--exit-zero": output.exit_zero,
    }
    for flag, is_used in flags.items():
        if is_used:
            raise UsageError(f"--diff cannot be used with {flag}: it prints a patch")


def _show(data: bytes) -> None:
    """Print a patch. A file or program gets each byte, so that `git apply` can read it."""
    if not sys.stdout.isatty():
        print_result(data)
        return
    # On a terminal, control characters of a file must not take effect.
    lines = data.decode(errors="surrogateescape").removesuffix("\n").split("\n")
    print_result("".join(f"{printable(line)}\n" for line in lines if data))


def _line(done: Fix) -> str:
    place = f"{at_line_start(done.path)}:{done.line}"
    return f"{place}: fixed: {printable(done.title, 200)} [{done.check}]"
