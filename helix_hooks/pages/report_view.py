"""The values from which the page of a report is built."""

from collections.abc import Mapping
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..report.graph import Graph


class PageFiles(NamedTuple):
    """The style and the script of the page, as texts."""

    style: str
    script: str


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


class NumberedFinding(NamedTuple):
    """A finding with its number on the page, from 1, and the texts of the lines around it."""

    number: int
    finding: Finding
    lines: Mapping[int, str]

    @property
    def anchor(self) -> str:
        return f"f{self.number}"
