"""The standard that the ADRs of a folder set: as a sentence, and for many new ADRs at once."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from ..adr.check_report import CheckReport, FileReport
from ..adr.corpus import DECIDED
from ..adr.model import FEWEST, HELIX, UNKNOWN
from ..adr.norm import lacking
from ..adr.reference import collection
from ..config.settings import Settings
from ..finding import Finding
from ..text import counted
from .around import MANY, Siblings
from .files import adrs
from .trees import Tree

_HOLDING = ("unlike-siblings", "section-missing")
_NAMES = {"madr": "MADR", "nygard": "Nygard", UNKNOWN.name: "a style of their own"}


def conclusions(tree: Tree, settings: Settings) -> list[str]:
    """Return a sentence for each folder of ADRs."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in adrs(tree, settings):
        by_folder[collection(path)].append(path)
    siblings = Siblings(tree, settings)
    return [_conclusion(siblings, folder, paths) for folder, paths in by_folder.items()]


def _conclusion(siblings: Siblings, folder: str, paths: list[str]) -> str:
    read = siblings.read(paths)
    template = Counter(adr.template.name for adr in read).most_common(1)
    name = template[0][0] if template else UNKNOWN.name
    place = f" in {folder}" if folder else ""
    found = f"{counted(len(paths), 'ADR')}{place}, {_NAMES.get(name, name)}"
    norm = siblings.of_folder(folder)
    if not norm and name == UNKNOWN.name:
        return f"{counted(len(paths), 'ADR')}{place}: {_unknown(len(paths))}"
    if not norm and name == HELIX.name:
        return f"{found}; a new ADR must have what the helix template requires"
    if not norm:
        required = "Context and Decision" if name == "madr" else "Status, Context and Decision"
        return f"{found}; a new ADR must have {required} until there are {FEWEST}"
    firm = [trait for trait in norm.traits if norm.is_firm(trait)]
    must = _listed([trait.form[0] for trait in firm]) or "say what was decided"
    text = f"{found}; a new ADR must have {must}"
    others = [trait.form[0] for trait in norm.traits if not norm.is_firm(trait)]
    if others:
        text += f", and should have {_listed(others)}"
    if norm.file:
        text += f" (template: {norm.file})"
    different = sum(any(map(norm.is_firm, lacking(adr, norm))) for adr in read)
    if different:
        verb = "differs and stays as it is" if different == 1 else "differ and stay as they are"
        text += f"; {different} old {'one' if different == 1 else 'ones'} {verb}"
    return text


def unknown_styles(report: CheckReport) -> Iterator[str]:
    """Yield a line for each folder with fewer ADRs than a norm needs, all of an unknown style."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for file in report.files:
        if file.template:
            by_folder[collection(file.path)].append(file.template)
    for folder, names in by_folder.items():
        if len(names) < FEWEST and set(names) == {UNKNOWN.name}:
            yield f"{folder or '.'}: {_unknown(len(names))}"


def as_one_question(reports: list[FileReport], *, is_branch: bool) -> list[FileReport]:
    """Return reports in which many new ADRs with a decision are one question to a person.

    A team that brings its old ADRs along is asked once whether they may differ from the siblings;
    at a commit that is a warning.
    """
    new = [file for file in reports if file.entry and file.entry.is_new]
    unlike = [file for file in new if file.status in DECIDED and any(map(_is_held, file.findings))]
    if len(new) <= MANY or not unlike:
        return reports
    first = unlike[0]
    others = f" and {len(unlike) - 1} more" if len(unlike) > 1 else ""
    question = next(filter(_is_held, first.findings))._replace(
        severity="error" if is_branch else "warning",
        message=f"{len(new)} ADRs are added at once, and {first.path}{others} lack what a new ADR "
        "must have",
        help="a person decides whether they may differ; or complete them",
        question=is_branch,
        subject="many",
    )
    lowered: dict[str, FileReport] = {}
    for file in unlike:
        findings = tuple(
            item._replace(severity="info") if _is_held(item) else item for item in file.findings
        )
        lowered[file.path] = file._replace(findings=findings)
    changed = lowered[first.path]
    lowered[first.path] = changed._replace(findings=(question, *changed.findings))
    return [lowered.get(file.path, file) for file in reports]


def _is_held(finding: Finding) -> bool:
    """Return whether a finding is an error of an ADR that lacks what its siblings have."""
    return finding.check in _HOLDING and finding.severity == "error"


def _unknown(count: int) -> str:
    them = "this ADR follows" if count == 1 else f"these {count} ADRs follow"
    return f"{them} no known template: only title, text and a decision are checked"


def _listed(names: list[str]) -> str:
    """Return names with commas and `and`."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) < 2:
        return "".join(distinct)
    return f"{', '.join(distinct[:-1])} and {distinct[-1]}"
