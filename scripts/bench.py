"""How fast is it? Ratios, each pair measured in turn in one run: `make bench`, or `python scripts/bench.py DIRECTORY`.

Start-up is the wall time of a whole process, for one staged ADR; throughput is processor time of one core, the best
pass of each, from the files on disk to the findings. Without a directory, a seeded generator writes realistic ADRs.
"""

import gc
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyromark

from helix_hooks import files
from helix_hooks.adr.check import Source, check_file
from helix_hooks.adr.document import parse
from helix_hooks.settings import load

ROOT = Path(__file__).parent.parent
OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_TASKLISTS
STARTS, PASSES = 31, 25

WORDS = (
    "service queue broker table index latency cache request retry schema event consumer producer deploy rollback cluster node replica "
    "Dienst Tabelle Abfrage Ereignis Betrieb Grenze Schnittstelle the a of to and we because which should und der die das weil"
).split()
SECTIONS = {
    "helix": ("Kontext", "Entscheidung", "Implementation", "Dokumentation", "Akzeptanzkriterien", "Konsequenzen", "Referenzen"),
    "madr": ("Context and Problem Statement", "Decision Drivers", "Considered Options", "Decision Outcome", "Pros and Cons of the Options"),
    "nygard": ("Status", "Context", "Decision", "Consequences"),
}


def main() -> None:
    gc.disable()  # as the program itself does
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _generate(Path(scratch) / "adrs", 500)
        rows = [_start_up(Path(scratch)), _throughput(folder)]
    print(f"\n{'what':<34}{'against':<34}{'ratio':>8}{'limit':>8}")
    for what, against, ratio, limit in rows:
        print(f"{what:<34}{against:<34}{ratio:>7.2f}x{limit:>7.1f}x{'' if ratio <= limit else '   OVER'}")


def _start_up(scratch: Path) -> tuple[str, str, float, float]:
    """From an installed wheel with compiled modules, as a hook runs it."""
    environment = scratch / "environment"
    repository = scratch / "repository"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    subprocess.run([environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", ROOT], check=True)
    adr = repository / "docs" / "adr" / "014-documentation.md"
    adr.parent.mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "demo" / "014-repaired.md", adr)
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *command], cwd=repository, check=True)
    python = environment / "bin" / "python"
    hook = [environment / "bin" / "helix-hooks", "check", "--staged", "--matching", "docs/adr/014-documentation.md"]
    bare, whole = _in_turn(statistics.median, STARTS, lambda: _process([python, "-I", "-c", "pass"], repository), lambda: _process(hook, repository))
    print(f"start-up: bare {bare * 1000:.1f} ms, one staged ADR {whole * 1000:.1f} ms (medians of {STARTS})")
    return "one staged ADR, whole process", "bare start of the interpreter", whole / bare, 6.0


def _process(command: list[str | Path], folder: Path) -> float:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def _in_turn(figure: Callable[[list[float]], float], count: int, *runs: Callable[[], float]) -> list[float]:
    times: list[list[float]] = [[] for _ in runs]
    for number in range(count + 1):
        for run, kept in zip(runs, times, strict=True):
            seconds = run()
            if number:  # the first round warms caches
                kept.append(seconds)
    return [figure(kept) for kept in times]


def _throughput(folder: Path) -> tuple[str, str, float, float]:
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
    print(f"throughput: {len(paths)} files, {size / 1e6:.1f} MB; events {size / bare / 1e6:.1f} MB/s, check {size / whole / 1e6:.1f} MB/s")
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
        (folder / f"{number:04}-decision.md").write_text(_adr(chance, template, number), encoding="utf-8")
    return folder


def _adr(chance: random.Random, template: str, number: int) -> str:
    head = {
        "helix": f'---\nadr_id: "{number:03}"\ntitle: Decision {number}\nstatus: Proposed\nchange_scope: minor\ndepends_on: ["001"]\n---\n\n',
        "madr": "---\nstatus: accepted\ndate: 2024-01-31\n---\n\n" if chance.random() < 0.6 else "",
        "nygard": "",
    }[template]
    text = f"{head}# {number}. {_sentence(chance, 5)}\n"
    for section in SECTIONS[template]:
        text += f"\n## {section}\n\n{'Accepted' if section == 'Status' else _body(chance, section)}\n"
    return text


def _body(chance: random.Random, section: str) -> str:
    blocks = ["It rests on ADR-001."] if section == "Kontext" else []
    blocks += [_paragraph(chance) for _ in range(chance.choice((1, 2, 3, 4, 8)))]
    if section in ("Akzeptanzkriterien", "Considered Options", "Referenzen") or chance.random() < 0.4:
        mark = "- [ ] " if section == "Akzeptanzkriterien" else "* "
        blocks.append("\n".join(f"{mark}{_sentence(chance, 9)} `{chance.choice(WORDS)}.py`" for _ in range(chance.randint(3, 8))))
    if chance.random() < 0.25:
        blocks.append("```python\n" + "\n".join(f"{chance.choice(WORDS)}({chance.randint(1, 99)})" for _ in range(8)) + "\n```")
    if chance.random() < 0.1:
        rows = "\n".join(f"| {chance.choice(WORDS)} | {_sentence(chance, 4)} |" for _ in range(5))
        blocks.append(f"| what | why |\n|---|---|\n{rows}")
    if chance.random() < 0.3:
        blocks.append(f"### {_sentence(chance, 3)}\n\n{_paragraph(chance)}")
    return "\n\n".join(blocks)


def _paragraph(chance: random.Random) -> str:
    lines = [_sentence(chance, chance.randint(10, 18)) for _ in range(chance.randint(2, 6))]
    lines[0] += f" See [ADR-{chance.randint(1, 99):03}](x.md) and **{chance.choice(WORDS)}**."
    return "\n".join(lines)


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize()


if __name__ == "__main__":
    main()
