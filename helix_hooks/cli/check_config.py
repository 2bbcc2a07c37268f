"""`helix-hooks check-config`: are the settings, rules and approvals files what they should be?"""

from argparse import ArgumentParser, Namespace

from .. import files, git, strict
from ..approval import policy
from ..errors import ConfigError, HelixError, UsageError
from ..places import APPROVALS_FILE, PYPROJECT, RULES_FILE, SETTINGS
from ..settings import decode, load
from .main import complain, write

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
    index = git.Index(repository) if repository else None
    try:
        tree: files.Tree = files.StagedTree(index, repository or ".") if options.staged and index else files.WorkTree(repository or ".", index)
        errors = wrong(tree)
        found = [] if errors else [path for path in _FILES if tree.has(path)]
    finally:
        if index:
            index.close()
    for error in errors:
        complain(error)
    if not errors and not options.quiet:
        write(f"{', '.join(found)}: no findings\n" if found else "no settings here, so the defaults hold\n")
    return 2 if errors else 0


def wrong(tree: files.Tree) -> list[HelixError]:
    """All that keeps the settings, rules and approvals files from being what they should be."""
    found = (error for check in (_settings, _approvals) for error in check(tree))
    return list({str(error): error for error in found}.values())


def _settings(tree: files.Tree) -> list[HelixError]:
    try:
        load(tree.read, files.packaged)
    except ConfigError as error:
        return [error]
    return []


def _approvals(tree: files.Tree) -> list[HelixError]:
    errors: list[HelixError] = []
    types: dict[str, policy.ApprovalType] = {}
    try:
        data = tree.read(APPROVALS_FILE)
        if data is not None:
            types = policy.parse(strict.load(decode(data, APPROVALS_FILE), APPROVALS_FILE)).types
    except ConfigError as error:
        errors.append(error)
    return [*errors, *(error for type in types.values() if type.enabled for error in _briefs(tree, type)), *_texts(tree)]


def _briefs(tree: files.Tree, type: policy.ApprovalType) -> list[HelixError]:
    """An enabled type has a rubric and the briefs it names, in the repository or in the package."""
    errors: list[HelixError] = []
    for name, value in type.checks:
        path = f"approvals/{type.name}/checks/{name}.md"
        if _lacks(tree, path, errors):
            errors.append(value.fail(f"there is no brief {path}; write it or take {name!r} out"))
    rubric = f"approvals/{type.name}/CLAUDE.md"
    if _lacks(tree, rubric, errors):
        errors.append(ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", f"there is no rubric {rubric}; write it or set enabled: false"))
    return errors


def _lacks(tree: files.Tree, path: str, errors: list[HelixError]) -> bool:
    """Whether neither the repository nor the package has a file; what is there and is no file is added to the errors."""
    try:
        return tree.read(path) is None and files.packaged(path) is None
    except ConfigError as error:
        errors.append(error)
        return False


def _texts(tree: files.Tree) -> list[HelixError]:
    """Rubrics and briefs of the repository are texts that say something."""
    errors: list[HelixError] = []
    for path in tree.folder("approvals"):
        if path.endswith(".md") and tree.there(path):
            doc = tree.document(path)
            if doc.defect:
                errors.append(ConfigError(path, doc.defect.line, "", doc.defect.message))
            elif not doc.title or not doc.prose.strip():
                errors.append(ConfigError(path, 1, "", "a rubric or brief starts with a heading `# …` and says what to check"))
    return errors
