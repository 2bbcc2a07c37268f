"""A check as one HTML file. It needs no server and no network, and can be read without a script."""

import base64
import hashlib
from typing import NamedTuple

import htpy as h
from markupsafe import Markup

from ..adr.check_report import CheckReport, Skipped
from ..report.graph import Graph
from ..text import counted, moment
from .report_adrs import adrs_section, anchors_of
from .report_findings import findings_section, numbered
from .report_relations import relations_section
from .shown import line

_SHORT = 10
"""Characters of a commit that are shown."""
_MOST_SKIPPED = 100
"""Maximum number of skipped checks on the page."""


class ReportView(NamedTuple):
    """A check with the decisions around it.

    `now` is in seconds since 1970. `commit` is "" before the first commit. `uncommitted` is the
    number of ADRs that differ from it. `scope` says which ADRs were checked, if not all. `notices`
    are lines for the user. `is_complete` is False if the change could not be compared with its
    base.
    """

    report: CheckReport
    now: int
    graph: Graph = Graph((), ())
    commit: str = ""
    uncommitted: int = 0
    scope: str = ""
    notices: tuple[str, ...] = ()
    is_complete: bool = True


def page(view: ReportView, style: str, script: str) -> str:
    """Return the page with its style and its script. The same arguments give the same text."""
    reports = view.report.files
    findings = numbered(reports)
    anchors = anchors_of(reports, view.graph)
    content = h.html(lang="en")[
        h.head[
            h.meta(charset="utf-8"),
            h.meta(http_equiv="Content-Security-Policy", content=_policy(style, script)),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.meta(name="color-scheme", content="light dark"),
            h.meta(name="referrer", content="no-referrer"),
            h.title[f"{_headline(view)} · helix-hooks"],
            h.link(rel="icon", href="data:,"),
            h.style[Markup(style)],  # noqa: S704 - a file of the package
        ],
        h.body[
            h.a(".skip", href="#main")["Skip to content"],
            h.main("#main", tabindex="-1")[
                _header(view),
                _contents(has_findings=bool(findings)),
                findings_section(reports, findings),
                adrs_section(reports, view.graph, anchors, findings),
                relations_section(view.graph, anchors),
            ],
            h.script[Markup(script)],  # noqa: S704 - a file of the package
        ],
    ]
    return f"{content}\n"


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows only the page's own style and script."""
    sources = f"style-src {_hash(style)}; script-src {_hash(script)}"
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"
    return f"{nothing}; img-src data:; {sources}; require-trusted-types-for 'script'"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _headline(view: ReportView) -> str:
    report = view.report
    if not report.files and not report.adrs:
        return "No ADR was checked"
    counts = []
    for severity in ("error", "warning"):
        number = report.count(severity)
        if number:
            counts.append(counted(number, severity))
    return ", ".join(counts) or "No errors, no warnings"


def _header(view: ReportView) -> h.Element:
    report = view.report
    has_gaps = bool(report.skipped) or not view.is_complete
    return h.header(f".state.{_state(view)}")[
        h.h1[_headline(view)],
        h.p[_turn(view)],
        h.p(".m")[" · ".join(_facts(view))],
        [h.p(".partial")[line(notice)] for notice in view.notices],
        has_gaps and _skipped(report.skipped),
    ]


def _state(view: ReportView) -> str:
    """Return the CSS class of the result. An incomplete check has not passed."""
    if not view.report.passed:
        return "failed"
    is_whole = view.is_complete and not view.report.skipped and view.report.adrs
    if view.report.count("warning") or not is_whole:
        return "warned"
    return "passed"


def _turn(view: ReportView) -> str:
    """Return the next step, and who takes it."""
    for severity in ("error", "warning"):
        files = 0
        for file in view.report.files:
            files += any(item.severity == severity for item in file.findings)
        if files:
            number = counted(view.report.count(severity), severity)
            return f"Next: fix {number} in {counted(files, 'file')}."
    if not view.report.adrs:
        return ""
    return "Nothing to fix."


def _facts(view: ReportView) -> list[str]:
    report = view.report
    facts = [f"{counted(report.adrs, 'ADR')} checked"]
    if view.scope:
        facts.append(line(view.scope))
    if report.count("info"):
        facts.append(counted(report.count("info"), "info"))
    if report.suppressed:
        facts.append(f"{report.suppressed} suppressed")
    facts.append(moment(view.now))
    facts.append(f"commit {view.commit[:_SHORT]}" if view.commit else "without a commit")
    if view.uncommitted:
        facts.append(f"{counted(view.uncommitted, 'ADR')} changed since that commit")
    return facts


def _skipped(skipped: tuple[Skipped, ...]) -> h.Element:
    """Return the skipped checks, so that their files do not look clean."""
    left_out = len(skipped) - _MOST_SKIPPED
    return h.div(".partial")[
        h.h2["Not checked"],
        h.ul(".plain")[
            (h.li[_skipped_line(skip)] for skip in skipped[:_MOST_SKIPPED]),
            left_out > 0 and h.li[f"and {left_out} more"],
        ],
    ]


def _skipped_line(skip: Skipped) -> str:
    words = (skip.path, skip.check, skip.reason)
    return line(": ".join(word for word in words if word), 600)


def _contents(*, has_findings: bool) -> h.Element:
    places = {"adrs": "ADRs", "relations": "Relations"}
    if has_findings:
        places = {"findings": "Findings", **places}
    links = (h.a(href=f"#{anchor}")[words] for anchor, words in places.items())
    return h.nav(".filters", aria_label="Contents")[links]
