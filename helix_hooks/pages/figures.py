"""The page of figures: charts as SVG, each with its numbers in a table. It needs no script.

Charts can be read without the style sheet too: bars take the colour of the text.
"""

from collections.abc import Sequence

import htpy as h

from ..text import counted, printable
from ..waiting.figures import DEADLINE, JUDGE, PEOPLE, RULES, QueueFigures, QueueMonth

MOST_MONTHS, MOST_PARTS = 12, 100
_EXPIRED = "expired"
_SERIES = (
    (PEOPLE, "people", "1"),
    (JUDGE, "judges", "0.6"),
    (RULES, "rules", "0.35"),
    (DEADLINE, "a deadline", "0.2"),
    (_EXPIRED, "nobody: expired", "0"),
)
"""The parts of a bar: key, label and opacity."""

_WIDTH, _ROW, _BAR, _LABEL, _NUMBER = 420, 24, 14, 66, 62
"""Sizes in units of the picture: width of a chart, height of a row and of a bar, width of a label
and of a number.
"""
_LINE = 13
"""The size of text."""


def figures_content(figures: QueueFigures) -> h.Fragment:
    """Return the content of the page, without its frame."""
    return h.fragment[
        h.h1["Figures"],
        _summary(figures),
        _charts(figures.months[:MOST_MONTHS]) if figures.months else None,
        _parts(figures.parts) if figures.parts else None,
    ]


def _summary(figures: QueueFigures) -> h.Element:
    newest = figures.months[0] if figures.months else None
    rows = [("Waiting", str(figures.waiting))]
    if newest:
        rows += [
            (f"Closed in {newest.month}", str(newest.ended)),
            ("Time until people decide", _hours(newest.hours_median) or "unknown"),
            ("Expired", str(newest.expired)),
        ]
    else:
        rows.append(("Ended", "none"))
    return h.dl(".figures")[(h.div[h.dt[name], h.dd[value]] for name, value in rows)]


def _charts(months: Sequence[QueueMonth]) -> h.Fragment:
    return h.fragment[
        h.section[
            h.h2["Who decides"],
            h.figure[
                _decisions_chart(months),
                h.figcaption[_legend()],
            ],
            _months_table(months),
        ],
        h.section[
            h.h2["Time until people decide"],
            h.figure[_hours_chart(months), h.figcaption["Median of each month, in hours"]],
        ],
    ]


def _decisions_chart(months: Sequence[QueueMonth]) -> h.Element:
    longest = max(month.ended for month in months)
    rows = [
        _bar_row(number, month.month, _segments(month, longest), str(month.ended))
        for number, month in enumerate(months)
    ]
    newest = months[0]
    words = f"{newest.month}: {_described(newest)}"
    return _chart(rows, "Closed requests, by month and decider", words)


def _hours_chart(months: Sequence[QueueMonth]) -> h.Element:
    longest = max(month.hours_median or 0 for month in months)
    rows = []
    descriptions = []
    for number, month in enumerate(months):
        hours = _hours(month.hours_median) or "none"
        bars = []
        if month.hours_median:
            bars.append(_rect(0, _scaled(month.hours_median, longest), "1"))
        rows.append(_bar_row(number, month.month, bars, hours))
        descriptions.append(f"{month.month}: {hours}")
    return _chart(rows, "Median time until people decide, by month", "; ".join(descriptions))


def _chart(rows: Sequence[h.Element], name: str, description: str) -> h.Element:
    height = len(rows) * _ROW
    return h.svg(
        ".chart", viewBox=f"0 0 {_WIDTH} {height}", width="100%", role="img", aria_label=name
    )[_element("title")[name], _element("desc")[description], rows]


