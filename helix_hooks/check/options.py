"""The options of a check, the repository that is opened for them, and a prepared check."""

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .. import git
from ..config.settings import Settings
from ..errors import UsageError
from .trees import GitTree, Index, Revision

if TYPE_CHECKING:
    from ..adr.baseline import Baseline
    from .branch import BranchDiff
    from .trees import Tree
    from .work_tree import WorkTree


_FROM_REF = "PRE_COMMIT_FROM_REF"
"""The variable in which pre-commit and prek pass the revision of `--from-ref` to hooks."""


class CheckOptions(NamedTuple):
    """The ADRs to check, and the revision to compare them with.

    Without `paths`, `staged` and `since`, the check covers every ADR of the work tree. `matching`
    and `all` require `staged`. `since` is the revision with which the change is compared.
    `template`, `concept` and `baseline` replace the values of the settings. Without `use_baseline`
    no baseline hides a finding.

    `select` and `ignore` are the rules and layers whose findings are reported or not. `buffer` is
    the content of the only path, instead of the file on the disk. `jobs` is the number of processes
    for many ADRs, 0 for one per processor. With `in_full` each ADR is held as a new one, as a gate
    asks.
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
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    buffer: bytes | None = None
    jobs: int = 0
    in_full: bool = False


class CheckTarget(NamedTuple):
    """The repository to check; `repository` is None for a folder outside of git.

    `contents` is its index, `head` the last commit, with which a changed ADR is compared. To check
    a change under review, pass its commit as `contents`, its name as `commit`, and its `diff` from
    the merge base. `rules` is the tree whose settings are used; None for the commit itself.
    """

    repository: str | None
    contents: GitTree | None = None
    head: Revision | None = None
    commit: str = ""
    diff: "BranchDiff | None" = None
    rules: "Tree | None" = None

    @property
    def root(self) -> str:
        """Return the root of the repository, or the current folder without one."""
        return self.repository or "."


class CheckContext(NamedTuple):
    """A prepared check: the tree with its settings and baseline, and the diff of the branch.

    With `is_staged`, staged or committed files are checked, not the work tree. `no_base` is the
    reason why a diff that the options require is missing. `notices` are lines for the user.
    """

    options: CheckOptions
    target: CheckTarget
    paths: list[str]
    tree: "WorkTree | GitTree"
    settings: Settings
    baseline: "Baseline | None"
    is_staged: bool
    diff: "BranchDiff | None" = None
    no_base: str = ""
    notices: tuple[str, ...] = ()

    @property
    def is_branch(self) -> bool:
        """Return whether a branch is to be compared with its base."""
        return bool(self.options.since or self.target.diff)

    @property
    def is_whole(self) -> bool:
        """Return whether every ADR is checked."""
        return self.options.all or not (self.options.paths or self.is_staged)


@contextlib.contextmanager
def opened(options: CheckOptions) -> Iterator[CheckTarget]:
    """Open the repository of the current folder.

    Raises:
        UsageError: The options exclude each other, or they need a repository.
    """
    repository = git.repository()
    _refuse_conflicts(options, repository)
    if not repository:
        yield CheckTarget(None)
        return
    index, head = Index(repository), "HEAD"
    revision = os.environ.get(_FROM_REF, "") if options.staged else ""
    if revision:
        # In a hook of `pre-commit run --from-ref`, the merge base with that revision.
        from ..git import history

        commit = history.commit(repository, revision)
        base = history.merge_base(repository, commit, "HEAD") if commit else ""
        head = base or commit or "HEAD"
    try:
        yield CheckTarget(repository, index, Revision(repository, head, index))
    finally:
        index.close()


def _refuse_conflicts(options: CheckOptions, repository: str | None) -> None:
    """Raise UsageError for options that exclude each other, or that need a repository."""
    flags = {"--staged": options.staged, "--since": options.since}
    for flag, is_set in flags.items():
        if is_set and not repository:
            raise UsageError(f"{flag} needs a git repository, and this folder is not in one")
    flags = {"--matching": options.matching, "--all": options.all}
    for flag, is_set in flags.items():
        if is_set and not options.staged:
            raise UsageError(f"{flag} requires --staged")
    if options.all and (options.paths or options.since):
        raise UsageError("--all means every ADR; leave the PATHs and --since out")
    if not repository and not options.paths:
        hint = "name files or folders, or run `git init` here"
        raise UsageError(f"this folder is not in a git repository; {hint}")
