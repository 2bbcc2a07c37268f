"""The options of a check, and the repository that is opened for them.

This module is light: it starts git before the rest of the check is loaded.
"""

import contextlib
import os
from collections.abc import Iterator

from ..errors import UsageError
from ..paths import wanted
from ..records import TYPE_CHECKING, NamedTuple
from ..repository import git, runner
from ..repository.index import Index
from ..repository.revisions import Head

if TYPE_CHECKING:
    from ..repository.branch import BranchDiff
    from ..repository.files import Tree
else:  # loaded later; a quoted name in a NamedTuple would cost a millisecond
    BranchDiff = Tree = object


_FROM_REF = "PRE_COMMIT_FROM_REF"
"""The variable in which pre-commit and prek pass the revision of `--from-ref` to hooks."""


class CheckOptions(NamedTuple):
    """The ADRs to check, and the revision to compare them with.

    Without `paths`, `staged` and `since`, the check covers every ADR of the work tree. `matching`
    and `all` go with `staged`. `since` names the revision that the change is compared with.
    `template`, `concept` and `baseline` replace those of the settings; without `use_baseline` no
    baseline hides a finding. With `uses_cache`, a check of many ADRs keeps what it finds in git's
    folder, and uses it the next time.

    `select` and `ignore` name rules and layers: which findings are reported. `buffer` is the
    content of the only path, instead of that on the disk. `jobs` is the number of processes for
    many ADRs, 0 for one a processor.
    """

    paths: tuple[str, ...] = ()
    staged: bool = False
    matching: bool = False
    all: bool = False
    since: str | None = None
    baseline: str | None = None
    use_baseline: bool = True
    template: str | None = None
    concept: str | None = None
    uses_cache: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    buffer: bytes | None = None
    jobs: int = 0


class CheckTarget(NamedTuple):
    """The repository to check; `repository` is None for a folder outside of git.

    `contents` is its index, `head` the last commit, with which a changed ADR is compared. To check
    a change under review, pass its commit as `contents` and its name as `commit`, its `diff` from
    the merge base, and as `rules` the tree whose settings count (None: those of the commit itself).
    """

    repository: str | None
    contents: Index | None = None
    head: Head | None = None
    commit: str = ""
    diff: BranchDiff | None = None
    rules: Tree | None = None

    @property
    def root(self) -> str:
        return self.repository or "."


@contextlib.contextmanager
def opened(options: CheckOptions) -> Iterator[CheckTarget]:
    """Open the repository of the current folder, where git begins with what is asked first.

    Raises UsageError for options that do not go together, or not with this folder.
    """
    repository = git.repository()
    _refuse_conflicts(options, repository)
    index = Index(repository) if repository else None
    head = _head(options, repository, index) if repository and index else None
    try:
        if options.staged and index and options.paths:
            index.expect(wanted(git.paths_in(repository, options.paths)), read=True)
        elif repository and not (options.paths or options.staged):
            git.prefetch_check(repository)
        yield CheckTarget(repository=repository, contents=index, head=head)
    finally:
        runner.forget()
        for reader in (index, head):
            if reader:
                reader.close()


def _head(options: CheckOptions, root: str, index: Index) -> Head:
    """Return the commit with which a changed ADR is compared.

    That is HEAD; for a hook of `pre-commit run --from-ref`, the merge base with that revision.
    """
    revision = os.environ.get(_FROM_REF, "") if options.staged else ""
    if not revision:
        return Head(root, index)
    from ..repository import history

    commit = history.commit(root, revision)
    base = history.merge_base(root, commit, "HEAD") if commit else ""
    return Head(root, index, base or commit or "HEAD")


def _refuse_conflicts(options: CheckOptions, repository: str | None) -> None:
    """Raise UsageError for options that do not go together."""
    if (options.staged or options.since) and not repository:
        flag = "--staged" if options.staged else "--since"
        raise UsageError(f"{flag} needs a git repository, and this folder is not in one")
    if (options.matching or options.all) and not options.staged:
        raise UsageError(f"{'--matching' if options.matching else '--all'} goes with --staged")
    if options.all and (options.paths or options.since):
        raise UsageError("--all means every ADR; leave the PATHs and --since out")
    if not (repository or options.paths):
        hint = "name files or folders, or run `git init` here"
        raise UsageError(f"this folder is not in a git repository; {hint}")
