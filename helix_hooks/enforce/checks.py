"""The rules of accepted ADRs on the code of a tree: what is run, and the findings. Pure.

`job` and `proofs` say what an engine must do. `breaches`, `unproven` and `on_today` turn its
answers into results.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from ..adr.enforcement import CodeRule, Enforcement, NamedCheck, Snippet
from ..adr.rules.gate.decision_violated import Breach
from ..adr.rules.gate.enforcement_unproven import Problem
from ..finding import Severity
from ..text import counted, cut

Job = dict[str, Any]
"""The input of the engine: a rule as data, and the names of its texts or those of a snippet."""

_LONGEST = 80
"""Characters of the code that a message quotes."""
FAILS, PASSES = "fails", "passes"


class DecisionChecks(NamedTuple):
    """The `enforcement:` of an accepted ADR of the base, and what the change leaves of it.

    `name` is that of the ADR for people. `now` is its version after the change, None if it is no
    longer accepted. `weakened` are the ids of rules that the change weakens.
    """

    name: str
    path: str
    sentence: str
    checks: Enforcement
    now: Enforcement | None
    weakened: frozenset[str]

    def key(self, rule: CodeRule) -> str:
        """Return the key of the job that runs a rule on the code."""
        return f"{self.path}\0{rule.id}"

    def still_names(self, check: NamedCheck) -> bool:
        """Return whether the ADR names a check after the change."""
        return self.now is not None and any(one.text == check.text for one in self.now.named)


class Places(NamedTuple):
    """The answer of an engine: places, files that it read in part, and an error or "".

    `is_missing` says that the error is a module of a contract that does not exist.
    """

    places: list[list[Any]]
    unread: list[str]
    error: str
    is_missing: bool = False


Answers = Mapping[str, Places]


def job(rule: CodeRule, texts: list[str]) -> Job:
    """Return the job that runs a rule on some texts."""
    return {
        "grammars": {path: rule.grammar(path) for path in texts} if rule.languages else {},
        "grammar": rule.languages[0] if rule.languages else "",
        "packages": list(rule.packages),
        "config": rule.config,
        "texts": texts,
        "complete": False,
    }


def proofs(key: str, rule: CodeRule) -> Iterator[tuple[str, Job]]:
    """Yield the jobs that run a rule on its two snippets."""
    for kind, snippet in ((FAILS, rule.fails), (PASSES, rule.passes)):
        yield f"{key}\0{kind}", job(rule, []) | {"texts": _texts(rule, snippet), "complete": True}


def _texts(rule: CodeRule, snippet: Snippet) -> dict[str, str]:
    """Return a snippet by path; modules are named without the folder above their package."""
    folders = {folder.rpartition("/")[2]: folder for folder in rule.packages}
    texts = {}
    for path, text in snippet:
        root, _, inner = path.partition("/")
        texts[f"{folders.get(root, root)}/{inner}" if inner else path] = text
    return texts


def unproven(key: str, rule: CodeRule, answers: Answers) -> Iterator[Problem]:
    """Yield the problem of a rule that does not report `fails`, or reports `passes`."""
    failing, passing = (answers[f"{key}\0{kind}"] for kind in (FAILS, PASSES))
    if failing.error:
        yield problem(rule, f"can't run: {failing.error}")
        return
    if any(not _is_reported(path, rule, failing) for path, _ in rule.fails):
        yield problem(rule, "does not report its snippet `fails`")
    if passing.error:
        yield problem(rule, f"can't run on `passes`: {passing.error}")
    elif passing.places:
        yield problem(rule, f"reports its snippet `passes`: {passing.places[0][5]}")


def _is_reported(path: str, rule: CodeRule, answer: Places) -> bool:
    """Return whether a snippet is reported; the modules of a contract are one snippet."""
    return any(rule.packages or place[0] == path for place in answer.places)


def on_today(rule: CodeRule, answer: Places, *, reads_some: bool) -> Iterator[Problem]:
    """Yield a warning if a new rule can't run on the code as it is, or reports places there."""
    if not reads_some:
        yield problem(rule, "reads no file of today's code", "warning")
    elif answer.error:
        yield problem(rule, f"can't run on today's code: {answer.error}", "warning")
    elif answer.places:
        path, line = answer.places[0][:2]
        places = counted(len(answer.places), "place")
        text = f"reports {places} of today's code, the first in {path}:{line}"
        yield problem(rule, text, "warning")


def problem(
    rule: CodeRule, text: str, severity: Severity = "", *, question: bool = False
) -> Problem:
    return Problem(rule.line, rule.id, f"the rule {rule.id} {text}", severity, question)


def breaches(
    item: DecisionChecks,
    rule: CodeRule,
    places: Iterable[list[Any]],
    old: Counter[tuple[str, str]],
    today: date,
) -> Iterator[tuple[str, Breach]]:
    """Yield the path and the breach of each place that no exception covers.

    `old` counts the places of the base by path and hash. Exceptions are those of the base; one that
    only the change has makes a question of the breach.
    """
    after = next((new for new in item.now.rules if new.id == rule.id), None) if item.now else None
    left = old.copy()
    for path, line, end_line, column, end_column, text, hash in places:
        if rule.is_excepted(path, today):
            continue
        covering = [one for one in rule.exceptions if one.covers(path)]
        note = ""
        if covering:
            last = max(covering, key=lambda one: one.until)
            note = f"the exception of {last.owner} ended on {last.until}"
        is_weakened = rule.id in item.weakened
        if not rule.reads(path):
            note, is_weakened = "the change moves it out of the files of this rule", True
        elif after and after.is_excepted(path, today):
            note, is_weakened = "the change adds an exception for this file", True
        elif is_weakened:
            note = "the change also weakens this rule"
        is_old = left[path, hash] > 0
        left[path, hash] -= is_old
        yield (
            path,
            Breach(
                line=line,
                end_line=end_line,
                column=column,
                end_column=end_column,
                text=cut(text, _LONGEST),
                place=f"{text} {hash}",
                adr=item.name,
                path=item.path,
                rule=rule.id,
                sentence=rule.message or item.sentence,
                note=note,
                is_weakened=is_weakened,
                is_old=is_old,
            ),
        )


def files_of(
    rule: CodeRule,
    paths: Collection[str],
    moved: Mapping[str, str],
    is_plain: Callable[[str], bool],
) -> list[str]:
    """Return the files that a rule reads. `moved` has the old path of each moved file.

    A file that leaves the globs of the rule is still read.
    """
    return [
        path
        for path in paths
        if (rule.reads(path) or (path in moved and rule.reads(moved[path]))) and is_plain(path)
    ]
