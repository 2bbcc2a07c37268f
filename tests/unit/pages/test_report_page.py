"""The page of a report as a function of a check: hostile texts, limits, and what is said first."""

import re

import pytest

from helix_hooks.adr.check_report import CheckReport, FileReport, Skipped
from helix_hooks.finding import Finding
from helix_hooks.pages.report_findings import MOST_FINDINGS, numbered
from helix_hooks.pages.report_page import ReportView, page
from helix_hooks.report.graph import Edge, Graph, Node

FILES = ("body { color: black }", "'use strict';")
HOSTILE = (
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202eevil\x1b[31m\x00\udc80"
)
TOKEN = "ghp_" + "a1B2" * 9


def _file(path: str, *findings: Finding, lines: dict[int, str] | None = None) -> FileReport:
    return FileReport(path, findings, lines or {}, template="madr", status="Accepted")


def _finding(severity: str = "error", **fields: object) -> Finding:
    finding = Finding(severity, "section-missing", "structure", "it is missing", "a.md")
    return finding._replace(**fields)  # type: ignore[arg-type]


def _page(report: CheckReport, **fields: object) -> str:
    return page(ReportView(report, 1_700_000_000)._replace(**fields), *FILES)  # type: ignore[arg-type]


def test_the_name_of_a_rule_is_a_link_to_its_page_if_it_has_one() -> None:
    made = _page(CheckReport((_file("a.md", _finding(), _finding(check="our-rule")),)))
    assert re.findall(r'Line 1 · (?:<a href="[^"]*(#[^"]*)"[^>]*>)?([a-z-]*)<', made) == [
        ("#section-missing", "section-missing"),
        ("", "our-rule"),
    ]


def test_hostile_texts_stay_texts() -> None:
    finding = _finding(check=HOSTILE, message=HOSTILE, help=HOSTILE, path=HOSTILE)
    node, other = Node(HOSTILE, HOSTILE, HOSTILE, HOSTILE), Node("b.md", "ADR-2", "b", "Draft")
    made = _page(
        CheckReport(
            (_file(HOSTILE, finding, lines={1: HOSTILE}),), (Skipped(HOSTILE, HOSTILE, HOSTILE),)
        ),
        graph=Graph((node, other), (Edge("b.md", HOSTILE, "depends_on", False),)),
        scope=HOSTILE,
        notices=(HOSTILE,),
    )
    assert made.count("<script") == 1 and "<img" not in made
    assert not re.search("[\u202e\x1b\x00\udc80]", made)
    assert re.findall(r'(?:href|src)="(?!#|data:,"|https://github.com/)[^"]*"', made) == []


def test_tokens_are_masked_everywhere() -> None:
    finding = _finding(message=TOKEN, help=TOKEN, end_line=1)
    report = CheckReport((_file(f"{TOKEN}.md", finding, lines={1: f"key: {TOKEN}"}),))
    graph = Graph((Node(f"{TOKEN}.md", "ADR-1", TOKEN, ""),), ())
    assert TOKEN not in _page(report, graph=graph, scope=TOKEN, notices=(TOKEN,))


def test_only_this_style_and_this_script_may_run() -> None:
    made = _page(CheckReport(()))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)
    assert policy and "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1] and "http" not in policy[1]
    assert 'style="' not in made and " on" not in re.sub(r">[^<]*<", "><", made)


@pytest.mark.parametrize(
    ("report", "fields", "words"),
    [
        (CheckReport(()), {}, ["No ADR was checked", "without a commit"]),
        (CheckReport((_file("a.md"),)), {}, ["No errors, no warnings", "Nothing to fix"]),
        (
            CheckReport((_file("a.md", _finding(), _finding("warning")),)),
            {"commit": "a" * 40, "uncommitted": 1},
            ["1 error, 1 warning", "fix 1 error in 1 file", "1 ADR changed since"],
        ),
        (
            CheckReport((_file("a.md"),), (Skipped("gate-relaxed", "", "no merge base"),)),
            {"is_complete": False},
            ["Not checked", "gate-relaxed: no merge base", "state warned"],
        ),
    ],
)
def test_the_top_says_the_state_and_who_acts(
    report: CheckReport, fields: dict[str, object], words: list[str]
) -> None:
    made = _page(report, **fields)
    assert [word for word in words if word not in made] == []


def test_many_findings_are_cut_worst_first_and_the_page_says_so() -> None:
    files = [
        _file(
            f"{number:04}.md",
            *(_finding("warning", path=f"{number:04}.md") for _ in range(4)),
            lines={1: "# Title"},
        )
        for number in range(1_140)
    ]
    files.append(_file("z.md", _finding("error", path="z.md"), lines={1: "# Title"}))
    report = CheckReport(tuple(files))
    listed = numbered(report.files)
    assert sum(map(len, listed.values())) == MOST_FINDINGS and "z.md" in listed
    made = _page(report)
    assert f"{MOST_FINDINGS} of 4561 findings are listed" in made
    assert len(made.encode()) < 3_000_000


def test_a_long_list_of_relations_is_folded() -> None:
    nodes = tuple(Node(f"{n}.md", f"ADR-{n}", "x", "Accepted") for n in range(400))
    edges = tuple(Edge(f"{n}.md", f"{n - 1}.md", "depends_on", False) for n in range(1, 400))
    made = _page(CheckReport(()), graph=Graph(nodes, edges))
    assert "<summary>399 ADRs with relations to others</summary>" in made
    assert "399 depend" in made and '<details class="more" open' not in made


def test_a_long_line_and_an_empty_one_have_no_large_source() -> None:
    finding = _finding(line=2, end_line=10_000)
    lines = dict.fromkeys(range(1, 9000), "x" * 5000)
    made = _page(CheckReport((_file("a.md", finding, lines=lines),)))
    assert len(made) < 20_000
