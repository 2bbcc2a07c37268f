"""Measure how long ADRs are looked for in 100,000 files, beside git's listing of them."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from helix_hooks.check import files
from helix_hooks.check.trees import Index
from helix_hooks.check.work_tree import WorkTree
from helix_hooks.config.settings import load

Row = tuple[str, str, float, float]

_FILES, _ADRS, _PASSES, _LIMIT = 100_000, 50, 9, 1.5
_ENDINGS = ("py", "md", "ts", "txt")
_LISTING = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def rows(scratch: Path) -> list[Row]:
    """Return the time of discovery in times of git's listing of tracked and new files."""
    root = scratch / "large"
    _generate(root)
    for command in (("git", "init", "--quiet"), ("git", "add", ".")):
        subprocess.run(command, cwd=root, check=True)
    listing, finding = _fastest(lambda: _listed(root), lambda: _found(root))
    print(
        f"discovery in {_FILES:,} files: git ls-files {listing * 1000:.0f} ms, "
        f"{_ADRS} ADRs found in {finding * 1000:.0f} ms (best of {_PASSES})"
    )
    return [(f"ADRs found in {_FILES:,} files", "git ls-files", finding / listing, _LIMIT)]


def _generate(root: Path) -> None:
    for number in range(_FILES):
        folder = root / "src" / f"module{number % 900}" / f"part{number % 7}"
        name = f"file{number}.{_ENDINGS[number // 7 % len(_ENDINGS)]}"
        if number < _ADRS:
            folder, name = root / "docs" / "adr", f"{number:04}-decision.md"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


def _listed(root: Path) -> None:
    subprocess.run(_LISTING, cwd=root, check=True, capture_output=True)


def _found(root: Path) -> None:
    index = Index(str(root))
    tree = WorkTree(str(root), index)
    settings = load(tree.read, files.packaged)
    found = files.select(tree, [], settings).paths
    index.close()
    if len(found) != _ADRS:
        raise SystemExit(f"{len(found)} ADRs were found instead of {_ADRS}")


def _fastest(*runs: Callable[[], None]) -> list[float]:
    """Return the best time of each run; they take turns, so that all meet the same load."""
    times = [[_seconds(run) for run in runs] for _ in range(_PASSES)]
    return [min(column) for column in zip(*times, strict=True)]


def _seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
