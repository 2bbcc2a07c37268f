"""Verify the work in a repository: find the contracts, collect the evidence, compare."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple

from ..adr.examine import adr_id
from ..change.approvals import approvals_of
from ..check.settings import settings_of
from ..config.settings import Settings
from ..config.verify import VerifySettings
from ..contract.contract import Contract, promises_of
from ..errors import HelixError, UsageError
from ..repository import git, history
from ..repository.branch import named_commit
from ..repository.files import StagedTree, Tree
from ..repository.index import Index
from ..repository.revisions import Revision
from ..repository.work_tree import WorkTree
from ..verification.evidence import CommandFact
from ..verification.result import FAILED, UNAPPROVED, VerificationResult, without_evidence
from ..verification.verified import verified
from .approved import Approved, CutOffError, NotApprovedError, adr_of, approved
from .base import WorkBase, base_of
from .claims import Claim, claims_of, paths_named
from .evidence import Trees, evidence_for
from .options import VerifyOptions

Commands = Callable[[], Mapping[str, CommandFact]]
"""Returns the results of the settings' commands, which are run once where an ADR is verified."""

_NO_COMMIT = "there is no commit yet, so no ADR was ever approved"


class Verification(NamedTuple):
    """The results of a verification, one for each ADR.

    `base` is what the contracts were read from; `settings` are those of the base.
    """

    results: tuple[VerificationResult, ...]
    base: str
    settings: VerifySettings


class VerifiedWork(NamedTuple):
    """What is verified: the repository, its base, the last commit of the work, and its trees.

    `reader` reads the objects of all commits. `rules` are the settings of the base.
    """

    root: str
    base: WorkBase
    head: str
    reader: Revision
    at_base: StagedTree
    now: Tree
    rules: Settings
    in_work_tree: bool
    counts_records: bool = True


def verify(options: VerifyOptions, root: str) -> Verification:
    """Verify the ADRs that are named, else those that are claimed.

    Raises UsageError for an unknown ADR or revision, ConfigError for broken settings at the base,
    HelixError where git can't answer.
    """
    head = named_commit(root, "--head", options.head) if options.head else ""
    last = head or history.commit(root, "HEAD")
    base = options.known_base or base_of(root, options.base, last)
    if not base:
        return _without_commit(options)
    with _opened(options, root, base, head, last) as work:
        settings = approvals_of(work.at_base, options.config).verify
        claims = _claims(options, work)
        commands = cache(partial(_commands, options, settings, root))
        results = tuple(_result(claim, work, commands) for claim in claims)
    if options.judge:
        from .judge import with_judge

        results = with_judge(results, root, base.commit, head, settings.judge)
    return Verification(results, base.name, settings)


def lacks_history(options: VerifyOptions, root: str) -> bool:
    """Return whether a clone has too little history to verify the commit `head` of the options,
    which need a known base. Where nothing is claimed, none is needed.
    """
    base = options.known_base
    if not base or not history.is_shallow(root):
        return False
    head = named_commit(root, "--head", options.head)
    with _opened(options, root, base, head, head) as work:
        claims = [claim for claim in _claims(options, work) if not claim.reason]
        if not claims:
            return False
        is_built_on = history.merge_base(root, base.fork, head) == base.fork
        return not is_built_on or any(_is_cut_off(claim.path, work) for claim in claims)


def _is_cut_off(path: str, work: VerifiedWork) -> bool:
    try:
        _approved(path, work)
    except (CutOffError, NotApprovedError) as error:
        return isinstance(error, CutOffError)
    return False


@contextmanager
def _opened(
    options: VerifyOptions, root: str, base: WorkBase, head: str, last: str
) -> Iterator[VerifiedWork]:
    """Open the trees of a verification; without a `head` the work is that of the work tree."""
    index, reader = Index(root), Revision(root, base.commit)
    at_base = StagedTree(reader, root)
    try:
        yield VerifiedWork(
            root=root,
            base=base,
            head=last,
            reader=reader,
            at_base=at_base,
            now=StagedTree(Revision(root, head, reader), root) if head else WorkTree(root, index),
            rules=settings_of(at_base),
            in_work_tree=not head,
            counts_records=options.counts_records,
        )
    finally:
        reader.close()
        index.close()


def _without_commit(options: VerifyOptions) -> Verification:
    results = tuple(without_evidence(name, name, UNAPPROVED, _NO_COMMIT) for name in options.adrs)
    return Verification(results, "", VerifySettings())


