"""The table of ADRs of a report. A script makes its columns sortable."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import htpy as h

from ..adr.check_report import FileReport
from ..report.drawing import look
from ..report.graph import Graph, Node
from .report_findings import Numbered
from .shown import line

_HEADS = ("ADR", "Title", "Status", "Errors", "Warnings")
_NOT_CHECKED = "–"


def anchors_of(files: Sequence[FileReport], graph: Graph) -> dict[str, str]:
    """Return the id of each ADR's row on the page, by the ADR's path."""
    paths = [node.path for node in graph.nodes]
    paths += [file.path for file in files if file.template]
    return {path: f"adr-{number}" for number, path in enumerate(dict.fromkeys(paths), 1)}


class _AdrRow(NamedTuple):
    """The cells of an ADR. An ADR without a report was not checked, so it has no counts."""

    path: str
    id: str = ""
    title: str = ""
    status: str = ""
    errors: str = _NOT_CHECKED
    warnings: str = _NOT_CHECKED


def adrs_section(
    files: Sequence[FileReport], graph: Graph, anchors: Mapping[str, str], findings: Numbered
) -> h.Element:
    """Return the table of all ADRs, checked or not."""
    reports = {file.path: file for file in files}
    nodes = {node.path: node for node in graph.nodes}
    rows = []
    for path, anchor in anchors.items():
        adr = _adr(path, nodes.get(path), reports.get(path))
        first = findings[path][0].anchor if path in findings else ""
        rows.append(_row(adr, anchor, first))
    return h.section("#adrs", aria_labelledby="adrs-title")[
        h.h2("#adrs-title")["ADRs ", h.span[str(len(anchors))]],
        h.div(".scroll", tabindex="0", role="region", aria_label="Table of ADRs")[
            h.table("#adr-table")[
                h.thead[h.tr[(h.th(scope="col")[head] for head in _HEADS)]], h.tbody[rows]
            ]
        ],
    ]


def _adr(path: str, node: Node | None, file: FileReport | None) -> _AdrRow:
    adr = _AdrRow(path=path)
    if file:
        adr = adr._replace(
            id=file.adr_id,
            status=file.status or file.status_raw,
            errors=_count(file, "error"),
            warnings=_count(file, "warning"),
        )
    if node:
        adr = adr._replace(id=node.name, title=node.title)
    if node and not file:
        adr = adr._replace(status=node.status)
    return adr


def _count(file: FileReport, severity: str) -> str:
    return str(sum(item.severity == severity for item in file.findings))


def _row(adr: _AdrRow, anchor: str, first_finding: str) -> h.Element:
    """Return the row of an ADR. Its title is a link to its first finding."""
    name = line(adr.title or adr.path)
    return h.tr(id=anchor)[
        h.th(scope="row")[line(adr.id, 40) or "–"],
        h.td(".wrap")[
            h.a(href=f"#{first_finding}")[name] if first_finding else name,
            h.span(".m")[line(adr.path)],
        ],
        h.td[h.span(f".status.look-{look(adr.status).name}")[line(adr.status, 30) or "none"]],
        _number("error", adr.errors),
        _number("warning", adr.warnings),
    ]


def _number(severity: str, count: str) -> h.Element:
    if count in ("0", _NOT_CHECKED):
        return h.td(".number")[count]
    return h.td(f".number.{severity}")[count]
