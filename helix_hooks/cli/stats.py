"""`helix-hooks stats`: what the judges have said, how long it took and what it cost."""

from argparse import ArgumentParser, Namespace

from ..config.settings import load
from ..console.output import write
from ..errors import UsageError
from ..judge import store
from ..report.verdict import rendered
from ..repository import files, git
from ..text.printable import counted, printable
from ..verdict.statistics import Figures, figures

EXAMPLE = """examples:
  helix-hooks stats                  approvals, time, cost and coverage of this repository
  helix-hooks stats --format json    for programs

Every run of `approve` in any work tree of the repository is recorded in helix-hooks/runs.jsonl in its git directory."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print them (default: text)")


def run(options: Namespace) -> int:
    repository = git.repository()
    if not repository:
        raise UsageError("stats needs a git repository, and this folder is not in one")
    index = git.Index(repository)
    try:
        settings = load(files.WorkTree(repository, index).read, files.packaged)
        tree = files.StagedTree(index, repository)
        blobs = {path: tree.blob(path) for path in files.adrs(tree, settings)}
    finally:
        index.close()
    found = figures(store.records(store.folder(repository)), {path: blob[1] for path, blob in blobs.items() if blob})
    write(rendered({"version": 1, **found._asdict()}) if options.format == "json" else _text(found))
    return 0


def _text(found: Figures) -> str:
    if not found.runs:
        return f"no runs yet; {counted(found.adrs, 'ADR')} here, none of them reviewed\n"
    asked = found.runs - found.cached
    rows = [
        ("runs", f"{found.runs}, {found.cached} of them answered before"),
        ("verdicts", _parts(found.results) or "none"),
        ("no verdict", _parts(found.failed) or "never"),
        ("decisions", _parts(found.decisions)),
        ("approved", _share(found.decisions.get("approved", 0), found.runs, "runs")),
        ("time", f"median {found.seconds_median:.1f} s, longest {found.seconds_longest:.1f} s"),
        ("cost", f"${found.cost_usd:.4f}, ${found.cost_usd / max(1, asked - found.unpriced):.4f} a run" + _unpriced(found.unpriced)),
        ("tokens", f"{found.tokens}, in {counted(found.turns, 'turn')}"),
        ("coverage", f"{_share(found.covered, found.adrs, 'ADRs')} approved, {found.current} as they are now"),
    ]
    if found.unread:
        rows.append(("unreadable", f"{counted(found.unread, 'record')}, left out"))
    return "".join(f"{name:<11} {printable(text)}\n" for name, text in rows)


def _parts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items(), key=lambda item: -item[1]))


def _share(part: int, whole: int, what: str) -> str:
    return f"{part} of {whole} {what} ({100 * part / max(1, whole):.0f} %)"


def _unpriced(number: int) -> str:
    return f"; {counted(number, 'run')} without a stated cost" if number else ""
