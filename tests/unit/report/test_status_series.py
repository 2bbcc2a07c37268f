"""Numbers of ADRs by status over time."""

from helix_hooks.report.status_series import StatusChange, by_period, status_series

_DAY = 86_400


def test_a_changed_status_moves_from_one_group_to_another() -> None:
    points = status_series(
        [
            StatusChange(30, "a", "Accepted"),
            StatusChange(10, "a", "Proposed"),
            StatusChange(20, "b", "Draft"),
            StatusChange(40, "b", None),
            StatusChange(50, "a", "Implemented"),
        ]
    )
    assert [(point.at, point.counts["open"], point.counts["decided"]) for point in points] == [
        (10, 1, 0),
        (20, 2, 0),
        (30, 1, 1),
        (40, 0, 1),
    ]


def test_changes_of_one_commit_are_one_point() -> None:
    (point,) = status_series([StatusChange(10, "a", "Rejected"), StatusChange(10, "b", "x")])
    assert (point.total, point.counts["refused"], point.counts["unknown"]) == (2, 1, 1)


def test_a_file_that_was_never_there_cannot_be_deleted() -> None:
    assert [point.total for point in status_series([StatusChange(1, "a", None)])] == [0]
    assert status_series([]) == ()


def test_periods_are_months_quarters_or_years() -> None:
    def periods(days: int) -> list[str]:
        changes = [StatusChange(n * 28 * _DAY, str(n), "Draft") for n in range(days // 28)]
        return [name for name, _ in by_period(status_series(changes))]

    assert periods(90) == ["1970-01", "1970-02"]
    assert periods(1_500)[0] == "1970 Q1"
    assert periods(9_000)[0] == "1970"
    assert len(periods(1_500)) <= 24
