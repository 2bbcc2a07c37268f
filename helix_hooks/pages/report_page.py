"""A check as one HTML file that needs no server and no network, and whose script only enhances."""

import base64
import hashlib

import htpy as h
from markupsafe import Markup

from ..adr.check_report import Skipped
from ..adr.corpus import OPEN
from ..finding import SEVERITIES
from ..report.graph import plain
from ..text.moment import moment
from ..text.plural import counted
from .report_adrs import adrs_section, anchors_of
from .report_findings import findings_sections, numbered
from .report_graph import graph_section
from .report_statuses import statuses_section
from .report_view import PageFiles, ReportView
from .shown import line

_SHORT = 10
"""Characters of a commit that are shown."""
_MOST_SKIPPED, _MOST_OPEN = 100, 30


def page(view: ReportView, files: PageFiles) -> str:
    """Return the page. The same view and files give the same text."""
    reports = view.report.files
    found = numbered(reports)
    anchors = anchors_of(reports, view.graph)
    content = h.html(lang="en")[
        h.head[
            h.meta(charset="utf-8"),
            h.meta(http_equiv="Content-Security-Policy", content=_policy(files)),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.meta(name="color-scheme", content="light dark"),
            h.meta(name="referrer", content="no-referrer"),
            h.title[f"{_headline(view)} · helix-hooks"],
            h.link(rel="icon", href="data:,"),
            h.style[Markup(files.style)],  # noqa: S704 - a file of the package
        ],
        h.body[
            h.a(".skip", href="#main")["Skip to content"],
            h.main("#main", tabindex="-1")[
                _header(view),
                _contents(has_findings=bool(found)),
                findings_sections(view, found),
                adrs_section(reports, view.graph, anchors, found),
                graph_section(view.graph, anchors),
                statuses_section(view.changes, view.now, view.history_notes),
            ],
            h.script[Markup(files.script)],  # noqa: S704 - a file of the package
        ],
    ]
    return f"{content}\n"


def _policy(files: PageFiles) -> str:
    """Return the content security policy: this style and this script, and nothing else."""
    sources = f"style-src {_hash(files.style)}; script-src {_hash(files.script)}"
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"
    return f"{nothing}; img-src data:; {sources}; require-trusted-types-for 'script'"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _headline(view: ReportView) -> str:
    report = view.report
    if not report.files and not report.adrs:
        return "No ADR was checked"
    counts = [(name, report.count(name)) for name in SEVERITIES[:2]]
    found = [counted(number, name) for name, number in counts if number]
    return ", ".join(found) or "No errors, no warnings"


def _header(view: ReportView) -> h.Element:
    report = view.report
    return h.header(f".state.{_state(view)}")[
        h.h1[_headline(view)],
        h.p[_turn(view)],
        _open_decisions(view),
        h.p(".m")[" · ".join(_facts(view))],
        [h.p(".partial")[line(notice)] for notice in view.notices],
        _skipped(report.skipped) if report.skipped or not view.is_complete else None,
    ]


def _state(view: ReportView) -> str:
    is_whole = view.is_complete and not view.report.skipped and view.report.adrs
    if not view.report.passed:
        return "failed"
    return "warned" if view.report.count("warning") or not is_whole else "passed"


def _turn(view: ReportView) -> str:
    """Return who acts next, and for what."""
    for severity in ("error", "warning"):
        files = [
            file for file in view.report.files
            if any(item.severity == severity for item in file.findings)
        ]  # fmt: skip
        if files:
            number = counted(view.report.count(severity), severity)
            return f"Next: the authors of {counted(len(files), 'file')} fix {number}."
    return "Next: the authors have nothing to fix." if view.report.adrs else ""


def _open_decisions(view: ReportView) -> h.Node:
    """Return the ADRs that wait for a decision."""
    anchors = anchors_of(view.report.files, view.graph)
    waiting = [node for node in view.graph.nodes if node.status in OPEN]
    if not waiting:
        return None
    more = len(waiting) - _MOST_OPEN
    return h.details(".more")[
        h.summary[f"{counted(len(waiting), 'ADR')} not decided yet"],
        h.ul(".plain")[
            (
                h.li[
                    h.a(href=f"#{anchors[node.path]}")[plain(f"{node.name} {node.title}".strip())],
                    f" · {plain(node.status)}",
                ]
                for node in waiting[:_MOST_OPEN]
            ),
            h.li[f"and {more} more, in the table"] if more > 0 else None,
        ],
    ]


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
    """Return what was not checked, so that nobody takes it for clean."""
    more = len(skipped) - _MOST_SKIPPED
    return h.div(".partial")[
        h.h2["Not checked"],
        h.ul(".plain")[
            (h.li[_skipped_line(skip)] for skip in skipped[:_MOST_SKIPPED]),
            h.li[f"and {more} more"] if more > 0 else None,
        ],
    ]


def _skipped_line(skip: Skipped) -> str:
    words = (skip.path, skip.check, skip.reason)
    return line(": ".join(word for word in words if word), 600)


def _contents(*, has_findings: bool) -> h.Element:
    places = (
        [("findings", "By file"), ("rules", "By rule")] if has_findings else [],
        [("adrs", "ADRs"), ("graph", "Graph"), ("statuses", "Statuses")],
    )
    return h.nav(".filters", aria_label="Contents")[
        (h.a(href=f"#{anchor}")[words] for part in places for anchor, words in part)
    ]
