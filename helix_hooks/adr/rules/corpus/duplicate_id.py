import re
from collections.abc import Iterator
from itertools import chain, islice

from ....finding import Finding
from ...corpus import Corpus, Entry
from ...model import Adr, Edit, Files, Fix, RuleResult, fix_of, fixed_by, lines_of, rule
from ...names import named, number_in_title
from ...place import has_own_folder
from ...reference import collection, id_key, key_in_path, stem

_NUMBER = r"(?<![0-9a-f])\d{1,6}(?![0-9a-f])"
"""A number that is not part of a hash."""
_MOST = 50
"""Number of ADRs with one id that get different next numbers."""


def _renumbered(finding: Finding, files: Files, entry: Entry, corpus: Corpus) -> Fix | None:
    """Return the fix that gives an ADR the next free number, if it is certainly the newer one.

    The last commit must have the other ADRs of the number, and not this one. The fix renames the
    file, and changes its number in the header, the title and the links to it.
    """
    path, key, folder = entry.path, entry.key, collection(entry.path)
    adr, text = files.adr(path), files.text(path)
    twins = {*corpus.same_id(entry).values()} - {path}
    taken = files.taken(folder) if files.taken else None
    if not adr or not text or not files.is_new or taken is None:
        return None
    if not twins or not files.is_new(path) or any(map(files.is_new, twins)):
        return None
    name = path.rpartition("/")[2]
    free = corpus.free_number(folder, taken)
    number = rf"(?<!\d)0*{key}(?!\d|\.\d)"

    def renumbered(words: str) -> str:
        """Return words with the free number, in as many digits, instead of the old one."""
        return re.sub(number, lambda old: str(free).zfill(len(old[0])), words, count=1)

    new_name = renumbered(name)
    new_path = f"{path.removesuffix(name)}{new_name}"
    # All places that state the number must agree.
    is_movable = key.isdigit() and {entry.declared, entry.titled, entry.named} <= {key, ""}
    if not is_movable or has_own_folder(path) or key_in_path(new_path) != str(free):
        return None
    # A translation, a concept or a picture has the name of the file too.
    if any(other != path and other.startswith(stem(path)) for other in taken):
        return None
    lines = lines_of(text)
    edits = [
        Edit(path, lines[row - 1].start, lines[row - 1].stop, renumbered(lines[row - 1].text))
        for row in _lines_of_number(adr, key)
    ]
    link = rf"(?:\[([^\[\]\n]*)(\]\([^()\s]*))?(?<![\w.-]){re.escape(name)}(?![\w-])"
    for other in sorted(taken - {path, *twins}):
        other_text, other_entry = files.text(other), corpus.entry(other)
        if not other_text or not other_entry:
            continue
        # In a new ADR, the number alone may mean either of the two.
        is_unclear = int(key) in named(re.sub(link, "", other_text)) or any(
            reference.key == key for reference in other_entry.references
        )
        if is_unclear and files.is_new(other):
            return None
        for match in re.finditer(link, other_text):
            new = f"[{renumbered(match[1])}{match[2]}{new_name}" if match[2] else new_name
            edits.append(Edit(other, *match.span(), new))
    title = f"renamed to {new_path}, the next free number"
    return fix_of(finding, title, *edits, new_path=new_path)


def _lines_of_number(adr: Adr, key: str) -> set[int]:
    """Return the lines of the header and the title that state the number of an ADR."""
    fields = filter(None, map(adr.header.fields.get, ("adr_id", "title")))
    lines = {
        field.line
        for field in fields
        if key in (id_key(field.text), str(number_in_title(field.text)))
    }
    title = adr.doc.title
    if title and str(number_in_title(title.title)) == key:
        lines.add(adr.doc.line_at(title.heading_start))
    return lines


@fixed_by(_renumbered)
@rule("duplicate-id", "corpus", "error")
def duplicate_id(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """Two ADRs of one folder have the same id.

    If two ADRs have the number 12, "see ADR-12" is ambiguous. This happens when two branches take
    the next free number: git merges both without a conflict.

    The id is `adr_id` in the header, else the number in the file name, else the number in the
    title. Numbers are compared: `ADR-012` and 12 are the same, `API-12` is another. Each folder has
    its own numbers. Versions (`0012-x.v2.md`) and translations (`0012-x.de.md`) are the same ADR.
    With `--since`, numbers that the other branch has used count too.

    To fix a finding, give the newer ADR the next free number.
    """
    owner, help = conflict(entry, corpus)
    id = f"{int(entry.key):03}" if entry.key.isdigit() else entry.id or entry.key
    if owner:
        yield RuleResult(
            line=entry.id_line if entry.declared else entry.title_line,
            message=f"the id {id} is also used by {owner}",
            help=help,
            severity="" if entry.declared or entry.named else "warning",
            words=entry.id,
            subject=f"{entry.key} {owner}",
        )


def conflict(entry: Entry, corpus: Corpus) -> tuple[str, str]:
    """Return the first other ADR with the id, for a message, and what to do; "" without one."""
    if not entry.key:
        return "", ""
    twins = _twins(entry, corpus)
    folder = collection(entry.path)
    taken = corpus.taken.get(entry.key, ())
    branch = [path for path in taken if collection(path) == folder and path != entry.path]
    if not twins and not branch:
        return "", ""
    owner = twins[0].path if twins else f"{branch[0]} on the other branch"
    if not entry.key.isdigit():
        return owner, "give one of them another id"
    if header_differs(entry):
        return owner, f"write {entry.named} in the header, as in the file name"
    # An ADR of the base keeps its number before new ones, and those before a renamed one.
    ages = [(item.is_new, item.titled not in ("", item.key), item.path) for item in (entry, *twins)]
    ordered = [path for *_, path in sorted(ages)]
    place = ordered.index(entry.path) + bool(branch)
    free = corpus.free_number(folder, chain.from_iterable(corpus.taken.values()))
    if place == 0:
        return owner, f"keep it here, and give {ordered[1]} the next free number, {free}"
    return owner, f"give this one the next free number, {free + place - 1}"


def _twins(entry: Entry, corpus: Corpus) -> list[Entry]:
    """Return the other ADRs with the id, by path.

    Without those whose file name has another number, unless this one is of that kind too.
    """
    own_stem = stem(entry.path)
    twins: list[Entry] = []
    for other_stem, path in islice(corpus.same_id(entry).items(), _MOST):
        other = corpus.entry(path)
        if other and other_stem != own_stem:
            twins.append(other)
    if header_differs(entry):
        return twins
    return [other for other in twins if not header_differs(other)]


def header_differs(entry: Entry) -> bool:
    """Return whether the header's id contains a number and shares none with the file name."""
    header_numbers = set(map(int, re.findall(_NUMBER, entry.declared)))
    if not (entry.named and header_numbers) or entry.declared == entry.named:
        return False
    return header_numbers.isdisjoint(map(int, re.findall(r"\d+", entry.named)))
