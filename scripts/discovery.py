"""Show which files are found as ADRs by their names alone.

discovery.py REPOSITORY      the ADRs of a clone or bare repository, at HEAD
discovery.py PATHS.tsv       how many known ADRs are found; columns: repository, path
"""

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from helix_hooks.check import files
from helix_hooks.config.settings import load

SETTINGS = load(lambda _: None, files.packaged)
LISTING = ("ls-tree", "-r", "-z", "--name-only", "HEAD")


def main(place: Path) -> int:
    if place.is_dir():
        _tree(place)
    else:
        _known(place)
    return 0


def _tree(repository: Path) -> None:
    done = subprocess.run(["git", "-C", repository, *LISTING], check=True, capture_output=True)
    paths = done.stdout.decode(errors="surrogateescape").split("\0")[:-1]
    found = list(filter(SETTINGS.is_adr, paths))
    for path in found:
        print(ascii(path)[1:-1])
    print(f"{len(found)} of {len(paths)} files are ADRs by name")


def _known(table: Path) -> None:
    rows = [line.split("\t")[:2] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    missed = defaultdict(list)
    for repository, path in rows:
        if not SETTINGS.is_adr(path):
            missed[repository].append(path)
    of_each = Counter(repository for repository, _ in rows)
    nothing = [name for name, paths in missed.items() if len(paths) == of_each[name]]
    for name, paths in missed.items():
        print(f"{name}: {len(paths)} of {of_each[name]} missed, such as {paths[0]}")
    count = sum(map(len, missed.values()))
    others = sum(not path.endswith(".md") for _, path in rows)
    print(
        f"{len(rows) - count} of {len(rows)} paths found ({1 - count / len(rows):.1%}); "
        f"{others} are not .md\n{len(of_each) - len(nothing)} of {len(of_each)} repositories "
        f"found ({1 - len(nothing) / len(of_each):.1%})"
    )


if __name__ == "__main__":
    if len(sys.argv) != len(("program", "place")):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
