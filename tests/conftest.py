"""One environment for every test, named in full.

Nothing else of the machine, its user or the program that started pytest reaches a test.
"""

import functools
import gc
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import series

ROOT = Path(__file__).parent.parent

_MACHINE = (
    "PATH", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES",
)  # fmt: skip
"""Where programs and temporary files are."""

_PACKAGES = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
)  # fmt: skip
"""How packages are fetched, beside what begins with PIP_ or UV_.

Tests of hooks, wheel and Action install some.
"""

_LOOPBACK = "127.0.0.1,localhost"
_PIP = (".config/pip/pip.conf", ".pip/pip.conf", "Library/Application Support/pip/pip.conf")
_GIT = """[user]
    name = test
    email = test@example.org
[safe]
    directory = "{root}"
[maintenance]
    auto = false
[protocol "https"]
    allow = never
"""
"""No maintenance: each commit would start a process that finds nothing to do.

No https: `init` looks up a revision on github.com, and no test depends on the network.
"""
_UMASK = 0o022
SCRATCH = tempfile.TemporaryDirectory(prefix="helix-tests-")


def environment(outside: dict[str, str], home: Path) -> dict[str, str]:
    """Return the environment of all tests, from the one outside and an empty home."""
    kept = {name: value for name, value in outside.items() if _is_kept(name.upper())}
    configured = [place for name in _PIP if os.path.isfile(place := _in_home(name))]
    if configured:
        kept.setdefault("PIP_CONFIG_FILE", configured[0])
    kept.setdefault("UV_NATIVE_TLS", "true")  # as pip, which prek does not use
    direct = ",".join(filter(None, [_LOOPBACK, outside.get("no_proxy") or outside.get("NO_PROXY")]))
    no_proxy = {"NO_PROXY": direct, "no_proxy": direct}
    fixed = {"LANG": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    git = {"GIT_CONFIG_GLOBAL": str(home / ".gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **no_proxy, **fixed, **git, "HOME": str(home), "USERPROFILE": str(home)}


def _in_home(name: str) -> str:
    return os.path.expanduser(f"~/{name}")


def _is_kept(name: str) -> bool:
    return name in _MACHINE or name in _PACKAGES or name.startswith(("PIP_", "UV_", "PYTEST_"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long")
    parser.addoption("--base", action="store_true", help="leave out what --rest runs")
    parser.addoption(
        "--rest", action="store_true", help="run further stories, and the further cases of tables"
    )
    parser.addoption(
        "--written",
        type=Path,
        help="write what is seen to files of this folder, instead of a comparison with the cases",
    )
    parser.addoption(
        "--soak", action="store_true", help="run the long series, in full, and nothing else"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the long series, and what is further, apart from all other tests."""
    further, last = _further(items), _last(items)
    wanted = [
        item for item in items if _is_wanted(item, is_further=item in further, is_last=item in last)
    ]
    left_out = set(items) - set(wanted)
    items[:] = wanted
    config.hook.pytest_deselected(items=left_out)


def _further(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the tests marked `further`, and of each table marked `sampled` half of the cases."""
    further = {item for item in items if item.get_closest_marker("further")}
    tables = _tables(items)
    return further.union(*(table[1::3] for table in tables), *(table[3::6] for table in tables))


def _last(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the third case of three of each table marked `sampled`, which the long series run."""
    last: set[pytest.Item] = set()
    return last.union(*(table[2::3] for table in _tables(items)))


def _tables(items: list[pytest.Item]) -> list[list[pytest.Item]]:
    tables: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            tables.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return list(tables.values())


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later garbage collection: it stays to the end."""
    gc.collect()
    gc.freeze()


def _is_wanted(item: pytest.Item, *, is_further: bool, is_last: bool) -> bool:
    soak, grows, double, slow = (
        item.get_closest_marker(name) is not None for name in ("soak", "series", "double", "slow")
    )
    quick, base, rest = (item.config.getoption(name) for name in ("--quick", "--base", "--rest"))
    if series.chosen() == series.SOAK:
        is_drawn = hasattr(getattr(item, "obj", None), "hypothesis")
        return soak or grows or double or is_drawn or is_last
    if soak or (slow and quick):
        return False
    if is_last and (base or quick or rest):
        return False
    return is_further if rest else not (is_further and (base or quick))


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a place for temporary files where a test could not be outside of a repository."""
    soak, quick = (config.getoption(name) for name in ("--soak", "--quick"))
    if soak:
        series.choose(series.SOAK)
    elif quick:
        series.choose(series.QUICK)
    # Only the long series draws at random: a change must not fail by an example that others passed.
    hypothesis.settings.register_profile(
        "repeatable",
        derandomize=not soak,
        deadline=None,
        # The machine may be busy.
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("repeatable")
    place = Path(config.option.basetemp or tempfile.gettempdir()).resolve()
    above = [folder for folder in (place, *place.parents) if (folder / ".git").exists()]
    if above:
        raise pytest.UsageError(f"{place} lies in the git repository {above[0]}; set TMPDIR")


@pytest.fixture(scope="session", autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Of the session, since fixtures of a module run programs too."""
    home = tmp_path_factory.mktemp("home")
    root = ROOT.as_posix().replace('"', '\\"')
    (home / ".gitconfig").write_text(_GIT.format(root=root), encoding="utf-8")
    outside, mask = dict(os.environ), os.umask(_UMASK)
    _become(environment(outside, home))
    yield
    _become(outside)
    os.umask(mask)


@pytest.fixture(scope="session")
def for_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder that all workers of a run have in common, for what takes long to make."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "for-all-workers"
    place.mkdir(exist_ok=True)
    return place


def _become(wanted: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(wanted)
    if hasattr(time, "tzset"):
        time.tzset()


@functools.cache
def _empty_repository() -> Path:
    """Return what `git init` makes, once for all tests of a process."""
    folder = Path(SCRATCH.name)
    subprocess.run(["git", "init", "--quiet", "--initial-branch", "main"], cwd=folder, check=True)
    return folder / ".git"


class Repository:
    """A real git repository in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        if not (root / ".git").exists():
            shutil.copytree(
                _empty_repository(), root / ".git", ignore=shutil.ignore_patterns("*.sample")
            )

    def git(self, *arguments: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, check=check
        )

    def write(self, path: str, text: str | bytes) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place

    def stage(self, path: str, text: str | bytes) -> Path:
        place = self.write(path, text)
        self.git("add", "--", path)
        return place

    def commit(self, message: str = "a commit") -> None:
        self.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", message)


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Path | None:
    """Return the folder for what a test of cases sees; None if it is compared."""
    option: Path | None = request.config.getoption("--written")
    if not option:
        return None
    folder = request.config.invocation_params.dir / option
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.chdir(root)
    return Repository(root)


class Result:
    """What a call printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command line in this process."""
    from helix_hooks.cli.main import main

    def call(*arguments: str) -> Result:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call
