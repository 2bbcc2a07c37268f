from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...model import RuleResult, rule


class Breach(NamedTuple):
    """A place in the code that breaks a rule of an accepted ADR.

    `place` is the code there, or the chain of imports, and `text` its beginning. `adr` is the name
    of the ADR and `path` its path, `rule` the id of the rule, and `sentence` what was decided.
    `note` says more about an exception. If the change itself weakens the rule, only a person can
    decide. An `is_old` one was there before the change.
    """

    line: int
    end_line: int
    column: int
    end_column: int
    text: str
    place: str
    adr: str
    path: str
    rule: str
    sentence: str
    note: str = ""
    is_weakened: bool = False
    is_old: bool = False


@rule("decision-violated", "corpus", "error")
def decision_violated(breaches: Iterable[Breach]) -> Iterator[RuleResult]:
    """The code breaks a rule of an accepted ADR.

    `helix-hooks enforce` runs the rules in `enforcement:` of the accepted ADRs of the base. With
    `--since` and on a pull request it reads the changed files, and a place that the base has too is
    information. If the change also weakens the rule, or adds an exception for the file, a person
    decides. Comments of an engine, such as `ast-grep-ignore`, have no effect.

    To fix a finding, follow the decision, or write a new ADR that supersedes it. For a while, an
    exception in the ADR allows files to break the rule; it needs an approval.
    """
    for item in breaches:
        note = f" ({item.note})" if item.note else ""
        yield RuleResult(
            line=item.line,
            end_line=item.end_line,
            column=item.column,
            end_column=item.end_column,
            message=f"{item.text} breaks {item.adr}: {item.sentence}{note}",
            help=f"follow {item.path} (rule {item.rule}), supersede it, or add an exception there",
            severity="info" if item.is_old else "",
            question=item.is_weakened and not item.is_old,
            subject=f"{item.path} {item.rule} {item.place}",
        )
