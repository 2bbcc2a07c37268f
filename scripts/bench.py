"""Measure speed as ratios of pairs that are timed in turn: `make bench`, or `bench.py DIRECTORY`.

Start-up and whole sets are the wall time of a whole process, installed from a wheel; throughput is
processor time of one core, the best pass of each, from the files on disk to the findings. The whole
set is compared with rumdl (PyPI) on the same files, and with markdownlint-cli2 where npm is there.
Without a directory, a seeded generator writes realistic ADRs.
"""

import contextlib
import gc
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bench_dashboard
import bench_discovery
import bench_flow
import bench_github
import bench_growth
import bench_judge
import bench_people
import bench_queue
import bench_verify
import pyromark

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load

ROOT = Path(__file__).parent.parent
OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_TASKLISTS
STARTS, PASSES, WHOLES, MANY = 31, 25, 9, 7
REFERENCE = 2_246
"""Files of the whole set: as many as the corpus of real ADRs had on which the limits were set."""
RUMDL = "rumdl==0.3.0"
HOOK = ("check", "--staged", "--matching")
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")

WORDS = (
    "service queue broker table index latency cache request retry schema event consumer producer "
    "deploy rollback cluster node replica Dienst Tabelle Abfrage Ereignis Betrieb Grenze "
    "Schnittstelle the a of to and we because which should und der die das weil"
).split()
SECTIONS = {
    "helix": (
        "Kontext", "Entscheidung", "Implementation", "Dokumentation", "Akzeptanzkriterien",
        "Konsequenzen", "Referenzen",
    ),
    "madr": (
        "Context and Problem Statement", "Decision Drivers", "Considered Options",
        "Decision Outcome", "Pros and Cons of the Options",
    ),
    "nygard": ("Status", "Context", "Decision", "Consequences"),
}  # fmt: skip


Row = tuple[str, str, float, float]


def main() -> None:
    gc.disable()  # as the program itself does
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        programs = _installed(scratch)
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _generate(scratch / "adrs", 500)
        whole = folder if len(sys.argv) > 1 else _generate(scratch / "whole-adrs", REFERENCE)
        rows = [_start_up(scratch, programs), _among(scratch, programs), _throughput(folder)]
        rows += [
            *_whole(scratch, programs, whole),
            *_many(scratch, programs),
            *bench_discovery.rows(scratch),
            *bench_judge.rows(scratch, programs),
            *bench_github.rows(scratch),
            *bench_people.rows(scratch),
            *bench_verify.rows(scratch, programs),
            *bench_flow.rows(scratch),
            *bench_dashboard.rows(scratch),
            *bench_queue.rows(scratch),
            *bench_growth.rows(),
        ]
    print(f"\n{'what':<44}{'against':<36}{'ratio':>8}{'limit':>8}")
    for what, against, ratio, limit in rows:
        print(
            f"{what:<44}{against:<36}{ratio:>7.2f}x{limit:>7.2f}x"
            f"{'' if ratio <= limit else '   OVER'}"
        )


def _installed(scratch: Path) -> Path:
    """The folder of the programs: our wheel, with compiled modules, and rumdl."""
    environment = scratch / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    subprocess.run(
        [
            environment / "bin" / "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            f"{ROOT}[all]",  # `approve` and the steps of the Action are measured too
            RUMDL,
        ],
        check=True,
    )
    return environment / "bin"


def _repository(place: Path) -> Path:
    """A folder as a repository with one commit."""
    for command in (
        ["init", "--quiet"],
        ["add", "."],
        [*IDENTITY, "commit", "--quiet", "--message", "ADRs"],
    ):
        subprocess.run(["git", *command], cwd=place, check=True)
    return place


def _start_up(scratch: Path, programs: Path) -> Row:
    repository = scratch / "repository"
    adr = repository / "docs" / "adr" / "014-documentation.md"
    adr.parent.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "cases" / "install" / "014-repaired.md", adr)
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    hook = [programs / "helix-hooks", *HOOK, "docs/adr/014-documentation.md"]
    bare, whole = _in_turn(
        statistics.median,
        STARTS,
        lambda: _process([programs / "python", "-I", "-c", "pass"], repository),
        lambda: _process(hook, repository),
    )
    print(
        f"start-up: bare {bare * 1000:.1f} ms, one staged ADR {whole * 1000:.1f} ms "
        f"(medians of {STARTS})"
    )
    return "one staged ADR, whole process", "bare start of the interpreter", whole / bare, 10.0


