"""`helix-hooks report html`: a check with the decisions around it, as one page."""

import os
import re
import time
from typing import Any

from ..adr.check_report import exit_code
from ..check import files
from ..check.options import CheckOptions
from ..console import print_message, print_result
from ..errors import HelixError, UsageError
from ..finding import SEVERITIES
from ..text import counted, printable
from . import shared

EXAMPLE = """examples:
  helix-hooks report html                            report every ADR in helix-report.html
  helix-hooks report html -o public/adrs.html docs   report the ADRs of a folder
  helix-hooks report html --since origin/main        report what this branch changes"""

_HTML_EXAMPLE = f"""{EXAMPLE}

The page needs no network. Set SOURCE_DATE_EPOCH for a fixed time on the page."""

_DEFAULT = "helix-report.html"

run = shared.group("report", example=EXAMPLE)


@run.subcommand(
    "html",
    "write findings, ADRs and their relations as one HTML page",
    example=_HTML_EXAMPLE,
    exits={
        0: "written; no findings at or above --fail-on",
        1: "written; findings at or above --fail-on",
        3: "not written, or written without a comparison with the base",
    },
)
@shared.paths("[PATH]...", "ADRs or folders (default: every ADR of the repository)")
@shared.file("--output", f"write the page to FILE (default: {_DEFAULT})", to="-o")
@shared.text("--since", "REV", "report what changed since the merge base with REV")
@shared.file("--baseline", "ignore the findings in the baseline FILE")
@shared.fail_on("exit 1 at findings")
def html(*, output: str, fail_on: str, **values: Any) -> int:
    """Write the page, and return the exit code of the check.

    Raises:
        UsageError: The file of the default name is e.g. a link, which a checkout may have put there.
    """
    from ..authoring.page_facts import view_of
    from ..pages import report_page

    is_plain = os.path.isfile(_DEFAULT) and not os.path.islink(_DEFAULT)
    if not output and os.path.lexists(_DEFAULT) and not is_plain:
        raise UsageError(f"{_DEFAULT} is not a regular file; use --output to write another one")
    options = shared.of_fields(CheckOptions, values)
    view = view_of(options, _now())
    style = "\n".join(map(_packaged, ("style.css", "report.css")))
    text = report_page.page(view, style, _packaged("report.js"))
    for notice in view.notices:
        print_message(notice)
    path = output or _DEFAULT
    shared.save(path, text, f"the page could not be written to {printable(path)}")
    if not shared.console().quiet:
        findings = [counted(view.report.count(name), name) for name in SEVERITIES[:2]]
        number = counted(view.report.adrs, "ADR")
        print_result(f"{printable(path)}: {number}, {', '.join(findings)}\n")
    if not view.is_complete:
        return HelixError.exit_code
    return exit_code(view.report, fail_on, is_branch=bool(options.since))


def _packaged(name: str) -> str:
    return (files.packaged(f"pages/{name}") or b"").decode()


def _now() -> int:
    """Return the time in seconds since 1970, or SOURCE_DATE_EPOCH if it is set.

    Raises:
        UsageError: SOURCE_DATE_EPOCH is not a time; the latest one is in the year 5138.
    """
    # The variable of reproducible-builds.org.
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed and not re.fullmatch(r"\d{1,11}", fixed, re.ASCII):
        raise UsageError(f"SOURCE_DATE_EPOCH={printable(fixed, 40)}: write seconds since 1970")
    return int(fixed or time.time())