def _claims(options: VerifyOptions, work: VerifiedWork) -> list[Claim]:
    if options.adrs:
        found = [_named(name, work) for name in options.adrs]
        return list({claim.path or claim.name: claim for claim in found}.values())
    start = work.base.fork
    if work.base.is_own:
        start = history.commit(work.root, f"{work.head}^") or start
    at_start = _tree_at(work, start)
    return claims_of(
        work.root,
        work.base,
        "" if options.known_base else work.head,
        options.claims,
        (at_start if work.base.is_own else work.at_base, at_start, work.now),
        work.rules,
        _changes(work, start),
    )


def _named(name: str, work: VerifiedWork) -> Claim:
    """Return the ADR that an argument names, by path or id. Raises UsageError for none."""
    path = git.paths_in(work.root, [name])[0] if os.sep in name or name.endswith(".md") else name
    found = paths_named(path, work.at_base, work.rules)
    if len(found) == 1:
        return Claim(found[0], name)
    if found:
        raise UsageError(f"{name} may be {' or '.join(found[:3])}; write the path")
    old = next((item.old for item in _changes(work, work.base.fork) if item.path == path), "")
    if old and work.at_base.has(old):
        return Claim(old, name)
    if paths_named(path, work.now, work.rules):
        return Claim(path if path.endswith(".md") else "", name, "")
    raise UsageError(f"{name}: there is no such ADR, neither here nor at {work.base.name}")


def _commands(
    options: VerifyOptions, settings: VerifySettings, root: str
) -> Mapping[str, CommandFact]:
    """Return the results of the settings' commands, which run in the work tree only."""
    if not settings.commands:
        return {}
    from .commands import not_run, run_commands  # few repositories have some

    if options.head:
        return not_run(settings, "commands run in the work tree only, and a commit is verified")
    if not options.runs_commands:
        return not_run(settings, "the commands of the settings were not run")
    return run_commands(settings, root)


def _result(claim: Claim, work: VerifiedWork, commands: Commands) -> VerificationResult:
    """Verify one ADR. What keeps it from being verified loses nothing of the others."""
    path = claim.path
    if not path and not claim.reason:
        path = paths_named(claim.name, work.now, work.rules)[0]
    stopped = partial(without_evidence, claim.name, path)
    if claim.reason:
        return stopped(UNAPPROVED, claim.reason)
    try:
        version = _approved(path, work)
    except NotApprovedError as error:
        return stopped(UNAPPROVED, str(error))
    except HelixError as error:
        return stopped(FAILED, str(error))
    adr = adr_of(version.path, version.content, work.rules)
    if adr.doc.defect:
        return stopped(FAILED, adr.doc.defect.message)
    contract = Contract(
        adr_id=adr_id(adr) or claim.name,
        path=version.path,
        title=adr.doc.title.title if adr.doc.title else adr.header.text("title"),
        hash=version.hash,
        promises=promises_of(adr),
    )
    evidence = evidence_for(contract.promises, path, _trees(work, version), commands())
    return verified(contract, evidence, version.since)


def _approved(path: str, work: VerifiedWork) -> Approved:
    return approved(
        work.root, work.base, path, work.rules, work.head, counts_records=work.counts_records
    )


def _trees(work: VerifiedWork, version: Approved) -> Trees:
    return Trees(
        now=work.now,
        before=_tree_at(work, version.before),
        changed=cache(partial(_changed, work, version.before)),
        known=cache(partial(_known, work)) if work.in_work_tree else None,
        unseen=work.now.unseen if isinstance(work.now, WorkTree) else frozenset(),
    )


def _tree_at(work: VerifiedWork, commit: str) -> StagedTree:
    if commit == work.base.commit:
        return work.at_base
    return StagedTree(Revision(work.root, commit, work.reader), work.root)


def _known(work: VerifiedWork) -> frozenset[str]:
    return frozenset(work.now.folder(""))


def _changed(work: VerifiedWork, commit: str) -> list[str]:
    """Return the paths that differ from a commit, new files too; all of them without a commit."""
    if not commit:
        return work.now.folder("")
    paths = [item.path for item in _changes(work, commit)]
    if isinstance(work.now, WorkTree):
        before = _tree_at(work, commit)
        paths += [path for path in work.now.untracked if not before.has(path)]
    return list(dict.fromkeys(paths))


def _changes(work: VerifiedWork, commit: str) -> list[history.Changed]:
    if not work.in_work_tree:
        return history.changes(work.root, commit, staged=True, other=work.head)
    flags = git.without_filters(work.root)
    return history.changes(work.root, commit, staged=False, flags=flags)
