"""`helix-hooks report html`: a check with the decisions around it, as one page."""

import os
import stat
import time

import click

from .. import writing
from ..adr.check_report import exit_code
from ..check import files
from ..check.options import CheckOptions
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..finding import FAIL_ON, SEVERITIES
from ..text.plural import counted
from ..text.sanitize import printable
from .frame import complete_file, console, group

EXAMPLE = """examples:
  helix-hooks report html                            report every ADR in helix-report.html
  helix-hooks report html -o public/adrs.html docs   report the ADRs of a folder
  helix-hooks report html --since origin/main        report what this branch changes"""

_HTML_EXAMPLE = f"""{EXAMPLE}

The page needs no network. Set SOURCE_DATE_EPOCH for a fixed time on the page.

exit codes:
  0  written; no findings at or above --fail-on
  1  written; findings at or above --fail-on
  2  usage or configuration error
  3  not written, or written without a comparison with the base"""

_DEFAULT = "helix-report.html"
_LATEST = 253_402_300_799
"""The last second of the year 9999."""

run = group("report", example=EXAMPLE)


@run.subcommand(
    "html",
    "write findings, ADRs and their relations as one HTML page",
    example=_HTML_EXAMPLE,
    arguments={"PATH": "ADRs or folders (default: every ADR of the repository)"},
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    shell_complete=complete_file,
    help=f"write the page to FILE (default: {_DEFAULT})",
)
@click.option("--since", metavar="REV", help="report what changed since the merge base with REV")
@click.option(
    "--baseline",
    metavar="FILE",
    shell_complete=complete_file,
    help="ignore the findings in the baseline FILE",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    help="exit 1 at findings of this severity or worse (default: error)",
)
def html(
    *,
    paths: tuple[str, ...],
    output: str | None,
    since: str | None,
    baseline: str | None,
    fail_on: str,
) -> int:
    from ..authoring.page_facts import view_of
    from ..pages import report_page

    _refuse_link(output)
    options = CheckOptions(paths=paths, since=since, baseline=baseline)
    view = view_of(options, _now())
    style = "\n".join(map(_packaged, ("style.css", "report.css")))
    text = report_page.page(view, style, _packaged("report.js"))
    for notice in view.notices:
        print_message(notice)
    _save(text, output or _DEFAULT)
    if not console().quiet:
        findings = [counted(view.report.count(name), name) for name in SEVERITIES[:2]]
        number = counted(view.report.adrs, "ADR")
        print_result(f"{printable(output or _DEFAULT)}: {number}, {', '.join(findings)}\n")
    if not view.is_complete:
        return HelixError.exit_code
    return exit_code(view.report, fail_on, is_branch=bool(since))


def _packaged(name: str) -> str:
    return (files.packaged(f"pages/{name}") or b"").decode()


def _now() -> int:
    """Return the time in seconds since 1970, or SOURCE_DATE_EPOCH if it is set.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is not a time until the year 9999.
    """
    # The variable of reproducible-builds.org.
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not fixed:
        return int(time.time())
    if fixed.isascii() and fixed.isdigit() and len(fixed) <= 12 and int(fixed) <= _LATEST:
        return int(fixed)
    raise UsageError(f"SOURCE_DATE_EPOCH={printable(fixed, 40)}: write seconds since 1970")


def _refuse_link(output: str | None) -> None:
    """Refuse to overwrite something else than a file under the default name.

    Raises:
        UsageError: There is e.g. a link, which a checkout may have put there.
    """
    if output or not os.path.lexists(_DEFAULT) or stat.S_ISREG(os.lstat(_DEFAULT).st_mode):
        return
    raise UsageError(f"{_DEFAULT} is not a regular file; use --output to write another one")


def _save(text: str, path: str) -> None:
    try:
        writing.replace(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        message = f"the page could not be written to {printable(path)}: {error.strerror}"
        raise HelixError(message) from None
