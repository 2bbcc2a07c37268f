"""`helix-hooks check-config`: are the settings, rules and approvals files what they should be?"""

from argparse import ArgumentParser, Namespace
from typing import NamedTuple

from .. import yaml_values
from ..check.settings import named_baseline
from ..config import approvals
from ..config.policy import cautions
from ..config.settings import decode, load
from ..config.watched import View, idle, no_adr, watch
from ..console.output import complain, write
from ..errors import ConfigError, HelixError, UsageError
from ..paths import APPROVALS, APPROVALS_FILE, PYPROJECT, RULES_FILE, SETTINGS
from ..repository import files, git, views

EXAMPLE = """examples:
  helix-hooks check-config              the files of the work tree
  helix-hooks check-config --staged     as the next commit would contain them"""

_FILES = (SETTINGS, PYPROJECT, RULES_FILE, APPROVALS_FILE)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="ignored; a hook may name the files that changed")
    parser.add_argument("--staged", action="store_true", help="check the staged content")


def run(options: Namespace) -> int:
    repository = git.repository()
    if options.staged and not repository:
        raise UsageError("--staged needs a git repository, and this folder is not in one")
    if not repository:
        raise UsageError(views.NO_REPOSITORY)
    index = git.Index(repository)
    try:
        tree: files.Tree = files.StagedTree(index, repository) if options.staged else files.WorkTree(repository, index)
        found = looked(tree, None if options.staged else index)
        there = [] if found.errors else [path for path in _FILES if tree.has(path)]
    finally:
        index.close()
    for error in found.errors:
        complain(error)
    if not found.errors and not options.quiet:
        write(f"{', '.join(there)}: no findings\n" if there else "no settings here, so the defaults hold\n")
        write("".join(f"{line}\n" for line in found.notes))
    return 2 if found.errors else 0


class Looked(NamedTuple):
    """What keeps the settings, rules and approvals files from being what they should be, what they
    may watch (None where nobody asked), the approval types that review nothing, and what may keep
    everybody from deciding. `folder` is that of rubrics and briefs.
    """

    errors: list[HelixError]
    view: View | None = None
    idle: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    folder: str = APPROVALS

    @property
    def notes(self) -> list[str]:
        """What is no error, and should not go unsaid."""
        return [*([no_adr(self.view.settings)] if self.view and not self.view.adrs else []), *self.idle, *self.cautions]


def looked(tree: files.Tree, index: git.Index | None) -> Looked:
    """Read all of these files. Without an index nobody asks what they watch: a hook looks only at
    what is staged.
    """
    errors: list[HelixError] = []
    view, folder = None, APPROVALS
    try:
        settings = load(tree.read, files.packaged)
        folder = settings.approvals
        if settings.baseline:
            named_baseline(tree, settings.baseline)
        if index and isinstance(tree, files.WorkTree):
            view = views.of_work_tree(settings, tree, index)
            watch(view)
    except ConfigError as error:
        errors.append(error)
    found, wrong = _approvals(tree, folder)
    unused = idle([type for type in found.types.values() if type.enabled], view.tracked) if view else []
    distinct = {str(error): error for error in (*errors, *wrong, *_texts(tree, folder))}
    return Looked(list(distinct.values()), view, tuple(unused), tuple(cautions(found.policy.deciders)), folder)


def _approvals(tree: files.Tree, folder: str) -> tuple[approvals.Approvals, list[HelixError]]:
    """The approvals that the repository configures, and what is wrong with them."""
    errors: list[HelixError] = []
    found = approvals.Approvals({}, {})
    try:
        data = tree.read(APPROVALS_FILE)
        if data is not None:
            packaged = yaml_values.load(decode(files.packaged(APPROVALS_FILE) or b"", APPROVALS_FILE), APPROVALS_FILE)
            found = approvals.parse(yaml_values.load(decode(data, APPROVALS_FILE), APPROVALS_FILE), packaged)
    except ConfigError as error:
        errors.append(error)
    return found, [*errors, *(error for type in found.types.values() if type.enabled for error in _briefs(tree, type, folder))]


def _briefs(tree: files.Tree, type: approvals.ApprovalType, folder: str) -> list[HelixError]:
    """An enabled type has a rubric and the briefs it names, in the repository or in the package."""
    errors: list[HelixError] = []
    for name, value in type.checks:
        path = f"{type.name}/checks/{name}.md"
        if _lacks(tree, folder, path, errors):
            errors.append(value.fail(f"there is no brief {folder}/{path}; write it or take {name!r} out"))
    rubric = f"{folder}/{type.name}/CLAUDE.md"
    if _lacks(tree, folder, f"{type.name}/CLAUDE.md", errors):
        errors.append(ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", f"there is no rubric {rubric}; write it or set enabled: false"))
    return errors


def _lacks(tree: files.Tree, folder: str, path: str, errors: list[HelixError]) -> bool:
    """Whether neither the repository nor the package has a file; what is there and is no file is added to the errors."""
    try:
        return tree.read(f"{folder}/{path}") is None and files.packaged(f"{APPROVALS}/{path}") is None
    except ConfigError as error:
        errors.append(error)
        return False


def _texts(tree: files.Tree, folder: str) -> list[HelixError]:
    """Rubrics and briefs of the repository are texts that say something."""
    errors: list[HelixError] = []
    for path in tree.folder(folder):
        if path.endswith(".md") and tree.there(path):
            doc = tree.document(path)
            if doc.defect:
                errors.append(ConfigError(path, doc.defect.line, "", doc.defect.message))
            elif not doc.title or not doc.prose(0, len(doc.data)).strip():
                errors.append(ConfigError(path, 1, "", "a rubric or brief starts with a heading `# …` and says what to check"))
    return errors
