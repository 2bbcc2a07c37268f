"""The table of ADRs of a report; a script makes its columns sortable."""

from collections.abc import Mapping, Sequence

import htpy as h

from ..adr.check_report import FileReport
from ..report.graph import Graph, Node
from ..report.looks import look
from .report_findings import Numbered
from .shown import line

_HEADS = ("ADR", "Title", "Status", "Errors", "Warnings")


def anchors_of(files: Sequence[FileReport], graph: Graph) -> dict[str, str]:
    """Return the place of each ADR on the page, by its path."""
    paths = (*(node.path for node in graph.nodes), *(file.path for file in files if file.template))
    return {path: f"adr-{number}" for number, path in enumerate(dict.fromkeys(paths), 1)}


def adrs_section(
    files: Sequence[FileReport], graph: Graph, anchors: Mapping[str, str], found: Numbered
) -> h.Element:
    """Return the table of all ADRs, checked or not."""
    reports = {file.path: file for file in files}
    nodes = {node.path: node for node in graph.nodes}
    rows = (
        _row(path, anchors[path], nodes.get(path), reports.get(path), found) for path in anchors
    )
    return h.section("#adrs", aria_labelledby="adrs-title")[
        h.h2("#adrs-title")["ADRs ", h.span[str(len(anchors))]],
        h.div(".scroll", tabindex="0", role="region", aria_label="Table of ADRs")[
            h.table("#adr-table")[
                h.thead[h.tr[(h.th(scope="col")[head] for head in _HEADS)]], h.tbody[rows]
            ]
        ],
    ]


def _row(
    path: str, anchor: str, node: Node | None, file: FileReport | None, found: Numbered
) -> h.Element:
    """Return the row of an ADR. One without a report was not checked."""
    status = file.status or file.status_raw if file else node.status if node else ""
    title = node.title if node else ""
    id = node.name if node else file.adr_id if file else ""
    counts = [
        str(sum(item.severity == severity for item in file.findings)) if file else "–"
        for severity in ("error", "warning")
    ]
    first = found.get(path)
    return h.tr(id=anchor)[
        h.th(scope="row")[line(id, 40) or "–"],
        h.td(".wrap")[
            h.a(href=f"#{first[0].anchor}")[line(title or path)] if first else line(title or path),
            h.span(".m")[line(path)],
        ],
        h.td[h.span(f".status.look-{look(status).name}")[line(status, 30) or "none"]],
        (
            h.td(f".number.{severity}" if count not in "0–" else ".number")[count]
            for severity, count in zip(("error", "warning"), counts, strict=True)
        ),
    ]
