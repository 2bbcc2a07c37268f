"""Layers 1 to 3 on the ADRs of a gate."""

import os
from collections.abc import Iterable

from ..check.branch import named_commit
from ..check.options import CheckContext, CheckOptions, CheckTarget
from ..check.run import check_files, prepare
from ..check.trees import Revision
from ..config.gates import Gate
from ..finding import SEVERITIES, Finding
from ..judge.approve import opened_change
from ..judge.change import Change
from .content import Content
from .results import error
from .work import GateWork


def errors_in(
    gate: Gate, paths: tuple[str, ...], work: GateWork, content: Content
) -> tuple[Finding, ...]:
    """Return the errors and the questions to a person in some ADRs, old and new.

    If there is a base, its settings apply. A change that hides an error from those settings is
    itself an error.
    """
    concept = os.path.join(work.root, gate.concept) if gate.concept else None
    errors = [*_errors(gate, _without_comparison(work, content, concept), paths)]
    if work.base:
        range = work.range._replace(ignored=content.ignored(paths))
        with opened_change(range, work.root) as change:
            errors += _errors(gate, _compared_with_base(change, concept), paths)
    return tuple(dict.fromkeys(errors))


def _without_comparison(work: GateWork, content: Content, concept: str | None) -> CheckContext:
    """Prepare a check of the content as it is, without a comparison."""
    rules = None
    if work.base:
        base = named_commit(work.root, "--base", work.base)
        rules = Revision(work.root, base, content.reader)
    target = CheckTarget(
        repository=work.root,
        contents=content.reader,
        head=Revision(work.root, "HEAD", content.reader) if content.on_disk else None,
        commit=work.head,
        rules=rules,
    )
    return prepare(CheckOptions(staged=work.staged, concept=concept, in_full=True), target)


def _compared_with_base(change: Change, concept: str | None) -> CheckContext:
    """Prepare a check that compares with the base, to report what was relaxed."""
    target = CheckTarget(
        repository=change.root,
        contents=change.tree,
        commit=change.head,
        diff=change.diff,
        rules=change.rules,
    )
    return prepare(CheckOptions(staged=True, concept=concept, in_full=True), target)


def _errors(gate: Gate, context: CheckContext, paths: tuple[str, ...]) -> Iterable[Finding]:
    report = check_files(context, [*paths], only=True).report
    for file in report.files:
        yield from (item for item in file.findings if _blocks(item, context))
    checked = {file.path for file in report.files}
    for path in paths:
        if path not in checked:
            yield error(gate, "it was not checked", path)


def _blocks(finding: Finding, context: CheckContext) -> bool:
    """Return whether a finding blocks; at a commit, a question is only a warning."""
    return (finding.question and context.is_branch) or finding.severity == SEVERITIES[0]
