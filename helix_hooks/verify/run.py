"""The verification of the work in a repository: find the contracts, collect evidence, compare."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple

from .. import git
from ..adr.examine import adr_id
from ..adr.promises import TEST, Contract, promises_of
from ..check.branch import named_commit
from ..check.settings import settings_of
from ..check.trees import GitTree, Index, Revision, Tree
from ..check.work_tree import WorkTree
from ..config.approvals import VerifySettings
from ..config.settings import Settings
from ..errors import HelixError, UsageError
from ..git import history
from ..judge.approvals import approvals_of
from ..paths import is_markdown
from ..verification.evidence import CommandFact, Evidence
from ..verification.promise_states import verified
from ..verification.result import FAILED, UNAPPROVED, VerificationResult, without_evidence
from . import store
from .approved import Approved, CutOffError, NotApprovedError, adr_of, approved
from .base import WorkBase, base_of
from .claims import Claim, claims_of, paths_named
from .confirmed import with_confirmations
from .evidence import Trees, evidence_for, place_of_test
from .options import VerifyOptions

Commands = Callable[[], Mapping[str, CommandFact]]
"""A function that runs the commands of the settings once, if an ADR is verified."""
Tests = Callable[[Evidence, Contract, str], Evidence]
"""A function that adds the runs of named tests to the evidence for the ADR at a path."""

_NO_COMMIT = "no commit yet, so no ADR is approved"


class Verification(NamedTuple):
    """The results of a verification, one for each ADR.

    `base` is the name of the base, from which contracts and `settings` were read.
    """

    results: tuple[VerificationResult, ...]
    base: str
    settings: VerifySettings


class VerifiedWork(NamedTuple):
    """The work under verification: the repository, its base, the last commit, and its trees.

    `at_base` reads the objects of all commits. `rules` are the settings of the base.
    """

    root: str
    base: WorkBase
    head: str
    at_base: GitTree
    now: Tree
    rules: Settings
    in_work_tree: bool
    counts_records: bool = True


def verify(options: VerifyOptions, root: str) -> Verification:
    """Verify the ADRs in the options, or those that the work claims to implement.

    Raises:
        UsageError: An ADR or a revision is unknown.
        ConfigError: The settings of the base are invalid.
        HelixError: A git command failed.
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
        runs_tests = settings.tests and options.runs_commands and not head
        tests = partial(_run_tests, settings, root) if runs_tests else None
        results = tuple(_result(claim, work, commands, tests) for claim in claims)
    if options.judge:
        from .judge import with_judge

        results = with_judge(results, root, base.commit, head, settings.judge)
    if options.counts_records and not head:
        place = store.opened(root, settings.feedback)
        results = with_confirmations(results, place)
    return Verification(results, base.name, settings)


