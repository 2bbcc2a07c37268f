"""`helix-hooks check`: Layers 1 to 3, with the report, the baseline, and `--fix`."""

import os
import sys
from importlib import import_module
from typing import Any, NamedTuple

import click

from .. import git
from ..adr.check_report import CheckReport, exit_code
from ..check import run as engine
from ..check.options import CheckContext, CheckOptions, opened
from ..console import colored, columns, print_message, print_patch, print_result
from ..errors import ConfigError, HelixError, UsageError
from ..paths import MAX_BYTES
from ..text import at_line_start, printable
from . import shared

_BASELINE = ".helix-baseline.json"

FORMATS = {
    "text": "people (default)",
    "json": "programs: [fields](api.md#json-output)",
    "github": "annotations in a GitHub workflow",
    "sarif": "code scanning and most dashboards",
    "junit": "Jenkins, Azure DevOps, Bitbucket, CircleCI, GitLab",
    "gitlab": "[GitLab Code Quality](gitlab.md)",
    "markdown": "a job summary",
}
"""The formats of `check`, and their readers as docs/commands.md lists them.

Each is a module of `report/` with `render(report) -> str`.
"""

_FIXES = {
    "--staged": "it does not change the index; run `check --fix` without --staged, then stage the "
    "changes",
    "--write-baseline": "fix first",
    "--stdin": "it changes files of the work tree",
}
_CONFLICTS = {
    "--write-baseline": dict.fromkeys(("--select", "--ignore"), "it has all rules"),
    "--fix": _FIXES,
    "--diff": _FIXES | dict.fromkeys(("--output", "--format"), "it prints a patch"),
}
"""Options that can't be used with others, and why."""


class CheckOutput(NamedTuple):
    """The destination of a check's result, and the severity at which it fails."""

    format: str = "text"
    file: str = ""
    fail_on: str = "error"
    quiet: bool = False
    color: str = "auto"

    @property
    def colored(self) -> bool:
        return colored(self.color) and not self.file


EXAMPLE = """examples:
  helix-hooks check                           check every ADR of the repository
  helix-hooks check docs/adr/014-docs.md      check one ADR
  helix-hooks check --staged                  check the content of the next commit
  helix-hooks check --since origin/main       check what this branch changes
  helix-hooks check --fix                     apply safe fixes, and report the rest
  helix-hooks check --write-baseline          write a baseline of the current findings
  helix-hooks check --select section-missing  report the findings of one rule"""


@shared.command("check", example=EXAMPLE)
@shared.paths("[PATH]...", "ADRs or folders (default: every ADR of the repository)")
@shared.flag(
    "--staged",
    "check staged content (default: all staged ADRs); findings that HEAD has too are "
    "reported as info",
)
@shared.flag("--matching", "with --staged: ignore PATHs that are not ADRs (for hooks)")
@shared.flag("--all", "with --staged: check every ADR of the index, not only the changed ones")
@shared.text(
    "--since",
    "REV",
    "check what changed (staged or committed) since the merge base with REV; older "
    "findings are reported as info",
)
@shared.file(
    "--baseline", "ignore the findings in the baseline FILE; entries without a finding are errors"
)
@shared.flag(
    "--write-baseline",
    "write the current findings to the baseline (default: `baseline` of the settings, or "
    ".helix-baseline.json)",
)
@shared.formats(*FORMATS)
@shared.file("--output", "write the report to FILE instead of standard output", to="file")
@shared.text(
    "--template",
    "NAME",
    "template: auto, helix, madr, nygard or one from the settings (default: auto)",
)
@shared.file("--concept", "compare the ADR with this concept (only with one ADR)")
@shared.fail_on("exit 1 at findings")
@shared.flag("--fix", "apply safe fixes in the work tree, then report the remaining findings")
@shared.flag(
    "--diff", "print the changes of --fix as a patch and write nothing; exit 1 if there are any"
)
@shared.text(
    "--select",
    "RULES",
    "report only these rules or layers, e.g. section-missing,corpus (local checks only)",
    multiple=True,
)
@shared.text(
    "--ignore", "RULES", "do not report these rules or layers (local checks only)", multiple=True
)
@shared.flag("--stdin", "read one ADR from standard input")
@shared.file(
    "--stdin-filename", "with --stdin: path of the ADR; the file need not exist", metavar="PATH"
)
@shared.text(
    "--jobs",
    "N",
    "processes for many ADRs (default: one for each processor, at most 8)",
    type=click.IntRange(1, 64),
)
def run(
    *, write_baseline: bool, fix: bool, diff: bool, stdin: bool, stdin_filename: str, **values: Any
) -> int:
    """Check ADRs, or fix them.

    Raises:
        UsageError: Two options can't be used together.
    """
    options = shared.of_fields(CheckOptions, values)._replace(
        use_baseline=not write_baseline,
        select=_names("--select", values["select"]),
        ignore=_names("--ignore", values["ignore"]),
    )
    output = shared.of_fields(CheckOutput, {**values, **shared.console()._asdict()})
    used = {
        "--staged": options.staged,
        "--write-baseline": write_baseline,
        "--stdin": stdin,
        "--fix": fix,
        "--diff": diff,
        "--select": options.select,
        "--ignore": options.ignore,
        "--output": output.file,
        "--format": output.format != "text",
    }
    for flag, others in _CONFLICTS.items():
        for other, reason in others.items():
            if used[flag] and used[other]:
                raise UsageError(f"{flag} cannot be used with {other}: {reason}")
    # The checks on a pull request show all rules, so a local preview must show them too.
    if output.format == "github" and (options.select or options.ignore):
        raise UsageError("--format github cannot be used with --select or --ignore")
    if stdin_filename and not stdin:
        raise UsageError("--stdin-filename requires --stdin")
    if stdin:
        options = _with_stdin(options, stdin_filename)
    if fix or diff:
        return fixed(options, output, only_diff=diff)
    return check(options, output)


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