def _among(scratch: Path, programs: Path) -> Row:
    """One changed ADR that names others, among few and among many."""
    places = []
    for count in (10, 2_000):
        place = scratch / f"among-{count}"
        place.mkdir()
        _generate(place / "adr", count)
        places.append(_repository(place))
        with (place / "adr" / "0007-decision.md").open("a", encoding="utf-8") as file:
            file.write("\nSee [ADR-3](0003-decision.md).\n")
        subprocess.run(["git", "add", "."], cwd=place, check=True)
    hook = [programs / "helix-hooks", *HOOK, "adr/0007-decision.md"]
    few, many = _in_turn(
        statistics.median, STARTS, *(partial(_process, hook, place) for place in places)
    )
    print(
        f"one changed ADR: among 10 {few * 1000:.1f} ms, among 2,000 {many * 1000:.1f} "
        f"ms (medians of {STARTS})"
    )
    return (
        "one changed ADR in a repository of 2,000",
        "the same in a repository of 10",
        many / few,
        1.5,
    )


def _whole(scratch: Path, programs: Path, folder: Path) -> list[Row]:
    """Time all layers and the rules across ADRs on all processors, as at a terminal."""
    place = scratch / "whole"
    shutil.copytree(folder, place / "docs" / "adr")
    _repository(place)
    size = sum(path.stat().st_size for path in place.rglob("*.md"))
    count = len(list(place.rglob("*.md")))
    ours = partial(_process, [programs / "helix-hooks", "check"], place)
    theirs = partial(_process, [programs / "rumdl", "check", "--no-cache", "."], place)
    rust, own = _in_turn(statistics.median, WHOLES, theirs, ours)
    print(
        f"whole set: {count} files, {size / 1e6:.1f} MB; rumdl {rust:.2f} s, helix-hooks "
        f"{own:.2f} s (medians of {WHOLES})"
    )
    rows = [
        ("whole set, all layers, across ADRs", "rumdl check --no-cache", own / rust, 2.0),
    ]
    node = _markdownlint(scratch)
    if node:
        seconds = _process([node, "**/*.md"], place)
        print(f"markdownlint-cli2: {seconds:.1f} s, once")
        rows.append(
            (
                "whole set, all layers, across ADRs",
                "a twentieth of markdownlint-cli2",
                own / seconds * 20,
                1.0,
            )
        )
    else:
        print("markdownlint-cli2 was not measured: npm is not there, or could not install it")
    return rows


def _markdownlint(scratch: Path) -> Path | None:
    if not shutil.which("npm"):
        return None
    done = subprocess.run(
        ["npm", "install", "--silent", "--prefix", scratch / "node", "markdownlint-cli2"],
        capture_output=True,
        check=False,
    )
    program = scratch / "node" / "node_modules" / ".bin" / "markdownlint-cli2"
    return program if not done.returncode and program.exists() else None


def _many(scratch: Path, programs: Path) -> list[Row]:
    """Twice the files, and the memory for 10,000."""
    places = []
    for count in (5_000, 10_000):
        place = scratch / f"many-{count}"
        place.mkdir()
        _generate(place / "adr", count)
        places.append(_repository(place))
    check = [programs / "helix-hooks", "check"]
    once, twice = _in_turn(min, MANY, *(partial(_process, check, place) for place in places))
    peak = _peak([str(word) for word in check], places[1])
    print(
        f"many: 5,000 files {once:.2f} s, 10,000 files {twice:.2f} s (best of {MANY}); "
        f"peak memory of all processes at 10,000: {peak / 1e6:.0f} MB"
    )
    return [
        ("10,000 files", "5,000 files", twice / once, 2.1),
        ("peak memory at 10,000 files", "150 MB", peak / 150e6, 1.0),
    ]


def _peak(command: list[str], folder: Path) -> float:
    """Return the peak memory of a process and its children in bytes, by sampled Pss."""
    running = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True
    )
    peak = 0.0
    while running.poll() is None:
        peak = max(peak, sum(map(_memory, _group(running.pid))))
        time.sleep(0.01)
    return peak


def _group(session: int) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int(place.read_text().rpartition(")")[2].split()[3]) == session:
                found.append(int(place.parent.name))
    return found