def lacks_history(options: VerifyOptions, root: str) -> bool:
    """Return whether a clone has too little history to verify the commit `head` of the options.

    The options must have a `known_base`. Without claims no history is necessary.
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
    """Return whether the approval of an ADR may be in the missing part of the history."""
    try:
        _approved(path, work)
    except (CutOffError, NotApprovedError) as error:
        return isinstance(error, CutOffError)
    return False


@contextmanager
def _opened(
    options: VerifyOptions, root: str, base: WorkBase, head: str, last: str
) -> Iterator[VerifiedWork]:
    """Yield the work with opened trees. Without a `head` it is the work tree."""
    index, at_base = Index(root), Revision(root, base.commit)
    now: Tree = WorkTree(root, index)
    if head:
        now = Revision(root, head, at_base)
    try:
        yield VerifiedWork(
            root=root,
            base=base,
            head=last,
            at_base=at_base,
            now=now,
            rules=settings_of(at_base),
            in_work_tree=not head,
            counts_records=options.counts_records,
        )
    finally:
        at_base.close()
        index.close()


def _without_commit(options: VerifyOptions) -> Verification:
    results = tuple(without_evidence(name, name, UNAPPROVED, _NO_COMMIT) for name in options.adrs)
    return Verification(results, "", VerifySettings())


def _claims(options: VerifyOptions, work: VerifiedWork) -> list[Claim]:
    """Return the ADRs to verify, each once. Raises UsageError."""
    if options.adrs:
        named = [_named(name, work) for name in options.adrs]
        return list({claim.path or claim.name: claim for claim in named}.values())
    start = work.base.fork
    if work.base.is_own:
        start = history.commit(work.root, f"{work.head}^") or start
    at_start = _tree_at(work, start)
    at_base = at_start if work.base.is_own else work.at_base
    # With a known base the clone may lack commits; the caller read their messages elsewhere.
    head = "" if options.known_base else work.head
    return claims_of(
        work.root,
        work.base,
        head,
        options.claims,
        (at_base, at_start, work.now),
        work.rules,
        _changes(work, start),
    )


def _named(name: str, work: VerifiedWork) -> Claim:
    """Return the claim for an argument, a path or an id. Raises UsageError for an unknown ADR."""
    is_path = is_markdown(name)
    path = name
    if is_path or os.sep in name:
        path = git.paths_in(work.root, [name])[0]
    paths = paths_named(path, work.at_base, work.rules)
    if len(paths) == 1:
        return Claim(paths[0], name)
    if paths:
        raise UsageError(f"{name} is ambiguous: {' or '.join(paths[:3])}; give the path")
    old = _old_path(path, work)
    if old:
        return Claim(old, name)
    if paths_named(path, work.now, work.rules):
        # The ADR is not in the base, but may have a recorded approval.
        return Claim(path if is_path else "", name)
    raise UsageError(f"{name}: no such ADR in the work tree or in {work.base.name}")


def _old_path(path: str, work: VerifiedWork) -> str:
    """Return the path in the base of a file that the work renamed; "" for any other file."""
    for item in _changes(work, work.base.fork):
        if item.path == path and item.old and work.at_base.has(item.old):
            return item.old
    return ""


def _commands(
    options: VerifyOptions, settings: VerifySettings, root: str
) -> Mapping[str, CommandFact]:
    """Return the facts of the settings' commands, which run only in the work tree."""
    if not settings.commands:
        return {}
    from .commands import not_run, run_commands  # few repositories have commands

    if options.head:
        return not_run(settings, "commands run only in the work tree, not for a commit")
    if not options.runs_commands:
        return not_run(settings, "the commands of the settings were not run")
    return run_commands(settings, root)


def _run_tests(
    settings: VerifySettings, root: str, evidence: Evidence, contract: Contract, adr: str
) -> Evidence:
    """Return the evidence with the runs of the tests that the criteria name by file and name."""
    from .commands import run_tests  # few repositories have a runner in their settings

    paths = {
        name: place_of_test(name.path, adr)
        for promise in contract.promises
        for name in promise.names
        if name.kind == TEST and name.path and evidence.tests[name.path, name.text].there
    }
    if not paths:
        return evidence
    try:
        return evidence._replace(runs=run_tests(settings, root, paths))
    except HelixError as error:
        return evidence._replace(problem=str(error))


def _result(
    claim: Claim, work: VerifiedWork, commands: Commands, tests: Tests | None
) -> VerificationResult:
    """Return the result for one ADR. A failure does not affect the other ADRs."""
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
    title = adr.header.text("title")
    if adr.doc.title:
        title = adr.doc.title.title
    contract = Contract(
        adr_id=adr_id(adr) or claim.name,
        path=version.path,
        title=title,
        hash=version.hash,
        promises=promises_of(adr),
    )
    evidence = evidence_for(contract.promises, path, _trees(work, version), commands())
    if tests:
        evidence = tests(evidence, contract, path)
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


def _tree_at(work: VerifiedWork, commit: str) -> GitTree:
    if commit == work.base.commit:
        return work.at_base
    return Revision(work.root, commit, work.at_base)


def _known(work: VerifiedWork) -> frozenset[str]:
    return frozenset(work.now.folder(""))


def _changed(work: VerifiedWork, commit: str) -> list[str]:
    """Return the paths that differ from a commit, including new files; all without a commit."""
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