def _with_stdin(options: CheckOptions, path: str) -> CheckOptions:
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


def check(options: CheckOptions, output: CheckOutput) -> int:
    """Check, print the report or write the baseline, and return the exit code.

    Raises:
        UsageError: --write-baseline is used with a selection of ADRs.
    """
    writes_baseline = not options.use_baseline
    if writes_baseline and (options.paths or options.staged or options.since):
        raise UsageError("--write-baseline cannot be used with PATHs, --staged or --since")
    with opened(options) as target:
        context = engine.prepare(options, target)
        for line in context.notices:
            print_message(line)
        result = engine.check(context)
        for line in result.notices:
            print_message(line)
        report = result.report
        if writes_baseline:
            return _write_baseline(context, report)
        # Runners show what a hook prints, so a hook without a finding prints nothing.
        is_plain = output.format == "text" and not output.file
        # Information is for readers, not for the author of a commit.
        says_nothing = not report.skipped and report.count("info") == len(report.findings)
        if not (options.matching and is_plain and says_nothing):
            text = _rendered(report, output, is_commit=options.staged)
            if output.file:
                shared.save(output.file, text, f"the report could not be written to {output.file}")
            else:
                print_result(text)
        if result.incomplete:
            return 3
        return exit_code(report, output.fail_on, is_branch=context.is_branch)


def _rendered(report: CheckReport, output: CheckOutput, *, is_commit: bool) -> str:
    """Return the report; print a message if its format can't tell that rules were left out."""
    from ..report import text

    if output.format == "text":
        shown = _listed(report, output, is_commit=is_commit)
    else:
        # The modules of the other formats are not loaded.
        shown = str(import_module(f"helix_hooks.report.{output.format}").render(report))
    if not report.left_out or output.format == "json":
        return shown
    if output.format == "text" and not output.quiet:
        return f"{shown}{text.left_out(report)}\n"
    print_message(text.left_out(report))
    return shown


def _listed(report: CheckReport, output: CheckOutput, *, is_commit: bool) -> str:
    """Return the findings as text; for a commit that they stop, also how to continue."""
    from ..report import text

    shown = text.render(report, output.colored, output.quiet, 0 if output.file else columns())
    if output.quiet:
        return shown
    is_terminal = sys.stdout.isatty()
    way_out = text.way_out(report, output.fail_on) if is_commit else ""
    is_read = is_terminal or os.environ.get("CI", "") not in ("", "0", "false")
    if way_out or output.file or not is_read:
        return shown + way_out
    shown += text.fixable(report)
    # On a terminal with colours, each rule is a link to its page already.
    if not (is_terminal and output.colored):
        shown += text.pages(report)
    return shown


def _write_baseline(context: CheckContext, report: CheckReport) -> int:
    from ..adr import baseline
    from ..adr.rules.registry import FIRM
    from ..check.trees import WRONG

    path = context.options.baseline or context.settings.baseline or _BASELINE
    place = context.tree.place(path)
    # A link could lead out of the repository.
    if place.kind == WRONG and place.links:
        raise ConfigError(path, 1, "", f"{place.reason}; nothing is written there")
    counting = [finding for finding in report.findings if finding.severity != "info"]
    # A baseline never suppresses firm rules, so their entries would be stale at once.
    recorded = [finding for finding in counting if finding.check not in FIRM]
    place_on_disk = os.path.join(context.target.root, path)
    shared.save(place_on_disk, baseline.render(recorded), f"{path} could not be written")
    message = f"{path}: {len(recorded)} findings recorded"
    if not context.settings.baseline:
        message += f"; add it to the settings: `baseline: {path}`"
    if left := len(counting) - len(recorded):
        message += f"; fix the other {left}, which no baseline can leave out"
    print_result(f"{message}\n")
    return 0


def fixed(options: CheckOptions, output: CheckOutput, *, only_diff: bool) -> int:
    """Fix the work tree, print the fixes and the report on the rest; return its exit code.

    With `only_diff`, write nothing, print a patch, and return 1 if there is one.

    Raises:
        UsageError: There is no git repository.
        HelixError: A file could not be written.
    """
    from ..authoring import fix
    from ..authoring.difference import patch

    with opened(options) as target:
        git.root_for("--diff" if only_diff else "--fix")
        context = engine.prepare(options, target)
        outcome = fix.fixed(context, engine.check(context).report)
        for notice in outcome.notices:
            print_message(notice)
        if only_diff:
            if not outcome.changes and not output.quiet:
                print_message("nothing to fix automatically")
            print_patch(b"".join(map(patch, outcome.changes)))
            return int(bool(outcome.changes))
        fix.write(target.root, outcome.changes)
    lines = [
        f"{at_line_start(done.path)}:{done.line}: fixed: {printable(done.title, 200)} [{done.check}]"
        for done in outcome.fixes
    ]
    # A program reads the report from standard output.
    if output.format == "text":
        print_result("".join(f"{line}\n" for line in lines))
    else:
        for line in lines:
            print_message(line)
    if options.since and lines:
        print_message("--since reads staged content: `git add` the fixed files, and check again")
    return check(options, output)
