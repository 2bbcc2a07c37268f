"""Figures of decisions: by month, project and type, and who decided."""

import json
from typing import Any

import html5lib

from helix_hooks.config.policy import MERGE
from helix_hooks.pages.figures import figures_content
from helix_hooks.waiting.figures import (
    JUDGE,
    PEOPLE,
    RULES,
    EndedQuestion,
    QueueFigures,
    as_json,
    as_text,
    queue_figures,
)
from helix_hooks.waiting.request import APPROVED, EXPIRED, REJECTED

NOVEMBER, OCTOBER = 1_795_000_000, 1_792_000_000
HOUR = 3600
HOSTILE = "<script>alert(1)</script>"


def question(project: str = "acme/shop", **fields: Any) -> EndedQuestion:
    return EndedQuestion(
        project=project, type=MERGE, outcome=APPROVED, by=PEOPLE, asked_at=NOVEMBER, ended_at=NOVEMBER + 2 * HOUR
    )._replace(**fields)  # fmt: skip


def some() -> QueueFigures:
    return queue_figures(
        [
            question(),
            question(ended_at=NOVEMBER + 4 * HOUR, outcome=REJECTED),
            question(by=RULES, ended_at=NOVEMBER),
            question(by="", outcome=EXPIRED),
            question(by=JUDGE, asked_at=OCTOBER, ended_at=OCTOBER, project=HOSTILE),
        ],
        waiting=7,
    )


def test_months_have_shares_and_the_time_until_people_decide() -> None:
    november, october = some().months
    assert (november.month, november.ended, november.decided) == ("2026-11", 4, 3)
    assert (november.approved, november.rejected, november.expired) == (2, 1, 1)
    assert (november.hours_median, november.hours_longest) == (3.0, 4.0)
    assert [november.share(by) for by in (PEOPLE, RULES, JUDGE)] == [0.6667, 0.3333, 0.0]
    assert (october.hours_median, october.share(JUDGE)) == (None, 1.0)


def test_parts_are_a_project_and_a_type() -> None:
    parts = [(part.month, part.project, part.type, part.ended) for part in some().parts]
    assert parts == [("2026-11", "acme/shop", MERGE, 4), ("2026-10", HOSTILE, MERGE, 1)]


def test_older_months_can_be_left_out() -> None:
    old = question(asked_at=OCTOBER, ended_at=OCTOBER)
    assert [month.month for month in queue_figures([question(), old], since="2026-11").months] == ["2026-11"]  # fmt: skip


def test_the_table() -> None:
    lines = as_text(some()).splitlines()
    assert lines[0] == "5 questions ended, 7 waiting"
    assert lines[2].split() == "month ended approved rejected expired rules judge people deadline median time longest time".split()  # fmt: skip
    assert lines[3].split() == "2026-11 4 2 1 1 1 (33 %) 0 2 (67 %) 0 3 h 4 h".split()


def test_without_a_decision_the_table_says_so() -> None:
    assert as_text(queue_figures([], waiting=1)) == "nothing was decided; 1 question waiting\n"


def test_json() -> None:
    value = json.loads(as_json(some()))
    assert (value["version"], value["waiting"], len(value["parts"])) == (1, 7, 2)
    assert value["months"][0]["decided_by"] == {"rules": 1, "judge": 0, "people": 2, "deadline": 0}
    assert value["months"][1]["hours_median"] is None


def test_the_page_has_the_numbers_in_charts_and_in_tables_and_no_markup_of_others() -> None:
    page = str(figures_content(some()))
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    assert not tree.findall(".//script")
    assert not [element for element in tree.iter() if "style" in element.attrib]
    charts = [element for element in tree.iter() if str(element.tag).endswith("svg")]
    named = [chart.get("aria-label") for chart in charts if chart.get("role") == "img"]
    assert named == [
        "Closed requests, by month and decider",
        "Median time until people decide, by month",
    ]
    cells = [cell.text for cell in tree.findall(".//tbody/tr")[0]]
    assert cells == ["2026-11", "4", "2", "0", "1", "0", "1", "3.0 h"]


def test_the_page_without_any_decision() -> None:
    page = str(figures_content(queue_figures([])))
    assert "<svg" not in page
    assert "<dd>none</dd>" in page


def test_a_very_long_history_is_cut() -> None:
    many = [question(project=f"acme/{number}") for number in range(300)]
    page = str(figures_content(queue_figures(many)))
    assert "200 more rows" in page
    assert len(page) < 100_000