def _bar_row(number: int, label: str, bars: Sequence[h.Element], value: str) -> h.Element:
    middle = _ROW // 2 + 5
    return _element("g")(transform=f"translate(0 {number * _ROW})", fill="currentColor")[
        _element("text")(x="0", y=str(middle), font_size=str(_LINE))[label],
        _element("g")(transform=f"translate({_LABEL} {(_ROW - _BAR) // 2})", fill="currentColor")[
            bars
        ],
        _element("text")(x=str(_WIDTH), y=str(middle), font_size=str(_LINE), text_anchor="end")[
            value
        ],
    ]


def _segments(month: QueueMonth, longest: int) -> list[h.Element]:
    bars, start = [], 0.0
    for key, _, opacity in _SERIES:
        number = _number(month, key)
        width = _scaled(number, longest)
        if number:
            bars.append(_rect(start, width, opacity))
        start += width
    return bars


def _number(month: QueueMonth, key: str) -> int:
    """Return the number of questions in a part of a bar."""
    if key == _EXPIRED:
        return month.expired
    return month.by.get(key, 0)


def _rect(start: float, width: float, opacity: str) -> h.Element:
    """Return a bar with a border, so that a faint bar is visible too."""
    return _element("rect")(
        x=f"{start:.1f}",
        y="0",
        width=f"{max(width, 1):.1f}",
        height=str(_BAR),
        fill_opacity=opacity,
        stroke="currentColor",
    )


def _scaled(value: float, longest: float) -> float:
    """Return the length of a bar; the longest value takes all the room between the texts."""
    if not longest:
        return 0.0
    return (_WIDTH - _LABEL - _NUMBER) * value / longest


def _legend() -> h.Element:
    swatches = [
        h.div(".key")[
            h.svg(viewBox="0 0 12 12", width="12", height="12", aria_hidden="true")[
                _element("g")(fill="currentColor")[_swatch(opacity)]
            ],
            f" {words}",
        ]
        for _, words, opacity in _SERIES
    ]
    return h.div(".legend")[swatches]


def _swatch(opacity: str) -> h.Element:
    return _element("rect")(
        x="1", y="1", width="10", height="10", fill_opacity=opacity, stroke="currentColor"
    )


def _months_table(months: Sequence[QueueMonth]) -> h.Element:
    heads = ("Month", "Ended", *(words.capitalize() for _, words, _ in _SERIES), "Median")
    rows = [(month.month, *_cells(month)) for month in months]
    return _table("Closed requests, by month", heads, rows)


def _parts(parts: Sequence[QueueMonth]) -> h.Element:
    shown = parts[:MOST_PARTS]
    heads = ("Project", "Type", "Month", "Ended", *(words.capitalize() for _, words, _ in _SERIES))
    rows = [
        (printable(part.project, 60), printable(part.type, 60), part.month, *_cells(part)[:-1])
        for part in shown
    ]
    left_out = len(parts) - len(shown)
    return h.section[
        h.h2["Projects and types"],
        _table("Closed requests, by project and type", heads, rows),
        left_out > 0 and h.p[f"{counted(left_out, 'more row')}: helix-hooks queue figures"],
    ]


def _cells(month: QueueMonth) -> tuple[str, ...]:
    numbers = (str(_number(month, key)) for key, _, _ in _SERIES)
    return (str(month.ended), *numbers, _hours(month.hours_median))


def _table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> h.Element:
    """Return a table. On a narrow screen it scrolls by itself, with the keyboard too."""
    body = (h.tr[h.th(scope="row")[row[0]], (h.td[cell] for cell in row[1:])] for row in rows)
    return h.div(".scroll", tabindex="0", role="region", aria_label=name)[
        h.table[
            h.caption[name],
            h.thead[h.tr[(h.th(scope="col")[head] for head in heads)]],
            h.tbody[body],
        ]
    ]


def _described(month: QueueMonth) -> str:
    numbers = {words: _number(month, key) for key, words, _ in _SERIES}
    return ", ".join(f"{number} by {words}" for words, number in numbers.items() if number)


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    return f"{hours:.1f} h"


def _element(name: str) -> h.Element:
    """Return an element of SVG; htpy has no names for them."""
    return h.Element(name)
