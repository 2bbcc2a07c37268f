"""The numbers of ADRs by status over time, as a step chart and as a table."""

from collections.abc import Iterator, Sequence

import htpy as h

from ..report.status_series import (
    GROUPS,
    StatusChange,
    StatusPoint,
    by_period,
    status_series,
)
from ..text.moment import month_of
from ..text.sanitize import printable

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 720, 220, 34, 22, 10
"""Size and margins of the chart, in units of the picture."""
_MOST_STEPS = 600
"""Maximum number of steps in the chart. A screen could not show more of them."""


def statuses_section(changes: Sequence[StatusChange], now: int, notes: Sequence[str]) -> h.Element:
    """Return the section. `now` is the right end of the chart, in seconds since 1970."""
    points = status_series(changes)
    return h.section("#statuses", aria_labelledby="statuses-title")[
        h.h2("#statuses-title")["Statuses over time"],
        [h.p(".partial")[printable(note, 300)] for note in notes],
        _content(points, now) if points else h.p(".m")["No history of ADRs is available."],
    ]


def _content(points: Sequence[StatusPoint], now: int) -> h.Fragment:
    used = [name for name in GROUPS if any(point.counts[name] for point in points)]
    newest = points[-1]
    keys = (
        h.span(f".key.look-{name}")[
            h.i(aria_hidden="true"), f"{GROUPS[name]}: {newest.counts[name]}"
        ]
        for name in reversed(used)
    )
    return h.fragment[
        h.figure[_chart(points, used, now), h.figcaption[h.span(".legend")[keys]]],
        h.details(".more")[h.summary["The numbers as a table"], _table(points, used)],
    ]


def _chart(points: Sequence[StatusPoint], used: Sequence[str], now: int) -> h.Element:
    shown = points[:: len(points) // _MOST_STEPS + 1]
    if shown[-1] is not points[-1]:
        shown = [*shown, points[-1]]
    start, end = shown[0].at, max(now, shown[-1].at)
    most = max(1, *(point.total for point in points))
    label = (
        f"Numbers of ADRs by status, from {month_of(start)} to {month_of(end)}. "
        "The table below has the same numbers."
    )
    areas = [_area(shown, used[: number + 1], (start, end), most) for number in range(len(used))]
    return h.svg(
        ".steps", viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width="100%", role="img", aria_label=label
    )[_grid(most), reversed(areas), _axis(start, end)]


def _area(
    points: Sequence[StatusPoint], names: Sequence[str], times: tuple[int, int], most: int
) -> h.Element:
    """Return the area below the sum of some groups.

    The area of fewer groups is drawn over it, so that the last of the groups remains visible.
    """
    parts = [f"M{_x(points[0].at, times):.1f} {_y(0, most):.1f}"]
    for point in points:
        height = _y(sum(point.counts[name] for name in names), most)
        parts.append(f"H{_x(point.at, times):.1f}V{height:.1f}")
    parts.append(f"H{_WIDTH:g}V{_y(0, most):.1f}Z")
    return h.Element("path")(d="".join(parts), class_=f"area look-{names[-1]}")


def _grid(most: int) -> list[h.Element]:
    """Return at most five lines at round numbers, with the numbers."""
    step = next(size for size in _round_numbers() if most / size <= 4)
    return [_grid_line(value, most) for value in range(0, most + 1, step)]


def _grid_line(value: int, most: int) -> h.Element:
    y = _y(value, most)
    number = h.Element("text")(x=str(_LEFT - 6), y=f"{y + 4:.1f}", text_anchor="end")
    return h.Element("g")(class_="grid")[
        h.Element("path")(d=f"M{_LEFT} {y:.1f}H{_WIDTH}"), number[str(value)]
    ]


def _round_numbers() -> Iterator[int]:
    for power in range(9):
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def _axis(start: int, end: int) -> h.Element:
    y = str(_HEIGHT - 4)
    text = h.Element("text")
    return h.Element("g")(class_="grid")[
        text(x=str(_LEFT), y=y)[month_of(start)],
        text(x=str(_WIDTH), y=y, text_anchor="end")[month_of(end)],
    ]


def _x(at: int, times: tuple[int, int]) -> float:
    start, end = times
    return _LEFT + (_WIDTH - _LEFT) * (at - start) / max(end - start, 1)


def _y(value: int, most: int) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / most


def _table(points: Sequence[StatusPoint], used: Sequence[str]) -> h.Element:
    name = "ADRs by status, at the end of each period with a change"
    heads = ["Period", *(GROUPS[group] for group in used), "All"]
    rows = []
    for period, point in by_period(points):
        cells = (h.td[str(point.counts[group])] for group in used)
        rows.append(h.tr[h.th(scope="row")[period], cells, h.td[str(point.total)]])
    return h.div(".scroll", tabindex="0", role="region", aria_label=name)[
        h.table[
            h.caption[name],
            h.thead[h.tr[(h.th(scope="col")[head] for head in heads)]],
            h.tbody[rows],
        ]
    ]
