from collections.abc import Iterator

from ...corpus import DECIDED, Corpus, Entry
from ...model import RuleResult, rule
from .supersede_asymmetric import names


@rule("retired-without-successor", "corpus", "warning")
def retired_without_successor(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """A decision was retired, and no accepted ADR supersedes it.

    Work still follows a decision until another one takes its place. Who changes a status alone
    could retire any decision in a change that looks like paperwork. A decided ADR may become
    Superseded or Deprecated if it names an accepted successor, and the successor names it.
    Otherwise this is a warning at the commit, and a question to a person on the pull
    request: an approving review answers it.

    The version before is that of the last commit; with `--since` or pre-commit's from-ref it is
    that of the merge base. This finding cannot be suppressed.
    """
    if not entry.was:
        return
    for path in corpus.succession(entry, "superseded_by"):
        successor = corpus.entry(path)
        if not successor or path == entry.path or successor.status not in DECIDED:
            continue
        if names(successor, "supersedes", entry, corpus):
            return
    key = entry.key or "ID"
    yield RuleResult(
        line=entry.status_line,
        words=entry.status_text,
        message=f"this ADR was {entry.was.lower()}, and no accepted ADR supersedes it",
        help=f"accept its successor first (`helix-hooks new --supersedes {key}`), or a person "
        "approves it on the pull request",
        question=True,
        subject=entry.was,
    )
