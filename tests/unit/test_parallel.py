"""Work split over processes: the order of the results, errors, and parts that end without one."""

import os
import signal
from collections.abc import Callable

import pytest

from helix_hooks import proc
from helix_hooks.errors import ConfigError, HelixError, UsageError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be split here")


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


def nothing() -> None:
    """What a part begins with."""


def test_results_come_in_order_and_from_other_processes() -> None:
    results = proc.each(range(1000), lambda item: (item, os.getpid()), nothing)
    assert [item for item, _ in results] == list(range(1000))
    assert os.getpid() not in {process for _, process in results}


@pytest.mark.parametrize("count", [0, 1, 47, 48, 49, 20_000])
def test_every_item_is_done_once(count: int) -> None:
    assert proc.each(range(count), lambda item: item + 1, nothing) == list(range(1, count + 1))


def test_what_begins_a_part_is_done_in_it_only() -> None:
    begun: list[int] = []
    proc.each(range(100), lambda item: item, lambda: begun.append(1))
    assert not begun


CONFIG = ConfigError("a.yaml", 3, "rules", "is no list")


@pytest.mark.parametrize("error", [HelixError("git is gone"), UsageError("no such flag"), CONFIG])
def test_an_error_in_a_part_is_raised_here_with_its_exit_code(error: HelixError) -> None:
    def work(item: int) -> int:
        if item == 50:
            raise error
        return item

    with pytest.raises(HelixError) as raised:
        proc.each(range(100), work, nothing)
    assert (str(raised.value), raised.value.exit_code) == (str(error), error.exit_code)


def test_another_error_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        proc.each(range(100), lambda item: 1 // (item - 3), nothing)


@pytest.mark.parametrize(
    "end", [lambda: os._exit(0), lambda: os._exit(9), lambda: os.kill(os.getpid(), signal.SIGKILL)]
)
def test_a_part_that_dies_is_no_result(end: Callable[[], object]) -> None:
    with pytest.raises(HelixError, match="a worker process ended without a result"):
        proc.each(range(100), lambda item: end() if item == 60 else item, nothing)


@pytest.mark.parametrize("jobs", [1, 2, 64])
def test_any_number_of_processes_gives_the_same_results(jobs: int) -> None:
    assert proc.each(range(500), lambda item: item, nothing, jobs=jobs) == list(range(500))
