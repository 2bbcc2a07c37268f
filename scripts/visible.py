"""Compares the visible text of all Markdown files below a folder with what cmark-gfm and an HTML
parser show: `make visible DIR=folder`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from helix_hooks.adr.parse import document
from tests.unit.adr.parse import comparison, visible_oracle


def main(folder: Path) -> int:
    documents = count = 0
    for path in sorted(folder.rglob("*.md")):
        doc = document.parse(path.read_bytes(), str(path))
        if doc.defect:
            continue
        markdown = doc.data[doc.body :].decode()
        documents += 1
        count += len(comparison.words(visible_oracle.characters(markdown)))
        try:
            comparison.agree(markdown)
        except AssertionError:
            print(f"{path}: shows something else")
    print(f"{documents} documents, {count} words")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