def _memory(process: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0.0


def _process(command: list[str | Path], folder: Path) -> float:
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    start = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {done.returncode}")
    return time.perf_counter() - start


def _in_turn(
    figure: Callable[[list[float]], float], count: int, *runs: Callable[[], float]
) -> list[float]:
    times: list[list[float]] = [[] for _ in runs]
    for number in range(count + 1):
        for run, kept in zip(runs, times, strict=True):
            seconds = run()
            if number:  # the first round warms caches
                kept.append(seconds)
    return [figure(kept) for kept in times]


def _throughput(folder: Path) -> Row:
    paths = [str(path) for path in sorted(folder.rglob("*.md"))]
    ruleset = load(lambda _: None, files.packaged).ruleset
    size = sum(os.path.getsize(path) for path in paths)

    def iterate() -> None:
        for path in paths:
            for _ in pyromark.events_with_range(_read(path).decode(), options=OPTIONS):
                pass

    def check() -> None:
        for path in paths:
            check_file(Source(parse(_read(path), path)), ruleset)

    bare, whole = _in_turn(min, PASSES, lambda: _processor(iterate), lambda: _processor(check))
    print(
        f"throughput: {len(paths)} files, {size / 1e6:.1f} MB; events "
        f"{size / bare / 1e6:.1f} MB/s, check {size / whole / 1e6:.1f} MB/s"
    )
    return "check without start-up", "bare pyromark event iteration", whole / bare, 3.0


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _processor(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _generate(folder: Path, count: int) -> Path:
    """ADRs with the templates, sizes and furniture of real ones; the same on every machine."""
    chance = random.Random(14)
    folder.mkdir()
    for number in range(1, count + 1):
        template = chance.choices(("nygard", "madr", "helix"), (6, 3, 2))[0]
        text = re.sub("ADR-LINK", lambda _: _link(chance, count), _adr(chance, template, number))
        (folder / f"{number:04}-decision.md").write_text(text, encoding="utf-8")
    return folder


def _adr(chance: random.Random, template: str, number: int) -> str:
    head = {
        "helix": (
            f'---\nadr_id: "{number:03}"\ntitle: Decision {number}\nstatus: '
            f"Proposed\nchange_scope: minor\n{_older(number)}---\n\n"
        ),
        "madr": "---\nstatus: accepted\ndate: 2024-01-31\n---\n\n" if chance.random() < 0.6 else "",
        "nygard": "",
    }[template]
    text = f"{head}# {number}. {_sentence(chance, 5)}\n"
    for section in SECTIONS[template]:
        text += (
            f"\n## {section}\n\n{'Accepted' if section == 'Status' else _body(chance, section)}\n"
        )
    return text


def _older(number: int) -> str:
    return 'depends_on: ["001"]\n' if number > 1 else ""


def _link(chance: random.Random, count: int) -> str:
    number = chance.randint(1, count)
    return f"[ADR-{number:03}]({number:04}-decision.md)"


def _body(chance: random.Random, section: str) -> str:
    blocks = ["It rests on ADR-001."] if section == "Kontext" else []
    blocks += [_paragraph(chance) for _ in range(chance.choice((1, 2, 3, 4, 8)))]
    if (
        section in ("Akzeptanzkriterien", "Considered Options", "Referenzen")
        or chance.random() < 0.4
    ):
        mark = "- [ ] " if section == "Akzeptanzkriterien" else "* "
        blocks.append(
            "\n".join(
                f"{mark}{_sentence(chance, 9)} `{chance.choice(WORDS)}.py`"
                for _ in range(chance.randint(3, 8))
            )
        )
    if chance.random() < 0.25:
        blocks.append(
            "```python\n"
            + "\n".join(f"{chance.choice(WORDS)}({chance.randint(1, 99)})" for _ in range(8))
            + "\n```"
        )
    if chance.random() < 0.1:
        rows = "\n".join(f"| {chance.choice(WORDS)} | {_sentence(chance, 4)} |" for _ in range(5))
        blocks.append(f"| what | why |\n|---|---|\n{rows}")
    if chance.random() < 0.3:
        blocks.append(f"### {_sentence(chance, 3)}\n\n{_paragraph(chance)}")
    return "\n\n".join(blocks)


def _paragraph(chance: random.Random) -> str:
    lines = [_sentence(chance, chance.randint(10, 18)) for _ in range(chance.randint(2, 6))]
    lines[0] += f" See ADR-LINK and **{chance.choice(WORDS)}**."
    return "\n".join(lines)


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize()


if __name__ == "__main__":
    main()
